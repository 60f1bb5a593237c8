"""``pilotta score``: what a deal is worth, from its points or from the cards themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import click

from pilotta_cli.options import (
    CARDS,
    DEAL,
    SEAT,
    ParamType,
    current_tongue,
    examples,
    json_option,
    rules_options,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import Talk, has_symbols, json_line, make_console
from pilotta_solver.cards import ALL_TRUMP, CARD_POINTS_TOTAL, NO_TRUMP

if TYPE_CHECKING:
    from pilotta_solver.deal import Deal
    from pilotta_solver.game import PlayedDeal
    from pilotta_solver.notation import Bid
    from pilotta_solver.ruleset import Ruleset
    from pilotta_solver.scoring import Outcome, Party, Score

Pair = tuple[int, int]


class PairType(ParamType):
    """Two numbers, declarers and defence, as in 100-62."""

    name = "pair"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Split the text at its dash."""
        match = re.fullmatch(r"\s*([0-9]{1,4})\s*[-–:/]\s*([0-9]{1,4})\s*", str(value))
        if match is None:
            self.fail(f"'{value}': give declarers-defence, as in 100-62", param, ctx)
        return int(match[1]), int(match[2])


PAIR = PairType()
PARTY = click.Choice(["declarers", "defence"])


@dataclass(frozen=True)
class Given:
    """The options of one of the two ways to score that are not common to both."""

    values: dict[str, Any]

    def refuse(self, names: tuple[str, ...], way: str) -> None:
        """Refuse options that belong to the other way."""
        for name in names:
            if self.values[name] not in (None, ()):
                option = "--" + name.replace("_", "-")
                raise click.UsageError(f"{option} does not go with {way}; leave it out.")

    def need(self, names: tuple[str, ...], way: str) -> None:
        """Insist on options that this way needs."""
        for name in names:
            if self.values[name] is None:
                raise click.UsageError(f"Missing option '--{name}' with {way}.")


@click.command(
    short_help="Score a deal: made or failed, raw and sheet, and how.",
    epilog=examples(
        "pilotta score 90S --points 103-59 --declarations 50-0 --belote declarers",
        "pilotta score 120H --points 92-70 --declarations 0-50 --doubled --rules classic",
        "pilotta score 130S --capot declarers --declarations 20-0 --json",
        'pilotta score --deal "$DEAL" --played "$CARDS" --contract 80S --declarer W',
        'pilotta score --deal "$DEAL" --played "$CARDS" --auction "P 80S P P X P P P"',
    ),
)
@click.argument("bid", required=False, metavar="[BID]")
@click.option("--points", type=PAIR, metavar="D-F", help="Card points with the last trick.")
@click.option(
    "--declarations",
    type=PAIR,
    metavar="D-F",
    show_default="0-0",
    help="Declaration points that score; those of one side only.",
)
@click.option("--belote", type=PARTY, help="Who has the belote.")
@click.option("--capot", type=PARTY, help="Who took all eight tricks; --points may be left out.")
@click.option("--deal", type=DEAL, metavar="DEAL", help="Score the cards: the four hands.")
@click.option(
    "--played", type=CARDS, metavar="CARDS", help="All 32 cards in the order they were played."
)
@click.option("--contract", metavar="BID", help="The contract that the deal was played in.")
@click.option("--declarer", type=SEAT, metavar="SEAT", help="Who bid it: N, W, S or E.")
@click.option(
    "--auction",
    metavar="CALLS",
    help="All calls, from the player who led; gives contract, declarer and doubles.",
)
@click.option("--doubled", is_flag=True, help="The contract was doubled.")
@click.option("--redoubled", is_flag=True, help="The contract was redoubled.")
@click.option("--missed-belote", type=PARTY, help="Who announced a belote and did not complete it.")
@tongue_option("--cards", "--tongue")
@rules_options
@json_option
@talk_options
def score(
    *,
    bid: str | None,
    doubled: bool,
    redoubled: bool,
    missed_belote: Party | None,
    rules: Ruleset,
    as_json: bool,
    talk: Talk,
    **given: Any,
) -> None:
    """Score a deal played in BID from its points, or with --deal from the cards themselves.

    From points, all pairs are declarers-defence, as in --points 100-62. From cards, every card is
    checked against the law of play, and declarations, belote and capot are found; the player who
    holds the first card leads. Says whether the contract is made, and the raw score and the sheet
    of both sides, with the keys of the ruleset that decided.
    """
    if doubled and redoubled:
        raise click.UsageError("Give --doubled or --redoubled, not both.")
    multiplier = 4 if redoubled else 2 if doubled else 1
    options = Given(given)
    from pilotta_solver.scoring import score_deal

    played: PlayedDeal | None = None
    if given["deal"] is None:
        options.refuse(("played", "contract", "declarer", "auction"), "scoring from points")
        if bid is None:
            raise click.UsageError("Missing argument 'BID'; or score the cards with --deal.")
        contract = _parse_bid(bid, rules, "BID")
        outcome = _outcome(given, missed_belote, rules)
    else:
        options.refuse(("points", "declarations", "belote", "capot"), "--deal")
        options.need(("played",), "--deal")
        if bid is not None:
            raise click.UsageError("With --deal the contract goes to --contract, not to BID.")
        contract, declarer, multiplier = _contract(options, multiplier, rules)
        played = _play_out(given["deal"], contract, declarer, given["played"], rules, missed_belote)
        outcome = played.outcome
    _note(contract, missed_belote, rules, talk)
    scored = score_deal(contract, outcome, rules, multiplier)
    if as_json:
        click.echo(json_line(_as_dict(scored, rules)))
        return
    _show(scored, rules, given["deal"], played)


def _parse_bid(text: str, rules: Ruleset, where: str) -> Bid:
    from pilotta_solver.errors import PilottaError
    from pilotta_solver.notation import parse_bid

    try:
        return parse_bid(text, rules, current_tongue())
    except PilottaError as error:
        raise click.BadParameter(str(error), param_hint=f"'{where}'") from error


def _outcome(given: dict[str, Any], missed_belote: Party | None, rules: Ruleset) -> Outcome:
    """What came of the play, as the options tell it."""
    from pilotta_solver.declarations import BELOTE_POINTS
    from pilotta_solver.scoring import Outcome

    capot, points = given["capot"], given["points"]
    if capot is not None:
        swept = _turned((CARD_POINTS_TOTAL, 0), capot)
        # Who writes the points of a capot as they count means the same.
        if points in (None, _turned((rules.capot_points, 0), capot)):
            points = swept
    if points is None:
        raise click.UsageError("Missing option '--points'; or say who has a --capot.")
    if missed_belote and missed_belote == given["belote"]:
        raise click.UsageError(
            f"--belote and --missed-belote both name the {missed_belote}: a belote that was "
            "announced and not completed does not score, so leave out --belote."
        )
    belote = _turned((BELOTE_POINTS, 0), given["belote"]) if given["belote"] else (0, 0)
    return Outcome(points, given["declarations"] or (0, 0), belote, capot, missed_belote)


def _turned(pair: Pair, party: Party) -> Pair:
    """A pair that the declarers would have; turned round if it is the defence's."""
    return pair if party == "declarers" else (pair[1], pair[0])


def _contract(options: Given, multiplier: int, rules: Ruleset) -> tuple[Bid, int, int]:
    """The contract, its declarer and its multiplier, as the options or the auction tell them."""
    from pilotta_solver.auction import Auction
    from pilotta_solver.deal import SEATS
    from pilotta_solver.errors import DealError
    from pilotta_solver.notation import format_bid, parse_calls

    given = options.values
    bid = given["contract"] and _parse_bid(given["contract"], rules, "--contract")
    if given["auction"] is None:
        options.need(("contract", "declarer"), "--deal, unless there is an --auction")
        return cast("Bid", bid), given["declarer"], multiplier
    leader = _leader(given["deal"], given["played"])
    auction = Auction(
        rules, (leader - 1) % 4, parse_calls(given["auction"], rules, current_tongue())
    )
    found = auction.contract
    if found is None:
        how = (
            "ends without a contract: there is nothing to score"
            if auction.is_over
            else "is not over yet: give every call up to the last pass"
        )
        raise DealError(f"auction '{given['auction']}' {how}")
    if bid not in (None, found.bid) or given["declarer"] not in (None, found.declarer):
        raise DealError(
            f"the auction ends in {format_bid(found.bid)} by {SEATS[found.declarer]}, not in what "
            "--contract and --declarer say: leave them out or correct them"
        )
    if multiplier not in (1, found.multiplier):
        raise DealError("the auction does not end as --doubled or --redoubled says: leave it out")
    return found.bid, found.declarer, found.multiplier


def _leader(deal: Deal, played: tuple[int, ...]) -> int:
    """The seat that holds the first card; N if no card was played, which is refused later."""
    return next((seat for seat in range(4) if played and deal.hands[seat] >> played[0] & 1), 0)


def _play_out(
    deal: Deal,
    contract: Bid,
    declarer: int,
    played: tuple[int, ...],
    rules: Ruleset,
    missed_belote: Party | None,
) -> PlayedDeal:
    from pilotta_solver.game import play_out

    return play_out(deal, contract.trump, declarer, played, rules, missed_belote)


def _note(contract: Bid, missed_belote: Party | None, rules: Ruleset, talk: Talk) -> None:
    """Say so where a key makes nothing of what was given; the deal is scored all the same."""
    from pilotta_solver.notation import format_bid

    bid = f"{rules.name} has no bid of {format_bid(contract)}"
    if contract.trump == NO_TRUMP and not rules.no_trump_bids:
        talk.say(f"Note: {bid} (no_trump_bids = false).")
    if contract.trump == ALL_TRUMP and not rules.all_trump_bids:
        talk.say(f"Note: {bid} (all_trump_bids = false).")
    if missed_belote and not rules.missed_belote_penalty:
        talk.say(
            f"Note: {rules.name} has no penalty for a missed belote (missed_belote_penalty = 0)."
        )


def _as_dict(scored: Score, rules: Ruleset) -> dict[str, Any]:
    """The answer as JSON has it."""
    from pilotta_solver.scoring import PARTIES

    pairs = {"total": scored.total, "raw": scored.raw, "sheet": scored.sheet}
    return {
        "made": scored.made,
        **{key: dict(zip(PARTIES, pair, strict=True)) for key, pair in pairs.items()},
        "rules": rules.name,
    }


def _show(scored: Score, rules: Ruleset, deal: Deal | None, played: PlayedDeal | None) -> None:
    """Print the answer for a person."""
    from pilotta_solver import __version__

    symbols = has_symbols(make_console())
    if deal is not None and played is not None:
        for line in _found(deal, played, rules, symbols):
            click.echo(line)
        click.echo()
    for line in scored.arithmetic(symbols=symbols):
        click.echo(line)
    click.echo(f"\nrules {rules.name}; pilotta {__version__}")


def _found(deal: Deal, played: PlayedDeal, rules: Ruleset, symbols: bool) -> list[str]:
    """What was found in the cards: hands, declarations, tricks."""
    from pilotta_solver.deal import SEATS, SIDES
    from pilotta_solver.declarations import BELOTE_POINTS, describe
    from pilotta_solver.notation import format_hand, format_trump
    from pilotta_solver.ruleset_keys import value_text

    lines = []
    for seat, hand in enumerate(deal.hands):
        told = [describe(one, symbols=symbols) for one in played.contest.declared[seat]]
        told += [
            f"belote in {format_trump(suit, symbols=symbols)} {BELOTE_POINTS}"
            for holder, suit in played.belotes
            if holder == seat
        ]
        lines.append(f"{SEATS[seat]}  {format_hand(hand, symbols=symbols)}")
        lines += [f"   {one}" for one in told]
    contest = played.contest
    scores = "nobody" if contest.winner is None else SIDES[contest.winner].upper()
    keys = ["sequence_order"] if rules.declarations else ["declarations"]
    keys += ["declaration_tie"] if contest.is_level else []
    told_keys = ", ".join(f"{key} = {value_text(getattr(rules, key))}" for key in keys)
    level = "level, " if contest.is_level else ""
    lines.append(f"declarations: {level}{scores} scores [{told_keys}]")
    ns, ew = played.position.tricks
    lines.append(f"tricks: NS {ns}, EW {ew}")
    return lines

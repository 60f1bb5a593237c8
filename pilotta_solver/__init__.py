"""An exact double dummy solver and Monte Carlo tool for Pilotta, the Cypriot Belote.

The names below are the public interface. Each is imported from its module on first use, so that
``import pilotta_solver`` costs nothing and loads neither numba nor pandas.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilotta_solver.advice.advise import (
        Advice as Advice,
        advise as advise,
    )
    from pilotta_solver.auction import (
        Auction as Auction,
        Contract as Contract,
    )
    from pilotta_solver.bidding_table.grouping import (
        BiddingTable as BiddingTable,
        HandClass as HandClass,
        group as group,
    )
    from pilotta_solver.bidding_table.shipped import (
        class_row as class_row,
        shipped_table as shipped_table,
    )
    from pilotta_solver.bidding_table.sources import (
        solved_deals as solved_deals,
    )
    from pilotta_solver.datasets.results import (
        TablePlay as TablePlay,
    )
    from pilotta_solver.datasets.simulation import (
        Simulation as Simulation,
        simulate as simulate,
    )
    from pilotta_solver.deal import (
        Deal as Deal,
        Position as Position,
    )
    from pilotta_solver.declarations import (
        Contest as Contest,
        Declaration as Declaration,
        belote_points_many as belote_points_many,
        belote_seats_many as belote_seats_many,
        belotes as belotes,
        contest as contest,
        declaration_points_many as declaration_points_many,
        describe as describe,
        hand_declarations as hand_declarations,
    )
    from pilotta_solver.double_dummy import (
        Solution as Solution,
        at_least_many as at_least_many,
        perft as perft,
        solve as solve,
        solve_cards as solve_cards,
        solve_many as solve_many,
        solve_table_many as solve_table_many,
    )
    from pilotta_solver.errors import (
        ConstraintError as ConstraintError,
        DealError as DealError,
        NotationError as NotationError,
        PilottaError as PilottaError,
        PlayError as PlayError,
        RulesetError as RulesetError,
    )
    from pilotta_solver.game import (
        Game as Game,
        PlayedDeal as PlayedDeal,
        play_out as play_out,
    )
    from pilotta_solver.knowledge.auction_knowledge import (
        AuctionKnowledge as AuctionKnowledge,
        PlayerView as PlayerView,
        Reading as Reading,
        knowledge_from_auction as knowledge_from_auction,
        player_view as player_view,
    )
    from pilotta_solver.knowledge.bidding_system import (
        BiddingSystem as BiddingSystem,
        load_system as load_system,
        system_names as system_names,
    )
    from pilotta_solver.knowledge.constraints import (
        Knowledge as Knowledge,
        Statement as Statement,
    )
    from pilotta_solver.knowledge.expression import (
        Expression as Expression,
        holds as holds,
        holds_many as holds_many,
    )
    from pilotta_solver.knowledge.expression_text import (
        format_expression as format_expression,
        parse_expression as parse_expression,
    )
    from pilotta_solver.knowledge.sampling import (
        Sampled as Sampled,
        worlds as worlds,
        worlds_given as worlds_given,
    )
    from pilotta_solver.knowledge.system_auction import (
        ReachedContracts as ReachedContracts,
        bid_out as bid_out,
        bid_out_many as bid_out_many,
    )
    from pilotta_solver.notation import (
        Bid as Bid,
        format_bid as format_bid,
        format_call as format_call,
        format_card as format_card,
        format_cards as format_cards,
        format_deal as format_deal,
        format_hand as format_hand,
        format_trump as format_trump,
        parse_bid as parse_bid,
        parse_call as parse_call,
        parse_calls as parse_calls,
        parse_cards as parse_cards,
        parse_deal as parse_deal,
        parse_hand as parse_hand,
        parse_seat as parse_seat,
        parse_trump as parse_trump,
    )
    from pilotta_solver.rules import (
        legal_cards as legal_cards,
        play as play,
        replay as replay,
        start as start,
        trick_points as trick_points,
        trick_winner as trick_winner,
        why_illegal as why_illegal,
    )
    from pilotta_solver.ruleset import (
        Law as Law,
        Ruleset as Ruleset,
        load_ruleset as load_ruleset,
        parse_setting as parse_setting,
        preset_names as preset_names,
    )
    from pilotta_solver.scoring import (
        Outcome as Outcome,
        Score as Score,
        score_deal as score_deal,
        totals as totals,
        totals_many as totals_many,
    )
    from pilotta_solver.scoring_many import (
        Scores as Scores,
        score_many as score_many,
    )
    from pilotta_solver.table_play.information import (
        Goal as Goal,
        Information as Information,
    )
    from pilotta_solver.table_play.player import (
        Decision as Decision,
        decide as decide,
    )
    from pilotta_solver.table_play.self_play import (
        SelfPlay as SelfPlay,
        self_play as self_play,
        self_play_many as self_play_many,
    )
    from pilotta_solver.tables import (
        Table as Table,
        open_table as open_table,
    )

try:
    __version__ = version("pilotta-solver")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+unknown"

_NAMES = {
    "advice.advise": (
        "Advice",
        "advise",
    ),
    "auction": (
        "Auction",
        "Contract",
    ),
    "bidding_table.grouping": (
        "BiddingTable",
        "HandClass",
        "group",
    ),
    "bidding_table.shipped": (
        "class_row",
        "shipped_table",
    ),
    "bidding_table.sources": ("solved_deals",),
    "knowledge.auction_knowledge": (
        "AuctionKnowledge",
        "PlayerView",
        "Reading",
        "knowledge_from_auction",
        "player_view",
    ),
    "knowledge.bidding_system": (
        "BiddingSystem",
        "load_system",
        "system_names",
    ),
    "knowledge.constraints": (
        "Knowledge",
        "Statement",
    ),
    "deal": (
        "Deal",
        "Position",
    ),
    "declarations": (
        "Contest",
        "Declaration",
        "belote_points_many",
        "belote_seats_many",
        "belotes",
        "contest",
        "declaration_points_many",
        "describe",
        "hand_declarations",
    ),
    "double_dummy": (
        "Solution",
        "at_least_many",
        "perft",
        "solve",
        "solve_cards",
        "solve_many",
        "solve_table_many",
    ),
    "errors": (
        "ConstraintError",
        "DealError",
        "NotationError",
        "PilottaError",
        "PlayError",
        "RulesetError",
    ),
    "knowledge.expression": (
        "Expression",
        "holds",
        "holds_many",
    ),
    "knowledge.expression_text": (
        "format_expression",
        "parse_expression",
    ),
    "game": (
        "Game",
        "PlayedDeal",
        "play_out",
    ),
    "notation": (
        "Bid",
        "format_bid",
        "format_call",
        "format_card",
        "format_cards",
        "format_deal",
        "format_hand",
        "format_trump",
        "parse_bid",
        "parse_call",
        "parse_calls",
        "parse_cards",
        "parse_deal",
        "parse_hand",
        "parse_seat",
        "parse_trump",
    ),
    "rules": (
        "legal_cards",
        "play",
        "replay",
        "start",
        "trick_points",
        "trick_winner",
        "why_illegal",
    ),
    "ruleset": (
        "Law",
        "Ruleset",
        "load_ruleset",
        "parse_setting",
        "preset_names",
    ),
    "knowledge.sampling": (
        "Sampled",
        "worlds",
        "worlds_given",
    ),
    "scoring": (
        "Outcome",
        "Score",
        "score_deal",
        "totals",
        "totals_many",
    ),
    "scoring_many": (
        "Scores",
        "score_many",
    ),
    "knowledge.system_auction": (
        "ReachedContracts",
        "bid_out",
        "bid_out_many",
    ),
    "datasets.results": ("TablePlay",),
    "datasets.simulation": (
        "Simulation",
        "simulate",
    ),
    "tables": (
        "Table",
        "open_table",
    ),
    "table_play.information": (
        "Goal",
        "Information",
    ),
    "table_play.player": (
        "Decision",
        "decide",
    ),
    "table_play.self_play": (
        "SelfPlay",
        "self_play",
        "self_play_many",
    ),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = ["__version__"]
__all__ += sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use (PEP 562)."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pilotta_solver' has no attribute '{name}'")
    value: object = getattr(import_module(f"pilotta_solver.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All public names, those not yet imported among them."""
    return sorted({*globals(), *__all__})

"""The keys of a ruleset: what each decides, and what each of its values means at the table.

These sentences are what ``pilotta rules`` and ``docs/rules.md`` print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Value = bool | int | str

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")

# No key allows a number of more digits.
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Key:
    """What one key of a ruleset decides, and the values it can have.

    Attributes
    ----------
    group
        The part of the game: play, declarations, auction, scoring or game.
    about
        What the key decides.
    says
        For a choice, a sentence for every allowed value. For a number, one sentence with ``{}``
        where the number goes.
    low, high, step
        For a number, the least and the greatest that is allowed, and what it is a multiple of.
    zero
        For a number, the sentence that stands for 0, if 0 is special; it is then always allowed.
    """

    group: str
    about: str
    says: Mapping[Value, str] | str
    low: int = 0
    high: int = 0
    step: int = 1
    zero: str | None = None

    @property
    def allowed(self) -> str:
        """The allowed values, for an error message."""
        if not isinstance(self.says, str):
            return " or ".join(value_text(value) for value in self.says)
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        zero = ", or 0" if self.zero is not None and self.low > 0 else ""
        return f"a whole number from {self.low} to {self.high}{steps}{zero}"

    def sentence(self, value: Value) -> str:
        """Say in a player's words what a value of this key means."""
        if not isinstance(self.says, str):
            return self.says[value]
        if value == 0 and self.zero is not None:
            return self.zero
        return self.says.format(value)

    def allows(self, value: object) -> bool:
        """Tell whether a value has the right type and lies in range."""
        if not isinstance(self.says, str):
            return any(value == one and type(value) is type(one) for one in self.says)
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        if value == 0 and self.zero is not None:
            return True
        return self.low <= value <= self.high and value % self.step == 0

    def parse(self, text: str) -> Value:
        """Read a value of this key's type from text; what cannot be read is returned as it is."""
        word = text.strip()
        if isinstance(self.says, str):
            digits = word.removeprefix("-")
            return int(word) if digits.isdecimal() and len(digits) <= _MAX_DIGITS else word
        if True in self.says:
            return True if word.lower() in _TRUE else False if word.lower() in _FALSE else word
        return word


def value_text(value: object) -> str:
    """Write a value as a message shows it."""
    return str(value).lower() if isinstance(value, bool) else f"{value}"


KEYS: Mapping[str, Key] = {
    "partner_exempt": Key(
        "play",
        "void in the suit led while the partner is winning the trick",
        {
            False: "Void in the suit led, you must trump even when your partner is winning.",
            True: "Void in the suit led, you may play any card while your partner is winning.",
        },
    ),
    "undertrump": Key(
        "play",
        "void in the suit led, a trump already in the trick, and only lower trumps in hand",
        {
            "must": "Unable to overtrump, you must play a lower trump.",
            "may": "Unable to overtrump, you may play a lower trump or discard.",
            "forbidden": (
                "Unable to overtrump, you must discard; a lower trump may be played only when "
                "nothing but lower trumps is left."
            ),
        },
    ),
    "beat_trump_lead": Key(
        "play",
        "trumps led (in all trump, any suit led)",
        {
            True: "When trumps are led, you must beat the best trump in the trick if you can.",
            False: "When trumps are led, you may follow with any trump.",
        },
    ),
    "declarations": Key(
        "declarations",
        "whether sequences and carrés score",
        {
            True: "Sequences and carrés score for the side that has the best of them.",
            False: "There are no declarations; only the belote scores.",
        },
    ),
    "sequence_order": Key(
        "declarations",
        "the order of the cards in a sequence",
        {
            "natural": "Sequences run A K Q J 10 9 8 7.",
            "plain": "Sequences run A 10 K Q J 9 8 7, the order of a plain suit.",
        },
    ),
    "carre_beats_quint": Key(
        "declarations",
        "a carré of 100 against a sequence of 100",
        {
            True: "At 100, a carré beats a sequence.",
            False: "At 100, a sequence beats a carré.",
        },
    ),
    "declaration_tie": Key(
        "declarations",
        "best declarations of the two sides that are level in everything",
        {
            "none": "When the best declarations are level, nobody scores any.",
            "first": (
                "When the best declarations are level, the player who comes first in order of "
                "play from the leader wins."
            ),
            "led_suit": (
                "When the best declarations are level, the holder who leads that suit to the "
                "first trick wins; until that is known, nobody does."
            ),
        },
    ),
    "all_trump_belote": Key(
        "declarations",
        "belote under an all-trump contract",
        {
            False: "In all trump there is no belote.",
            True: "In all trump, K and Q of any suit in one hand are a belote.",
        },
    ),
    "first_bid": Key(
        "auction", "the lowest bid", "The lowest bid is {}.", low=10, high=1000, step=10
    ),
    "bid_step": Key("auction", "the step between bids", "Bids go up in steps of {}.", 10, 100, 10),
    "highest_bid": Key(
        "auction",
        "the highest bid",
        "The highest bid is {}.",
        low=10,
        high=1000,
        step=10,
        zero="There is no highest bid.",
    ),
    "pass_is_final": Key(
        "auction",
        "whether a player who has passed may bid later",
        {
            True: "A player who passes is out of the bidding.",
            False: "A player who passes may bid later.",
        },
    ),
    "all_pass": Key(
        "auction",
        "who deals after four passes",
        {
            "same_dealer": "When all four pass, the same dealer deals again.",
            "next_dealer": "When all four pass, the next dealer deals.",
        },
    ),
    "doubling": Key(
        "auction",
        "when a contract may be doubled",
        {
            "in_turn": (
                "In turn, a defender may double the current bid and a declarer may redouble; "
                "no bid follows a double."
            ),
            "after_auction": (
                "When the bidding is over, the defence may double; the declarers may then redouble."
            ),
        },
    ),
    "no_trump_bids": Key(
        "auction",
        "no-trump bids (SA)",
        {False: "No-trump bids are not allowed.", True: "No-trump bids are allowed."},
    ),
    "all_trump_bids": Key(
        "auction",
        "all-trump bids (TA)",
        {False: "All-trump bids are not allowed.", True: "All-trump bids are allowed."},
    ),
    "bid_scores": Key(
        "scoring",
        "whether the bid itself is scored",
        {
            True: "The bid is added to the score of the side that wins the contract.",
            False: "The bid is not scored; each side writes what it made.",
        },
    ),
    "failed_points": Key(
        "scoring",
        "the card points that the defence scores when the contract fails",
        "When the contract fails, the defence scores {} for the card points.",
        low=0,
        high=1000,
    ),
    "failed_declarations": Key(
        "scoring",
        "the declarers' declarations when the contract fails",
        {
            "vanish": "When the contract fails, the declarers' declarations score for nobody.",
            "defence": "When the contract fails, the defence scores the declarers' too.",
            "kept": "When the contract fails, the declarers keep their declarations.",
        },
    ),
    "failed_belote": Key(
        "scoring",
        "the declarers' belote when the contract fails",
        {
            "defence": "When the contract fails, the declarers' belote goes to the defence.",
            "kept": "When the contract fails, the declarers keep their belote.",
        },
    ),
    "doubled": Key(
        "scoring",
        "the score of a doubled or redoubled contract",
        {
            "both": "A double multiplies the result of both sides by 2, a redouble by 4.",
            "winner_takes_all": (
                "Doubled, the winner scores twice the bid (four times when redoubled), all the "
                "points and everybody's declarations and belote; the loser scores nothing."
            ),
        },
    ),
    "capot_points": Key(
        "scoring",
        "the points of a side that takes all eight tricks",
        "All eight tricks (capot) count {} instead of 162.",
        low=162,
        high=1000,
    ),
    "no_trump_bonus": Key(
        "scoring",
        "a bonus for a no-trump contract that is made",
        "A no-trump contract that is made scores {} more.",
        high=1000,
        step=10,
        zero="A no-trump contract has no bonus.",
    ),
    "all_trump_bonus": Key(
        "scoring",
        "a bonus for an all-trump contract that is made",
        "An all-trump contract that is made scores {} more.",
        high=1000,
        step=10,
        zero="An all-trump contract has no bonus.",
    ),
    "missed_belote_penalty": Key(
        "scoring",
        "the penalty for a belote announced and not completed",
        "A belote announced and not completed costs its side {}.",
        high=1000,
        step=10,
        zero="A belote announced and not completed costs nothing.",
    ),
    "rounding": Key(
        "scoring",
        "how points become tens on the sheet",
        {
            "six": (
                "On the sheet a last digit of 1 to 5 goes down and 7 to 9 up; a 6 goes up for "
                "the declarers and down for the defence."
            ),
            "nearest": "On the sheet a last digit of 1 to 4 goes down and 5 to 9 up.",
        },
    ),
    "game_target": Key(
        "game", "the score that wins the game", "The game is won at {}.", low=1, high=10000
    ),
    "game_counts": Key(
        "game",
        "what is added up during a game",
        {
            "sheet": "The game adds up the sheet, in tens.",
            "raw": "The game adds up the raw points.",
        },
    ),
}

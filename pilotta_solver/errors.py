"""The errors that the library raises on purpose.

Each message is one line that says what is wrong, where, and what to do. All are kinds of
`ValueError`, so that a caller who does not know this library catches them all the same.
"""

from __future__ import annotations


class PilottaError(ValueError):
    """Any request that cannot be met as it stands."""


class NotationError(PilottaError):
    """A text that is not a card, hand, deal, seat, trump, bid, call or expression."""


class DealError(PilottaError):
    """Cards that do not make a deal or a position."""


class PlayError(PilottaError):
    """A card or a call that the rules forbid where it was made."""


class RulesetError(PilottaError):
    """An unknown ruleset or key, or a value that a key cannot have."""


class ConstraintError(PilottaError):
    """Knowledge of the hidden hands that no deal fulfils, or a source of it that cannot be used."""

"""The generator of the worlds, written plainly: SplitMix64 and unbiased whole numbers from it."""

from __future__ import annotations

WORD = (1 << 64) - 1
GOLDEN_GAMMA = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    """The finaliser of SplitMix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


class PlainStream:
    """SplitMix64 that starts at a mix of seed and number; integers by Lemire's method."""

    def __init__(self, seed: int, number: int) -> None:
        self.state = mixed((mixed((seed + GOLDEN_GAMMA) & WORD) + number * GOLDEN_GAMMA) & WORD)

    def long_word(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + GOLDEN_GAMMA) & WORD
        return mixed(self.state)

    def word(self) -> int:
        """The next 32 bits, the upper half of the 64."""
        return self.long_word() >> 32

    def below(self, n: int) -> int:
        while True:
            product = self.word() * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    def below_large(self, n: int) -> int:
        """A whole number below n, which may be as large as 2^63."""
        while True:
            word = self.long_word()
            if word < 2**64 // n * n:
                return word % n

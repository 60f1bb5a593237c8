"""The numbers of an advice, once sampling has ended."""

from __future__ import annotations

from dataclasses import replace

from pilotta_solver.advice.answers import Alternative, Level, Question
from pilotta_solver.advice.reasons import examples, reasons
from pilotta_solver.advice.rounds import Plan
from pilotta_solver.advice.stakes import Choice
from pilotta_solver.advice.survey import Survey
from pilotta_solver.advice.valuation import Valuation, Valued
from pilotta_solver.advice.worth import Sample
from pilotta_solver.notation import Bid


class Judge:
    """Values trumps, alternatives and the question once sampling has ended.

    Parameters
    ----------
    sample
        How to average over all worlds that are solved.
    focus
        The contract that was decided in more worlds, if any may be bid.
    """

    def __init__(
        self,
        valuation: Valuation,
        survey: Survey,
        plan: Plan,
        sample: Sample,
        focus: Bid | None,
    ) -> None:
        self._valuation = valuation
        self._survey = survey
        self._plan = plan
        self._sample = sample
        self._focus = focus
        self._alternative: Choice = valuation.best_alternative(sample.n, sample)

    def value(self, trump: int, levels: tuple[int, ...] = ()) -> Valued:
        """Value a trump in every level, or in those given."""
        sample, focus = self._sample, self._focus
        is_focus = focus is not None and trump == focus.trump
        if not is_focus:
            sample = Sample(self._survey.n_solved((self._valuation.own, trump)))
        valued = self._valuation.value(trump, self._alternative, sample, self._plan.solving, levels)
        if focus is None or not is_focus:
            return valued
        n_made, n = sample.n_made, sample.n_decided
        low, high = self._plan.deciding.chance(n_made, n)
        known = replace(
            valued.contract,
            levels=tuple(
                _ordered(level, focus.level, n_made / n, low, high)
                for level in valued.contract.levels
            ),
        )
        return replace(valued, contract=known)

    def answer(self, question: Bid, valued: Valued, seat: int, show_worlds: int) -> Question:
        """Answer the question; its trump has been valued."""
        highest = valued.contract.highest
        if all(level.bid != question.level for level in valued.contract.levels):
            valued = self.value(question.trump, (question.level,))
        levels, certainty = valued.contract.levels, self._plan.solving
        place = next(i for i, level in enumerate(levels) if level.bid == question.level)
        level, gain = levels[place], float(valued.gain[place])
        reach = certainty.z(self._sample.n) * float(valued.gain_error[place])
        n = self._sample.n_decided
        key = self._valuation.own, question.trump
        return Question(
            bid=question,
            p_made=level.p_made,
            ci_low=level.ci_low,
            ci_high=level.ci_high,
            verdict="yes" if gain > reach else "no" if gain < -reach else "close",
            n_worlds=n,
            level=level,
            highest=highest,
            alternative=self._alternative.call,
            reasons=reasons(
                self._survey.hands(n),
                seat,
                question.trump,
                self._survey.decide(key[0], question, n),
                certainty,
            ),
            examples=examples(
                self._survey.hands(n), self._survey.played(key), question.level, show_worlds
            ),
        )

    def alternatives(self) -> tuple[Alternative, ...]:
        """Average the alternatives; the best first."""
        sample = self._sample
        ranked = sorted(
            self._valuation.alternatives(sample.n),
            key=lambda choice: -float(sample.mean(choice.utility())),
        )
        return tuple(
            self._valuation.describe(choice, sample, self._plan.solving) for choice in ranked
        )


def _ordered(level: Level, focus: int, p: float, low: float, high: float) -> Level:
    """Keep a chance in order with that of another level, which is known better.

    A lower level is made at least as often, a higher one at most as often.
    """
    if level.bid == focus:
        return replace(level, p_made=p, ci_low=low, ci_high=high)
    if level.bid < focus:
        p_made = max(level.p_made, p)
        return replace(level, p_made=p_made, ci_high=max(level.ci_high, p_made))
    p_made = min(level.p_made, p)
    return replace(level, p_made=p_made, ci_low=min(level.ci_low, p_made))

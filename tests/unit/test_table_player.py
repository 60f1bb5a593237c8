"""The player: how it solves the worlds that it draws."""

from __future__ import annotations

from pilotta_solver.engine import solve
from pilotta_solver.notation import parse_hand
from pilotta_solver.table_play.information import Information
from pilotta_solver.table_play.player import decide
from pilotta_solver.workers import DEALS_A_CHUNK


def test_many_worlds_are_solved_in_chunks_that_can_be_interrupted(monkeypatch):
    n_worlds = 2 * DEALS_A_CHUNK + 5
    information = Information(0, parse_hand("J97.AT.A8.K"), trump=0, leader=0)
    sizes = []
    answer = solve.answer

    def counting(workspace, questions):
        sizes.append(questions.size)
        answer(workspace, questions)

    monkeypatch.setattr(solve, "answer", counting)
    in_chunks = decide(information, 1, n_worlds, value_all=True)
    assert sizes == [DEALS_A_CHUNK, DEALS_A_CHUNK, 5]
    monkeypatch.setattr("pilotta_solver.table_play.player.DEALS_A_CHUNK", n_worlds)
    assert decide(information, 1, n_worlds, value_all=True) == in_chunks
    assert sizes[3:] == [n_worlds]

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from pilotta_cli.stream import count_rows, ordered_map, read_rows


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_order_whichever_is_ready_first(jobs):
    def slow_at_first(item: int) -> int:
        time.sleep(0.02 if item % 5 == 0 else 0)
        return item * item

    assert list(ordered_map(slow_at_first, range(60), jobs)) == [n * n for n in range(60)]


def test_an_endless_stream_is_read_only_a_little_ahead():
    endless = itertools.count()
    results = ordered_map(lambda item: item, endless, 2)
    assert list(itertools.islice(results, 100)) == list(range(100))
    time.sleep(0.3)
    results.close()
    assert next(endless) <= 100 + 8 * 2 + 2


def test_a_result_is_there_while_the_next_item_is_awaited():
    go_on = threading.Event()

    def hesitant() -> Iterator[str]:
        yield "first"
        assert go_on.wait(timeout=30)
        yield "second"

    results = ordered_map(str.upper, hesitant(), 2)
    assert next(results) == "FIRST"
    go_on.set()
    assert list(results) == ["SECOND"]


def test_errors_are_raised_in_their_turn():
    def checked(item: int) -> int:
        if item == 3:
            raise ValueError("item 3")
        return item

    results = ordered_map(checked, range(10), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="item 3"):
        next(results)


def test_an_error_of_the_stream_is_raised_after_the_items_before_it():
    def broken() -> Iterator[int]:
        yield from range(20)
        raise OSError("the disk is gone")

    results = ordered_map(lambda item: item, broken(), 2)
    assert list(itertools.islice(results, 20)) == list(range(20))
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


def test_no_thread_is_left_behind():
    before = set(threading.enumerate())
    results = ordered_map(lambda item: item, itertools.count(), 3)
    next(results)
    started = set(threading.enumerate()) - before
    assert started
    results.close()
    for thread in started:
        thread.join(timeout=30)
        assert not thread.is_alive()


def test_rows_keep_their_place(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbf Leader ,DEAL,trump,note\r\nN,"a\r\nb",S,x\r\n\r\nW,c,H,\r\n')
    rows = list(read_rows(str(path)))
    assert [(row.deal, row.trump, row.leader, row.played) for row in rows] == [
        ("a\r\nb", "S", "N", ""),
        ("c", "H", "W", ""),
    ]
    assert [row.where for row in rows] == [f"{path}, line 3", f"{path}, line 5"]


def test_blank_lines_and_unnamed_columns_are_passed_over(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("\n \ndeal,trump,leader,,\n  \na,S,N,,\n,,,,\n\t\nb,H,W,,\n\n")
    rows = list(read_rows(str(path)))
    assert [(row.deal, row.leader) for row in rows] == [("a", "N"), ("b", "W")]
    assert [row.where for row in rows] == [f"{path}, line 5", f"{path}, line 8"]


def test_lines_longer_than_what_is_read_at_a_time(tmp_path):
    path = tmp_path / "a.csv"
    wide = "x" * 100_000
    path.write_text("deal,trump,leader\n" + f"{wide},S,N\n" * 3)
    assert [row.deal for row in read_rows(str(path))] == [wide] * 3


def test_the_number_of_rows_is_known_for_files_only(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("deal,trump,leader\n" + "a,b,c\n" * 1000)
    assert count_rows(str(path)) == 1000
    assert count_rows("-") is None
    assert count_rows(str(tmp_path / "none.csv")) is None

"""Pieces of work: the same results wherever they are done, said where that is, kept once they are there."""

import json
import sqlite3

import pytest

from designer.errors import ExportError, FileFormatError, ParameterError
from designer.workers import store, where
from designer.workers.progress import Count, Progress, span_text
from designer.workers.results import results
from designer.workers.store import Store, key_of
from designer.workers.where import HERE, Where
from designer.workers.work import Work, do


def tens(by: int) -> list[int]:
    return [10 * by]


def plus(ready: list[int], piece: int) -> int:
    if piece < 0:
        raise ParameterError("a piece should be 0 or more")
    return ready[0] + piece


WORK = Work(plus, tens, (3,))


class Enough(Exception):
    pass


def test_this_process_does_one_piece_after_the_other_and_looks_before_each():
    looked = []
    assert list(results(WORK, [1, 2, 3], HERE, lambda: looked.append(1))) == [(0, 31), (1, 32), (2, 33)]
    assert len(looked) == 3

    def look():
        raise Enough

    with pytest.raises(Enough):
        list(results(WORK, [1], HERE, look))


def test_a_process_prepares_once_for_all_chunks_of_a_work():
    digest, data = WORK.packed()
    assert do(digest, data, [1, 2]) == [31, 32]
    assert do(digest, b"is not looked at again", [5]) == [35]
    other, more = Work(plus, tens, (4,)).packed()
    assert other != digest and do(other, more, [0]) == [40]


def test_processes_give_the_same_results_and_say_what_went_wrong():
    found = {}
    with pytest.raises(ParameterError, match="0 or more"):
        for number, result in results(WORK, [*range(40), -1], Where(workers=2), lambda: None):
            found[number] = result
    assert len(found) > 8 and found == {number: 30 + number for number in found}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"scheduler": "head:8786"}, "not the address of a scheduler: write it like tcp://head:8786"),
        ({"scheduler": "tcp://head"}, "write it like"),
        ({"scheduler": "tcp://head:8786", "workers": 2}, "either a scheduler or a number"),
        ({"workers": 0}, "number of processes should be 1 to 1,024"),
    ],
)
def test_who_cannot_do_the_work_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        Where(**fields)


def test_a_scheduler_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr("designer.workers.cluster.CONNECT_S", 0.2)
    with pytest.raises(ParameterError, match="no Dask scheduler answers at tcp:"):
        list(results(WORK, [1], Where("tcp://127.0.0.1:1"), lambda: None))


def test_without_dask_this_process_does_it_all_and_says_what_to_install(monkeypatch):
    assert where.has_dask() and not Where(workers=2).is_here
    monkeypatch.setattr(where, "NEEDED", ("dask", "no_such_package"))
    assert Where(workers=2).is_here and "pip install 'fabric-designer[cluster]'" in Where().sentence
    assert HERE.sentence == "This process does the work."
    with pytest.raises(ParameterError, match="a scheduler needs Dask: install it"):
        Where("tcp://head:8786")


def test_results_are_kept_from_one_opening_of_the_file_to_the_next(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as kept:
        kept.keep("a", {"time_s": 1.5})
        kept.note(spec="demo")
    with Store(path) as kept:
        assert kept.found(["a", "b"]) == {"a": {"time_s": 1.5}}
        assert kept.about["spec"] == "demo"


def test_a_result_hangs_on_what_it_is_of_and_on_the_program(monkeypatch):
    one = key_of({"servers": 4}, "x")
    assert one == key_of({"servers": 4}, "x") != key_of({"servers": 5}, "x")
    monkeypatch.setattr(store, "version_text", lambda: "another")
    assert key_of({"servers": 4}, "x") != one


def test_a_file_of_another_kind_is_left_alone(tmp_path):
    text, other = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_text("my notes, which are long enough to be looked at as a database file" * 20)
    before = text.read_bytes()
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE about (name, value)")
    file.close()
    for path in (text, other):
        with pytest.raises(FileFormatError, match="holds no results of a search"):
            Store(path)
    assert text.read_bytes() == before
    with pytest.raises(ExportError, match="cannot be written"):
        Store(tmp_path / "no" / "such" / "folder.sqlite")


def test_a_value_that_cannot_be_read_is_as_if_it_were_not_there(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as kept:
        kept.keep("a", 1)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE results SET value = 'not json'")
        file.execute("INSERT INTO results VALUES ('long', ?)", (json.dumps("x" * store.LONGEST),))
    file.close()
    with Store(path) as kept:
        assert kept.found(["a", "long"]) == {}


class Ticking:
    """A clock that stands still until it is set."""

    def __init__(self):
        self.now_s = 0.0

    def __call__(self):
        return self.now_s


def counted(total, ends_s, kept=0):
    clock = Ticking()
    count = Count(total, clock=clock)
    count.add(kept, was_kept=True)
    for end_s in ends_s:
        clock.now_s = end_s
        count.add()
    return count, clock


def test_progress_says_how_long_the_rest_will_take_once_enough_was_done_now():
    slow_start_s = 60.0
    ends_s = [slow_start_s + 2.0 * number for number in range(30)]
    for n_done in (0, 1, 8):
        count, _ = counted(100, ends_s[:n_done], kept=40)
        assert count.now.left_s is None and "left" not in count.now.text
    assert counted(100, [], kept=40)[0].now.text == "40 of 100 done (40 of them earlier)"
    count, _ = counted(110, ends_s, kept=40)
    count.leave_out(10)
    assert count.now.left_s == pytest.approx(60.0) and count.now.share == 0.7  # the start is no part of the pace
    assert count.now.text == "70 of 100 done (40 of them earlier), about 1 min left"
    few, _ = counted(1000, ends_s)
    assert few.now.left_s is None  # 3 % of all are no sample of them


def test_what_is_stated_follows_a_change_of_pace_without_jumping():
    ends_s = [float(number) for number in range(40)]
    count, clock = counted(140, ends_s)
    assert count.now.left_s == pytest.approx(100.0)
    before_s = count.now.left_s
    for _ in range(60):
        clock.now_s += 0.1
        count.add()
        assert abs(count.now.left_s - before_s) < 0.2 * before_s + 1.0
        before_s = count.now.left_s
    assert count.now.left_s == pytest.approx(4.0, rel=0.3)
    assert Progress(5, 5, 0, 1.0, 0.0).text == "5 of 5 done"


def test_spans_are_as_long_as_people_wait():
    assert [span_text(one) for one in (0.1, 40, 90, 9000)] == ["1 s", "40 s", "2 min", "2.5 h"]

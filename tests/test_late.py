"""What is loaded when it is first used, and the time that takes, which is not that of what runs again."""

import sys
import types

import pytest

from designer import late
from designer.late import Late, StartUp


@pytest.fixture
def clock(monkeypatch):
    """The time, as a list of one number that a test moves on."""
    now = [100.0]
    monkeypatch.setattr(late, "time", types.SimpleNamespace(perf_counter=lambda: now[0]))
    return now


def test_what_several_do_at_once_is_counted_once(clock):
    start_up = StartUp()
    with start_up.going_on():
        clock[0] += 2.0
        with start_up.going_on():
            clock[0] += 1.0
        clock[0] += 4.0
        assert start_up.total_s == 7.0
    clock[0] += 50.0
    assert start_up.total_s == 7.0
    with pytest.raises(ZeroDivisionError), start_up.going_on():
        clock[0] += 1.0
        raise ZeroDivisionError
    clock[0] += 50.0
    assert start_up.total_s == 8.0


def test_the_first_use_of_a_late_module_counts_as_start_up_and_no_other(clock, monkeypatch, tmp_path):
    start_up = StartUp()
    monkeypatch.setattr(late, "START_UP", start_up)
    monkeypatch.syspath_prepend(tmp_path)
    clock_of = "designer.late.time.perf_counter.__closure__[0].cell_contents[0] += 3.0"
    (tmp_path / "loads_late.py").write_text(f"import designer.late\n{clock_of}\nvalue = 1\n", "utf-8")
    monkeypatch.delitem(sys.modules, "loads_late", raising=False)
    module = Late("loads_late")
    assert module.value == 1 and start_up.total_s == 3.0
    loading = []
    monkeypatch.setattr(start_up, "going_on", lambda: loading.append(1))
    assert module.value == 1 and not loading
    monkeypatch.delitem(sys.modules, "loads_late")

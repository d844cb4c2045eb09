"""The list of tests that take long names tests that exist, and `--quick` leaves them out."""

import re
from pathlib import Path

import timed

ROOT = Path(__file__).resolve().parents[2]


def test_every_listed_test_exists():
    listed = {re.sub(r"\[.*", "", test, flags=re.DOTALL) for test in timed.seconds()}
    assert listed
    missing = []
    for test in sorted(listed):
        file, name = test.split("::")[:2]
        path = ROOT / file
        if not path.exists() or not re.search(rf"^(def )?{name}\b", path.read_text(encoding="utf-8"), re.MULTILINE):
            missing.append(test)
    assert missing == [], "run tests/timed.py: its docstring says how"


def test_a_report_becomes_a_list_of_what_took_long(tmp_path, monkeypatch):
    monkeypatch.setattr(timed, "LIST", tmp_path / "list.txt")
    report = tmp_path / "times.xml"
    report.write_text(
        "<testsuites><testsuite>"
        '<testcase classname="tests.model.test_edit" name="test_long[a b]" time="4.5"/>'
        '<testcase classname="tests.model.test_edit" name="test_short" time="0.01"/>'
        '<testcase classname="tests.model.test_edit.TestEdits" name="runTest" time="0.5"/>'
        "</testsuite></testsuites>",
        encoding="utf-8",
    )
    timed.write(report)
    assert timed.seconds() == {
        "tests/model/test_edit.py::TestEdits::runTest": 0.5,
        "tests/model/test_edit.py::test_long[a b]": 4.5,
    }


def test_what_runs_first_and_last_is_there():
    folder = Path(timed.__file__).parent
    assert (folder / "architecture" / timed.COMPILES).is_file()
    assert [room for room in timed.WITH_KERNELS if not (folder / room).is_dir()] == []

"""Which tests take long, read from timed_tests.txt, and the script that writes it.

    .venv/bin/python -m pytest --junit-xml=times.xml -o junit_duration_report=call -m "slow or not slow" -n 2
    .venv/bin/python tests/timed.py times.xml

Lines are seconds and the id of a test that took LISTED_S or more on two processors of 2.5 GHz. A test of SLOW_S or more
is in the group `slow`: it runs where CI is set, or by `-m slow`.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

LIST = Path(__file__).with_name("timed_tests.txt")
LISTED_S = 0.1
SLOW_S = 1.5
COMPILES = "test_kernels_of_set_up.py"
WITH_KERNELS = {
    "api",
    "cli",
    "exploring",
    "graph",
    "plugin",
    "properties",
    "routing",
    "session",
    "simulation",
    "topologies",
}
"""Rooms whose tests would compile the same kernels again, were they to run meanwhile."""


def seconds() -> dict[str, float]:
    """Seconds by id of a test."""
    rows = (line.split(" ", 1) for line in LIST.read_text(encoding="utf-8").splitlines())
    return {test: float(taken) for taken, test in rows}


def write(report: Path) -> None:
    """Write the list from pytest's report in JUnit's form."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        taken = float(case.get("time", "0"))
        if taken >= LISTED_S:
            parts = case.get("classname", "").split(".")
            inside = [parts.pop()] if parts[-1][:1].isupper() else []  # a class of tests
            found["::".join(["/".join(parts) + ".py", *inside, str(case.get("name"))])] = taken
    lines = [f"{taken:.2f} {test}\n" for test, taken in sorted(found.items())]
    LIST.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))

"""Changes the program in many small ways, one at a time, and counts how often a test of the room notices.

    python tests/mutation/run.py [--rooms validation,storage] [--count 150] [--seed 1] [--jobs 2] [--least 0.85]

Works on copies of the checkout. Tests that run a changed line are found by coverage (python -m pip install coverage);
of a compiled kernel, which coverage does not see, all tests of the room are run. Prints the survivors; those that
SURVIVORS names with a reason are equal to the original and are not counted. Exit code 1 where too few die.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import coverage

sys.path.insert(0, str(Path(__file__).parent))

from mutants import Mutant, mutants_of
from survivors import SURVIVORS

ROOT = Path(__file__).resolve().parents[2]
TESTS = {
    "validation": ("validation",),
    "exchange": ("exchange", "cli/test_diagrams.py"),
    "storage": ("storage", "golden"),
    "simulation": ("simulation", "properties", "cli/test_cli_simulate.py", "cli/test_sweep.py"),
    "placement": ("placement", "topologies", "validation/test_room_rules.py"),
    "analysis": ("analysis", "topologies"),
}
"""Rooms, and where their tests are."""
LEFT_OUT = ("node_modules", ".venv", ".git", "out", "__pycache__", ".mypy_cache", ".ruff_cache", ".hypothesis")
TIMEOUT_S = 300
MOST_TESTS = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    mutant: Mutant
    died: bool
    reason: str = ""
    """Why a survivor does no harm; "" where none is known."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default=",".join(TESTS))
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0.85)
    chosen = parser.parse_args()
    rooms = chosen.rooms.split(",")
    mutants = _sample(rooms, chosen.count, chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        copies = [_copied(Path(folder) / str(number)) for number in range(chosen.jobs)]
        free: SimpleQueue[Path] = SimpleQueue()
        for copy in copies:
            free.put(copy)
        with ThreadPoolExecutor(chosen.jobs) as pool:
            covered = dict(zip(rooms, pool.map(lambda room: _with_copy(free, _coverage, room), rooms), strict=True))
            outcomes = list(pool.map(lambda one: _with_copy(free, _tried, one, covered), mutants))
    return _report(outcomes, chosen.least)


def _sample(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """Mutants of the rooms, chosen at random, every room by its number of lines that can be changed."""
    everything = [
        mutant
        for room in rooms
        for path in sorted((ROOT / "designer" / room).rglob("*.py"))
        for mutant in mutants_of(path.relative_to(ROOT), path.read_text("utf-8"))
    ]
    return random.Random(seed).sample(everything, min(count, len(everything)))


def _copied(folder: Path) -> Path:
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True))


def _with_copy(free, work, *arguments):  # type: ignore[no-untyped-def]
    copy = free.get()
    try:
        return work(copy, *arguments)
    finally:
        free.put(copy)


def _coverage(copy: Path, room: str) -> dict[str, dict[int, list[str]]]:
    """The ids of the room's tests that run each line, by file."""
    data_file = copy / f".coverage-{room}"
    started = time.monotonic()
    command = ["-m", "coverage", "run", f"--source=designer/{room}", f"--data-file={data_file}", "-m", "pytest"]
    done = _python(copy, *command, "-q", "-p", "contexts", *_tests(room), timeout_s=1800)
    if done.returncode != 0:
        raise SystemExit(f"the tests of {room} fail before anything is changed:\n{done.stdout[-2000:]}")
    data = coverage.CoverageData(str(data_file))
    data.read()
    print(f"{room}: tests take {time.monotonic() - started:.0f} s with coverage", file=sys.stderr, flush=True)
    return {
        Path(file).relative_to(copy).as_posix(): {
            line: [test for test in tests if test] for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }


def _tried(copy: Path, mutant: Mutant, covered: dict[str, dict[str, dict[int, list[str]]]]) -> Outcome:
    file = copy / mutant.path
    source = file.read_text("utf-8")
    room = mutant.path.parts[1]
    known = SURVIVORS.get((mutant.path.as_posix(), _line_of(mutant, source).strip(), mutant.text), "")
    tests = covered[room].get(mutant.path.as_posix(), {}).get(mutant.line, [])
    if "@compiled" in source:
        tests = _tests(room)
    elif len(tests) > MOST_TESTS:
        tests = tests[:: len(tests) // MOST_TESTS + 1] + [one for one in tests if one.split("::")[0] in _own(mutant)]
    if not tests:
        return _said(Outcome(mutant, False, known))
    file.write_text(mutant.applied(source), encoding="utf-8")
    try:
        done = _python(copy, "-m", "pytest", "-x", "-q", "--timeout=60", *dict.fromkeys(tests), timeout_s=TIMEOUT_S)
        died = done.returncode not in (0, 5)
    except subprocess.TimeoutExpired:
        died = True
    finally:
        file.write_text(source, encoding="utf-8")
    return _said(Outcome(mutant, died, known))


def _own(mutant: Mutant) -> tuple[str, ...]:
    return tuple(f"tests/{room}/test_{mutant.path.stem}.py" for room in (mutant.path.parts[1],))


def _tests(room: str) -> list[str]:
    return [f"tests/{place}" for place in TESTS[room]]


def _python(copy: Path, *arguments: str, timeout_s: float) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{Path(__file__).parent}", "QT_QPA_PLATFORM": "offscreen",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(copy / ".hypothesis"),
    }  # fmt: skip
    command = [sys.executable, "-P", *arguments]
    return subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=timeout_s
    )


def _line_of(mutant: Mutant, source: str) -> str:
    return source[source.rfind("\n", 0, mutant.start) + 1 :].split("\n", 1)[0]


def _said(outcome: Outcome) -> Outcome:
    if not outcome.died:
        mutant = outcome.mutant
        source = (ROOT / mutant.path).read_text("utf-8")
        was = source[mutant.start : mutant.end]
        print(f"survived: {mutant.path}:{mutant.line}: {mutant.kind}: {was!r} -> {mutant.text!r}", flush=True)
        print(f"    {_line_of(mutant, source).strip()}", flush=True)
        if outcome.reason:
            print(f"    equal: {outcome.reason}", flush=True)
    return outcome


def _report(outcomes: list[Outcome], least: float) -> int:
    counted = [one for one in outcomes if one.died or not one.reason]
    died = sum(one.died for one in counted)
    by_room: Counter[str] = Counter(one.mutant.path.parts[1] for one in counted)
    for room, number in sorted(by_room.items()):
        its = sum(one.died for one in counted if one.mutant.path.parts[1] == room)
        print(f"{room}: {its} of {number} died")
    share = died / len(counted) if counted else 1.0
    equal = len(outcomes) - len(counted)
    print(f"{died} of {len(counted)} died ({share:.0%}); {equal} more are equal to the original")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())

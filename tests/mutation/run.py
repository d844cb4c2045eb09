"""Changes the program in many small ways, one at a time, and counts how often a test of the room notices.

    python tests/mutation/run.py [--rooms validation,storage] [--count 150] [--seed 1] [--jobs 2] [--least 0.85]
    python tests/mutation/run.py --again OUTPUT      only what survived by an earlier run's output

Works on copies of the checkout. Tests that run a changed statement are found by coverage (python -m pip install
coverage); of a compiled kernel, which coverage does not see, and of what a module does when it is loaded, all tests of
the room are run, the quickest first. Examples that tests draw at random are the same every time. Prints the survivors;
those that SURVIVORS names with a reason are equal to the original and are not counted. A change that makes a test
endless is noticed; one for which there was no time to run all tests is not. Exit code 1 where too few die.
"""

import argparse
import ast
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
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
    "simulation": ("simulation", "properties", "plugin", "cli/test_cli_simulate.py", "cli/test_sweep.py"),
    "placement": ("placement", "topologies", "validation/test_room_rules.py"),
    "analysis": ("analysis", "topologies"),
}
"""Rooms, and where their tests are."""
LEFT_OUT = ("node_modules", ".venv", ".git", "out", "__pycache__", ".mypy_cache", ".ruff_cache", ".hypothesis")
ENDLESS_S = 90
"""A test that takes this long, a few seconds otherwise, does not end."""
TIMEOUT_S = 900
AT_ONCE = 400
"""Tests named on one command line."""


@dataclass(frozen=True, slots=True)
class Outcome:
    mutant: Mutant
    line: str
    was: str
    died: bool
    note: str = ""
    """Of a survivor: why no test noticed, as far as that can be said."""
    reason: str = ""
    """Why a survivor changes no result; "" where none is known."""


@dataclass(frozen=True, slots=True)
class Covered:
    """What the tests of a room run."""

    by_line: dict[str, dict[int, frozenset[str]]]
    """Ids of tests by file and line; "" is no test, but the loading of modules."""
    took_s: dict[str, float]
    """Of every test."""

    def tests_of(self, mutant: Mutant, source: str) -> list[str]:
        """Those that may notice, the quickest first; none where no test runs the changed statement."""
        lines = self.by_line.get(mutant.path.as_posix(), {})
        found: frozenset[str] = frozenset()
        first, last, in_function = _statement(source, mutant.line)
        for one in (range(mutant.line, mutant.line + 1), range(first, last + 1)):
            found = found or frozenset().union(*(lines.get(number, ()) for number in one))
        if "@compiled" in source or not in_function or "" in found:
            found = frozenset(self.took_s)
        return sorted(found, key=lambda test: (self.took_s.get(test, 0.0), test))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default=",".join(TESTS))
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0.85)
    parser.add_argument("--again", type=Path, metavar="OUTPUT")
    chosen = parser.parse_args()
    rooms = chosen.rooms.split(",")
    if chosen.again is None:
        mutants = _sample(rooms, chosen.count, chosen.seed)
    else:
        mutants = _survivors_of(chosen.again.read_text("utf-8"))
        rooms = sorted({_room(one) for one in mutants})
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            free.put(_copied(Path(folder) / str(number)))
        with ThreadPoolExecutor(chosen.jobs) as pool:
            covered = {room: pool.submit(_with_copy, free, _coverage, room) for room in _longest_first(rooms)}
            # Mutants of the room that takes longest to measure come last, when it has been.
            in_turn = sorted(mutants, key=lambda one: list(covered).index(_room(one)), reverse=True)
            outcomes = list(pool.map(lambda one: _with_copy(free, _tried, one, covered[_room(one)].result()), in_turn))
    return _report(outcomes, chosen.least)


def _sample(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """Mutants of the rooms as if drawn at random, every room by its number of lines that can be changed.

    By a digest of line and change, so that it stays the same sample, but for a few, when code changes elsewhere.
    """
    everything: list[tuple[str, Mutant]] = []
    for room in rooms:
        for path in sorted((ROOT / "designer" / room).rglob("*.py")):
            source, seen = path.read_text("utf-8"), Counter[str]()
            for mutant in mutants_of(path.relative_to(ROOT), source):
                name = f"{seed} {mutant.path.as_posix()} {_line_of(mutant, source).strip()} {mutant.kind} {mutant.text}"
                seen[name] += 1
                everything.append((hashlib.sha256(f"{name} {seen[name]}".encode()).hexdigest(), mutant))
    return [mutant for _, mutant in sorted(everything, key=lambda one: one[0])[:count]]


def _survivors_of(output: str) -> list[Mutant]:
    """What survived by the output of an earlier run, as far as the lines still are what they were."""
    found: list[Mutant] = []
    lines = output.splitlines()
    for number, stated in enumerate(lines):
        if stated.startswith("survived: "):
            path, _, kind, change = stated.removeprefix("survived: ").split(":", 3)
            source = (ROOT / path).read_text("utf-8")
            alike = (
                one
                for one in mutants_of(Path(path), source)
                if one.kind == kind.strip()
                and f"{source[one.start : one.end]!r} -> {one.text!r}" == change.strip()
                and _line_of(one, source).strip() == lines[number + 1].strip()
            )
            one = next(alike, None)
            if one is None:
                print(f"no longer there: {stated.removeprefix('survived: ')}", flush=True)
            else:
                found.append(one)
    return found


def _longest_first(rooms: list[str]) -> list[str]:
    return sorted(rooms, key=lambda room: len(list((ROOT / "tests" / room).glob("test_*.py"))), reverse=True)


def _room(mutant: Mutant) -> str:
    return mutant.path.parts[1]


def _copied(folder: Path) -> Path:
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True))


def _with_copy(free, work, *arguments):  # type: ignore[no-untyped-def]
    copy = free.get()
    try:
        return work(copy, *arguments)
    finally:
        free.put(copy)


def _coverage(copy: Path, room: str) -> Covered:
    data_file, times = copy / f".coverage-{room}", copy / f".times-{room}"
    started = time.monotonic()
    command = ["-m", "coverage", "run", f"--source=designer/{room}", f"--data-file={data_file}", "-m", "pytest"]
    done = _python(copy, *command, *_QUIETLY, *_tests(room), timeout_s=3600, TIMES=str(times))
    if done.returncode not in (0, 1):
        raise SystemExit(f"the tests of {room} cannot be run:\n{done.stdout[-2000:]}")
    if done.returncode:
        print(f"{room}: left out, since they fail as it is:\n{_summary(done.stdout)}", file=sys.stderr, flush=True)
    took_s = json.loads(times.read_text("utf-8"))
    data = coverage.CoverageData(str(data_file))
    data.read()
    print(f"{room}: tests take {time.monotonic() - started:.0f} s with coverage", file=sys.stderr, flush=True)
    by_line = {
        Path(file).relative_to(copy).as_posix(): {
            line: frozenset({"", *took_s}).intersection(tests) for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    return Covered(by_line, took_s)


def _summary(out: str) -> str:
    return "\n".join(line for line in out.splitlines() if line.startswith(("FAILED", "ERROR")))


def _statement(source: str, line: int) -> tuple[int, int, bool]:
    """First and last line of the innermost statement around a line, of a compound one those of its head; and whether it
    is part of a function.
    """
    first, last, in_function = line, line, False
    for node in ast.walk(ast.parse(source)):  # inner ones come after those around them
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            first, last = node.lineno, max(node.lineno, body[0].lineno - 1 if body else node.end_lineno or 0)
            in_function |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and line > last
    return first, last, in_function


def _tried(copy: Path, mutant: Mutant, covered: Covered) -> Outcome:
    file = copy / mutant.path
    source = file.read_text("utf-8")
    line = _line_of(mutant, source).strip()
    was = source[mutant.start : mutant.end]
    known = SURVIVORS.get((mutant.path.as_posix(), line, was, mutant.text), "")
    tests = covered.tests_of(mutant, source)
    died, note = False, "no test runs this statement"
    if tests:
        with _changed(copy, file, mutant.applied(source), mutant.path):
            died, note = _noticed(copy, tests)
    return _note_text(Outcome(mutant, line, was, died, note, known))


def _noticed(copy: Path, tests: list[str]) -> tuple[bool, str]:
    ends_s = time.monotonic() + TIMEOUT_S
    endless = (f"faulthandler_timeout={ENDLESS_S}", "faulthandler_exit_on_timeout=true")
    options = [*_QUIETLY, "-x", "--timeout=0", *(word for one in endless for word in ("-o", one))]
    for start in range(0, len(tests), AT_ONCE):
        try:
            left_s = ends_s - time.monotonic()
            done = _python(copy, "-m", "pytest", *options, *tests[start : start + AT_ONCE], timeout_s=left_s)
        except subprocess.TimeoutExpired:
            return False, "not all tests were run in time"
        if done.returncode in (4, 5) and not _summary(done.stdout):  # else a module of tests could not be loaded
            return False, f"no test was run: {(done.stdout + done.stderr)[-500:]}"
        if done.returncode != 0:
            return True, ""
    return False, f"{len(tests)} tests pass"


@contextmanager
def _changed(copy: Path, file: Path, text: str, path: Path) -> Iterator[None]:
    """The file with this text for a while; afterwards the copy is as if it had never had it."""
    source, times = file.read_text("utf-8"), file.stat()
    kernels, kept = copy / ".cache", copy / ".cache-kept"
    if "@compiled" in source and kernels.exists():
        shutil.copytree(kernels, kept)
    compiled = Path(importlib.util.cache_from_source(str(file)))
    compiled.unlink(missing_ok=True)
    file.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(source, encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        compiled.unlink(missing_ok=True)
        if kept.exists():
            shutil.rmtree(kernels)
            kept.rename(kernels)


_QUIETLY = ("-q", "-p", "contexts", "-m", "not slow")


def _tests(room: str) -> list[str]:
    return [f"tests/{place}" for place in TESTS[room]]


def _python(copy: Path, *arguments: str, timeout_s: float, **also: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        **also,
        "PYTHONPATH": f"{copy}{os.pathsep}{Path(__file__).parent}",
        "QT_QPA_PLATFORM": "offscreen",
        "CI": "1",  # where this is set, examples are the same every time
    }
    command = [sys.executable, "-P", *arguments]
    running = subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = running.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)  # and what its tests have started
        running.communicate()
        raise
    return subprocess.CompletedProcess(command, running.returncode, out, errors)


def _line_of(mutant: Mutant, source: str) -> str:
    return source[source.rfind("\n", 0, mutant.start) + 1 :].split("\n", 1)[0]


def _note_text(outcome: Outcome) -> Outcome:
    mutant = outcome.mutant
    if not outcome.died:
        change = f"{mutant.path}:{mutant.line}: {mutant.kind}: {outcome.was!r} -> {mutant.text!r}"
        print(f"survived: {change}\n    {outcome.line}", flush=True)
        print(f"    equal: {outcome.reason}" if outcome.reason else f"    {outcome.note}", flush=True)
    else:
        print(f"died: {mutant.path}:{mutant.line}: {mutant.kind}", file=sys.stderr, flush=True)
    return outcome


def _report(outcomes: list[Outcome], least: float) -> int:
    counted = [one for one in outcomes if one.died or not one.reason]
    died = sum(one.died for one in counted)
    by_room: Counter[str] = Counter(_room(one.mutant) for one in counted)
    for room, number in sorted(by_room.items()):
        its = sum(one.died for one in counted if _room(one.mutant) == room)
        print(f"{room}: {its} of {number} died")
    share = died / len(counted) if counted else 1.0
    equal = len(outcomes) - len(counted)
    print(f"{died} of {len(counted)} died ({share:.0%}); {equal} more are equal to the original")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())

"""Kernels: compiled at the first call, known to one another, and numba stays away until then."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

import designer
from designer.graph.compiled import compiled
from designer.late import START_UP

ALL = """
import importlib, pkgutil, sys, designer
for found in pkgutil.walk_packages(designer.__path__, "designer."):
    if found.name not in ("designer.__main__", "designer.graph.compiler"):
        importlib.import_module(found.name)
print([name for name in ("numba", "llvmlite") if name in sys.modules])
"""

LOW = """
from designer.graph.compiled import compiled


@compiled
def low(value):
    return value + 1
"""
HIGH = """
from designer.graph import low
from designer.graph.compiled import compiled


@compiled
def high(value):
    return 10 * low.low(value)
"""
CALL = """
from designer.graph.high import high
print(high(1), sum(high.dispatcher.stats.cache_misses.values()), designer.__file__)
"""


@compiled
def inner(values, factor):
    """What the outer kernel calls."""
    return values.sum() * factor


@compiled
def outer(values, factor=2.0):
    total = 0.0
    for _ in range(3):
        total += inner(values, factor)
    return total


def test_no_module_of_the_program_loads_numba():
    done = subprocess.run([sys.executable, "-c", ALL], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.strip() == "[]"


def test_a_kernel_calls_another_as_machine_code():
    values = np.array([1.0, 2.0])
    assert outer(values) == 18.0
    assert outer(values, factor=1.0) == outer(values, 1.0) == 9.0
    assert outer.dispatcher.nopython_signatures  # nothing of it goes through the interpreter


def test_a_kernel_keeps_the_name_and_text_of_its_function():
    assert (inner.__name__, inner.__doc__) == ("inner", "What the outer kernel calls.")


def test_compiling_counts_as_start_up_and_calls_do_not():
    @compiled
    def fresh(value):
        return value * 3

    before = START_UP.total_s
    assert fresh(2) == 6
    compiled_s = START_UP.total_s - before
    assert compiled_s > 0.0
    assert fresh(4) == 12 and START_UP.total_s == before + compiled_s
    assert fresh(2.0) == 6.0 and START_UP.total_s > before + compiled_s, "of another kind of arguments"


def test_threads_that_call_a_kernel_at_once_share_one_machine_code():
    @compiled
    def late(value):
        return value + 1

    seen, ready = [], threading.Barrier(4)

    def look() -> None:
        ready.wait(10)
        seen.append(late.dispatcher)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(seen) == 4 and len(set(map(id, seen))) == 1


def test_a_change_in_a_called_kernels_file_makes_the_caller_anew(tmp_path):
    package = Path(designer.__file__).parent
    shutil.copytree(package, tmp_path / "designer", ignore=shutil.ignore_patterns("__pycache__"))
    low, high = (tmp_path / "designer" / "graph" / f"{name}.py" for name in ("low", "high"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def call() -> list[str]:
        """What the caller returns, how many times it was compiled, and where the program lies."""
        code = f"import designer{CALL}"
        done = subprocess.run(
            [sys.executable, "-B", "-c", code],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    high.write_text(HIGH)
    low.write_text(LOW)
    here = str(tmp_path / "designer" / "__init__.py")
    assert call() == ["20", "1", here]
    os.utime(low, (0, 0))  # a newer or older copy of the same text is the same kernel
    assert call() == ["20", "0", here]
    low.write_text(LOW.replace("value + 1", "value + 2"))
    os.utime(low, (0, 0))
    assert call() == ["30", "1", here]

"""Programs killed or asked to end while they edit and save leave all of their work: a sample of kill_drill.py."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRILL = Path(__file__).with_name("kill_drill.py")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.mark.parametrize(
    "arguments",
    [("9", "--seed", "2"), ("1", "--window"), ("1", "--window", "--end", "TERM"), ("1", "--window", "--end", "HUP")],
    ids=" ".join,
)
def test_nothing_of_a_killed_program_s_work_is_lost(arguments):
    command = [sys.executable, str(DRILL), *arguments, "--life", "0.4"]
    environment = {**os.environ, "PYTHONPATH": str(DRILL.parents[2]), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 faults" in done.stdout

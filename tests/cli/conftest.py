"""The command line as its users run it: in this process for speed, as a process of its own where that matters."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from designer.cli.main import run

ROOT = Path(__file__).parent.parent.parent

SUPERPOD = (
    "generate",
    "rail-optimized",
    "--switch",
    "nvidia-qm9700",
    "--server",
    "dgx-h100",
    "--servers",
    "127",
    "--servers-per-su",
    "32",
    "--reserve-leaf-ports",
    "4",
)
OVERSUBSCRIBED = (
    "generate",
    "fat-tree",
    "--switch",
    "nvidia-qm9700",
    "--server",
    "dgx-h100",
    "--servers",
    "16",
    "--oversubscription",
    "2",
)


@dataclass(frozen=True, slots=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    def assert_refused(self, *words):
        """Exit code 2, nothing on stdout, and one sentence on stderr that holds the words."""
        assert self.code == 2, self
        assert self.out == ""
        assert self.err.startswith("fabric-designer: ")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        for word in words:
            assert word in self.err, self.err


@pytest.fixture
def fabric_designer(capsys):
    """Runs a command line in this process."""

    def call(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        stated = capsys.readouterr()
        return Said(code, stated.out, stated.err)

    return call


@pytest.fixture
def process():
    """Runs a command line as a process; `blocked` modules cannot be imported in it."""

    def call(*arguments, blocked=(), **options):
        code = (
            "import sys\n"
            f"sys.modules.update(dict.fromkeys({list(blocked)!r}))\n"
            "from designer.__main__ import main\n"
            "sys.exit(main(sys.argv[1:]))\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", code, *(str(argument) for argument in arguments)]
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 150, **options}
        done = subprocess.run(command, env=environment, text=True, check=False, **settings)
        return Said(done.returncode, done.stdout or "", done.stderr or "")

    return call


@pytest.fixture(scope="session")
def superpod_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("designs") / "superpod.fabric"
    assert run([*SUPERPOD, "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def oversubscribed_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("designs") / "oversubscribed.fabric"
    assert run([*OVERSUBSCRIBED, "-o", str(path)]) == 0
    return path

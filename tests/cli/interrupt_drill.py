"""Interrupts every command at many moments: it ends with 130 or had ended before, says no traceback, leaves nothing.

    python tests/cli/interrupt_drill.py [MOMENTS] [SEED]

Moments are drawn over the time that a command takes when nobody interrupts it, from when the program's own code runs:
before that Python itself starts, and says its own traceback.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
POD = ROOT / "examples" / "superpod-h100-4su.fabric"
SMALL = ROOT / "examples" / "fat-tree-16-2to1.fabric"

PROGRAM = "from designer.__main__ import main; import os, sys; os.write(3, b'.'); sys.exit(main(sys.argv[1:]))"
"""Says on a pipe that Python has started."""
STARTED_S = 0.005
"""After that the program's own code runs."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "help": ("--help",),
    "version": ("--version",),
    "generate": (
        "generate",
        "rail-optimized",
        "--switch",
        "nvidia-qm9700",
        "--server",
        "dgx-h100",
        "--servers",
        "127",
        "--force",
        "-o",
        "{}/made.fabric",
    ),
    "info": ("info", str(POD)),
    "validate": ("validate", str(SMALL)),
    "simulate": ("simulate", str(SMALL), "--collective", "all-reduce", "--size", "1GB"),
    "ecmp": ("simulate", str(POD), "--traffic", "permutation:1", "--routing", "ecmp", "--size", "1GB"),
    "sweep": ("simulate", str(SMALL), "--collective", "all-to-all", "--size", "1GB", "--sweep", "single-link"),
    "train": ("train", "--help"),
    "processes": ("simulate", str(POD), "--collective", "all-reduce", "--size", "1GB", "--sweep", "pairs-nic"),
    "cable plan": ("export", str(POD), "--to", "cable-plan", "--force", "-o", "{}/made.csv"),
    "workbook": ("export", str(POD), "--to", "cable-plan-xlsx", "--force", "-o", "{}/made.xlsx"),
    "svg": ("export", str(POD), "--to", "svg", "--force", "-o", "{}/made.svg"),
    "png": ("export", str(POD), "--to", "png", "--force", "-o", "{}/made.png"),
    "pdf": ("export", str(POD), "--to", "pdf", "--force", "-o", "{}/made.pdf"),
    "labels": ("export", str(SMALL), "--to", "labels", "--force", "-o", "{}/made.pdf"),
    "pack": ("pack", str(SMALL), "--without", "drawings,labels", "--force", "-o", "{}/made.zip"),
    "catalog": ("catalog", "list"),
    "types": ("catalog", "import", str(ROOT / "tests" / "exchange" / "data" / "netbox"), "--force"),
    "import": (
        "import",
        "netbox-devicetypes",
        str(ROOT / "tests" / "exchange" / "data" / "netbox" / "QM9700.yaml"),
        "--force",
        "-o",
        "{}/made.fabric",
    ),
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, what it said, how long it took, and what lies in its folders after that."""

    code: int
    stated: str
    took_s: float
    left: tuple[str, ...]

    @property
    def fault(self) -> str:
        """What is wrong with how it ended, "" where nothing is."""
        if "Traceback" in self.stated or "Exception ignored" in self.stated:
            return f"says a traceback: {self.stated[-400:]}"
        if self.code not in (0, 1, 130):
            return f"ends with {self.code}: {self.stated[-200:]}"
        return f"leaves {', '.join(self.left)}" if self.left else ""


def run(name: str, folder: Path, after_s: float | None = None) -> Ended:
    """One run of a command, interrupted so long after it began."""
    scratch, state = folder / "tmp", folder / "home"
    for one in (scratch, state, folder / "out"):
        one.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
        "TMPDIR": str(scratch),
        "XDG_CONFIG_HOME": str(state),
        "XDG_STATE_HOME": str(state),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    words = [word.replace("{}", str(folder / "out")) for word in COMMANDS[name]]
    heard, stated = os.pipe()

    def give_pipe() -> None:
        os.dup2(stated, 3)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a shell runs in the background

    program = subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=ROOT,
        preexec_fn=give_pipe,
        pass_fds=(3, stated),
        start_new_session=True,
    )
    os.close(stated)
    os.read(heard, 1)
    os.close(heard)
    began = time.monotonic()
    if after_s is not None:
        time.sleep(after_s)
        os.killpg(program.pid, signal.SIGINT)
    out = program.communicate(timeout=120)[0]
    took_s = time.monotonic() - began
    left = [str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file() and is_litter(one, scratch)]
    return Ended(program.returncode, out, took_s, tuple(sorted(left)))


def is_litter(file: Path, scratch: Path) -> bool:
    return scratch in file.parents or ".saving-" in file.name or file.suffix == ".part"


def drill_one(name: str, moments: int, seed: int) -> tuple[list[str], set[int]]:
    """What went wrong with a command, a sentence each, and the exit codes there were."""
    chance = random.Random(f"{seed} {name}")
    faults: list[str] = []
    codes = set()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        whole = run(name, folder)
        if whole.fault:
            faults.append(f"{name}, not interrupted: {whole.fault}")
        for number in range(moments):
            after_s = STARTED_S + whole.took_s * 1.05 * (number + chance.random()) / moments
            ended = run(name, folder, after_s)
            codes.add(ended.code)
            if ended.fault:
                faults.append(f"{name} after {after_s:.3f} s: {ended.fault}")
    print(f"{name}: {whole.took_s:.2f} s, ended with {sorted(codes)}", flush=True)
    return faults, codes


if __name__ == "__main__":
    moments, seed = [int(word) for word in sys.argv[1:]] + [10, 1][len(sys.argv) - 1 :]
    found = [fault for name in COMMANDS for fault in drill_one(name, moments, seed)[0]]
    print("\n".join(found) or "nothing went wrong")
    sys.exit(bool(found))

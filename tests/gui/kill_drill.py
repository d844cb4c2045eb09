"""Kills programs that edit and save, at random moments, and looks at what the next one would restore.

    python tests/gui/kill_drill.py [KILLS] [--seed N] [--window] [--end KILL|TERM|HUP|INT]

Each program opens a small design, a SuperPOD or none, and edits, undoes, redoes, generates and saves as fast as it can.
It says on a pipe when it began each act and what the design was after it, by digest. It is killed or asked to end, and
then the file on disk must be whole and as it was saved at some time, and what is restored must be the design as it
stood less than a second before.
"""

import argparse
import contextlib
import functools
import hashlib
import itertools
import json
import operator
import os
import random
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from designer.catalog.catalog import load
from designer.errors import DesignerError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Entity
from designer.panels.widgets.appearance import Appearance
from designer.regeneration import recipes
from designer.session.autosave import find_leftovers
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.storage import document, recovery, schema
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters
from designer.windows.application import keep_unsaved_work, leave_on_signal, make_application
from designer.windows.dialogs.questions import Questions
from designer.windows.shell.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
DESIGNS = (None, ROOT / "examples" / "fat-tree-16-2to1.fabric", ROOT / "examples" / "superpod-h100-4su.fabric")
CATALOG = load()
MOST_LOST_S = 1.0


def digest(design: Design) -> int:
    """What stands for a design: of its records in any order, so that an edit changes it by what it changes."""
    return functools.reduce(operator.xor, map(digest_of, design.entities()), 0)


def digest_of(entity: Entity | None) -> int:
    if entity is None:
        return 0
    row = json.dumps([type(entity).__name__, schema.WRITERS[type(entity)](entity)])
    return int.from_bytes(hashlib.blake2b(row.encode(), digest_size=8).digest(), "big")


# -- the program that is killed -------------------------------------------------------------------------------------


class Editor:
    """Acts on a session at random, and says what it does."""

    def __init__(self, session: Session, chance: random.Random, say: int) -> None:
        self.session, self.chance, self._say = session, chance, say
        self._numbers, self._is_over = itertools.count(), False
        self.digest = digest(session.design)
        session.changed.connect(self._follow)
        acts: dict[Callable[[], object], int] = {
            self.move: 30,
            self.rename: 15,
            self.add: 20,
            self.connect: 15,
            self.delete: 6,
            self.write_notes: 10,
            session.undo_stack.undo: 12,
            session.undo_stack.redo: 8,
            self.generate: 1,
            self.save: 4,
        }
        self._acts, self._weights = list(acts), list(acts.values())

    def _follow(self, edit: Edit) -> None:
        for change in edit.changes:
            self.digest ^= digest_of(change.before) ^ digest_of(change.after)

    def say(self, word: str) -> None:
        os.write(self._say, f"{word} {time.monotonic():.6f} {self.digest}\n".encode())

    def act(self) -> None:
        act = self.chance.choices(self._acts, self._weights)[0]
        self.say("begin")
        with contextlib.suppress(DesignerError):
            act()
        self.say("saved" if act == self.save else "done")
        if not self._is_over:
            QTimer.singleShot(self.chance.choice((0, 0, 0, 1, 5, 40)), self.act)

    def stop(self) -> None:
        self._is_over = True

    def some(self, count: int = 1) -> list[str]:
        ids = list(self.session.design.devices)
        return self.chance.sample(ids, min(count, len(ids)))

    def move(self) -> None:
        places = {one: (self.chance.uniform(-9e3, 9e3), self.chance.uniform(-9e3, 9e3)) for one in self.some(5)}
        self.session.push(operations.move(self.session.design, places))

    def rename(self) -> None:
        for one in self.some():
            self.session.push(operations.rename(self.session.design, one, f"device Ω {next(self._numbers)}"))

    def add(self) -> None:
        type_ = CATALOG.get(self.chance.choice(("nvidia-qm9700", "dgx-h100")))
        x, y = self.chance.uniform(0, 5e3), self.chance.uniform(0, 5e3)
        self.session.push(operations.add_device(self.session.design, type_, x, y, catalog_types=CATALOG.types))

    def connect(self) -> None:
        a, b = self.some(2) if len(self.session.design.devices) > 1 else ("none", "none")
        self.session.push(operations.connect_devices(self.session.design, a, b))

    def delete(self) -> None:
        self.session.push(operations.delete(self.session.design, self.some(2)))

    def write_notes(self) -> None:
        self.session.push(operations.set_settings(self.session.design, notes=f"notes\n{next(self._numbers)}"))

    def generate(self) -> None:
        family = next(one for one in FAMILIES if one.name == "fat-tree")
        parameters = FatTreeParameters(servers=self.chance.choice((8, 64, 200)))
        self.session.push(recipes.generated(self.session.design, family, parameters, CATALOG))

    def save(self) -> None:
        self.session.save(self.session.path or Path("mine.fabric").absolute())


def live(folder: Path, design: Path | None, seed: str, say: int, *, in_window: bool) -> None:
    """Edit until killed."""
    os.chdir(folder)
    chance = random.Random(seed)
    app = make_application(["drill"]) if in_window else QCoreApplication(["drill"])
    session = Session(CATALOG)
    if in_window:
        preferences = Preferences(folder / "w.ini")
        window = MainWindow(session, preferences, Appearance(app, "light"), Questions())
        window.show()
        window.views.show_canvas()
    if design is not None:
        mine = folder / "mine.fabric"
        mine.write_bytes(design.read_bytes())
        session.open(mine)
    if in_window:
        keep_unsaved_work(window, folder / "recovery")
        heartbeat = leave_on_signal(app, lambda: [session])
    else:
        session.autosave.start(folder / "recovery")
    editor = Editor(session, chance, say)
    editor.say("saved")
    QTimer.singleShot(0, editor.act)
    code = app.exec()
    if in_window:
        heartbeat.stop()
        editor.stop()
    session.close()
    os._exit(code)


# -- what is left ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kill:
    """What became of one program: acts done, acts lost and the time since the first of those, and what is wrong."""

    n_acts: int
    n_lost: int
    lost_s: float
    fault: str


def kill_one(number: int, seed: int, life_s: float, end: int, *, in_window: bool) -> Kill:
    chance = random.Random(f"{seed} {number}")
    design = DESIGNS[number % len(DESIGNS)]
    life_s *= chance.random()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        heard, say = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(heard)
            try:
                live(folder, design, f"{seed} {number}", say, in_window=in_window)
            finally:
                os._exit(99)
        os.close(say)
        log = b""
        end_s: float | None = None
        while end_s is None or time.monotonic() < end_s:
            ready = select.select([heard], [], [], 0.01 if end_s is not None else 60)[0]
            if ready:
                more = os.read(heard, 1 << 16)
                if not more:
                    break
                log += more
            if end_s is None and log:
                end_s = time.monotonic() + life_s
        os.kill(child, end)
        killed_s = time.monotonic()
        _, status = os.waitpid(child, 0)
        while more := os.read(heard, 1 << 16):
            log += more
        os.close(heard)
        code = os.waitstatus_to_exitcode(status)
        if code != (-end if end == signal.SIGKILL else 128 + end):
            return Kill(0, 0, 0.0, f"ended with {code}")
        return judged(log, folder, killed_s)


def judged(log: bytes, folder: Path, killed_s: float) -> Kill:
    """What is left in the folder, held against what the program said it did."""
    lines = [line.split() for line in log[: log.rfind(b"\n") + 1].decode().splitlines()]
    states = [(float(words[1]), int(words[2]), words[0]) for words in lines if words[0] != "begin"]
    is_acting = bool(lines) and lines[-1][0] == "begin"
    found: list[int] = []
    mine = folder / "mine.fabric"
    try:
        if mine.exists():
            on_disk = digest(document.load(mine))
            found.append(on_disk)
            saved = {state for _, state, word in states if word == "saved"}
            if on_disk not in saved and not is_acting:
                return Kill(len(states), 0, 0.0, "the file is none that was saved")
        else:
            found.append(digest(Design()))
        offers = find_leftovers(folder / "recovery")
        if offers.refused:
            return Kill(len(states), 0, 0.0, f"refused: {offers.refused}")
        for offer in offers.offers:
            found.append(digest(recovery.load(offer.leftover)))
            offer.claim.let_go()
    except DesignerError as error:
        return Kill(len(states), 0, 0.0, str(error))
    place = max((index for index, (_, state, _) in enumerate(states) if state in found), default=-1)
    known = {state for _, state, _ in states}
    if any(state not in known for state in found) and is_acting:
        return Kill(len(states), 0, 0.0, "")  # the act that was not finished is in it
    if place < 0:
        return Kill(len(states), 0, 0.0, "what is left is no design that there was")
    if place == len(states) - 1:
        return Kill(len(states), 0, 0.0, "")
    lost_s = killed_s - states[place + 1][0]
    fault = f"{lost_s:.2f} s of work are lost" if lost_s > MOST_LOST_S else ""
    return Kill(len(states), len(states) - 1 - place, lost_s, fault)


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):  # ignored in what is started in the background
        signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--window", action="store_true", help="with the real window instead of a session alone")
    parser.add_argument("--end", choices=("KILL", "TERM", "HUP", "INT"), default="KILL")
    parser.add_argument("--life", type=float, default=1.5, help="seconds that a program lives at most")
    given = parser.parse_args()
    kills: list[Kill] = []
    end = getattr(signal, f"SIG{given.end}")
    for number in range(given.first, given.first + given.kills):
        kills.append(kill_one(number, given.seed, given.life, end, in_window=given.window))
        if kills[-1].fault:
            print(f"kill {number}: {kills[-1].fault}", flush=True)
    faults = sum(bool(one.fault) for one in kills)
    print(
        f"{len(kills)} kills, {sum(one.n_acts for one in kills):,} acts: {faults} faults, "
        f"{sum(one.n_lost for one in kills)} acts lost in {sum(one.n_lost > 0 for one in kills)} kills, "
        f"at most {max(one.lost_s for one in kills):.2f} s"
    )
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

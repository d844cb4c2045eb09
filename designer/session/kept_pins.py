"""Pinned runs that outlive the program: what was run, and the design as it was, in the user's folder.

Runs are those of a design file, by where it is. Their results are computed again, which gives the same ones. Designs
are files named after a digest of what they hold: equal ones are there once, and damaged ones are noticed.
"""

import hashlib
import itertools
import json
import logging
import math
import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from designer.errors import Cancelled, DesignerError, FileFormatError
from designer.late import Late
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Entity
from designer.paths import user_state_dir
from designer.session.commands import is_simulated
from designer.session.pinned_run import PinnedRun, run_name
from designer.simulation import scenario_text
from designer.storage import document
from designer.storage.recovery import UNREADABLE
from designer.storage.saving import PRIVATE, SaveError, reason, remove_stale, replace_file

engine = Late("designer.session.engine")

log = logging.getLogger(__name__)

FOLDER, LIST = "pinned-runs", "runs.json"
VERSION = 1
NEWER = "pinned with a newer version of Fabric Designer"
QUICK_S = 10.0
"""Runs that took no longer in all are computed again as soon as their design is opened; others when they are wanted."""
MOST_BYTES = 8_000_000
"""Of a list: a longer one is neither written nor read."""
MOST_NUMBER = 1_000_000
EARLIER = -1
"""The revision of a run whose fabric is no longer that of the design."""
DIGITS = 32
_DESIGN = re.compile(rf"[0-9a-f]{{{DIGITS}}}")

Key = tuple[scenario_text.Texts, tuple[str, ...], str]
"""What a run is of: its scenario, what had failed, and its design."""


class NewerListError(FileFormatError):
    """The list was written by a newer version of the program, and is left as it is."""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A pinned run as it is listed: its scenario in words, and the name of the file that has its design."""

    number: int
    run: scenario_text.Texts
    failed: tuple[str, ...]
    design: str
    wall_s: float
    is_baseline: bool
    name: str = ""

    @property
    def key(self) -> Key:
        """What it is of."""
        return self.run, self.failed, self.design


@dataclass(slots=True)
class Memory:
    """What a window knows of the list of its file, from one time that it is written to the next."""

    known: frozenset[Key] | None = None
    """Runs that the window has read or written: others in the list are those of another window. None: all are known."""
    names: dict[int, tuple[Design, str]] = field(default_factory=dict)
    """By `id`: a design, and the name of the file that has it. The design is held so that no other gets its `id`."""


class Restored(NamedTuple):
    """Runs that were computed again, those that could not be, and why the first of these could not."""

    runs: tuple[PinnedRun, ...] = ()
    left_out: tuple[KeptRun, ...] = ()
    why: str = ""


def folder_of(path: Path) -> Path:
    """Where the runs of a design file are kept."""
    return user_state_dir() / FOLDER / _named(os.fsencode(path.resolve()))


def keep(
    path: Path,
    runs: Sequence[PinnedRun],
    baseline: PinnedRun | None,
    rows: Sequence[KeptRun] = (),
    origin: Path | None = None,
    memory: Memory | None = None,
) -> None:
    """Keep these runs of a design file, and those that another window has kept since. Raises SaveError.

    Before them come `rows`: runs that are kept of the file `origin` and not computed again. Runs that `can_be_kept`
    does not allow are left out.
    """
    folder, memory = folder_of(path), memory or Memory()
    try:
        others = _of_others(path, memory)
        own = _own_rows(folder, runs, baseline, rows, folder_of(origin or path), memory)
        known = keys(own)
        _write_list(path, folder, (*own, *(one for one in others if one.key not in known)))
        memory.known = known
    except OSError as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(f"{LIST} could not be saved: {reason(error, folder)}") from None


def can_be_kept(run: PinnedRun) -> bool:
    """Whether the run can be computed again: not where its flows or tables are read from a file, which is not kept."""
    return run.design is not None and bool(scenario_text.written(run.scenario))


def keys(rows: Iterable[KeptRun]) -> frozenset[Key]:
    """What the runs are of."""
    return frozenset(one.key for one in rows)


def _own_rows(
    folder: Path,
    runs: Sequence[PinnedRun],
    baseline: PinnedRun | None,
    rows: Sequence[KeptRun],
    origin: Path,
    memory: Memory,
) -> list[KeptRun]:
    """The rows of the list, once their designs are in the folder."""
    for key in memory.names.keys() - {id(run.design) for run in runs}:
        del memory.names[key]
    own = [one for one in rows if _brought(one.design, origin, folder)]
    for run in filter(can_be_kept, runs):
        assert run.design is not None
        name, failed = _written(run.design, folder, memory), tuple(sorted(run.failed))
        texts = scenario_text.written(run.scenario)
        own.append(KeptRun(run.number, texts, failed, name, run.result.wall_s, run is baseline, run.own_name))
    return own


def _write_list(path: Path, folder: Path, kept: Sequence[KeptRun]) -> None:
    """Have just these runs in the folder of the file, and no designs but theirs."""
    if not kept:
        if folder.exists():
            (folder / LIST).unlink(missing_ok=True)  # before the designs: a list leads to all that it names
            shutil.rmtree(folder, ignore_errors=True)
        return
    stated = {"version": VERSION, "path": str(path), "runs": list(map(_row, kept))}
    data = json.dumps(stated).encode()
    if len(data) > MOST_BYTES:
        raise SaveError(f"{LIST} could not be saved: there are too many runs, or too much has failed in them")
    _put(folder, LIST, data)
    remove_stale(folder)
    designs = {one.design for one in kept}
    for file in folder.iterdir():
        if _DESIGN.fullmatch(file.name) and file.name not in designs:
            file.unlink(missing_ok=True)


def _of_others(path: Path, memory: Memory) -> tuple[KeptRun, ...]:
    """The runs that another window has kept of the file since this one looked. Raises SaveError."""
    if memory.known is None:
        return ()
    try:
        return tuple(one for one in listed(path) if one.key not in memory.known)
    except NewerListError:
        raise SaveError(f"{LIST} could not be saved: those of this file were {NEWER}") from None
    except FileFormatError as error:
        if set_aside(path) is None:
            raise SaveError(f"{LIST} could not be saved: {error}, and cannot be kept elsewhere") from None
        return ()


def _brought(name: str, origin: Path, folder: Path) -> bool:
    """Whether a design is in the folder, where it is copied from the other one; False where neither has it."""
    if not (folder / name).exists():
        if not (origin / name).is_file():
            return False
        _put(folder, name, document.read(origin / name))
    return True


def _written(design: Design, folder: Path, memory: Memory) -> str:
    """The name of the file in the folder that has this design."""
    _design, name = memory.names.get(id(design), (design, ""))
    if not name or not (folder / name).exists():
        data = document.encode(design)
        name = _named(data)
        if not (folder / name).exists():
            _put(folder, name, data)
        memory.names[id(design)] = design, name
    return name


def _put(folder: Path, name: str, data: bytes) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(folder / name, data, mode=PRIVATE)


def listed(path: Path) -> tuple[KeptRun, ...]:
    """The runs that are kept of a design file, with a number each. Raises FileFormatError for what is no such list."""
    file = folder_of(path) / LIST
    try:
        if not file.is_file():
            return ()
        if file.stat().st_size > MOST_BYTES:
            raise FileFormatError("their list is too long")
        stated = json.loads(file.read_bytes())
        if _is_newer(stated["version"]):
            raise NewerListError(f"they were {NEWER}")
        return _apart(map(_read, stated["runs"]))
    except FileFormatError:
        raise
    except (OSError, ValueError, TypeError, KeyError, RecursionError, ArithmeticError) as error:
        log.warning("the list of pinned runs in %s cannot be read: %r", file.parent, error)
        raise FileFormatError("their list is damaged") from None


def set_aside(path: Path) -> Path | None:
    """Move a list that cannot be read to where no new one takes its place, with its designs; None if that fails."""
    folder = folder_of(path)
    places = (folder.with_name(f"{folder.name}{UNREADABLE}{number or ''}") for number in itertools.count())
    aside = next(place for place in places if not place.exists())
    try:
        shutil.copytree(folder, aside)  # other runs that this window has may be of the same designs
        (folder / LIST).unlink()
    except OSError as error:
        log.warning("the list of pinned runs in %s cannot be set aside: %s", folder, error)
        return None
    return aside


def _is_newer(version: object) -> bool:
    """Raises ValueError where it is no version."""
    if not isinstance(version, int) or version < 1:
        raise ValueError("no version")
    return version > VERSION


def _apart(rows: Iterable[KeptRun]) -> tuple[KeptRun, ...]:
    """The rows, with other numbers where two windows gave the same one."""
    apart = dict[int, KeptRun]()
    for one in rows:
        number = one.number if one.number not in apart else max(apart) + 1
        apart[number] = replace(one, number=number)
    return tuple(apart.values())


def restored(
    path: Path, kept: Sequence[KeptRun], now: Design, memory_limit_bytes: float, progress: Callable[[float], None]
) -> Restored:
    """The runs, computed again, and those that cannot be. `progress` may raise Cancelled."""
    found, left, why = list[PinnedRun](), list[KeptRun](), ""
    designs = dict[str, tuple[Design, int]]()
    for number, one in enumerate(kept):
        share = number / len(kept)
        report = partial(_report, progress, share)
        report(0.0)
        try:
            if one.design not in designs:
                design = _design_of(folder_of(path) / one.design, report)
                design.file_stem = now.file_stem
                designs[one.design] = design, EARLIER if differ(design, now) else now.revision
            found.append(_computed(one, *designs[one.design], memory_limit_bytes, report))
        except Cancelled:
            raise
        except DesignerError as error:
            log.warning("pinned run %d cannot be shown again: %s", one.number, error)
            left.append(one)
            why = why or str(error)
    return Restored(tuple(found), tuple(left), why)


def _report(progress: Callable[[float], None], share: float, _done: float) -> None:
    """What one run takes is not known before: the share is that of the runs before it."""
    progress(share)


def _design_of(file: Path, progress: Callable[[float], None]) -> Design:
    """The design as it was. Raises FileFormatError."""
    if not file.is_file():
        raise FileFormatError("the design as it was is missing")
    data = document.read(file)
    if _named(data) != file.name:
        raise FileFormatError("the design as it was is damaged")
    return document.decode(data, "the design as it was", progress)


def _computed(
    one: KeptRun, design: Design, revision: int, memory_limit_bytes: float, progress: Callable[[float], None]
) -> PinnedRun:
    scenario, failed = scenario_text.read(one.run), frozenset(one.failed)
    run = engine.run_scenario(
        design, replace(scenario, memory_limit_bytes=memory_limit_bytes), failed, None, None, progress
    )
    as_run = run.scenario or scenario
    return PinnedRun(one.number, as_run, revision, len(failed), run.heat, run.result, design, failed, one.name)


def differ(then: Design, now: Design) -> bool:
    """Whether the fabrics differ, so that a run of the one is not one of the other."""
    before, after = _records(then), _records(now)
    return any(
        before.get(key) != after.get(key) and is_simulated(Edit("", (Change(before.get(key), after.get(key)),)))
        for key in before.keys() | after.keys()
    )


def _records(design: Design) -> dict[tuple[type, str], Entity]:
    return {(type(one), one.id): one for one in (design.settings, *design.entities())}


def _read(row: dict[str, Any]) -> KeptRun:
    """Raises ValueError, TypeError, KeyError or OverflowError where it is no such row."""
    number, wall_s, failed = row["number"], float(row["wall_s"]), row["failed"]
    if not isinstance(row["design"], str) or not _DESIGN.fullmatch(row["design"]):
        raise ValueError("no name of a design")
    if not isinstance(number, int) or not 1 <= number <= MOST_NUMBER:
        raise ValueError("no number of a run")
    if not math.isfinite(wall_s) or wall_s < 0:
        raise ValueError("no time")
    if not isinstance(failed, list):
        raise TypeError("no list of what has failed")
    texts = tuple((str(name), str(text)) for name, text in row["run"])
    return KeptRun(
        number,
        texts,
        tuple(map(str, failed)),
        row["design"],
        wall_s,
        bool(row["baseline"]),
        run_name(str(row.get("name", ""))),
    )


def _row(one: KeptRun) -> dict[str, Any]:
    return {
        "number": one.number,
        "run": one.run,
        "failed": one.failed,
        "design": one.design,
        "wall_s": one.wall_s,
        "baseline": one.is_baseline,
        **({"name": one.name} if one.name else {}),
    }


def _named(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]

"""Pinned runs that outlive the program: what was run, and the design as it was, in the user's folder.

Runs are those of a design file, by where it is. Their results are computed again, which gives the same ones.
"""

import hashlib
import json
import logging
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from designer.errors import Cancelled, DesignerError
from designer.late import Late
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Entity
from designer.paths import user_state_dir
from designer.session.commands import is_simulated
from designer.session.pinned_run import PinnedRun
from designer.simulation import scenario_text
from designer.storage import document
from designer.storage.saving import replace_file

engine = Late("designer.session.engine")

log = logging.getLogger(__name__)

FOLDER, LIST = "pinned-runs", "runs.json"
QUICK_S = 10.0
"""Runs that took no longer in all are computed again as soon as their design is opened; others when they are wanted."""
MOST_BYTES = 1_000_000
"""A longer list is none of ours."""
EARLIER = -1
"""The revision of a run whose fabric is no longer that of the design."""
DIGITS = 32
_DESIGN = re.compile(rf"[0-9a-f]{{{DIGITS}}}")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A pinned run as it is listed: its scenario in words, and the name of the file that has its design."""

    number: int
    run: scenario_text.Texts
    failed: tuple[str, ...]
    design: str
    wall_s: float
    is_baseline: bool


def folder_of(path: Path) -> Path:
    """Where the runs of a design file are kept."""
    return user_state_dir() / FOLDER / _named(os.fsencode(path.resolve()))


def keep(path: Path, runs: Sequence[PinnedRun], baseline: PinnedRun | None) -> None:
    """Keep these runs of a design file, and no others. Raises SaveError or OSError.

    A run whose flows or tables are read from a file is not kept: nobody knows where that file will be.
    """
    folder, listed, names = folder_of(path), list[dict[str, Any]](), set[str]()
    for run in runs:
        texts = scenario_text.written(run.scenario)
        if not texts or run.design is None:
            continue
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = document.encode(run.design)
        name = _named(data)
        if name not in names and not (folder / name).exists():
            replace_file(folder / name, data)
        names.add(name)
        listed.append(
            {
                "number": run.number,
                "run": texts,
                "failed": sorted(run.failed),
                "design": name,
                "wall_s": run.result.wall_s,
                "baseline": run is baseline,
            }
        )
    if not listed:
        shutil.rmtree(folder, ignore_errors=True)
        return
    replace_file(folder / LIST, json.dumps({"path": str(path), "runs": listed}).encode("utf-8", "replace"))
    for file in folder.iterdir():
        if _DESIGN.fullmatch(file.name) and file.name not in names:
            file.unlink(missing_ok=True)


def listed(path: Path) -> tuple[KeptRun, ...]:
    """The runs that are kept of a design file; none where the list cannot be read."""
    file = folder_of(path) / LIST
    try:
        if not file.is_file() or file.stat().st_size > MOST_BYTES:
            return ()
        return tuple(map(_read, json.loads(file.read_bytes())["runs"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        log.warning("the list of pinned runs in %s cannot be read", file.parent)
        return ()


def restored(
    path: Path, kept: Sequence[KeptRun], now: Design, memory_limit_bytes: float, progress: Callable[[float], None]
) -> tuple[PinnedRun, ...]:
    """The runs, computed again; those that cannot be are left out. `progress` may raise Cancelled."""
    found = list[PinnedRun]()
    for number, one in enumerate(kept):
        share = number / len(kept)
        progress(share)
        try:
            design = document.load(folder_of(path) / one.design)
            scenario = replace(scenario_text.read(one.run), memory_limit_bytes=memory_limit_bytes)
            failed = frozenset(one.failed)
            run = engine.run_scenario(design, scenario, failed, None, None, lambda _done, at=share: progress(at))
        except Cancelled:
            raise
        except DesignerError as error:
            log.warning("pinned run %d cannot be shown again: %s", one.number, error)
            continue
        revision = EARLIER if differ(design, now) else now.revision
        run_as_it_was = run.heat, run.result, design, failed
        found.append(PinnedRun(one.number, run.scenario or scenario, revision, len(failed), *run_as_it_was))
    return tuple(found)


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
    """Raises ValueError, TypeError or KeyError where it is no such row."""
    if not isinstance(row["design"], str) or not _DESIGN.fullmatch(row["design"]):
        raise ValueError("no name of a design")
    texts = tuple((str(name), str(text)) for name, text in row["run"])
    failed = tuple(map(str, row["failed"]))
    return KeptRun(int(row["number"]), texts, failed, row["design"], float(row["wall_s"]), bool(row["baseline"]))


def _named(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]

"""A search as text, JSON or CSV, with its progress on stderr. Loads the engine."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from designer.catalog.catalog import load
from designer.cli.files import save_design
from designer.cli.json_text import json_text
from designer.cli.main import say, tell
from designer.errors import ParameterError
from designer.exploring.candidates import counted
from designer.exploring.evaluation import design_of
from designer.exploring.request import Exploration
from designer.exploring.results import DECIDING, FAILURE, FRONT, Found, Outcome, columns_for
from designer.exploring.search import explore
from designer.exploring.spec_text import read_search
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_count
from designer.workers.progress import Progress, span_text
from designer.workers.store import Store
from designer.workers.where import Where

BEST = f"number {DECIDING} {FAILURE} title"
FALLEN = "number status title why"
SHEET = (
    "number status family title optics gpus time_s times cost total_cost power_w cables cable_m loss "
    "worst_workload cut_off slowdown server_loss switches racks row_m bisection_gbps why"
)
MOST_LISTED = 40
TENTH = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for."""

    file: Path
    output: Path | None
    designs: tuple[tuple[int, Path], ...]
    format_: str
    shows_all: bool


class _Status:
    """A line that is written over at a terminal, and elsewhere one for every tenth."""

    def __init__(self, is_terminal: bool) -> None:
        self._is_terminal = is_terminal
        self._tenth = 0
        self._text = ""

    def __call__(self, progress: Progress, _new: Sequence[Outcome]) -> None:
        tenth = int(TENTH * progress.share) if progress.total else 0
        if self._is_terminal and progress.text != self._text and progress.done:
            sys.stderr.write(f"\r\x1b[K{progress.text}")
            sys.stderr.flush()
        elif tenth > self._tenth and progress.done < progress.total:
            tell(progress.text)
        self._tenth, self._text = max(tenth, self._tenth), progress.text

    def end(self) -> None:
        """The next message begins a line of its own."""
        if self._is_terminal and self._text:
            sys.stderr.write("\r\x1b[K")


def run(asked: Asked, where: Where, is_terminal: bool) -> bool:
    """Search, print what is found and write the designs asked for; whether any candidate keeps all limits."""
    search = read_search(asked.file)
    status = _Status(is_terminal)
    with ExitStack() as stack:
        store = stack.enter_context(Store(asked.output)) if asked.output is not None else None
        if store is not None:
            store.note(search=search.name)
            if store.outdated:
                tell(store.outdated)
        found = explore(search, where, store, status)
    status.end()
    say(_printed(found, asked))
    tell(f"{format_count(found.n_built)} candidates built in {span_text(found.wall_s)}")
    _write(search, found, asked.designs)
    return bool(found.front)


def _printed(found: Found, asked: Asked) -> str:
    if asked.format_ == "json":
        return json_text(as_json(found))
    if asked.format_ == "csv":
        return ResultTable.of(found.outcomes, SHEET).csv().removesuffix("\r\n")
    return as_text(found, shows_all=asked.shows_all)


def as_text(found: Found, *, shows_all: bool = False) -> str:
    """The best candidates, quickest first, what they were compared by, and why the others fell out."""
    compared = ", ".join(one.title.lower() for one in found.objectives)
    lines = [f"{found.search.name}: {found.summary}", f"compared by {compared}", found.search.basis]
    if found.front:
        best = ResultTable(columns_for(found.search, BEST), found.front)
        lines += ["", f"best: {found.rule}", best.text()]
    fallen = found.fallen
    shown = fallen if shows_all else fallen[:MOST_LISTED]
    if shown:
        lines += ["", "fell out", ResultTable.of(shown, FALLEN).text()]
    if len(shown) < len(fallen):
        lines.append(f"  and {format_count(len(fallen) - len(shown))} more: --all")
    return "\n".join([*lines, *([""] if found.all_notes else []), *found.all_notes])


def _write(search: Exploration, found: Found, designs: Sequence[tuple[int, Path]]) -> None:
    catalog = load()
    by_number = {one.candidate.number: one for one in found.outcomes}
    for number, path in designs:
        if number not in by_number:
            raise ParameterError(f"there is no candidate {number}: {search.name} has {len(by_number)}")
        design = design_of(counted(by_number[number].candidate, catalog), search, catalog)
        save_design(design, path)
        outcome = by_number[number]
        stated = "" if outcome.status == FRONT else f" ({outcome.status}: {outcome.why})"
        tell(f"wrote {path}: {outcome.candidate.title}{stated}")

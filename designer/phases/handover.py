"""A plan in phases to hand over: a page with the picture, a workbook with every part, device and cable, JSON, CSV."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.theme import themed
from designer.errors import ExportError
from designer.exchange import diagram_svg
from designer.exchange.pack import html
from designer.exchange.pack.pictures import inlined
from designer.exchange.plans.change_rows import PAPER_COLUMNS
from designer.exchange.workbook import COUNT, Block, Sheet, SheetColumn, block_of, columns_of, write_book
from designer.exchange.workbook_cells import Value
from designer.phases.picture import growth_picture
from designer.phases.steps import DeviceStep, PartNeed, PhaseStep
from designer.tables.columns import Column, pick, words
from designer.tables.table import ResultTable, encoded
from designer.units import format_counted
from designer.version import version_text

SHOWN_MOST = 300
NAMED = "number name"
SUMMARY = {
    "size": "servers gpus switches tiers",
    "devices": "install dismount relocate unplugged",
    "cables": "pull move swap remove kept",
    "cost and work": "capital n_unpriced power_kw work time",
}
"""What each table of the page and of the workbook's first sheet is about, and its columns after the phase."""
Steps = Sequence[PhaseStep]


def write_plan(title: str, steps: Steps, path: Path) -> None:
    """Write the plan; the suffix says as what. Raises ExportError or OSError."""
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise ExportError(f"{path.name} does not say what to write: name it {', '.join(_WRITERS)}")
    write(title, steps, path)


def plan_json(title: str, steps: Steps) -> dict[str, Any]:
    """The plan as JSON has it."""
    return {"name": title, "phases": [step.json for step in steps]}


def plan_svg(title: str, steps: Steps, theme: str = "light") -> str:
    """The picture as SVG."""
    return diagram_svg.text_of(growth_picture(title, steps).document(themed(theme), EstimatedRuler()))


def _page(title: str, steps: Steps) -> str:
    return html.page(f"{title} in phases", _body(title, steps))


def _body(title: str, steps: Steps) -> Iterator[str]:
    yield html.title(f"{title}: growth in phases")
    yield html.paragraph(f"Fabric Designer {version_text()}", "muted")
    picture = inlined(lambda theme: plan_svg(title, steps, theme), "growth")
    yield html.figure(picture, "Devices by tier and cables between tiers, in each phase")
    for about, keys in SUMMARY.items():
        yield html.subheading(f"{about[:1].upper()}{about[1:]}")
        yield html.result_table(ResultTable(pick(PhaseStep.COLUMNS, f"{NAMED} {keys}"), steps))
    yield html.paragraph(steps[-1].costing.basis, "muted")
    for step in steps:
        yield html.heading(f"{step.number}. {step.name}")
        yield html.paragraph(step.sentence)
        bought = [one for one in step.parts if one.bought or one.spare]
        if bought:
            yield html.subheading("Parts")
            yield html.result_table(ResultTable(PartNeed.COLUMNS, bought))
        if step.number > 1:
            yield from _listed("Devices", DeviceStep.COLUMNS, step.devices)
            yield from _listed("Cables that are unplugged", PAPER_COLUMNS, step.unplugged)


def _listed(title: str, columns: Any, rows: Sequence[Any]) -> Iterator[str]:
    if rows:
        yield html.subheading(title)
        yield html.result_table(ResultTable(columns, rows[:SHOWN_MOST]))
    if len(rows) > SHOWN_MOST:
        more = format_counted(len(rows) - SHOWN_MOST, "more row")
        yield html.paragraph(f"{more}: the workbook lists them all.", "muted")


def _write_page(title: str, steps: Steps, path: Path) -> None:
    path.write_text(_page(title, steps), encoding="utf-8", errors="replace")


def _write_svg(title: str, steps: Steps, path: Path) -> None:
    path.write_text(plan_svg(title, steps), encoding="utf-8", errors="replace")


def _write_json(title: str, steps: Steps, path: Path) -> None:
    text = json.dumps(plan_json(title, steps), indent=2, ensure_ascii=False, allow_nan=False)
    path.write_bytes(f"{text}\n".encode("utf-8", errors="replace"))


def _write_csv(_title: str, steps: Steps, path: Path) -> None:
    path.write_bytes(encoded(csv_of(steps)))


def csv_of(steps: Steps) -> str:
    """A line for each phase, with texts as people read them where a cell is no number."""
    return ResultTable(PhaseStep.COLUMNS, steps).with_texts().csv()


def _write_book(title: str, steps: Steps, path: Path) -> None:
    described = Block(columns_of("Phase", "What it takes"), [(step.name, step.sentence) for step in steps])
    sheets = [Sheet("Phases", tuple(_summary(title, steps))), Sheet("What It Takes", (described,))]
    for step in steps:
        parts = [one for one in step.parts if one.bought or one.spare]
        for name, columns, rows in (
            ("Parts", PartNeed.COLUMNS, parts),
            ("Devices", DeviceStep.COLUMNS, step.devices),
            ("Cables", PAPER_COLUMNS, step.order.changes),
        ):
            if rows:
                block = block_of(ResultTable(columns, rows))
                sheets.append(Sheet(f"{step.number} {name}", (block,)))
    write_book(path, sheets)


def _summary(title: str, steps: Steps) -> Iterator[Block]:
    """The phases in tables that paper has room for in letters one can read, each about one thing."""
    for about, keys in SUMMARY.items():
        found = [_summed(column, steps) for column in pick(PhaseStep.COLUMNS, f"{NAMED} {keys}")]
        rows = list(zip(*(cells for _, cells in found), strict=True))
        yield Block([column for column, _ in found], rows, f"{title}: growth in phases, {about}")


def _summed(column: Column, steps: Steps) -> tuple[SheetColumn, Sequence[Value]]:
    """A column of the summary with its cells: counts are numbers, the others texts with their units."""
    values = [column.of(step) for step in steps]
    if column.text is words and all(isinstance(value, int) for value in values):
        return SheetColumn(column.title, COUNT), values
    return SheetColumn(column.title), [column.shown(value) for value in values]


_WRITERS: Mapping[str, Callable[[str, Steps, Path], None]] = {
    ".html": _write_page,
    ".xlsx": _write_book,
    ".svg": _write_svg,
    ".json": _write_json,
    ".csv": _write_csv,
}

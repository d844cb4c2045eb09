"""The summary of a pack: one page that a customer reads first, and signs."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from designer.analysis.billing.bill import Bill
from designer.analysis.billing.costing import Costing, CostRow
from designer.analysis.billing.lines import BillLine, without_price
from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.analysis.topology_text import topology_text
from designer.drawing.overlay import Overlay
from designer.drawing.parts.document import Document
from designer.drawing.parts.primitives import Group, Ink, Rect
from designer.drawing.parts.room_document import AS_KINDS, Coloured, elevation_document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.room.elevation import elevation
from designer.drawing.run_heat import heat_of_run
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.topology import units
from designer.drawing.sheets.unit_map import UnitMap, draw_unit_map, unit_map
from designer.drawing.theme import themed
from designer.errors import DesignerError, sentence
from designer.exchange import diagram_svg
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporter import plan_gaps_of
from designer.exchange.exporters_diagram import colouring_of, drawing_of
from designer.exchange.pack import html
from designer.exchange.pack.pictures import Draw, inlined
from designer.exchange.pack.results import NONE_KEPT, KeptRuns, result_sections
from designer.exchange.pack.runs import Run, Runs, sections
from designer.exchange.plan_gaps import MISSING, TO_BE_DECIDED, UNNUMBERED, Gap
from designer.exchange.plans.since import changes_since, unreadable
from designer.exchange.revisions import COLUMNS, DIGEST_SHOWN, issue_of, latest, listed, previous
from designer.model.design import Design
from designer.model.entities import Revision
from designer.model.title_facts import stated_facts
from designer.placement.floor import place_of
from designer.tables.columns import pick
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted, format_memory
from designer.validation.engine import RULES
from designer.validation.findings import Finding, Report

FINDINGS_SHOWN = 200
"""Findings that are listed before the rest is counted."""
PICTURE_MOST = 6_000_000
"""Characters of a picture; a larger one would make the page hard to open, and stands in the pack as a file."""
LINKS_TWICE = 8_000
"""A design of more links has its diagram on the page with the heat alone, and a map of its groups."""
MAP_SIZE, MAP_MARGIN = (840.0, 640.0), 12.0
"""Of the picture that shows the groups of such a design."""
NO_NUMBERS = Numbers({}, {}, {})
"""The page has no pages that the picture could name."""
RACKS_SHOWN, RACKS_ABREAST = 64, 8
"""Racks of which the page has pictures, and how many of a row are in one, so that the names in them can be read."""
PRICE_COLUMNS = " unit_price currency line_price"
BILL_COLUMNS = f"line status kind part_number model description order_m quantity spares to_order note{PRICE_COLUMNS}"
"""Those that a customer reads; the bill in the pack has them all."""


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file of the pack, as its index lists it."""

    name: str
    about: str
    size_bytes: int
    sha256: str


def by_purpose(files: Iterable[PackedFile]) -> list[PackedFile]:
    """The files as they are listed for people: those of one folder for the same purpose together, with no digest."""
    found: dict[tuple[str, str], list[PackedFile]] = {}
    for one in files:
        folder, _, name = one.name.rpartition("/")
        found.setdefault((folder or name, one.about), []).append(one)
    return [here[0] if len(here) == 1 else _together(folder, here) for (folder, _), here in found.items()]


def _together(folder: str, files: Sequence[PackedFile]) -> PackedFile:
    name = f"{folder}/ ({format_counted(len(files), 'file')})"
    return PackedFile(name, files[0].about, sum(one.size_bytes for one in files), "")


@dataclass(frozen=True, slots=True)
class Stated:
    """What the page states of a design."""

    design: Design
    report: Report
    runs: Runs
    bill: Bill
    costing: Costing
    digest: str
    date: str = ""
    """Of the hand-over; "" where none is stated."""
    kept: KeptRuns = NONE_KEPT


def summary_page(stated: Stated, files: Sequence[PackedFile], left_out: Sequence[str]) -> str:
    """The page. `files` are what else is in the pack; `left_out` says which files are not, and why."""
    design, runs = stated.design, stated.runs
    issue = issue_of(design, stated.digest)
    title = design.name + (f", revision {issue.number}" if issue is not None else "")
    body = [
        html.title(design.name),
        html.paragraph(_issue(design, issue, stated.date), "muted"),
        *([html.warning(stated.bill.preliminary)] if stated.bill.preliminary else ()),
        html.facts(fact for fact in stated_facts(design) if fact[0] != "Design"),
        *_topology(design),
        *result_sections(design, runs, stated.kept, stated.bill),
        html.heading("Figures"),
        html.facts(summary_facts(summarize(design), design, stated.costing.cost_text)),
        html.heading("Open findings"),
        *_findings(design, stated.report),
        html.heading("Pictures"),
        *_pictures(design, runs.drawn),
        *sections(design, runs),
        html.heading("Bill of materials"),
        *_bill(stated.bill, stated.costing),
        *_cost(stated.costing),
        html.heading("Revisions"),
        *_revisions(design, issue),
    ]
    if design.settings.notes:
        body += [html.heading("Notes"), html.text_of(design.settings.notes)]
    body += [
        *_not_checked(stated.report),
        html.heading("Contents"),
        *_contents(files, left_out),
        html.paragraph(f"Digest of the design: SHA-256 {stated.digest}", "muted"),
    ]
    body += [html.heading("Acceptance"), html.signature(("Name", "Date", "Signature"))]
    return html.page(title, body)


def _issue(design: Design, issue: Revision | None, date: str) -> str:
    handed = f"Hand-over pack of {date}" if date and (issue is None or date != issue.date) else "Hand-over pack"
    if issue is not None:
        parts = [f"{handed}, revision {issue.number}", issue.date, issue.author, issue.notes]
        return f"{', '.join(part for part in parts if part).removesuffix('.')}."
    last = latest(design)
    if last is not None:
        return f"{handed}. The design was changed since revision {last.number}; no new revision is recorded."
    return f"{handed}. No revision is recorded."


def _topology(design: Design) -> Iterator[str]:
    """What the networks are, and what their builders should know."""
    stated = topology_text(design)
    yield from map(html.paragraph, stated.sentences)
    yield from map(html.warning, stated.cautions)


# -- sections -------------------------------------------------------------------------------------------------------


def _findings(design: Design, report: Report) -> Iterator[str]:
    gaps = plan_gaps_of(design)
    yield html.tiles(
        (
            _tile(report.errors, "error", "error"),
            _tile(report.warnings, "warning", "warning"),
            (format_count(report.infos), "for information", ""),
            (format_count(report.waived), "waived", ""),
            (format_count(len(report.off)), "rules switched off by the policy", ""),
            (format_count(len(report.not_checked)), "not checked", "warning" if report.not_checked else "good"),
            _tile(gaps.n_open, "link", "warning", " missing something for ordering"),
            _tile(gaps.n_parts, "part", "warning", " without a part number"),
            _tile(gaps.n_unnumbered, "link", "warning", " without a cable number"),
            _tile(len(gaps.undecided), "point", "warning", " to be decided"),
        )
    )
    if report.open:
        shown = report.open[:FINDINGS_SHOWN]
        yield html.table(("Severity", "Rule", "Finding", "To do"), map(_finding, shown), kinds=0, whole=(1,))
        if len(report.open) > len(shown):
            more = format_counted(len(report.open) - len(shown), "more finding")
            yield html.paragraph(f"{more} not listed here.", "muted")
    else:
        unchecked = " in what it could check" if report.not_checked else ""
        yield html.paragraph(f"Validation found no errors or warnings{unchecked}.")
    waived = [
        (one.code, one.message, one.waiver.reason, one.waiver.author, one.waiver.date)
        for one in report.findings
        if one.waiver is not None
    ]
    if waived:
        yield html.subheading("Waived")
        yield html.table(("Rule", "Finding", "Accepted because", "By", "On"), waived[:FINDINGS_SHOWN])
    if report.off:
        yield html.subheading("Switched off by the policy")
        yield html.table(("Rule", "Reason"), ((one.code, one.reason) for one in report.off))
    for kind in (MISSING, UNNUMBERED, TO_BE_DECIDED):
        points = gaps.of_kind(kind)
        if points:
            yield html.subheading(kind)
            yield html.table(("Count", "What is open, and why"), map(_open_point, points), (0,))


def _not_checked(report: Report) -> Iterator[str]:
    if report.not_checked:
        yield html.heading("Not checked")
        yield html.table(("Rule", "Reason"), ((one.code, one.reason) for one in report.not_checked))


def _open_point(gap: Gap) -> tuple[str, str]:
    return gap.counted, gap.note


def _tile(count: int, word: str, kind: str, more: str = "") -> tuple[str, str, str]:
    """A count of what should be none."""
    return format_count(count), (word if count == 1 else f"{word}s") + more, kind if count else "good"


def _finding(finding: Finding) -> tuple[str, str, str, str]:
    """A row of the table. What to do is what the finding's fix does, else what its rule says."""
    rule = RULES.named(finding.code)
    remedy = rule.remedy if rule is not None else ""
    to_do = finding.fix.label if finding.fix is not None else remedy
    return finding.severity.value, finding.code, finding.message, to_do


def _contents(files: Sequence[PackedFile], left_out: Sequence[str]) -> Iterator[str]:
    shown = by_purpose(files)
    rows = ((one.name, one.about, format_memory(one.size_bytes), one.sha256[:DIGEST_SHOWN]) for one in shown)
    yield html.table(("File", "What it is for", "Size", f"SHA-256, first {DIGEST_SHOWN} digits"), rows, (2,))
    for one in left_out:
        yield html.paragraph(one, "muted")


def _pictures(design: Design, runs: Sequence[Run]) -> Iterator[str]:
    if all(run.result is None for run in runs) or len(design.links) <= LINKS_TWICE:
        yield from _picture(lambda theme: diagram_svg.svg_of(design, theme, size=html.PICTURE), "diagram", "The design")
    elif (shown := unit_map(design, units(design))) is not None:
        yield from _picture(partial(_map, design, shown), "diagram", "The design: its groups and their links")
    for number, run in enumerate(runs, start=1):
        yield from _loads(design, run, "heat" if number == 1 else f"heat{number}")
    if any(place_of(rack) is not None for rack in design.racks.values()):
        yield from _picture(partial(_floor, design), "floor", "Floor plan", "low")
    yield from _racks(design)


def _loads(design: Design, run: Run, name: str) -> Iterator[str]:
    """The picture of the loads of a run; nothing of one without a result."""
    if run.result is None:
        return
    heat = heat_of_run(design.revision, run.result, run.asked.scenario.summary)
    hottest = max((max(pair) for pair in heat.utilization.values()), default=0.0)
    caption = f"Load of the links: {run.text}; the busiest direction is {hottest:.0%} utilized".replace("%", " %")
    if run.asked.failed:
        caption = f"{caption}; marked as failed: {run.failures(design)}"
    if run.n_congested:
        caption = f"{caption}; {format_counted(run.n_congested, 'congested link')}"
    overlay = Overlay(failed=run.asked.failed)
    draw = partial(diagram_svg.svg_of, design, heat=heat, overlay=overlay, size=html.PICTURE)
    yield from _picture(draw, name, caption)


def _floor(design: Design, theme: str) -> str:
    """The floor plan as SVG."""
    options = DiagramOptions(view="floor", theme=theme, heading=False)
    return diagram_svg.text_of(drawing_of(design, options)(EstimatedRuler()))


def _racks(design: Design) -> Iterator[str]:
    """A picture of each row of racks, or part of a row; a sentence where there are too many."""
    if len(design.racks) > RACKS_SHOWN:
        yield html.paragraph(f"The drawings show each of the {format_count(len(design.racks))} racks.", "muted")
        return
    lines = [[frame.rack_id for frame in line.frames if frame.rack_id] for line in elevation(design)]
    parts = [part for line in lines for part in _even_parts(line)]
    coloured = Coloured(colouring_of(design, DiagramOptions()))
    wide = max((_elevation(design, part, "light", coloured).area[2] for part in parts), default=0.0)
    deep = max((_elevation(design, part, "light").area[3] for part in parts), default=0.0)
    for number, part in enumerate(parts, start=1):
        names = " to ".join(dict.fromkeys(design.racks[one].name for one in (part[0], part[-1])))
        draw = partial(_elevation_svg, design, part, coloured, (wide, deep))
        yield from _picture(draw, f"racks-{number}", f"{names} from the front")


def _even_parts(line: Sequence[str]) -> Iterator[Sequence[str]]:
    """The racks of a row in as few parts as there have to be, the first ones a rack longer where it is not even."""
    n_parts = -(-len(line) // RACKS_ABREAST)
    first = 0
    for number in range(n_parts):
        size = len(line) // n_parts + (number < len(line) % n_parts)
        yield line[first : first + size]
        first += size


def _elevation(
    design: Design,
    rack_ids: Collection[str],
    theme: str,
    coloured: Coloured = AS_KINDS,
    room: tuple[float, float] = (0.0, 0.0),
) -> Document:
    racks = frozenset(rack_ids)
    return elevation_document(design, themed(theme), EstimatedRuler(), racks, room=room, coloured=coloured)


def _elevation_svg(
    design: Design, rack_ids: Collection[str], coloured: Coloured, room: tuple[float, float], theme: str
) -> str:
    """These racks as SVG with so much room: all parts at one scale."""
    return diagram_svg.text_of(_elevation(design, rack_ids, theme, coloured, room))


def _map(design: Design, shown: UnitMap, theme: str) -> str:
    """The map of the units of a design as SVG."""
    colours, (width, height) = themed(theme), MAP_SIZE
    room = MAP_MARGIN, MAP_MARGIN, width - MAP_MARGIN, height - MAP_MARGIN
    paper = Group((Rect(0.0, 0.0, width, height, Ink(colours.background)),), "paper", label="Paper")
    layers = (paper, *draw_unit_map(shown, room, colours, NO_NUMBERS))
    area = (0.0, 0.0, width, height)
    return diagram_svg.text_of(Document(design.name, "Groups and the links between them", area, layers))


def _picture(draw: Draw, name: str, caption: str, kind: str = "") -> Iterator[str]:
    try:
        text = inlined(draw, name)
    except DesignerError as error:
        yield html.paragraph(sentence(str(error)), "muted")
        return
    if len(text) > PICTURE_MOST:
        yield html.paragraph(f"{caption}: the picture is too large for this page; the drawings have it.", "muted")
    else:
        yield html.figure(text, caption, kind)


def _bill(bill: Bill, costing: Costing) -> Iterator[str]:
    lines = [one for one in bill.lines if one.item.quantity or one.to_order]
    if not lines:
        yield html.paragraph("Nothing to order.")
        return
    names = BILL_COLUMNS if bill.totals else BILL_COLUMNS.removesuffix(PRICE_COLUMNS)
    if not bill.policy:
        names = names.replace(" spares", "")
    table = ResultTable(pick(BillLine.COLUMNS, names), lines)
    yield html.result_table(table if bill.totals else table.with_texts(note=without_price))
    yield html.facts((("Cost", costing.cost_text), ("Price list", bill.price_list_text or "none")))
    if bill.unnumbered:
        count = format_counted(len(bill.unnumbered), "line")
        yield html.paragraph(f"{count} to order without a known part number.", "muted")


def _cost(costing: Costing) -> Iterator[str]:
    """Capital, power and cooling, as a whole and per GPU, where anything of it is known."""
    if costing.is_stated:
        yield html.heading("Cost")
        yield html.result_table(ResultTable(CostRow.COLUMNS, costing.rows))
        yield html.paragraph(costing.basis, "muted")


def _revisions(design: Design, issue: Revision | None) -> Iterator[str]:
    if not design.revisions:
        yield html.paragraph("None is recorded.")
        return
    yield html.result_table(ResultTable(COLUMNS, listed(design)))
    earlier = previous(design, issue)
    if earlier is not None and not unreadable(earlier):
        name, order = changes_since(design, earlier.number)
        yield html.paragraph(f"Cables since {name.name}: {order.summary}")

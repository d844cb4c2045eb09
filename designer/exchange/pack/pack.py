"""Packs: every document of a design in one ZIP file. The same design and options give the same bytes."""

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from designer.analysis.billing.bill import Bill
from designer.analysis.billing.costing import Costing
from designer.analysis.billing.terms import CostTerms
from designer.catalog import catalog
from designer.errors import Cancelled, DesignerError, ParameterError
from designer.exchange.archives import write_archive
from designer.exchange.bills.costs import bill_compared, bill_for, costing_of_bill
from designer.exchange.bills.options import BillOptions
from designer.exchange.comparison.figure_rows import RunOfDesign
from designer.exchange.exporter import Exporter, plan_gaps_of
from designer.exchange.file_names import export_name, portable
from designer.exchange.options import Progress, keyed, unheard
from designer.exchange.pack.contents import CHANGES, CONTENTS, DESIGN, Content
from designer.exchange.pack.options import PackOptions
from designer.exchange.pack.results import KeptRuns, compared_runs, same_runs
from designer.exchange.pack.runs import Asked, simulated
from designer.exchange.pack.summary import PackedFile, Stated, summary_page
from designer.exchange.plan_gaps import PlanGaps
from designer.exchange.plans.since import unreadable
from designer.exchange.redacting import redacted
from designer.exchange.revisions import checked_date, design_digest, issue_of, previous, record
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.edit import Edit
from designer.process import Temporary
from designer.storage import document
from designer.storage.saving import SaveError
from designer.tables.columns import Column, Columns
from designer.units import format_count, format_counted, format_memory
from designer.validation.engine import validate
from designer.validation.findings import Report
from designer.version import VERSION

FORMAT, FORMAT_VERSION = "fabric-designer-pack", 1
INDEX, SUMMARY = "index.json", "summary.html"
CHECKED, DRAWN, WRITTEN = 0.1, 0.2, 0.95
"""Shares of the work after which findings and simulation, and all files, are done."""


NOT_WANTED = "not selected"


@dataclass(frozen=True, slots=True)
class Missing:
    """A file that is not in the pack, and why; `about` has the place of what a packed file is for."""

    name: str
    about: str
    failed: bool = False
    """Whether it could not be made; else it was not asked for, or there was nothing to put in."""

    @property
    def size_bytes(self) -> None:
        """None: it has no size."""
        return None


def _purpose(row: PackedFile | Missing) -> str:
    if isinstance(row, PackedFile):
        return row.about
    return f"{'Failed' if row.failed else 'Skipped'}: {row.about}"


CONTENT_COLUMNS: Columns = (
    Column("name", "File"),
    Column("size_bytes", "Size", text=format_memory, right=True, empty="not written"),
    Column("about", "What it is for", value=_purpose),
)
"""Of a PackedFile or a Missing."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack that is ready to be written."""

    data: bytes
    edit: Edit
    """What records the revision in the design; nothing where none was asked for."""
    files: tuple[PackedFile, ...]
    missing: tuple[Missing, ...]
    report: Report
    gaps: PlanGaps

    @property
    def left_out(self) -> tuple[str, ...]:
        """A sentence for each file that could not be made."""
        return _sentences(self.missing)

    @property
    def open_findings(self) -> str:
        """ "2 errors, 3 warnings"; "2 errors, 3 warnings; missing for ordering: 46 links" where points are open."""
        counted = ((self.report.errors, "error"), (self.report.warnings, "warning"))
        findings = ", ".join(format_counted(count, word) for count, word in counted)
        if self.report.waived:
            findings += f", {format_count(self.report.waived)} waived"
        return f"{findings}; {self.gaps.counts}" if self.gaps.counts else findings


def make(
    design: Design,
    formats: Iterable[Exporter],
    options: PackOptions,
    progress: Progress = unheard,
    asked: Asked | None = None,
    kept: Sequence[RunOfDesign] = (),
) -> Pack:
    """The pack of a design, which stays as it is. Exporters are found among the formats by name.

    `asked` is a run that the summary shows before those that it always shows, `kept` are those it is compared with, the
    first of them first of all.

    Raises ParameterError for a date that is none, a revision that cannot be recorded or spares of what the bill has
    none of, OSError where files cannot be made on this disk, and what `progress` raises.
    """
    if options.redact and options.revision:
        raise ParameterError("a redacted pack records no revision: leave out the revision, or pack without redacting")
    options = replace(options, date=checked_date(options.date))
    edit = record(design, options) if options.revision else Edit("", ())
    shown = redacted(design, catalog.load().types) if options.redact else design.snapshot()
    shown.apply(edit)
    costing, bill = _costing(shown, options)  # what it refuses is known before anything is made
    report = validate(shown, _within(progress, 0.0, CHECKED))
    runs = simulated(shown, asked)
    progress(DRAWN)
    digest = design_digest(shown)
    issue = issue_of(shown, digest)
    given = {name: getattr(options, name) for name in fields_of(PackOptions)}
    earlier = previous(shown, issue)
    fault = unreadable(earlier) if earlier is not None else ""
    given |= {"issue": issue, "earlier": None if fault else earlier}
    made, missing = _files(shown, {one.name: one for one in formats}, given, _within(progress, DRAWN, WRITTEN))
    if fault:
        missing = [*(one for one in missing if one.name != CHANGES.title), Missing(CHANGES.title, fault, failed=True)]
    left_out = _sentences(missing)
    listed = [_listed(name, about, data) for name, about, data in made if not name.endswith("/")]
    same = same_runs(design, kept, runs)
    others = [one for one in kept if not any(one is other for other in same)]
    before = [bill_compared(one.design, _billed(options)) for one in compared_runs(others, runs)[:1]]
    pinned = KeptRuns(tuple(kept), tuple(before), are_drawn=not options.redact, same=same)
    stated = Stated(shown, report, runs, bill, costing, digest, options.date, pinned)
    page = summary_page(stated, listed, left_out).encode()
    listed.insert(0, _listed(SUMMARY, "What to read first: findings, figures, pictures, bill, revisions", page))
    gaps = plan_gaps_of(shown)
    index = _index(stated, listed, left_out, gaps)
    progress(WRITTEN)
    contents = [(INDEX, index), (SUMMARY, page), *((name, data) for name, _, data in made)]
    return Pack(_zipped(contents), edit, tuple(listed), tuple(missing), report, gaps)


def _sentences(missing: Iterable[Missing]) -> tuple[str, ...]:
    return tuple(f"{one.name} is not in the pack: {one.about}." for one in missing if one.failed)


def _costing(design: Design, options: PackOptions) -> tuple[Costing, Bill]:
    """The cost by the prices and terms of the options, and its bill; a redacted pack has none of them."""
    given = _billed(options)
    bill = bill_for(design, given)
    return costing_of_bill(design, bill, given), bill


def _billed(options: PackOptions) -> BillOptions:
    stated = {} if options.redact else {name: getattr(options, name) for name in (*fields_of(CostTerms), "prices")}
    return BillOptions(**stated, spares=options.spares)


def _within(progress: Progress, start: float, end: float) -> Progress:
    """Progress of a part of the work."""
    return lambda share: progress(start + (end - start) * share)


def _files(
    design: Design, formats: Mapping[str, Exporter], given: Mapping[str, Any], progress: Progress
) -> tuple[list[tuple[str, str, bytes]], list[Missing]]:
    """The files by name with what they are for, and those that are missing."""
    there = [one for one in CONTENTS if one.exporter in {*formats, DESIGN.exporter}]
    wanted = [one for one in there if one.key not in given["without"] and one.is_due(given)]
    made: list[tuple[str, str, bytes]] = []
    missing = [
        Missing(one.title, NOT_WANTED if one.key in given["without"] else one.not_due)
        for one in there
        if one not in wanted
    ]
    with tempfile.TemporaryDirectory(prefix="fabric-designer-") as folder, Temporary(folder):
        for number, content in enumerate(wanted):
            name = portable(export_name(design, content.exporter, content.suffix))
            part = _within(progress, number / len(wanted), (number + 1) / len(wanted))
            try:
                data = _made(design, formats, content, Path(folder) / name, given, part)
            except (Cancelled, SaveError):
                raise
            except DesignerError as error:
                missing.append(Missing(name, str(error), failed=True))
                continue
            made += _unpacked(name, content, data) if content.inside else [(name, content.about, data)]
            progress((number + 1) / len(wanted))
    return made, missing


def _made(
    design: Design,
    formats: Mapping[str, Exporter],
    content: Content,
    path: Path,
    given: Mapping[str, Any],
    progress: Progress,
) -> bytes:
    if content is DESIGN:
        return document.encode(design)
    exporter = formats[content.exporter]
    known = keyed(exporter.options)
    texts = {key: text for key, text in content.options(given).items() if key in known}
    exporter.write(design, path, texts, progress)
    data = path.read_bytes()
    path.unlink()
    return data


def _unpacked(name: str, content: Content, data: bytes) -> list[tuple[str, str, bytes]]:
    """What is in an archive, in a folder of its name."""
    folder = name.removesuffix(content.suffix)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(f"{folder}/{one}", content.about_inside(one), archive.read(one)) for one in archive.namelist()]


def _listed(name: str, about: str, data: bytes) -> PackedFile:
    return PackedFile(name, about, len(data), hashlib.sha256(data).hexdigest())


def _index(stated: Stated, files: Sequence[PackedFile], left_out: Sequence[str], gaps: PlanGaps) -> bytes:
    design, report, costing = stated.design, stated.report, stated.costing
    issue = issue_of(design, stated.digest)
    index = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "program": f"Fabric Designer {VERSION}",
        "design": design.name,
        "digest": stated.digest,
        "date": stated.date or None,
        "revision": None
        if issue is None
        else {"number": issue.number, "date": issue.date, "author": issue.author, "note": issue.notes},
        "findings": {
            "errors": report.errors,
            "warnings": report.warnings,
            "infos": report.infos,
            "waived": report.waived,
            "switched_off": len(report.off),
            "not_checked": len(report.not_checked),
        },
        "preliminary": stated.bill.preliminary or None,
        "cost": costing.json if costing.is_stated else None,
        "links_with_open_points": gaps.n_open,
        "parts_without_number": gaps.n_parts,
        "to_be_decided": [
            {"what": one.what, "links": len(one.links), "devices": len(one.devices)} for one in gaps.undecided
        ],
        "files": [
            {"name": one.name, "about": one.about, "size_bytes": one.size_bytes, "sha256": one.sha256} for one in files
        ],
        "left_out": list(left_out),
    }
    return (json.dumps(index, ensure_ascii=False, indent=1) + "\n").encode()


def _zipped(contents: Iterable[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    write_archive(buffer, contents)
    return buffer.getvalue()

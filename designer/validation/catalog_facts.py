"""Rules about what a design says of things apart from how they are joined: types that differ, labels alike."""

import dataclasses
from collections.abc import Iterator, Sequence

from designer.analysis.parts import cable_ids
from designer.catalog import generic
from designer.model.edit import Change, Edit
from designer.model.entities import order_key
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered
from designer.units import format_count, format_counted, shortened
from designer.validation.findings import Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, Stated, rule
from designer.validation.scope import CABLING, TYPES
from designer.validation.sources import TIA_606
from designer.validation.subjects import NAMED

ASIDE = frozenset(("sources", "unverified", "notes", "price_usd"))
"""Fields that are said about a type, and not of it; and what a company pays, which is its own figure."""

FIGURES = frozenset(
    (
        "rack_units",
        "capacity_tbps",
        "latency_ns",
        "power_typical_w",
        "power_max_w",
        "weight_kg",
        "depth_mm",
        "airflow",
        "part_number",
        "host_interface",
        "end_power_w",
        "diameter_mm",
        "bend_radius_mm",
        "power_w",
        "max_weight_kg",
        "feeds_w",
        "parts",
    )
)
"""Fields that change no port, slot or length: taking them over leaves every link as it is."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Difference:
    field: str
    ours: object
    theirs: object

    @property
    def words(self) -> str:
        name = self.field.replace("_", " ")
        if all(isinstance(one, int | float | str | None) for one in (self.ours, self.theirs)):
            return f"{name} {_word(self.ours)}, the catalog has {_word(self.theirs)}"
        return f"other {name}"


def _word(value: object) -> str:
    if value is None or value == "":
        return "not known"
    return f"{value:,.12g}" if isinstance(value, int | float) else shortened(str(value))


@rule(
    "DOC-004",
    Severity.INFO,
    "Type that differs from the catalog",
    "A design carries its own copy of each type; figures that were corrected since do not reach it by themselves.",
    example="A design saved with a switch of 720 mm, whose entry in the catalog has been corrected to 745 mm.",
    remedy="Take over the figures of the catalog, or keep those of the design on purpose and waive the finding.",
    fix="Takes over the figures of the catalog, where no port, slot or cable changes by it.",
    source="The catalog that comes with the program: each figure with its source and date.",
    reads=(TYPES,),
)
def differs_from_catalog(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds types of the design that differ from those of the same id in the catalog, figure by figure."""
    for type_ in ordered(seen.design.types):
        there = seen.catalog.types.get(type_.id) or generic.parse(type_.id)
        if there is None or there == type_:
            continue
        found = list(_differences(type_, there))
        if found:
            words = "; ".join(one.words for one in found[:NAMED])
            more = f"; and {len(found) - NAMED} more" if len(found) > NAMED else ""
            yield this.finding(
                f"{type_.vendor} {type_.model} ({type_.id}): {words}{more}",
                (type_.id,),
                value=len(found),
                limit=0,
                fix=_taken_over(type_, found),
            )


def _differences(ours: HardwareType, theirs: HardwareType) -> Iterator[_Difference]:
    if type(ours) is not type(theirs):
        yield _Difference("kind", type(ours).__name__, type(theirs).__name__)
        return
    for field in dataclasses.fields(ours):
        a, b = getattr(ours, field.name), getattr(theirs, field.name)
        is_stated = field.name == "part_number" and not b  # by who orders it: the catalog has none to take over
        if a != b and field.name not in ASIDE and not is_stated:
            yield _Difference(field.name, a, b)


def _taken_over(type_: HardwareType, found: list[_Difference]) -> Edit | None:
    if any(one.field not in FIGURES for one in found):
        return None
    after = dataclasses.replace(type_, **{one.field: one.theirs for one in found})  # type: ignore[arg-type]
    figures = format_counted(len(found), "figure")
    return Edit(f"Take {figures} of {type_.model} from the catalog", (Change(type_, after),))


@rule(
    "DOC-005",
    Severity.ERROR,
    "Two cables with one label",
    "Who pulls a cable by its label may pull the wrong one.",
    example="Two links with the label A-17 that do not run in one cable.",
    remedy="Give one of the cables another label.",
    how="Clear its label to have it made by the template.",
    fix="Leaves the label to the first cable and clears it on the others: the template makes theirs.",
    source=f"{TIA_606}: each cable has an identifier of its own, on labels at both ends.",
    reads=CABLING,
)
def labels_alike(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds labels that were entered for links of two cables or more; one finding for each label."""
    labeled: dict[str, list[str]] = {}
    for link in seen.design.links.values():
        if link.label:
            labeled.setdefault(link.label, []).append(link.id)
    several = {label: links for label, links in labeled.items() if len(links) > 1}
    cable_of = cable_ids(seen.survey.runs, seen.design.types) if several else {}
    for label, links in sorted(several.items()):
        links.sort(key=order_key)
        cables = {cable_of[one] for one in links}
        if len(cables) > 1:
            others = [one for one in links if cable_of[one] != cable_of[links[0]]]
            yield this.finding(
                f"{format_counted(len(cables), 'cable')} have the label {shortened(label)}",
                tuple(links),
                value=len(cables),
                limit=1,
                aspect=label,
                fix=_cleared(seen, others, len(cables)),
            )


def _cleared(seen: Inspection, others: Sequence[str], n_cables: int) -> Edit:
    """The edit that takes a label off these links, which run in all of so many cables but one."""
    links = [seen.design.links[one] for one in others]
    first = links[0]
    ends = f"{seen.name(first.a.device_id)} to {seen.name(first.b.device_id)}"
    where = ends if n_cables == 2 else f"{format_count(n_cables - 1)} of {format_counted(n_cables, 'cable')}"
    changes = (Change(one, dataclasses.replace(one, label="")) for one in links)
    return Edit(f"Clear the label {shortened(first.label)} on {where}", tuple(changes))

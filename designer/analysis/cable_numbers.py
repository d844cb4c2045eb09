"""Numbers of cables: given once, printed on labels, and never moved when the design changes."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from designer.analysis.cable_places import Places
from designer.analysis.parts import cable_ids
from designer.analysis.survey import survey
from designer.model.design import Design
from designer.model.edit import Change, Edit, joined, netted
from designer.model.entities import Link
from designer.model.hardware.media import is_built_in
from designer.model.records import ordered


def cable_name(number: int) -> str:
    """ "C0421": a cable's number as plans and labels print it; "" for a cable that has none yet."""
    return f"C{number:04d}" if number else ""


def keep_numbered(design: Design, edit: Edit) -> Edit:
    """The edit with numbers for the cables that it adds, where the design numbers its cables; else as it is."""
    new = {change.subject.id for change in edit.changes if change.before is None and isinstance(change.after, Link)}
    if not new or not any(link.cable for link in design.links.values()):
        return edit
    after = design.snapshot()
    after.apply(edit)
    numbers = number_cables(after, new)
    return netted(joined(edit.label, (edit, numbers))) if numbers else edit


def number_cables(design: Design, only: Collection[str] | None = None) -> Edit:
    """Numbers for the cables that have none, in the order of the cable plan; no change where all have one.

    Links that run in one cable share its number. A number stays with its cable: one that was ever given is not given
    again. Where a cable was split, or its links were copied, the first piece in the order of the plan keeps the number
    and the others get new ones. With `only` cables that none of these links runs in stay as they are. Links inside
    racks are no cables, and lose the number that they had.
    """
    taken = set[int]()
    last = max([design.settings.last_cable, *(link.cable for link in design.links.values())])
    inside = [link for link in ordered(design.links) if link.cable and is_built_in(design.types, link.medium_id)]
    changes = [Change(link, replace(link, cable=0)) for link in inside if only is None or link.id in only]
    for piece in _pieces(design):
        if only is not None and not any(link.id in only for link in piece):
            taken.update(link.cable for link in piece)
            continue
        number = next((link.cable for link in piece if link.cable and link.cable not in taken), 0)
        if not number:
            last += 1
            number = last
        taken.add(number)
        changes += (Change(link, replace(link, cable=number)) for link in piece if link.cable != number)
    if last != design.settings.last_cable:
        changes.append(Change(design.settings, replace(design.settings, last_cable=last)))
    return Edit("Number cables", tuple(changes))


def _pieces(design: Design) -> Iterator[list[Link]]:
    """The links of each cable, cables and links in the order of the plan."""
    surveyed = survey(design)
    places = Places(surveyed)
    cable_of = cable_ids(surveyed.runs, design.types)
    pieces: dict[str, list[Link]] = {}
    cabled = [run for run in surveyed.runs if not is_built_in(design.types, run.link.medium_id)]
    for run in sorted(cabled, key=lambda run: places.sort_key(run.low, run)):
        pieces.setdefault(cable_of[run.link.id], []).append(run.link)
    yield from pieces.values()

"""What the picture of a unit does not show, in notes: what leads out of it, and on which pages that is listed."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from designer.analysis.tiers import device_word, switch_word
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.lettering import broken
from designer.drawing.sheets.unit_links import UnitLinks
from designer.model.design import Design
from designer.model.entities import End
from designer.model.naming import natural
from designer.units import format_counted

NOTE_SIZE, MOST_LINES = 8, 12
ON_PAGE = ": page"
"""The end of a note that a number of a page follows."""
PAGES = "(by_port:_pages_00000_to_00000)"
"""Stands in a note for the pages of what it names, and is as wide as they are at most."""


class Out(NamedTuple):
    """A note on what leads out of a picture, with PAGES where the pages of the far ends stand."""

    text: str
    ends: tuple[End, ...]

    def on(self, numbers: Numbers) -> tuple[str, int | None]:
        """The note with the pages that list these ends, and the first of them."""
        pages = [numbers.ends[one] for one in self.ends if one in numbers.ends]
        first, last = min(pages, default=None), max(pages, default=None)
        if first is None:
            where = "outside of this picture"
        else:
            where = f"(by port: page {first})" if first == last else f"(by port: pages {first} to {last})"
        return self.text.replace(PAGES, where, 1), first


def notes_of(design: Design, devices: Sequence[str], linked: UnitLinks | None, room: float) -> tuple[str | Out, ...]:
    """What the picture of a unit does not show: the links out of it, and where those of its switches are listed."""
    inside = set(devices)
    if linked is None:
        return *_links_inside(design, devices, inside), *_links_out(design, devices, inside, room)
    notes: list[str | Out] = [f"{linked.sentence}. Ports and cables{ON_PAGE}"]
    if linked.out:
        far = {end.device_id for _, end, _ in linked.out}
        word = "device" if any(map(design.is_server, far)) else switch_word(design, far)
        links = (
            f"{format_counted(len(linked.out), 'link')} to {format_counted(len(far), word)} outside of {linked.name}"
        )
        notes.append(f"{links}. Ports, cables, far ends and their pages{ON_PAGE}")
    servers = [one for one in devices if design.is_server(one)]
    return (*notes, *_links_out(design, servers, inside, room))


def _links_inside(design: Design, devices: Sequence[str], inside: Collection[str]) -> Iterator[str]:
    """What lines of a unit stand for: "256 links between 8 leaf switches and 32 servers: 1 link between each ..."."""
    pairs: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for one in devices:
        role = device_word(design, one)
        for link in design.links_of(one):
            far = link.b.device_id if link.a.device_id == one else link.a.device_id
            if far in inside and (role, one) < (device_word(design, far), far):
                pairs.setdefault((role, device_word(design, far)), Counter())[one, far] += 1
    for (role, far_role), counts in sorted(pairs.items()):
        ones, fars = len({one for one, _ in counts}), len({far for _, far in counts})
        links = format_counted(sum(counts.values()), "link")
        if role == far_role:
            yield f"{links} among {format_counted(len({one for pair in counts for one in pair}), role)}"
            continue
        least, most = min(counts.values()), max(counts.values())
        each = format_counted(least, "link") if least == most else f"{least:,} to {format_counted(most, 'link')}"
        whom = f"each {role} and {far_role}" if len(counts) == ones * fars else f"{len(counts):,} pairs"
        among = f"{format_counted(ones, role)} and {format_counted(fars, far_role)}"
        yield f"{links} between {among}: {each} between {whom}"


def _links_out(design: Design, devices: Sequence[str], inside: Collection[str], room: float) -> tuple[str | Out, ...]:
    """What leads out of a unit: "256 links to 16 spines (by port: pages 81 to 96): spine-01 to spine-16", by role."""
    ends, names = dict[str, list[End]](), dict[str, dict[str, None]]()
    for one in devices:
        for link in design.links_of(one):
            end = link.b if link.a.device_id == one else link.a
            far = design.device(end.device_id)
            if far.id not in inside:
                role = device_word(design, far.id)
                ends.setdefault(role, []).append(end)
                names.setdefault(role, {})[far.name] = None
    noted = (_note(role, ends[role], sorted(names[role], key=natural), room) for role in sorted(ends))
    return tuple(line for lines in noted for line in lines)


def _note(role: str, ends: Sequence[End], names: Sequence[str], room: float) -> Sequence[str | Out]:
    """One note on as many lines as it needs; of very many names the first, and where the others are."""
    links = format_counted(len(ends), "link")
    if len(names) == 1:
        return (Out(f"{links} to {names[0]} {PAGES}", tuple(ends)),)
    head = f"{links} to {format_counted(len(names), role)} {PAGES}"
    first, *more = broken(f"{head}: {', '.join(runs(names))}", room / NOTE_SIZE)
    if len(more) >= MOST_LINES:
        more = [*more[: MOST_LINES - 2], "and others, each on the pages of its links by port"]
    return Out(first, tuple(ends)), *more


NUMBERED = re.compile(r"(.*[^0-9])?([0-9]{1,9})")


def runs(names: Iterable[str]) -> list[str]:
    """Names in their order, those that count up by one joined: "leaf-01 to leaf-04", "oob-leaf-07"."""
    found: list[tuple[str, str]] = []
    for name in names:
        if found and _follows(found[-1][1], name):
            found[-1] = found[-1][0], name
        else:
            found.append((name, name))
    return [
        first if first == last else f"{first}{', ' if _follows(first, last) else ' to '}{last}" for first, last in found
    ]


def _follows(before: str, name: str) -> bool:
    one, other = NUMBERED.fullmatch(before), NUMBERED.fullmatch(name)
    return one is not None and other is not None and one[1] == other[1] and int(one[2]) + 1 == int(other[2])

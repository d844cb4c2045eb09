"""The outline of a design: its groups and rooms as a tree whose branches are made as they are opened."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from designer.analysis.selecting.fuzzy import RANKS, score
from designer.analysis.tiers import counted_of_types, server_word, switch_word
from designer.model.collapsing import is_storage_server
from designer.model.collapsing import role_of as role_of_box
from designer.model.design import Design
from designer.model.furnishing import TITLES, title_of
from designer.model.naming import natural
from designer.model.records import ordered
from designer.model.shown_text import visible_line
from designer.placement import floor
from designer.units import format_count, format_counted

ROOM, ROW, OFF_FLOOR, FIXTURES = "room", "row", "off-floor", "fixtures"
STORAGE_SERVER = "storage server"
RUN = 500
"""Devices in one branch; more are in branches for runs of so many."""
MOST_HITS = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline. `ids` are what choosing it selects; `kind` names its icon, "" where it has none."""

    title: str
    detail: str
    kind: str
    ids: tuple[str, ...]
    key: tuple[str, ...]
    """Names the branch: of a group or rack its id, of others what they gather."""
    has_children: bool = False
    counted: str = ""
    """What the figure counts, as "512 nodes, 32 routers"; "" where the title says it."""


_Lines = Callable[[Iterable[str]], list[Entry]]


class Outline:
    """The lines of one design as it stands; rebuilt after an edit, which costs one pass over the devices."""

    def __init__(self, design: Design) -> None:
        self.design = design

    # -- the tree -------------------------------------------------------------------------------------------------

    def roots(self) -> list[Entry]:
        """Groups in no group, devices in none by role, and the room with its racks."""
        design = self.design
        groups = [one.id for one in design.groups.values() if one.parent_id is None]
        loose = [one.id for one in design.devices.values() if one.group_id is None]
        found = self._groups(groups) + self._by_role(loose, "")
        if design.racks or design.fixtures:
            count = format_counted(len(design.racks), "rack")
            found.append(Entry(design.settings.site or "Room", count, "", (), (ROOM,), has_children=True))
        return found

    def children(self, entry: Entry) -> list[Entry]:
        """The lines right below one."""
        design, (first, *rest) = self.design, entry.key
        if first == ROOM:
            return self._rows() + self._fixtures_branch()
        if first == FIXTURES:
            return self._fixtures(entry.ids)
        if first in (ROW, OFF_FLOOR):
            return self._racks(entry.ids)
        if rest:  # devices of a role, or a run of them
            return self._runs(entry) if len(entry.ids) > RUN else self._devices(entry.ids)
        if first in design.racks:
            return self._devices(self._from_the_top(first))
        members = design.members(first)
        devices = [one for one in members if one in design.devices]
        return self._groups([one for one in members if one in design.groups]) + self._by_role(devices, first)

    def path_to(self, entity_id: str) -> list[tuple[str, ...]]:
        """Keys of the branches to open, outermost first, and at last that of the line; [] where there is none."""
        design, path = self.design, list[tuple[str, ...]]([(entity_id,)])
        device = design.devices.get(entity_id)
        if entity_id in design.racks:
            return [(ROOM,), self._row_of.get(entity_id, (OFF_FLOOR,)), *path]
        if entity_id in design.fixtures:
            return [(ROOM,), (FIXTURES,), *path]
        if device is None and entity_id not in design.groups:
            return []
        group_id = device.group_id if device is not None else design.groups[entity_id].parent_id
        if device is not None:
            alike = self._alike(device.group_id, role_of(design, entity_id))
            key = (device.group_id or "", role_of(design, entity_id))
            if len(alike) > RUN:
                path.insert(0, (*key, str(alike.index(entity_id) // RUN)))
            if len(alike) > 1:
                path.insert(0, key)
        while group_id is not None:
            path.insert(0, (group_id,))
            group_id = design.groups[group_id].parent_id
        return path

    def search(self, text: str) -> list[Entry]:
        """Groups, racks, devices and fixtures with that in their names, at most MOST_HITS, the best match first.

        Of those that match alike devices come first, then racks and groups.
        """
        design, wanted = self.design, text.casefold().strip()
        if not wanted:
            return []
        named: tuple[tuple[_Lines, Iterable[tuple[str, str]]], ...] = (
            (self._devices, ((one.id, one.name) for one in design.devices.values())),
            (self._racks, ((one.id, one.name) for one in design.racks.values())),
            (self._groups, ((one.id, one.name) for one in design.groups.values())),
            (self._fixtures, ((one.id, title_of(one)) for one in design.fixtures.values())),
        )
        found: list[list[Entry]] = [[] for _ in RANKS]
        for lines, names in named:
            by_rank: dict[int, list[str]] = {}
            for one, name in names:
                if wanted in name.casefold() and (fit := score(wanted, name)) is not None:
                    by_rank.setdefault(fit.rank, []).append(one)
            for rank, ids in by_rank.items():
                found[rank] += lines(ids[:MOST_HITS])
        return [one for rank in reversed(RANKS) for one in found[rank]][:MOST_HITS]

    # -- lines ----------------------------------------------------------------------------------------------------

    def _groups(self, ids: Iterable[str]) -> list[Entry]:
        found = []
        for one in self._in_order(ids):
            group = self.design.groups[one]
            types = self._types_in[one]
            count, name = sum(types.values()), visible_line(group.name)
            counted = ", ".join(counted_of_types(self.design, types, self._switch_word))
            found.append(Entry(name, format_count(count), "group", (one,), (one,), count > 0, counted))
        return found

    def _racks(self, ids: Iterable[str]) -> list[Entry]:
        found = []
        for one in ids:
            held = len(self.design.mounted(one))
            name = visible_line(self.design.racks[one].name)
            found.append(Entry(name, format_counted(held, "device"), "rack", (one,), (one,), has_children=held > 0))
        return found

    def _devices(self, ids: Iterable[str]) -> list[Entry]:
        design = self.design
        return [
            Entry(
                visible_line(design.devices[one].name),
                design.device_type(one).model,
                "server" if design.is_server(one) else "switch",
                (one,),
                (one,),
            )
            for one in ids
        ]

    def _fixtures_branch(self) -> list[Entry]:
        """The line of walls, trays and the like, where there are any."""
        ids = tuple(one.id for one in ordered(self.design.fixtures))
        count = format_counted(len(ids), "fixture")
        return [Entry("Walls, trays and the like", count, "", ids, (FIXTURES,), has_children=True)] if ids else []

    def _fixtures(self, ids: Iterable[str]) -> list[Entry]:
        found = (self.design.fixtures[one] for one in ids)
        return [Entry(title_of(one), TITLES[one.kind], "", (one.id,), (one.id,)) for one in found]

    def _by_role(self, ids: Iterable[str], group_id: str) -> list[Entry]:
        """A line for the devices of each role; one that is alone in its role stands there itself."""
        by_role: dict[str, list[str]] = {}
        for one in ids:
            by_role.setdefault(role_of(self.design, one), []).append(one)
        found = []
        for role, held in sorted(by_role.items()):
            if len(held) == 1:
                found += self._devices(held)
                continue
            kind = "server" if role in ("server", STORAGE_SERVER) else "switch"
            ordered = tuple(self._in_order(held))
            word = server_word(self.design, held) if role == "server" else role
            title = format_counted(len(held), word).partition(" ")[2]
            detail = format_count(len(held))
            key = group_id, role
            found.append(Entry(title[:1].upper() + title[1:], detail, kind, ordered, key, has_children=True))
        return found

    def _runs(self, entry: Entry) -> list[Entry]:
        found = []
        for number in range(0, len(entry.ids), RUN):
            ids = entry.ids[number : number + RUN]
            first, last = (visible_line(self.design.devices[one].name) for one in (ids[0], ids[-1]))
            key = (*entry.key, str(number // RUN))
            found.append(Entry(f"{first} to {last}", format_count(len(ids)), entry.kind, ids, key, has_children=True))
        return found

    def _rows(self) -> list[Entry]:
        rows = floor.rows(self.design)
        found = [
            Entry(f"Row {row.name}", format_counted(len(row.rack_ids), "rack"), "", row.rack_ids, (ROW, row.name), True)
            for row in rows
        ]
        standing = {one for row in rows for one in row.rack_ids}
        rest = tuple(one for one in self._racks_in_order() if one not in standing)
        if not found:
            return self._racks(rest)
        count = format_counted(len(rest), "rack")
        return found + ([Entry("Not on the floor", count, "", rest, (OFF_FLOOR,), True)] if rest else [])

    # -- what lines are made of -----------------------------------------------------------------------------------

    @cached_property
    def _types_in(self) -> dict[str, Counter[str]]:
        """How many devices of each type are in each group, those in groups inside it included."""
        direct = Counter((one.group_id, one.type_id) for one in self.design.devices.values())
        found = defaultdict[str, Counter[str]](Counter)
        for (group_id, type_id), count in direct.items():
            above = group_id
            while above is not None:
                found[above][type_id] += count
                above = self.design.groups[above].parent_id
        return found

    @cached_property
    def _switch_word(self) -> str:
        return switch_word(self.design)

    @cached_property
    def _row_of(self) -> dict[str, tuple[str, ...]]:
        return {one: (ROW, row.name) for row in floor.rows(self.design) for one in row.rack_ids}

    def _alike(self, group_id: str | None, role: str) -> list[str]:
        design = self.design
        if group_id is not None:
            ids = [one for one in design.members(group_id) if one in design.devices]
        else:
            ids = [one.id for one in design.devices.values() if one.group_id is None]
        return self._in_order(one for one in ids if role_of(design, one) == role)

    def _in_order(self, ids: Iterable[str]) -> list[str]:
        design = self.design
        named = {one: (design.groups.get(one) or design.devices[one]).name for one in ids}
        return sorted(named, key=lambda one: natural(named[one]))

    def _racks_in_order(self) -> list[str]:
        return sorted(self.design.racks, key=lambda one: natural(self.design.racks[one].name))

    def _from_the_top(self, rack_id: str) -> list[str]:
        placements = self.design.placements
        return sorted(self.design.mounted(rack_id), key=lambda one: -(placements[one].unit or 0))


def role_of(design: Design, device_id: str) -> str:
    """What a device is listed under: its role, and of servers for storage that."""
    is_storage = is_storage_server(design.devices[device_id], design.device_type(device_id))
    return STORAGE_SERVER if is_storage else role_of_box(design, device_id)

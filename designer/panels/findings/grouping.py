"""Findings under headings: by severity, rule, device, rack or network."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from designer.late import Late
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.networks import WORDS, network_of_link, network_of_switch
from designer.panels.findings.findings_model import LOOKS, FindingRow

engine = Late("designer.validation.engine")

NONE = "none"
MOST_LOOKED_AT = 64
"""Subjects of a finding: about more things than this it is about several racks and networks."""
NOT_ABOUT_ONE = "~"
"""Sorts after all names: headings that stand for no single thing."""

Heading = Callable[[Design, FindingRow], str]


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group findings, and what a menu calls it."""

    name: str
    title: str
    heading: Heading | None


@dataclass(frozen=True, slots=True)
class GroupHead:
    """A heading over findings. It has what a row of the table has, and is one."""

    title: str
    rows: tuple[FindingRow, ...]
    number: int
    is_open: bool
    severity: str
    """The worst of its findings."""
    message: str = ""
    code: str = ""
    """The rule of all its findings; "" where these are of several."""
    subjects: str = ""
    reason: str = ""
    fix: str = ""
    news: str = ""
    finding: None = None

    @property
    def summary(self) -> str:
        """ "3 errors, 1 warning", the worst first."""
        counts = Counter(row.severity for row in self.rows)
        ranked = sorted(counts, key=lambda one: LOOKS[one].rank)
        return ", ".join(f"{counts[one]:,} {LOOKS[one].noun(counts[one])}" for one in ranked)


Shown = FindingRow | GroupHead


def grouped(rows: Sequence[FindingRow], grouping: Grouping, design: Design, closed: Iterable[str]) -> list[Shown]:
    """The rows under their headings, those with the worst findings first, then by name; as they are without grouping.

    `closed` are titles of headings whose rows are not shown; they are in the list all the same.
    """
    if grouping.heading is None:
        return list(rows)
    under: dict[str, list[FindingRow]] = {}
    for row in rows:
        under.setdefault(grouping.heading(design, row), []).append(row)
    shut, found = frozenset(closed), list[Shown]()
    for number, title in enumerate(
        sorted(under, key=lambda title: (LOOKS[under[title][0].severity].rank, *_of(title)))
    ):
        own = under[title]
        codes = {row.code for row in own}
        head = title.removeprefix(NOT_ABOUT_ONE)
        code = codes.pop() if len(codes) == 1 else ""
        found.append(GroupHead(head, tuple(own), number, head not in shut, own[0].severity, head, code))
        found += own
    return found


def _of(title: str) -> tuple[bool, object]:
    return title.startswith(NOT_ABOUT_ONE), natural(title)


# -- what a finding stands under ----------------------------------------------------------------------------------


def _severity(_design: Design, row: FindingRow) -> str:
    return LOOKS[row.severity].title


def _rule(_design: Design, row: FindingRow) -> str:
    title = next((rule.title for rule in engine.RULES if rule.code == row.code), "")
    return f"{row.code}  {title}" if title else row.code


def _device(design: Design, row: FindingRow) -> str:
    """The device that it is about most: the first of its subjects."""
    for one in _subjects(row):
        device_id = _device_of(design, one)
        if device_id is not None:
            return design.device(device_id).name
    return f"{NOT_ABOUT_ONE}No device"


def _rack(design: Design, row: FindingRow) -> str:
    racks = {rack for one in _subjects(row) for rack in _racks_of(design, one)}
    return _the_one([design.racks[one].name for one in racks], "rack")


def _network(design: Design, row: FindingRow) -> str:
    networks = {network for one in _subjects(row) for network in _networks_of(design, one)}
    return _the_one([_titled(WORDS[one]) for one in networks], "network")


def _the_one(names: list[str], noun: str) -> str:
    if len(names) == 1:
        return names[0]
    return f"{NOT_ABOUT_ONE}Several {noun}s" if names else f"{NOT_ABOUT_ONE}No {noun}"


def _titled(words: str) -> str:
    return words[:1].upper() + words[1:]


def _subjects(row: FindingRow) -> tuple[str, ...]:
    return () if row.finding is None else row.finding.subjects[:MOST_LOOKED_AT]


def _device_of(design: Design, entity_id: str) -> str | None:
    if entity_id in design.devices:
        return entity_id
    if entity_id in design.modules:
        return design.modules[entity_id].device_id
    return design.links[entity_id].a.device_id if entity_id in design.links else None


def _devices_of(design: Design, entity_id: str) -> tuple[str, ...]:
    link = design.links.get(entity_id)
    if link is not None:
        return link.a.device_id, link.b.device_id
    one = _device_of(design, entity_id)
    return () if one is None else (one,)


def _racks_of(design: Design, entity_id: str) -> tuple[str, ...]:
    if entity_id in design.racks:
        return (entity_id,)
    places = (design.placements.get(one) for one in _devices_of(design, entity_id))
    return tuple(place.rack_id for place in places if place is not None and place.rack_id is not None)


def _networks_of(design: Design, entity_id: str) -> tuple[str, ...]:
    if entity_id in design.links:
        return (network_of_link(design, design.links[entity_id]),)
    if entity_id in design.devices and design.is_switch(entity_id):
        return (network_of_switch(design.devices[entity_id]),)
    return ()


GROUPINGS: tuple[Grouping, ...] = (
    Grouping(NONE, "None", None),
    Grouping("severity", "Severity", _severity),
    Grouping("rule", "Rule", _rule),
    Grouping("device", "Device", _device),
    Grouping("rack", "Rack", _rack),
    Grouping("network", "Network", _network),
)
BY_NAME = {one.name: one for one in GROUPINGS}

"""Reads drawings of draw.io: shapes that lines join are devices, with ports at the ends of lines.

Ports are read where this program writes them, as data of lines, and where people draw them: as labels at the ends of a
line, and as small shapes on a device that lines end at.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from designer.exchange.graphs.link_runs import read_line
from designer.exchange.graphs.reading.drawio_pages import DrawioPage, pages_of
from designer.exchange.graphs.reading.graph_facts import (
    A_PORT,
    KIND,
    LINKS,
    MODEL,
    NAME,
    OF_EDGES,
    OF_NODES,
    ROLE,
    Z_PORT,
    Finder,
    GraphReader,
    known,
)
from designer.exchange.graphs.reading.read_graphml import children, local, number
from designer.exchange.reading.found import HOST, SWITCH, FoundNetwork, Spot
from designer.exchange.reading.limits import MOST_DEPTH
from designer.exchange.reading.standing import FARTHEST_DRAWN
from designer.exchange.reading.texts import clean, read_bytes
from designer.units import format_counted, shortened

_BREAK = re.compile(r"<br\s*/?>|</(?:div|p|h\d|li|tr)>|\n", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
NOTE_LAYERS = "layer-zones", "layer-annotations"
"""Ids of the layers that this program writes annotations into, behind the fabric and over it: nothing to read."""
CONTAINERS = ("swimlane", "container=1", "group")
BOX, LABEL_SHOWN, INSIDE_X, INSIDE_Y = "box", "shown", "inside_x", "inside_y"
"""Data of this program: of a box that stands for many devices what it is, and how far these are moved to stand in it;
of a line the label that it was written with."""
KINDS_OF_BOXES = ("group", "rack", "role")
_COUNT = re.compile(r"[0-9][0-9,.]* *[×x] *")


def read(path: Path) -> FoundNetwork:
    """The devices and links of a draw.io file. Raises ImportFailure, and OSError where it cannot be read."""
    file = path.name
    reader = GraphReader(file)
    for page in pages_of(read_bytes(path), file):
        _Page(page, file, reader).read()
    return reader.network()


@dataclass(slots=True)
class _Cell:
    """A cell: a layer, shape, line or label."""

    id: str
    facts: Mapping[str, str]
    label: str
    style: str
    parent: str
    source: str
    target: str
    is_edge: bool
    is_shape: bool
    geometry: Element | None
    inside: list["_Cell"] = field(default_factory=list)

    def size(self, name: str) -> float:
        """x, y, width or height; 0 where it has none."""
        value = number(self.geometry.get(name)) if self.geometry is not None else 0.0
        return value if value == value else 0.0  # noqa: PLR0124  (not a number)

    def moved(self, name: str) -> float:
        """How far what stands in a box for many devices is moved to stand in it."""
        value = number(self.facts.get(name)) if self.is_box else 0.0
        return value if abs(value) <= FARTHEST_DRAWN else 0.0

    @property
    def is_relative(self) -> bool:
        """Whether it stands on its parent, as ports and labels of lines do."""
        return self.geometry is not None and self.geometry.get("relative") == "1"

    @property
    def is_container(self) -> bool:
        """Whether devices stand in it."""
        return any(word in self.style for word in CONTAINERS)

    @property
    def is_box(self) -> bool:
        """Whether it is one that this program wrote for many devices."""
        return self.is_shape and self.facts.get(BOX) in KINDS_OF_BOXES

    @property
    def name(self) -> str:
        """What a device is called."""
        return self.facts.get(NAME) or _first_line(self.label) or self.id

    @property
    def says_device(self) -> bool:
        """Whether its data say that it is a device."""
        return not known(self.facts, OF_NODES).keys().isdisjoint((KIND, MODEL, ROLE))


class _Page:
    def __init__(self, page: DrawioPage, file: str, reader: GraphReader) -> None:
        self._page, self._reader = page, reader
        self._spot = Spot(file, page.name)
        self._named: dict[str, dict[str, str]] = {}
        """Ids of devices by name, by the box for many devices that they stand in, "" for none."""
        self._lists: set[tuple[frozenset[str], str]] = set()
        """Lists of links, each with its ends."""
        self._cells = {one.id: one for one in _cells(page.root) if one.parent not in NOTE_LAYERS}
        tops = {one.id for one in self._cells.values() if not one.parent}
        self._layers = {one.id for one in self._cells.values() if one.parent in tops}
        for one in self._cells.values():
            if one.parent in self._cells and one.parent != one.id:
                self._cells[one.parent].inside.append(one)

    def read(self) -> None:
        """Add the devices and links of the page."""
        lines = [one for one in self._cells.values() if one.is_edge]
        joined: dict[str, None] = {}
        ends: list[tuple[_Cell, list[tuple[str, str]]]] = []
        for line in lines:
            found = [self._end(one) for one in (line.source, line.target)]
            if None in found:
                self._reader.collector.unread(
                    self._spot, f"{_called(line)} ends at no shape", "drag both of its ends onto devices"
                )
                continue
            both = [one for one in found if one is not None]
            joined.update((device, None) for device, _ in both if not self._cells[device].is_box)
            ends.append((line, both))
        self._devices(joined)
        for box in self._cells.values():
            if box.is_box and box.facts.get(LINKS):
                self._listed(box, box.id, box.id, "")
        for line, both in ends:
            self._line(line, both)

    def _devices(self, joined: Mapping[str, None]) -> None:
        n_others = 0
        for cell in self._cells.values():
            if not cell.is_shape or cell.id in self._layers:
                continue
            if cell.id in joined or cell.says_device:
                at = self._middle(cell)
                named = known(cell.facts, OF_NODES)
                facts = {**cell.facts, NAME: cell.name}
                self._named.setdefault(self._box_of(cell), {}).setdefault(cell.name, cell.id)
                self._reader.node(self._key(cell.id), facts, self._spot, at, "" if KIND in named else _drawn_as(cell))
            elif cell.parent in self._layers and _first_line(cell.label) and not cell.style.startswith("text"):
                n_others += not cell.is_container and not cell.id.startswith("frame-")
        if n_others:
            said = format_counted(n_others, "shape")
            self._reader.collector.guess(self._spot, f"{said} that no line ends at: no device")

    def _line(self, line: _Cell, both: list[tuple[str, str]]) -> None:
        """The links of a line."""
        (a, a_port), (z, z_port) = both
        listed = line.facts.get(LINKS, "")
        if listed and not self._is_first(a, z, listed):
            self._reader.collector.guess(
                self._spot, f"{_called(line)} lists the links of another line between its ends: they are imported once"
            )
            return
        label = self._new_label(line)
        box = next((self._cells[one] for one in (a, z) if self._cells[one].is_box), None)
        if listed and (box is not None or self._names_devices(listed)):
            self._listed(line, a, z, label)
        elif box is not None:
            self._reader.collector.unread(
                self._spot,
                f"{_called(line)} ends at {shortened(box.name)}, a box that stands for many devices",
                "expand the box, and drag the end of the line onto one of them",
            )
        else:
            stated = known(line.facts, OF_EDGES)
            facts = dict(line.facts)
            if LINKS not in stated:
                labels = _end_labels(line)
                for name, drawn, place in ((A_PORT, a_port, 0), (Z_PORT, z_port, 1)):
                    port = stated.get(name) or drawn or labels[place]
                    if port:
                        facts[name] = port
            self._reader.edge(self._key(a), self._key(z), facts, self._spot, label)

    def _listed(self, cell: _Cell, a: str, z: str, label: str) -> None:
        """Links that are listed with their devices: those in a box, or of a line that ends at boxes."""
        finders = self._finder(a), self._finder(z)
        missing, n_links = self._reader.listed(*finders, cell.facts, self._spot, label)
        if missing and len(missing) == n_links and a != z:  # its ends were swapped
            missing, n_links = self._reader.listed(*finders[::-1], cell.facts, self._spot, label)
        if missing:
            count, name = format_counted(len(missing), "link"), shortened(missing[0])
            where = f"box {shortened(_first_line(cell.label) or cell.id)}" if cell.is_box else _called(cell)
            self._reader.collector.unread(
                self._spot,
                f"{where} lists {count} of devices that are not there, such as {name}",
                "these links are left out, as when the devices are deleted",
            )

    def _finder(self, cell_id: str) -> Finder:
        """The key of a device by its name, of those that a line may end at there."""
        cell = self._cells[cell_id]
        if not cell.is_box:
            return lambda name: self._key(cell_id) if name in ("", cell.name) else None
        inside, others = self._named.get(cell_id, {}), self._named.get("", {})

        def found(name: str) -> str | None:
            device = inside.get(name) or others.get(name)
            return None if device is None else self._key(device)

        return found

    def _names_devices(self, listed: str) -> bool:
        """Whether a list names devices of the page, as that of a line that ended at a box."""
        first = next(iter(read_line(listed.partition("\n")[0]) or ()), None)
        return first is not None and any(
            {first.a_device, first.z_device} & names.keys() for names in self._named.values()
        )

    def _is_first(self, a: str, z: str, listed: str) -> bool:
        """Whether no line before has this list between these ends, as a copied one has."""
        key = frozenset((a, z)), listed
        is_new = key not in self._lists
        self._lists.add(key)
        return is_new

    def _new_label(self, line: _Cell) -> str:
        """What a person has written on a line of this program in place of its label, for each of its links."""
        label = _first_line(line.label)
        if LABEL_SHOWN not in line.facts or not label or label == _first_line(line.facts[LABEL_SHOWN]):
            return ""
        if _COUNT.match(label):
            self._reader.collector.guess(
                self._spot, f"{_called(line)} has another count than it was written with: its links are as listed"
            )
            return ""
        return label

    def _box_of(self, cell: _Cell) -> str:
        """The id of the box for many devices that a shape stands in; "" where it stands in none."""
        above, steps = self._cells.get(cell.parent), 0
        while above is not None and steps < MOST_DEPTH:
            if above.is_box:
                return above.id
            above, steps = self._cells.get(above.parent), steps + 1
        return ""

    def _key(self, cell_id: str) -> str:
        """Ids are those of one page."""
        return f"{self._page.name}\0{cell_id}"

    def _end(self, cell_id: str) -> tuple[str, str] | None:
        """The device that a line ends at, and the name of the shape on it that stands for a port."""
        cell = self._cells.get(cell_id)
        if cell is None or not cell.is_shape:
            return None
        parent = self._cells.get(cell.parent)
        if parent is None or parent.id in self._layers or not parent.is_shape or cell.says_device:
            return cell.id, ""
        if parent.is_container and not parent.says_device and not cell.is_relative:
            return cell.id, ""
        return parent.id, _first_line(cell.label) or cell.facts.get(NAME, "")

    def _middle(self, cell: _Cell) -> tuple[float, float]:
        """Its middle on the page, of what stands in other shapes too."""
        x, y = cell.size("x") + cell.size("width") / 2, cell.size("y") + cell.size("height") / 2
        above, steps = self._cells.get(cell.parent), 0
        while above is not None and above.is_shape and steps < MOST_DEPTH:
            x, y = x + above.size("x") + above.moved(INSIDE_X), y + above.size("y") + above.moved(INSIDE_Y)
            above, steps = self._cells.get(above.parent), steps + 1
        return x, y


def _cells(root: Element) -> Iterator[_Cell]:
    for element in root:
        tag = local(element.tag)
        inner = element if tag == "mxCell" else next(children(element, "mxCell"), None)
        if inner is None:
            continue
        facts = dict(element.attrib) if inner is not element else {}
        yield _Cell(
            element.get("id", "") or inner.get("id", ""),
            facts,
            facts.pop("label", "") or inner.get("value", ""),
            inner.get("style", ""),
            inner.get("parent", ""),
            inner.get("source", ""),
            inner.get("target", ""),
            inner.get("edge") == "1",
            inner.get("vertex") == "1",
            next(children(inner, "mxGeometry"), None),
        )


def _called(line: _Cell) -> str:
    text = _first_line(line.label)
    return f"line {shortened(text or line.id)}"


def _first_line(label: str) -> str:
    """The first line of a label that says something, without its markup."""
    for part in _BREAK.split(label):
        text = clean(html.unescape(_TAG.sub("", part)))
        if text:
            return text
    return ""


def _end_labels(line: _Cell) -> tuple[str, str]:
    """The labels that stand on the first and on the second half of a line."""
    near = ["", ""]
    for cell in line.inside:
        if cell.is_shape and cell.is_relative and cell.size("x"):
            place = int(cell.size("x") > 0)
            near[place] = near[place] or _first_line(cell.label)
    return near[0], near[1]


def _drawn_as(cell: _Cell) -> str:
    """What the shape of a library shows."""
    style = cell.style.casefold()
    return SWITCH if "switch" in style or "router" in style else HOST if "server" in style else ""

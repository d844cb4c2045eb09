"""What expressions can ask about: one row a term, with how its column is made."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from designer.analysis.cable_numbers import cable_name
from designer.analysis.selecting.index import Index, Numbers, Texts
from designer.analysis.tiers import listed_roles
from designer.errors import ParameterError
from designer.late import Late
from designer.model.annotation_styles import has_look
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.networks import network_between, network_of_switch
from designer.units import parse_rate

link_rails = Late("designer.model.link_rails")

OWN_STYLE = "own"
"""What expressions call a look of a link that is no style."""
DEVICES, RACKS, GROUPS, LINKS, MODULES, FIXTURES = ALL = tuple(range(6))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{text!r} is not a number") from None


def _rate(text: str) -> float:
    return _number(text) if text.replace(".", "", 1).isdigit() else parse_rate(text)


def _metres(text: str) -> float:
    return _number(text.lower().removesuffix("m"))


@dataclass(frozen=True, slots=True)
class TermRow:
    """A fact that expressions ask about.

    `is_part` finds a text in any part of a fact, others compare the whole. `for_links` says that only links have the
    fact, `for_modules` that only NICs and line cards do: asking for it selects them. With `is_own` it is a word of the
    user's, which all kinds of things may have.
    """

    name: str
    help: str
    column: Callable[[Index], Texts | Numbers]
    also: tuple[str, ...] = ()
    is_part: bool = False
    for_links: bool = False
    for_modules: bool = False
    is_own: bool = False
    read: Callable[[str], float] = _number


# -- columns of texts -------------------------------------------------------------------------------------------------


def _name(index: Index) -> Texts:
    pairs = [
        *index.of_table(DEVICES, lambda one: one.name),
        *index.of_table(RACKS, lambda one: one.name),
        *index.of_table(GROUPS, lambda one: one.name),
        *index.of_table(LINKS, lambda one: one.label),
        *index.of_table(FIXTURES, lambda one: one.name),
    ]
    return index.texts(pairs, index.span(DEVICES, RACKS, GROUPS, LINKS, FIXTURES))


def _kind(index: Index) -> Texts:
    design = index.design
    words = {
        type_.id: "switch" if isinstance(type_, SwitchType) else "server" if isinstance(type_, ServerType) else ""
        for type_ in design.types.values()
    }
    nics = {type_.id for type_ in design.types.values() if isinstance(type_, NicType)}
    pairs = [
        *index.of_table(DEVICES, lambda one: words[one.type_id]),
        *index.of_table(RACKS, lambda _one: "rack"),
        *index.of_table(GROUPS, lambda _one: "group"),
        *index.of_table(LINKS, lambda _one: "link"),
        *index.of_table(MODULES, lambda one: "nic" if one.type_id in nics else "card"),
        *index.of_table(FIXTURES, lambda one: one.kind),
    ]
    return index.texts(pairs, index.span(*ALL))


def _role(index: Index) -> Texts:
    design = index.design
    names = listed_roles(design)
    column = index.texts(index.of_table(DEVICES, lambda one: names[one.id]), index.span(DEVICES))
    return index.with_links_texts(column)


def _type(index: Index) -> Texts:
    types = index.design.types
    words = {one.id: f"{one.id}\n{one.model}" for one in types.values()}
    pairs = [
        (row, word)
        for table, field in ((DEVICES, "type_id"), (RACKS, "type_id"), (MODULES, "type_id"), (LINKS, "medium_id"))
        for row, key in index.of_table(table, lambda one, field=field: getattr(one, field))
        for word in words.get(key, "").split("\n")
    ]
    return index.texts(pairs, index.span(DEVICES, RACKS, MODULES, LINKS))


def _vendor(index: Index) -> Texts:
    types = index.design.types
    vendors = {one.id: one.vendor for one in types.values()}
    pairs = [pair for table in (DEVICES, MODULES) for pair in index.of_table(table, lambda one: vendors[one.type_id])]
    return index.texts(pairs, index.span(DEVICES, MODULES))


def _rack(index: Index) -> Texts:
    places, racks = index.design.placements, index.design.racks

    def rack_of(device_id: str) -> str:
        place = places.get(device_id)
        return racks[place.rack_id].name if place is not None and place.rack_id is not None else ""

    column = index.texts(index.of_table(DEVICES, lambda one: rack_of(one.id)), index.span(DEVICES))
    return index.with_links_texts(column)


def _group(index: Index) -> Texts:
    groups = index.design.groups
    around: dict[str | None, tuple[str, ...]] = {None: ()}

    def names(group_id: str | None) -> tuple[str, ...]:
        chain = []
        current = group_id
        while current not in around and current is not None:
            chain.append(current)
            current = groups[current].parent_id
        for one in reversed(chain):
            around[one] = (groups[one].name, *around[groups[one].parent_id])
        return around[group_id]

    pairs = [
        (index.starts[table] + number, name)
        for table, home in ((DEVICES, "group_id"), (RACKS, "group_id"), (GROUPS, "parent_id"))
        for number, one in enumerate(index.tables[table])
        for name in names(getattr(one, home))
    ]
    return index.texts(pairs, index.span(DEVICES, RACKS, GROUPS))


def _network(index: Index) -> Texts:
    """Of switches, and of links by their ports."""
    switches = {one.id for one in index.design.types.values() if isinstance(one, SwitchType)}
    network = {one.id: network_of_switch(one) for one in index.devices if one.type_id in switches}

    def of_link(link: Link) -> str:
        switches = network.get(link.a.device_id), network.get(link.b.device_id)
        return network_between(index.port(link.a), index.port(link.b), *switches)

    pairs = [
        *index.of_table(DEVICES, lambda one: network.get(one.id, "")),
        *index.of_table(LINKS, of_link),
    ]
    applies = index.span(LINKS)
    applies[[row for row, word in pairs if word]] = True
    return index.texts(pairs, applies)


def _of_links(get: Callable[[Link], str]) -> Callable[[Index], Texts]:
    return lambda index: index.texts(index.of_table(LINKS, get), index.span(LINKS))


def _cable(index: Index) -> Texts:
    return index.texts(index.of_table(LINKS, lambda link: cable_name(link.cable)), index.span(LINKS))


def _medium(index: Index) -> Texts:
    types = index.design.types
    words = {one.id: (one.id, one.model, one.kind) for one in types.values() if isinstance(one, MediumType)}
    medium = index.of_table(LINKS, lambda link: link.medium_id)
    return index.texts(((row, word) for row, key in medium for word in words.get(key, ())), index.span(LINKS))


def _style(index: Index) -> Texts:
    """The names of styles, and "own" of links with a look of their own."""
    styles = index.design.annotation_styles

    def name(link: Link) -> str:
        return styles[link.style_id].name if link.style_id in styles else OWN_STYLE if has_look(link) else ""

    return index.texts(index.of_table(LINKS, name), index.span(LINKS))


def _end(index: Index) -> Texts:
    column = index.texts(index.of_table(DEVICES, lambda one: one.name), index.span(DEVICES))
    both = index.with_links_texts(column)
    keep = both.rows >= index.starts[LINKS]
    return Texts(both.rows[keep], both.codes[keep], both.values, index.span(LINKS))


def _slot(index: Index) -> Texts:
    return index.texts(index.of_table(MODULES, lambda one: one.slot), index.span(MODULES))


def _id(index: Index) -> Texts:
    return index.texts(enumerate(index.ids), index.span(*ALL))


def _tag(index: Index) -> Texts:
    pairs = (
        (index.starts[table] + number, tag)
        for table in ALL
        for number, one in enumerate(index.tables[table])
        for tag in one.tags
    )
    return index.texts(pairs, index.span(*ALL))


def own_field(name: str) -> TermRow:
    """The term that asks about a field of the user's own."""
    key = name.casefold()

    def column(index: Index) -> Texts:
        pairs = (
            (index.starts[table] + number, value)
            for table in ALL
            for number, one in enumerate(index.tables[table])
            for known, value in one.fields
            if known.casefold() == key
        )
        return index.texts(pairs, index.span(*ALL))

    return TermRow(name, "", column, is_own=True)


# -- columns of numbers -----------------------------------------------------------------------------------------------


def _numbers(get: Callable[[Design, str], float | None], *, with_links: bool = False) -> Callable[[Index], Numbers]:
    def column(index: Index) -> Numbers:
        pairs: Iterable[tuple[int, float | None]] = (
            (row, get(index.design, one.id)) for row, one in enumerate(index.devices)
        )
        found = index.numbers(pairs, index.span(DEVICES))
        return index.with_links_numbers(found) if with_links else found

    return column


def _rail(index: Index) -> Numbers:
    """The rails of devices and of links, one number for each: a leaf switch may have several.

    Links between switches are on that of a switch that serves one alone: those that several rails share are of none.
    """
    rails = link_rails.LinkRails(index.design, index.links)
    of_rows = chain(
        ((row, rails.of_device(one.id)) for row, one in enumerate(index.devices)),
        (
            (row, numbers if len(numbers) == 1 else ())
            for row, numbers in enumerate(rails.of_links(), index.starts[LINKS])
        ),
    )
    pairs = ((row, float(number)) for row, numbers in of_rows for number in numbers)
    return index.numbers(pairs, index.span(DEVICES, LINKS))


def _height(design: Design, device_id: str) -> float | None:
    place = design.placements.get(device_id)
    return place.unit if place is not None and place.rack_id is not None else None


def _gpus(design: Design, device_id: str) -> float | None:
    type_ = design.device_type(device_id)
    return type_.gpus if isinstance(type_, ServerType) else None


def _speed(index: Index) -> Numbers:
    """The rate of a link's slower port."""

    def rate(end: End) -> float | None:
        port = index.port(end)
        return port.rate_gbps if port is not None else None

    def slower(link: Link) -> float | None:
        rates = [one for one in (rate(link.a), rate(link.b)) if one is not None]
        return min(rates, default=None)

    start = index.starts[LINKS]
    return index.numbers(((start + n, slower(link)) for n, link in enumerate(index.links)), index.span(LINKS))


def _length(index: Index) -> Numbers:
    start = index.starts[LINKS]
    return index.numbers(((start + n, link.length_m) for n, link in enumerate(index.links)), index.span(LINKS))


TERMS: tuple[TermRow, ...] = (
    TermRow("name", "name of a device, rack, group or fixture; label of a link", _name),
    TermRow(
        "kind", "switch, server, rack, group, link, nic, card, wall, door, column, cooling or tray", _kind, ("is",)
    ),
    TermRow("role", "role of a device: leaf, spine, core, server, ...", _role),
    TermRow("type", "part of the type's model or id", _type, is_part=True),
    TermRow("vendor", "part of the vendor's name", _vendor, is_part=True),
    TermRow("network", "network of a switch or link: compute, storage, in-band or oob", _network, ("net",)),
    TermRow(
        "unit",
        "scalable unit or pod",
        _numbers(lambda design, one: design.device(one).unit, with_links=True),
        ("su", "pod"),
    ),
    TermRow("rail", "rail of a device, or of the NIC at a link", _rail),
    TermRow("plane", "plane of a device", _numbers(lambda design, one: design.device(one).plane, with_links=True)),
    TermRow("rack", "rack that a device stands in", _rack),
    TermRow("height", "lowest rack unit of a device", _numbers(_height), ("u",)),
    TermRow("group", "group around a device, rack or group", _group),
    TermRow("tag", "tag of anything", _tag, is_own=True),
    TermRow("free", "free ports of a device", _numbers(lambda design, one: design.n_free_ports(one))),
    TermRow("used", "used ports of a device", _numbers(lambda design, one: design.n_used_ports(one))),
    TermRow("ports", "ports of a device", _numbers(lambda design, one: len(design.ports(one)))),
    TermRow("gpus", "GPUs of a server", _numbers(_gpus)),
    TermRow("end", "device at an end of a link", _end, ("at",), for_links=True),
    TermRow("speed", "rate of a link, Gb/s", _speed, ("rate",), for_links=True, read=_rate),
    TermRow("length", "cable length of a link, m", _length, for_links=True, read=_metres),
    TermRow("cable", "cable number of a link, as C0421", _cable, for_links=True),
    TermRow("medium", "part of the cable's model or kind", _medium, ("media",), is_part=True, for_links=True),
    TermRow("color", "color of the cable", _of_links(lambda link: link.colour), ("colour",), for_links=True),
    TermRow("style", "style of the line of a link, or own", _style, for_links=True),
    TermRow("label", "label of a link", _of_links(lambda link: link.label), for_links=True),
    TermRow("notes", "part of the notes of a link", _of_links(lambda link: link.notes), is_part=True, for_links=True),
    TermRow("slot", "slot that a NIC or line card is in", _slot, for_modules=True),
    TermRow("id", "id in the file", _id, is_own=True),
)
"""Every term, in the order in which they are offered."""

BY_NAME = {name: row for row in TERMS for name in (row.name, *row.also)}
PLAIN = TermRow("", "part of a name", _name, is_part=True, is_own=True)
"""What a word without a term asks."""
CABLE = BY_NAME["cable"]

"""Headings of point-to-point sheets: what each column says of either end, whatever tool named it."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from designer.exchange.plans.headings import TRANSLATIONS

A, Z = "a", "z"
NODE, PORT, RACK, UNIT, TYPE, KIND, ROLE, MODEL, SLOT, SECOND, NAME = (
    *("node", "port", "rack", "unit", "type", "kind", "role", "model", "slot", "second name", "name"),
)
RATE, MEDIUM, LENGTH, LENGTH_UNIT, LABEL, NETWORK, PROTOCOL, NUMBER, NOTHING = (
    *("rate", "medium", "length", "length unit", "label", "network", "protocol", "number", ""),
)

_SIDES: tuple[tuple[str, str], ...] = (
    ("a|a side|side a|a end|end a|near|near end|local|source|src|from|left|origin|node a|device a", A),
    (
        "z|b|z side|side z|b side|side b|z end|b end|end z|end b|far|far end|remote|peer|destination|dest|dst|to|right"
        "|target|neighbou?r|node b|node z|device b|device z",
        Z,
    ),
)
_AT_FRONT = tuple((re.compile(rf"(?:{words})\b ?(.*)"), side) for words, side in _SIDES)
_AT_END = (
    (re.compile(r"(.+) (?:a|side a|end a|source|local)"), A),
    (re.compile(r"(.+) (?:z|b|side z|side b|end z|end b|destination|remote|peer)"), Z),
)

_OF_END: Mapping[str, str] = {
    word: role
    for role, words in {
        NODE: "device|node|node name|hostname|host name|host|system|device name|switch|server|switch name|system name"
        "|equipment|node desc|machine|chassis|node id",
        NAME: "name",
        PORT: "port|interface|if|ifname|port name|hca port|port number|node interface|port id|port no|hca|port num|int"
        "|nic|interface name|termination|port label|peer interface",
        RACK: "rack|cabinet|cab|rack name|rack id|rack no|cabinet name",
        UNIT: "u|ru|rack unit|location|position|rack u|rack position|lowest u|unit|height unit",
        TYPE: "type|node type|peer type|port type",
        KIND: "kind|node kind",
        ROLE: "role|node role|device role",
        MODEL: "model|device type|device model|hardware|sku|platform",
        SLOT: "slot|card",
        SECOND: "name 2",
        NOTHING: "site|row|cage|lane|optic|optic model|optic pn|transceiver|transceiver part number|module pn|connector"
        "|mpo connector|rack group|interface enabled|site name|region|group|power panel|mac|ip|serial|asset tag"
        "|guid|lid|module",
    }.items()
    for word in words.split("|")
}
_OF_LINK: Mapping[str, str] = {
    word: role
    for role, words in {
        RATE: "speed|rate|bandwidth|link speed|speed gbps|link rate|rate gbps|capacity|speed gb s",
        MEDIUM: "medium|media|cable type|cable medium",
        LENGTH: "length|cable length|length m|length metres|length meters|len",
        LENGTH_UNIT: "length unit",
        LABEL: "label|cable label",
        NUMBER: "cable|cable id|cable number|source ref|cable name|cable no|link id|link",
        NETWORK: "network|net|fabric|fabric name",
        PROTOCOL: "protocol",
        NOTHING: "status|label a|label z|label b|label at a|label at z|connector|cable model|cable pn|part number"
        "|length source|stock length m|stock length|order length m|order length|slack m|order less route"
        "|total slack|trays|bundle|color|colour|rail|su|scalable unit|tier|tags|fields|notes|comments|description"
        "|shuffle id|details|node interface enabled|tenant|profile|owner|index|no|id|item|last updated|created|date"
        "|order|#|serial|connected|remarks",
    }.items()
    for word in words.split("|")
}

_INFINIBAND = ("rack", "u", "name", "hca port", "rack", "name", "name", "port")
"""As NVIDIA prints them; the sixth holds the unit, and the tool goes by position."""
_INFINIBAND_COLUMNS = ((A, RACK), (A, UNIT), (A, NODE), (A, PORT), (Z, RACK), (Z, UNIT), (Z, NODE), (Z, PORT))
_IN_ENGLISH = {
    translated: english for table in TRANSLATIONS.values() for english, translated in reversed(list(table.items()))
}
"""Headings in other languages; the first of several that are translated alike, "Cable" rather than "Cables"."""
_ENGLISH = frozenset(_IN_ENGLISH.values())
_UNIT_OF_LENGTH = re.compile(r"\b(?:length|len|cable length)\b.*?\(?\b(m|cm|mm|ft|in|feet|meters|metres)\b\)?\s*$")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a sheet says what: columns by end and meaning, from 0."""

    ends: Mapping[tuple[str, str], int]
    links: Mapping[str, int]
    headings: tuple[str, ...] = ()
    """As they stand in the sheet; none where columns were taken by their position."""
    unknown: tuple[int, ...] = ()
    """Columns that were not understood."""
    length_unit: str = "m"
    is_infiniband: bool = False
    names_both_ends: bool = False
    """Whether headings say which device is at which end, rather than their order."""

    @property
    def is_list_of_links(self) -> bool:
        """Whether both ends have a device and a port."""
        return all((side, what) in self.ends for side in (A, Z) for what in (NODE, PORT))


@dataclass(slots=True)
class _Places:
    """Columns while headings are read one after the other."""

    ends: dict[tuple[str, str], int] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)
    side: str = ""
    named: set[str] = field(default_factory=set)

    def put(self, column: int, side: str, what: str) -> bool:
        """Take a column for something of an end; False where that end has one already."""
        if what == NOTHING:
            return True
        if not side:  # the end that was named last, else the first that has none yet
            free = [one for one in (A, Z) if (one, what) not in self.ends]
            side = self.side if self.side in free else (free[0] if free else "")
        if not side or (side, what) in self.ends:
            return False
        self.ends[side, what] = column
        return True


def columns_of(cells: Sequence[str], above: Sequence[str] = ()) -> Columns:
    """What the columns under these headings say; `above` is the line before, which may name the ends."""
    words = [_words(cell) for cell in cells]
    if tuple(words) == _INFINIBAND:
        ends = {place: column for column, place in enumerate(_INFINIBAND_COLUMNS)}
        return Columns(ends, {}, tuple(cells), is_infiniband=True, names_both_ends=True)
    places = _Places()
    spans = _spans(above, len(cells))
    for column, text in enumerate(words):
        if text:
            _place(places, column, text, spans[column])
    _settle(places)
    unit = next((found[1] for text in cells if (found := _UNIT_OF_LENGTH.search(text.casefold()))), "m")
    both = places.named >= {A, Z}
    return Columns(places.ends, places.links, tuple(cells), tuple(places.unknown), unit, names_both_ends=both)


def probable_meaning(heading: str) -> str:
    """The heading that one which was not understood is nearest to; "" where none is near."""
    near = difflib.get_close_matches(_words(heading)[:60], [*_OF_END, *_OF_LINK], 1, 0.75)
    return near[0] if near else ""


@lru_cache(maxsize=4096)
def _words(heading: str) -> str:
    bare = re.sub(r"\s*\([^()]*\)\s*$", "", heading)
    english = bare if bare in _ENGLISH else _IN_ENGLISH.get(bare, bare)
    return " ".join(re.sub(r"[^\w#]|_", " ", re.sub(r"\([^()]*\)", " ", english)).casefold().split())


def _spans(above: Sequence[str], width: int) -> list[str]:
    """The end that the line above names for each column; it stands over the first of its columns."""
    sides, side = [], ""
    for column in range(width):
        text = _words(above[column]) if column < len(above) else ""
        if text:
            side = next((one for pattern, one in _AT_FRONT if (found := pattern.fullmatch(text)) and not found[1]), "")
        sides.append(side)
    return sides


def _place(places: _Places, column: int, text: str, above: str) -> None:
    """Find what a heading says: of the link, of an end that it names, of an end by its order."""
    if text in _OF_LINK and not (above and text in _OF_END):
        what = _OF_LINK[text]
        if what and what not in places.links:
            places.links[what] = column
        return
    named = _named_end(text)
    if named is not None:
        side, what = named
        places.side = side
        places.named.add(side)
        if not places.put(column, side, what):
            places.unknown.append(column)
        return
    if text == "type" and all((side, NODE) in places.ends for side in (A, Z)) and places.named >= {A, Z}:
        places.links.setdefault(MEDIUM, column)  # both devices are named already: it is that of the cable
        return
    if text in _OF_END:
        places.put(column, above, _OF_END[text])
        return
    places.unknown.append(column)


@lru_cache(maxsize=4096)
def _named_end(text: str) -> tuple[str, str] | None:
    """The end that a heading names, and what it says of it; None where it names none."""
    for pattern, side in (*_AT_FRONT, *_AT_END):
        found = pattern.fullmatch(text)
        if found and (found[1] or "device") in _OF_END:
            return side, _OF_END[found[1] or "device"]
    return None


def _settle(places: _Places) -> None:
    """A name is that of the device, or of the port where another column has the device."""
    for side in (A, Z):
        column = places.ends.pop((side, NAME), None)
        if column is not None:
            has_node, has_port = (side, NODE) in places.ends, (side, PORT) in places.ends
            if not has_node:
                places.ends[side, NODE] = column
            elif not has_port:
                places.ends[side, PORT] = column


def by_position(rows: Sequence[Sequence[str]]) -> Columns | None:
    """What the columns of rows without headings probably are, from their number; None where they fit nothing."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not rows:
        return None
    for columns in _POSITIONS.get(widths.pop(), ()):
        ends = {place: column for column, place in enumerate(columns)}
        if all(_fits(row, ends) for row in rows):
            return Columns(ends, {}, is_infiniband=columns is _INFINIBAND_COLUMNS)
    return None


_POSITIONS: Mapping[int, tuple[tuple[tuple[str, str], ...], ...]] = {
    4: (((A, NODE), (A, PORT), (Z, NODE), (Z, PORT)),),
    8: (_INFINIBAND_COLUMNS,),
    10: (
        (
            *((A, RACK), (A, UNIT), (A, NODE), (A, KIND), (A, PORT)),
            *((Z, RACK), (Z, UNIT), (Z, NODE), (Z, KIND), (Z, PORT)),
        ),
    ),
}
_KINDS = ("host", "switch", "server", "")


def _fits(row: Sequence[str], ends: Mapping[tuple[str, str], int]) -> bool:
    for (_, what), column in ends.items():
        text = row[column]
        is_fine = {
            NODE: bool(text),
            PORT: bool(text),
            UNIT: not text or text.isdecimal() or text.casefold().lstrip("u").isdecimal(),
            KIND: text.casefold() in _KINDS,
        }.get(what, True)
        if not is_fine:
            return False
    return True

"""Which colors devices and links are drawn in, by what the design or an export chose."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from designer.drawing import colour_by
from designer.drawing.bundles import Flags
from designer.drawing.captions import word_of_kind
from designer.drawing.colour_by import SEVERAL, Classes, Codes, ColourClass, Marks, Status
from designer.drawing.display_list import Coloured, Key, Swatch
from designer.drawing.lines import Lines
from designer.drawing.palette import PLAIN, Colour, colour_in
from designer.drawing.projected_rows import Touched
from designer.drawing.projection import Projection
from designer.drawing.theme import SWITCH, BoxColours, Theme, mixed
from designer.fields.field import Word
from designer.late import Late
from designer.model.colour_keys import DEVICE_KEYS, DIRECTION, FREE, KIND, LINK_KEYS, NETWORK, OWN, STATUS
from designer.model.edit import Edit
from designer.model.networks import NETWORKS
from designer.model.settings import Settings

own_looks = Late("designer.drawing.own_looks")

FILL, BORDER = 0.12, 0.45
"""Shares of a class's color in the fill and border of its boxes."""
FIXED = NETWORK, STATUS, FREE, OWN
"""Keys whose classes have the same colors in every design."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The keys that devices and links are colored by; "" stands for what the design says."""

    devices: str = ""
    links: str = ""


@dataclass(frozen=True, slots=True)
class DeviceColours:
    """What devices are drawn in by their classes, in views that show no links."""

    looks: tuple[BoxColours | None, ...]
    """Of each class; None of kinds, that have colors of their own."""
    of: Mapping[str, int]
    """The class of each device, by id."""
    keys: tuple[Key, ...]

    def look(self, one: str) -> BoxColours | None:
        """What a device is drawn in; None where its kind says so."""
        code = self.of.get(one)
        return None if code is None else self.looks[code]

    def shares(self, ids: Iterable[str]) -> tuple[tuple[BoxColours | None, int], ...]:
        """What some devices are drawn in, each with how many, in the order of the key; None where their kinds say so.

        Kinds come last, all as one, as a key names the other classes alone.
        """
        counts = Counter(self.of[one] for one in ids if one in self.of)
        named = [(self.looks[code], counts[code]) for code in sorted(counts) if self.looks[code] is not None]
        others = sum(counts[code] for code in counts if self.looks[code] is None)
        return (*named, (None, others)) if others else tuple(named)


class Colouring:
    """The classes of what a projection draws."""

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._choice, self._status = Choice(), Status()
        self.failed: frozenset[str] = frozenset()
        """What lines leave out of their counts."""
        self._marks: Marks | None = None
        self._devices: tuple[str, Classes | None] | None = None
        self._links: tuple[str, Classes] | None = None
        self._networks: Sequence[int] | None = None
        self._of_lines: tuple[Classes, Lines, Codes] | None = None
        self._apart: tuple[Classes, frozenset[Colour], Classes] | None = None
        self._own: tuple[Codes, Any] | None = None
        self.version = 0
        """Counts changes of what is colored how."""

    # -- what is asked --------------------------------------------------------------------------------------------

    @property
    def devices_by(self) -> str:
        """The key that devices are colored by."""
        return self._choice.devices or self._projection.design.settings.color_devices_by

    @property
    def links_by(self) -> str:
        """The key that links are colored by."""
        return self._choice.links or self._projection.design.settings.color_links_by

    @property
    def needs_findings(self) -> bool:
        """Whether it shows what has findings or is marked as failed."""
        return STATUS in (self.devices_by, self.links_by)

    def choose(self, choice: Choice) -> None:
        """Color by these, whatever the design says."""
        self._choice = choice
        self._forget()

    def show_status(self, status: Status) -> None:
        """Take over what has findings and what is marked as failed."""
        if status != self._status:
            self._status = status
            if self.needs_findings:
                self._forget()

    @property
    def marks(self) -> Marks | None:
        """What colors in place of what was chosen; None where nothing does."""
        return self._marks

    @property
    def adds_devices(self) -> bool:
        """Whether devices that the design does not have are drawn over it."""
        return bool(self._ghosts(of_devices=True))

    @property
    def adds_any(self) -> bool:
        """Whether devices or links are."""
        return self.adds_devices or bool(self._ghosts(of_devices=False))

    def show_marks(self, marks: Marks | None) -> None:
        """Color by these marks, whatever was chosen, or again by that."""
        if marks is not self._marks:
            self._marks = marks
            self._forget()

    def follow(self, edit: Edit, touched: Touched) -> None:
        """Forget what an edit changes."""
        if touched & ~(Touched.PLACES | Touched.NOTES) or Settings in edit.kinds:
            self._forget()
        if touched & Touched.BOXES:
            self._networks = None

    def _forget(self) -> None:
        self._devices = self._links = self._of_lines = self._apart = self._own = None
        self.version += 1

    # -- what is drawn --------------------------------------------------------------------------------------------

    def shown(
        self,
        theme: Theme,
        lines: Lines,
        managed: Iterable[int],
        *,
        are_links_hot: bool,
        alone: Flags | None = None,
        inside: Iterable[int] = (),
    ) -> Coloured:
        """The colors of all boxes, and of these lines unless heat colors them; `managed` as in network_classes.

        `alone` says which devices have a box of their own, where not all have: the key explains their classes. `inside`
        are further classes that boxes have, by what is in them.
        """
        devices, keys = self._device_classes(), []
        boxes: tuple[Codes | None, tuple[BoxColours, ...]] = (None, ())
        taken = frozenset[Colour]()
        if devices is not None:
            by_kind = theme.boxes if self._is_by_kind else ()
            boxes = devices.codes, (*by_kind, *self._looks(devices, theme))
            there = {*colour_by.present(devices.codes), *inside, *self._ghosts(of_devices=True)}
            drawn_alone = {*colour_by.present(devices.codes, alone), *inside, *self._ghosts(of_devices=True)}
            key = self._key_of_devices(devices, drawn_alone, theme)
            keys += [key] if alone is None or key.swatches else []
            taken = frozenset(devices.classes[one].colour for one in there if one >= len(by_kind))
        of_lines: tuple[Codes | None, tuple[str, ...]] = (None, ())
        found, own_from = tuple[ColourClass, ...](), None
        if not are_links_hot and len(lines.starts):
            links = self._link_classes(managed)
            codes = self._codes_of(links, lines)
            own = self._own_looks(codes, lines)
            drawn = {*(colour_by.present(codes) if own is None else own.below), *self._ghosts(of_devices=False)}
            if len(links.classes) in drawn:  # lines of several classes: these are explained, drawn alone or not
                drawn.update(colour_by.present(links.codes))
            present = sorted(drawn)
            if devices is not None and devices.title != links.title and not self._are_networks(links):
                links = self._apart_from(links, taken)
            found = (*links.classes, SEVERAL)
            is_plain = links.is_default and len(present) < 2 and all(found[one].colour == PLAIN for one in present)
            listed = [] if is_plain else [found[one] for one in present]
            if own is not None:
                codes = np.where(own.codes < 0, codes, own.codes + np.int16(len(found)))
                own_from, found, listed = len(found), (*found, *own.classes(found)), [*listed, *own.keys]
            if listed:
                of_lines = codes, tuple(colour_in(one.colour, theme, "") for one in found)
                title = own_looks.TITLE if is_plain else links.title
                keys.append(_key(theme, title, listed, theme.link, is_of_links=True))
        is_by_kind = devices is None or self._is_by_kind
        return Coloured(
            *boxes,
            *of_lines,
            line_widths=tuple(one.width for one in found),
            line_styles=tuple(one.line for one in found),
            own_from=own_from,
            keys=_merged(keys),
            is_by_kind=is_by_kind,
            word_of_kind=self._word_of_kind,
        )

    def _word_of_kind(self, kind: int) -> str:
        """What all devices of a kind are called, in boxes that stand for many too."""
        whole = self._projection.whole()
        rows = np.flatnonzero(whole.kinds == kind).tolist()
        return word_of_kind(whole.design, kind, map(whole.device_ids.__getitem__, rows))

    def of_devices(self, theme: Theme, among: Iterable[str]) -> DeviceColours | None:
        """The colors of devices by their ids, with a key of those `among` them; None where kinds have the colors."""
        found = self._device_classes()
        if found is None:
            return None
        kinds = (None,) * (len(theme.boxes) if self._is_by_kind else 0)
        of = dict(zip(self._projection.device_ids, found.codes.tolist(), strict=True))
        key = self._key_of_devices(found, {of[one] for one in among if one in of}, theme)
        return DeviceColours((*kinds, *self._looks(found, theme)), of, (key,) if key.swatches else ())

    def _looks(self, found: Classes, theme: Theme) -> Iterable[BoxColours]:
        """What boxes of each class are drawn in, but for kinds."""
        first = len(theme.boxes) if self._is_by_kind else 0
        return (_box(theme, theme.boxes[SWITCH], one.colour) for one in found.classes[first:])

    def _key_of_devices(self, found: Classes, there: Iterable[int], theme: Theme) -> Key:
        """The key of the classes that are there, but for kinds."""
        first = len(theme.boxes) if self._is_by_kind else 0
        listed = [found.classes[one] for one in sorted(there) if one >= first]
        return _key(theme, found.title, listed, theme.boxes[SWITCH].stripe, is_of_links=False)

    def _own_looks(self, codes: Codes, lines: Lines) -> Any:
        """The looks of their own that links of these lines have; None where no link has one."""
        ids = self._projection.looked_links() if self._marks is None else ()
        if not ids:
            return None
        if self._own is None or self._own[0] is not codes:
            self._own = codes, own_looks.over(self._projection, ids, lines, codes)
        return self._own[1]

    def _ghosts(self, *, of_devices: bool) -> frozenset[int]:
        """The classes of what is drawn over the design and is not in it."""
        if self._marks is None:
            return frozenset()
        return self._marks.ghost_devices if of_devices else self._marks.ghosts

    def _device_classes(self) -> Classes | None:
        if self._marks is not None:
            self._devices = self._devices or ("", self._marks.on(self._projection.device_ids))
            return self._devices[1]
        key = self.devices_by
        if self._devices is None or self._devices[0] != key:
            found = colour_by.device_classes(self._projection, key, _title(DEVICE_KEYS, key), self._status)
            self._devices = key, self._with_own(key, self._off_networks(key, found) if found is not None else None)
        return self._devices[1]

    def _with_own(self, key: str, found: Classes | None) -> Classes | None:
        """The classes of devices, or their kinds, under the colors that some were given."""
        own = colour_by.own_of_devices(self._projection) if key != OWN else []
        if not any(own):
            return found
        return colour_by.with_own(found or colour_by.kind_classes(self._projection), own)

    @property
    def _is_by_kind(self) -> bool:
        return self._marks is None and self.devices_by == KIND

    def _link_classes(self, managed: Iterable[int]) -> Classes:
        if self._marks is not None:
            self._links = self._links or ("", self._marks.on(self._projection.link_ids))
            return self._links[1]
        key = self.links_by
        if self._links is None or self._links[0] != key:
            title, projection = _title(LINK_KEYS, key), self._projection
            if key == NETWORK:
                found = colour_by.network_classes(projection, title, self._networks_of_devices(), managed)
                if not found.codes.any():  # one network alone: what tells its links apart is where they lead
                    found = colour_by.direct_classes(projection, is_default=True) or found
            elif key == DIRECTION:
                direct = colour_by.direct_classes(projection, is_default=False)
                found = direct or colour_by.no_classes(projection, title)
            else:
                found = self._off_networks(key, colour_by.link_classes(projection, key, title, self._status))
            self._links = key, found
        return self._links[1]

    def _networks_of_devices(self) -> Sequence[int]:
        if self._networks is None:
            self._networks = colour_by.device_networks(self._projection)
        return self._networks

    def _are_networks(self, links: Classes) -> bool:
        """Whether these classes of links are the networks: they keep their colors, whatever devices are colored by."""
        return self._marks is None and links.title == _title(LINK_KEYS, NETWORK)

    def _off_networks(self, key: str, found: Classes) -> Classes:
        """The classes in colors that no network of the design has, as far as there are others; the same at all times.

        Were it for the networks that are drawn alone, a class would change its color with what links are colored by.
        """
        if key in FIXED:
            return found
        networks = (NETWORKS[one] for one in {*self._networks_of_devices()} if one < len(NETWORKS))
        taken = frozenset(colour_by.NETWORK_COLOURS[one] for one in networks)
        return colour_by.apart_from(found, range(len(found.classes)), taken)

    def _apart_from(self, links: Classes, taken: frozenset[Colour]) -> Classes:
        """The classes of links in colors that no device has, the same at every detail."""
        if self._apart is None or self._apart[0] is not links or self._apart[1] != taken:
            self._apart = links, taken, colour_by.apart_from(links, colour_by.present(links.codes), taken)
        return self._apart[2]

    def _codes_of(self, links: Classes, lines: Lines) -> Codes:
        if self._of_lines is None or self._of_lines[0] is not links or self._of_lines[1] is not lines:
            worst = self._marks is not None or self.links_by == STATUS
            self._of_lines = links, lines, colour_by.of_lines(links, lines, worst=worst)
        return self._of_lines[2]


def _merged(keys: list[Key]) -> tuple[Key, ...]:
    """One key in place of two that say the same."""
    if len(keys) < 2:
        return tuple(keys)
    of, links = keys
    said = {one.text: one.colour for one in of.swatches}
    shared = [one for one in links.swatches if one.text in said]
    if not shared or any(said[one.text] != one.colour for one in shared) or not _same_subject(of, links):
        return tuple(keys)
    more = tuple(one for one in links.swatches if one.text not in said)
    return (Key(of.title.replace("Devices", "Devices and links", 1), of.swatches + more, is_of_links=False),)


def _same_subject(one: Key, other: Key) -> bool:
    return one.title.removeprefix("Devices") == other.title.removeprefix("Links")


def _title(words: Iterable[Word], key: str) -> str:
    return next(word.title for word in words if word.name == key)


def _box(theme: Theme, plain: BoxColours, colour: Colour) -> BoxColours:
    own = colour_in(colour, theme, "")
    return tinted(theme, own) if own else plain


def tinted(theme: Theme, colour: str) -> BoxColours:
    """What a box of that color, as #rrggbb, is drawn in."""
    return BoxColours(mixed(colour, theme.background, FILL), mixed(colour, theme.background, BORDER), colour)


def _key(theme: Theme, title: str, listed: Iterable[ColourClass], plain: str, *, is_of_links: bool) -> Key:
    swatches = (Swatch(colour_in(one.colour, theme, plain), one.title, one.line) for one in listed)
    return Key(
        f"{'Links' if is_of_links else 'Devices'} by {title[:1].lower()}{title[1:]}", tuple(swatches), is_of_links
    )

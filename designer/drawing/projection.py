"""The arrays a picture is made of, kept up with a design edit by edit. They hold nothing the design does not say."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Floats, Ints
from designer.drawing.captions import Caption, caption_of
from designer.drawing.device_rates import DeviceRates
from designer.drawing.projected_rows import LOOKED_UP, Holds, ProjectedRows, Touched, flags_of
from designer.drawing.theme import SERVER
from designer.model.annotation_styles import LINE_FIELDS, has_look
from designer.model.collapsing import BoxKey, role_key
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.hardware.switches import SwitchType
from designer.model.port_records import PortCount
from designer.model.settings import Settings


def _is_led(link: Link) -> bool:
    return bool(link.bends)


def _has_label(link: Link) -> bool:
    return bool(link.label and link.label.strip())


class Roles(NamedTuple):
    """What devices collapse into by their role."""

    keys: list[BoxKey]
    of: Ints  # (n,) number in keys of each device, by row


class Projection(ProjectedRows):
    """Placed devices and the links between them: what the box of each row stands for, and what it says."""

    _rates: DeviceRates | None = None
    _roles: Roles | None = None

    def managed_switches(self) -> dict[int, int]:
        """The rows of links by which switches are managed, each with the row of that switch."""
        design, found, devices = self.design, {}, self.design.devices
        managed = {one.id for one in design.types.values() if isinstance(one, SwitchType) and one.management_ports}
        for row in np.flatnonzero(self.kinds != SERVER).tolist() if managed else ():
            device_id = self.device_ids[row]
            if devices[device_id].type_id not in managed:
                continue
            for port in design.management_ports(device_id):
                for link_id in design.links_at(End(device_id, port.name)):
                    link_row = self.link_row(link_id)
                    if link_row is not None:
                        found[link_row] = row
        return found

    def has_links(self, link_ids: tuple[str, ...]) -> bool:
        """Whether the links drawn are these, row by row; heats of one design share their ids, which are remembered."""
        if self._ids_of_loads is not link_ids and link_ids == tuple(self.link_ids):
            self._ids_of_loads = link_ids
        return self._ids_of_loads is link_ids

    def whole(self) -> "Projection":
        """The projection with every device in a box of its own."""
        return self

    def whole_links(self, links: Ints) -> Ints:
        """The rows of these links in the whole projection."""
        return links

    def labelled_links(self) -> frozenset[str]:
        """Those of all links, drawn or not, that have labels of their own."""
        return self._links_with(_has_label)

    def looked_links(self) -> frozenset[str]:
        """Those of all links, drawn or not, whose lines have looks of their own."""
        return self._links_with(has_look)

    def led_links(self) -> frozenset[str]:
        """Those of all links, drawn or not, whose lines are led through bends."""
        return self._links_with(_is_led)

    def _links_with(self, holds: Holds) -> frozenset[str]:
        if holds not in self._with:
            self._with[holds] = frozenset(one.id for one in self.design.links.values() if holds(one))
        return self._with[holds]

    def rates_of_devices(self, rows: NDArray[np.int32]) -> Floats:
        """What all links of these devices run at, in Gb/s; nan where they differ or one is unknown."""
        if self._rates is None:
            self._rates = DeviceRates(self.n_own)
        return self._rates.of(self.design, self.device_ids, rows)

    def copied(self) -> Self:
        """One of the same boxes and links that no longer follows: for a worker, which brings it to another design."""
        found = super().copied()
        found._rates = None if self._rates is None else self._rates.copied()
        return found

    def follow(self, edit: Edit) -> Touched:
        """Bring the arrays up to date with an edit the design has applied; says what changed."""
        touched = super().follow(edit)
        if edit.kinds == {Link} and not touched & Touched.BOXES:
            if self._rates is not None:
                self._rates.forget(map(self.row_of.get, _ends_of(edit)))
        elif touched & (Touched.LINKS | Touched.BOXES | Touched.TEXTS):
            self._rates = None
        if touched & (Touched.BOXES | Touched.CONTAINERS):
            self._roles = None
        return touched

    @property
    def roles(self) -> Roles:
        """The role of each device and the group that it is directly in; read when first asked for."""
        if self._roles is None:
            design, keys, known = self.design, dict[BoxKey, int](), dict[tuple[str, str, str | None], int]()
            numbers = list[int]()
            for device in map(design.devices.__getitem__, self.device_ids):
                sort = device.type_id, device.role, device.group_id
                number = known.get(sort)
                if number is None:
                    number = known[sort] = keys.setdefault(role_key(design, device.id), len(keys))
                numbers.append(number)
            self._roles = Roles([*keys], np.array(numbers, np.int64))
        return self._roles

    # -- what boxes stand for -------------------------------------------------------------------------------------

    def box_of(self, entity_id: str) -> int | None:
        """The row of the box that a device is drawn in; None where it is not drawn."""
        return self.row_of.get(entity_id)

    def boxes_of(self, ids: frozenset[str]) -> list[int]:
        """The rows of the boxes that any of these are drawn in, ascending, each once."""
        if len(ids) <= LOOKED_UP:
            return sorted({row for one in ids if (row := self.box_of(one)) is not None})
        found: list[int] = np.flatnonzero(flags_of(ids, self.device_ids)).tolist()
        return found

    def box_of_link(self, link_id: str) -> int | None:
        """The row of the box that a link is inside of; None where it is drawn, or nowhere."""
        del link_id
        return None

    def title_at(self, row: int) -> str:
        """The name of what the box of that row stands for."""
        return self.design.devices[self.device_ids[row]].name

    def ids_at(self, row: int) -> tuple[str, ...]:
        """What a click on the box of that row selects: its device."""
        return (self.device_ids[row],)

    def is_single(self, row: int) -> bool:
        """Whether the box is that of one device, with ports to be drawn and connected."""
        return row < self.n_own

    def shifted(self, shifts: Mapping[str, tuple[float, float]]) -> dict[int, tuple[float, float]]:
        """How far each box moves, by row, where these devices and racks are moved so far."""
        return {row: by for one, by in shifts.items() if (row := self.row_of.get(one)) is not None}

    def port_counts(self, rows: Ints) -> PortCount:
        """Ports of these devices together: used, all there are, reserved."""
        return self._port_counts.of(self.design, self.device_ids, rows)

    # -- what boxes say -------------------------------------------------------------------------------------------

    def caption(self, row: int) -> Caption:
        """What the box of that row says."""
        found = self._captions.get(row)
        if found is None:
            found = self._captions[row] = caption_of(self.design, self.design.devices[self.device_ids[row]])
        return found


def _ends_of(edit: Edit) -> Iterator[str]:
    """The ids of the devices at the ends of the links that an edit of links changes, before and after."""
    for change in edit.changes:
        for link in (change.before, change.after):
            if isinstance(link, Link):
                yield link.a.device_id
                yield link.b.device_id


def decides_own_lines(edit: Edit) -> bool:
    """Whether an edit may change which links have a line of their own, for their look or label."""
    return any(map(_decides_own_lines, edit.changes))


def _decides_own_lines(change: Change) -> bool:
    before, after = change.before, change.after
    if isinstance(before, Link) and isinstance(after, Link):
        return _has_label(before) != _has_label(after) or any(
            getattr(before, one) != getattr(after, one) for one in LINE_FIELDS
        )
    if isinstance(before, Settings) and isinstance(after, Settings):
        return before.link_labels != after.link_labels
    return False

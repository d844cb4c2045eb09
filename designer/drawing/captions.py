"""What boxes say: name, type, ports, and what was chosen to stand below the name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.analysis.tiers import server_word, switch_word
from designer.drawing.bundles import Ints
from designer.drawing.theme import KINDS, SERVER, SWITCH
from designer.model.collapsing import is_storage_server
from designer.model.colour_keys import PORT_NUMBERS
from designer.model.design import Design
from designer.model.entities import Device
from designer.model.hardware.servers import ServerType
from designer.model.hardware.types import HardwareType
from designer.model.shown_text import visible_line

UNCOUNTED = -1


@dataclass(frozen=True, slots=True)
class Caption:
    """What a box says."""

    name: str
    model: str
    used: int
    total: int
    """Logical ports of any purpose."""
    reserved: int
    kind: str = ""
    """What its pictogram shows: "switch", "server", "GPU server" or "storage"."""
    note: str | None = None
    """The second line where labels were chosen; None for the model."""
    are_ports_shown: bool = True
    is_name_shown: bool = True
    are_ports_counted: bool = True
    are_numbers_shown: bool = True
    is_locked: bool = False

    @property
    def shown_note(self) -> str:
        """The second line."""
        return self.model if self.note is None else self.note

    @property
    def uncounted(self) -> "Caption":
        """What the box says, without how many of its ports are used."""
        return replace(self, used=0, total=0, reserved=0, are_ports_shown=False, are_ports_counted=False)


def caption_of(design: Design, device: Device) -> Caption:
    """What the box of a placed device says."""
    type_ = design.device_type(device.id)
    shown = design.settings.device_labels
    return Caption(
        device.name,
        type_.model,
        design.n_used_ports(device.id),
        len(design.ports(device.id)),
        len(device.reserved_ports),
        _pictured(device, type_),
        note_of(design, device, shown),
        "ports" in shown,
        "name" in shown,
        are_numbers_shown=PORT_NUMBERS in shown,
        is_locked=design.placements[device.id].locked,
    )


class PortCounts:
    """How many ports of devices, by row, are used, there are, and are reserved; kept until told that they changed."""

    def __init__(self, n_devices: int) -> None:
        self._known: Ints = np.full((n_devices, 3), UNCOUNTED, np.int64)

    def copied(self) -> "PortCounts":
        """One that knows as much, for another thread."""
        found = PortCounts(0)
        found._known = self._known.copy()
        return found

    def forget(self, row: int) -> None:
        """Count those of this row again when they are next asked for."""
        self._known[row] = UNCOUNTED

    def of(self, design: Design, device_ids: Sequence[str], rows: Ints) -> tuple[int, int, int]:
        """Those of these rows together; `device_ids` are of all rows."""
        missing = rows[self._known[rows, 0] == UNCOUNTED]
        if len(missing):
            self._known[missing] = design.port_counts([device_ids[row] for row in missing.tolist()])
        used, total, reserved = self._known[rows].sum(axis=0).tolist()
        return used, total, reserved


def _pictured(device: Device, type_: HardwareType) -> str:
    """The kind of pictogram a device has."""
    if not isinstance(type_, ServerType):
        return "switch"
    if is_storage_server(device, type_):
        return "storage"
    return "GPU server" if type_.stated_gpus else "server"


def model_in_common(design: Design, ids: Iterable[str]) -> str:
    """The model that all these devices are of; "" where they are of several."""
    models = {design.types[one].model for one in {design.devices[one].type_id for one in ids}}
    return visible_line(models.pop()) if len(models) == 1 else ""


def word_of_kind(design: Design, kind: int, ids: Iterable[str]) -> str:
    """What the devices of a kind, by its number in KINDS, are called together: "leaf", "router", "host"."""
    if kind == SERVER:
        return server_word(design, ids)
    return switch_word(design, ids) if kind == SWITCH else KINDS[kind]


def note_of(design: Design, device: Device, labels: Iterable[str]) -> str:
    """The second line of a box: its type, its place in a rack and its tags, those that are chosen."""
    placement, parts = design.placements.get(device.id), []
    for label in labels:
        if label == "type":
            parts.append(design.device_type(device.id).model)
        elif label == "unit" and placement is not None and placement.rack_id is not None:
            unit = f" U{placement.unit}" if placement.unit is not None else ""
            parts.append(f"{design.racks[placement.rack_id].name}{unit}")
        elif label == "tags":
            parts.append(" ".join(device.tags))
    return visible_line(" · ".join(filter(None, parts)))

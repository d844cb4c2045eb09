"""The frames of a drawing: which boxes stand in each placed rack and in each group."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.analysis.tiers import counted_devices
from designer.drawing.captions import model_in_common, word_of_kind
from designer.model.design import Design
from designer.model.entities import FABRIC, Group, Rack, order_key
from designer.model.hardware.racks import RackType
from designer.units import format_counted


@dataclass(frozen=True, slots=True)
class RackFrame:
    """A placed rack: what stands in it, by row."""

    id: str
    name: str
    note: str
    centre: tuple[float, float]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupFrame:
    """A group: every device in it or in a group inside it, by row; `level` is 0 for a group without groups inside."""

    id: str
    name: str
    kind: str
    note: str
    level: int
    rows: tuple[int, ...]
    rack_ids: tuple[str, ...]
    detail: str = ""
    """The note with what kinds of switches there are, and of which types all is."""
    rails: str = ""
    """Of its leaf switches, as "rails 1-8"; "" where they have none."""


def frames_of(
    design: Design, row_of: Mapping[str, int], kinds: NDArray[np.int8]
) -> tuple[tuple[RackFrame, ...], tuple[GroupFrame, ...]]:
    """The placed racks in stable order and the groups, inner ones first; `row_of` and `kinds` are of the boxes."""
    placed = [r for r in sorted(design.racks, key=order_key) if r in design.placements]
    levels = _levels(design)
    # A frame around a whole fabric says nothing that its tiers and units do not.
    framed = (one for one in levels if design.groups[one].kind != FABRIC)
    order = sorted(framed, key=lambda one: (levels[one], order_key(one)))
    racks = tuple(_rack_frame(design, row_of, design.racks[rack_id]) for rack_id in placed)
    return racks, tuple(_group_frame(design, row_of, kinds, design.groups[one], levels[one]) for one in order)


def _rack_frame(design: Design, row_of: Mapping[str, int], rack: Rack) -> RackFrame:
    place = design.placements[rack.id]
    rows = tuple(row_of[one] for one in design.mounted(rack.id) if one in row_of)
    type_ = design.types[rack.type_id]
    note = f"{len(rows)} in {type_.units} U" if isinstance(type_, RackType) else f"{len(rows)}"
    return RackFrame(rack.id, rack.name, note, (place.x, place.y), rows)


def _group_frame(
    design: Design, row_of: Mapping[str, int], kinds: NDArray[np.int8], group: Group, level: int
) -> GroupFrame:
    devices, racks = _held(design, row_of, group.id)
    rows = tuple(sorted(row_of[one] for one in devices))
    by_kind: dict[int, list[str]] = {}
    for one in devices:
        by_kind.setdefault(int(kinds[row_of[one]]), []).append(one)
    detail = (_detail(design, kind, by_kind[kind]) for kind in sorted(by_kind))
    return GroupFrame(
        group.id,
        group.name,
        group.kind,
        ", ".join(counted_devices(design, devices)),
        level,
        rows,
        tuple(racks),
        ", ".join(detail),
        _rails(design, devices),
    )


def _detail(design: Design, kind: int, ids: list[str]) -> str:
    """Devices of a kind, with their type where they have one in common: "8 leaf switches (QM9700)"."""
    text = format_counted(len(ids), word_of_kind(design, kind, ids))
    model = model_in_common(design, ids)
    return f"{text} ({model})" if model else text


def _rails(design: Design, devices: list[str]) -> str:
    """The rails of a group's leaf switches, as "rails 1-8"; "" where some are missing between others."""
    rails = sorted({rail for one in devices if (rail := design.devices[one].rail) is not None})
    if not rails or rails[-1] - rails[0] >= len(rails):
        return ""
    return f"rails {rails[0]}-{rails[-1]}" if len(rails) > 1 else f"rail {rails[0]}"


def _held(design: Design, row_of: Mapping[str, int], group_id: str) -> tuple[list[str], list[str]]:
    """The devices that have boxes and the placed racks in a group or in a group inside it."""
    devices: list[str] = []
    racks: list[str] = []
    waiting = [group_id]
    while waiting:
        for member in design.members(waiting.pop()):
            if member in row_of:
                devices.append(member)
            elif member in design.groups:
                waiting.append(member)
            elif member in design.racks and member in design.placements:
                racks.append(member)
    return devices, racks


def _levels(design: Design) -> dict[str, int]:
    """How deep groups lie inside each group; 0 where none do."""
    levels = dict.fromkeys(design.groups, 0)
    for group_id in design.groups:
        depth, parent = 1, design.groups[group_id].parent_id
        while parent is not None and levels.get(parent, depth) < depth:
            levels[parent] = depth
            depth, parent = depth + 1, design.groups[parent].parent_id
    return levels

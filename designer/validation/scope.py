"""What part of a design a rule looks at by itself, and which records it reads: what an edit makes it look at again."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """The part of a design that decides, by itself, whether a rule finds something there.

    Rules of the scopes from DEVICE to GROUP take their devices, links, racks or groups from `Inspection.devices`,
    `runs`, `links`, `racks` and `groups`, one after the other, and after an edit see those alone that it touches. All
    others are checked over the whole design where an edit changes something they read.
    """

    DEVICE = "device"
    CAGE = "cage"
    LINK = "link"
    RACK = "rack"
    GROUP = "group"
    BLOCK = "leaf block"
    NETWORK = "network"
    WHOLE = "whole design"

    @property
    def is_local(self) -> bool:
        """Whether a rule of this scope sees only what an edit touches."""
        return self in (Scope.DEVICE, Scope.CAGE, Scope.LINK, Scope.RACK, Scope.GROUP)


DEVICES, MODULES, LINKS, TYPES = "devices", "modules", "links", "types"
RACKS, PLACEMENTS, FIXTURES, GROUPS = "racks", "placements", "fixtures", "groups"
JOBS, WAIVERS, SETTINGS = "jobs", "waivers", "settings"

CABLING = (DEVICES, MODULES, LINKS, TYPES)
"""Devices with their ports, and the links between them."""
ROOM = (RACKS, PLACEMENTS, DEVICES, TYPES)
"""Racks, and what stands in them."""

READABLE = (*CABLING, RACKS, PLACEMENTS, FIXTURES, GROUPS, JOBS, WAIVERS, SETTINGS)
"""Tables of a design that a rule may say it reads; the policy is part of the settings, which all of them read."""


@dataclass(frozen=True, slots=True)
class Tally:
    """That a part of a design counts as something: a rule says at the end, of all of them, what it did not check."""

    key: Hashable

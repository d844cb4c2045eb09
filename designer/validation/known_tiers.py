"""The tiers of a design, kept edit by edit."""

from copy import copy

from designer.analysis.tiers import fixed_tier, tier_of
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Link, Module


class KnownTiers:
    """The tier of each device. Calculated again only where an edit may move one that its role does not fix."""

    def __init__(self, design: Design) -> None:
        self.tier = tier_of(design)
        self._loose = {one.id for one in design.switches() if fixed_tier(design, one) is None}
        """Switches that stand one above their lowest neighbor."""

    def copy(self) -> "KnownTiers":
        """One that goes on by itself."""
        made = copy(self)
        made.tier, made._loose = dict(self.tier), set(self._loose)
        return made

    def follow(self, design: Design, edit: Edit) -> set[str]:
        """Goes on with the design after an edit: ids of the devices that it moved to another tier."""
        if not edit.kinds & {Device, Link, Module}:
            return set()
        old = {one.subject.id: self.tier.get(one.subject.id) for one in edit.changes if isinstance(one.subject, Device)}
        for device_id in old:
            self._loose.discard(device_id)
            device = design.devices.get(device_id)
            fixed = fixed_tier(design, device) if device is not None else None
            if fixed is not None:
                self.tier[device_id] = fixed
            else:
                self.tier.pop(device_id, None)
                if device is not None:
                    self._loose.add(device_id)
        if self._loose and (old or Module in edit.kinds or self._reaches_loose(edit)):
            old, self.tier = {**dict.fromkeys(design.devices), **self.tier, **old}, tier_of(design)
        return {one for one, tier in old.items() if self.tier.get(one) != tier}

    def _reaches_loose(self, edit: Edit) -> bool:
        return any(
            end.device_id in self._loose
            for change in edit.changes
            for link in (change.before, change.after)
            if isinstance(link, Link)
            for end in (link.a, link.b)
        )

"""What an installer has to do so that the cables of an earlier plan become those of a later one, and nothing else."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from designer.analysis.part_names import NO_NAMES
from designer.exchange.plans.snapshot import CableEnd, PlannedCable, PlanSnapshot, Plug
from designer.units import format_counted

REMOVE, SWAP, MOVE, PULL, RELABEL = ACTIONS = ("remove", "swap", "move", "pull", "relabel")
"""What is done with a cable, in the order of the work: ports are freed before they are used."""

A, Z, BOTH = "A", "Z", "A and Z"

STEP_M = 0.01
"""Racks that moved by less stand where they stood."""

UNKNOWN = "unknown"
DEVICE, RACK = "device", "rack"
"""What is relabeled in place of the ends of a cable."""
TRANSCEIVER = "other transceiver"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing to do: `before` and `after` are the cable in the two plans, None where there is none.

    `ends` are those that are unplugged, get another transceiver or another label: "A", "Z" or "A and Z". Where it is
    "device" or "rack", that gets another name, and `before` and `after` have a plug at their A end that names it.
    """

    step: int
    action: str
    ends: str
    reason: str
    before: PlannedCable | None
    after: PlannedCable | None

    @property
    def cable(self) -> PlannedCable:
        """The cable as it will be; as it was where it is removed."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def number(self) -> str:
        """The number that the installer finds on the cable, or puts on a new one."""
        found = self.before.number if self.before is not None else ""
        return found or self.cable.number

    @property
    def is_of_name(self) -> bool:
        """Whether a device or rack gets another name."""
        return self.ends in (DEVICE, RACK)

    @property
    def is_of_transceivers(self) -> bool:
        """Whether it is a swap that leaves the cable and changes what it is plugged into."""
        return self.action == SWAP and self.reason == TRANSCEIVER


@dataclass(frozen=True, slots=True)
class ChangeOrder:
    """All that is to be done, in order, and how many cables stay untouched."""

    changes: tuple[Change, ...]
    n_untouched: int

    @property
    def counts(self) -> dict[str, int]:
        """How many cables there are for each action, in the order of the work."""
        found = Counter(change.action for change in self.changes if not change.is_of_name)
        return {action: found[action] for action in ACTIONS}

    @property
    def summary(self) -> str:
        """ "Remove 3 cables, pull 8 cables; 2,029 cables unchanged"."""
        stated = [f"{action} {format_counted(count, 'cable')}" for action, count in self.counts.items() if count]
        names = Counter(change.ends for change in self.changes if change.is_of_name)
        stated += [f"{RELABEL} {format_counted(names[what], what)}" for what in (DEVICE, RACK) if names[what]]
        text = ", ".join(stated) if stated else "nothing to do"
        return f"{text[:1].upper()}{text[1:]}; {format_counted(self.n_untouched, 'cable')} unchanged"


def change_order(old: PlanSnapshot, new: PlanSnapshot) -> ChangeOrder:
    """The change order from one plan to another.

    Cables are the same by their number; those without one by the ports they join. A rack moved where its place on the
    floor changed and those of most racks did not. Devices and racks that stay where they are under another name come
    first, and all that follows has the new names.
    """
    moved = {rack: _whence(old.places[rack], new.places[rack]) for rack in moved_racks(old.places, new.places)}
    names, old = _renamed(old, new)
    pairs, removed, pulled = _matched(old.cables, new.cables)
    found: dict[str, list[Change]] = {action: [] for action in ACTIONS}
    n_untouched = 0
    for before, after in pairs:
        changes = _changes(_turned_like(before, after), after, moved)
        n_untouched += not changes
        for change in changes:
            found[change.action].append(change)
    found[REMOVE] += (Change(0, REMOVE, BOTH, "not in the new plan", one, None) for one in removed)
    found[PULL] += (Change(0, PULL, BOTH, "new in the plan", None, one) for one in pulled)
    in_plan = {id(cable): place for place, cable in enumerate((*new.cables, *old.cables))}
    for each in found.values():
        each.sort(key=lambda change: in_plan.get(id(change.cable), -1))
    optics = [change for change in found[SWAP] if change.is_of_transceivers]
    cables = [change for change in found[SWAP] if not change.is_of_transceivers]
    plugged = _ports_freed_first([*cables, *found[MOVE]])
    ordered = (*names, *found[REMOVE], *optics, *plugged, *found[PULL], *found[RELABEL])
    return ChangeOrder(tuple(replace(one, step=step) for step, one in enumerate(ordered, start=1)), n_untouched)


def moved_racks(old: Mapping[str, tuple[float, float]], new: Mapping[str, tuple[float, float]]) -> frozenset[str]:
    """The racks, by id, that stand elsewhere than before, in relation to where most of the others stand.

    A plan whose racks all shifted alike shows the same room.
    """
    shifts = {
        rack: (round((new[rack][0] - x) / STEP_M), round((new[rack][1] - y) / STEP_M))
        for rack, (x, y) in old.items()
        if rack in new
    }
    counts = Counter(shifts.values())
    most = max(counts, key=lambda shift: (counts[shift], shift == (0, 0), shift), default=(0, 0))
    return frozenset(rack for rack, (x, y) in shifts.items() if abs(x - most[0]) > 1 or abs(y - most[1]) > 1)


# -- what has another name ------------------------------------------------------------------------------------------


def _renamed(old: PlanSnapshot, new: PlanSnapshot) -> tuple[list[Change], PlanSnapshot]:
    """Devices and racks that have another name where they stand, and the old plan with the new names."""
    now = {plug.device_id: plug for plug in _all_plugs(new)}
    racks = {plug.rack_id: plug.rack for plug in now.values() if plug.rack_id}
    devices: dict[str, str] = {}
    found: dict[tuple[str, str], Change] = {}
    for plug in _all_plugs(old):
        after = now.get(plug.device_id)
        if plug.rack_id in racks and racks[plug.rack_id] != plug.rack:
            found.setdefault((RACK, plug.rack_id), _named(RACK, plug.rack, racks[plug.rack_id]))
        if after is not None and after.device != plug.device and _stays(plug, after):
            devices[plug.device_id] = after.device
            at = replace(after, port="", optic=NO_NAMES)
            change = Change(0, RELABEL, DEVICE, "device renamed", _name(replace(at, device=plug.device)), _name(at))
            found.setdefault((DEVICE, plug.device_id), change)
    if not found:
        return [], old

    def renamed(end: CableEnd) -> CableEnd:
        plugs = (
            replace(one, device=devices.get(one.device_id, one.device), rack=racks.get(one.rack_id, one.rack))
            for one in end.plugs
        )
        return replace(end, plugs=tuple(plugs))

    cables = tuple(replace(cable, a=renamed(cable.a), z=renamed(cable.z)) for cable in old.cables)
    return sorted(found.values(), key=lambda change: change.ends != RACK), replace(old, cables=cables)


def _stays(old: Plug, new: Plug) -> bool:
    """Whether a device is the same one at the same place."""
    facts = attrgetter("device_type", "rack_id", "unit")
    return bool(facts(old) == facts(new))


def _all_plugs(plan: PlanSnapshot) -> Iterator[Plug]:
    for cable in plan.cables:
        yield from _plugs(cable)


def _named(what: str, before: str, after: str) -> Change:
    names = (_name(Plug("", "", "", "", rack, None, "", NO_NAMES)) for rack in (before, after))
    return Change(0, RELABEL, what, "rack renamed", *names)


def _name(plug: Plug) -> PlannedCable:
    """What stands for a name where a change has cables."""
    return PlannedCable("", CableEnd("", (plug,)), CableEnd("", ()), "", "", NO_NAMES, None, None, "")


# -- which cable is which -------------------------------------------------------------------------------------------


def _matched(
    old: Sequence[PlannedCable], new: Sequence[PlannedCable]
) -> tuple[list[tuple[PlannedCable, PlannedCable]], list[PlannedCable], list[PlannedCable]]:
    """Cables in both plans, those of the old one alone, and those of the new one alone; each in plan order."""
    pairs: list[tuple[PlannedCable, PlannedCable]] = []
    left, right = list(old), list(new)
    for key in (_by_number, _by_ports):
        waiting: dict[object, PlannedCable] = {}
        for cable in left:
            if (name := key(cable)) is not None:
                waiting.setdefault(name, cable)
        rest = []
        for cable in right:
            before = waiting.pop(key(cable), None)
            if before is None:
                rest.append(cable)
            else:
                pairs.append((before, cable))
        taken = {id(before) for before, _ in pairs}
        left, right = [cable for cable in left if id(cable) not in taken], rest
    return pairs, left, right


def _by_number(cable: PlannedCable) -> object:
    return cable.number or None


def _by_ports(cable: PlannedCable) -> object:
    return frozenset(plug.place for end in cable.ends for plug in end.plugs)


def _turned_like(before: PlannedCable, after: PlannedCable) -> PlannedCable:
    """The old cable with its ends named as the new plan names them, which counts ends from the servers."""
    if _devices(before.a) == _devices(after.a) or _devices(before.z) == _devices(after.z):
        return before
    if _devices(before.a) == _devices(after.z) or _devices(before.z) == _devices(after.a):
        return replace(before, a=before.z, z=before.a)
    return before


def _devices(end: CableEnd) -> frozenset[str]:
    return frozenset(plug.device_id for plug in end.plugs)


# -- what is to be done with it -------------------------------------------------------------------------------------


def _whence(old: tuple[float, float], new: tuple[float, float]) -> str:
    """ "from x 1.2 m, y 0 m to x 3.6 m, y 2.4 m": corners of a rack, as the floor plan measures them."""
    before, after = (f"x {round(x, 2):g} m, y {round(y, 2):g} m" for x, y in (old, new))
    return f"from {before} to {after}"


def _changes(before: PlannedCable, after: PlannedCable, moved: Mapping[str, str]) -> list[Change]:
    """What is to be done with one cable: nothing, one thing, or where nothing of it stays, to remove and to pull it."""
    why = {A: _why_moved(before.a, after.a, moved), Z: _why_moved(before.z, after.z, moved)}
    unplugged = _ends(end for end, reason in why.items() if reason)
    other = _why_another(before, after)
    renumbered = _why_number(before, after)
    if other and (unplugged == BOTH or renumbered):
        return [
            Change(0, REMOVE, BOTH, other, before, None),
            Change(0, PULL, BOTH, _stated([why[A], why[Z]]) or other, None, after),
        ]
    optics = {A: _why_optic(before.a, after.a), Z: _why_optic(before.z, after.z)}
    if other:
        return [Change(0, SWAP, BOTH, _stated([other, *why.values(), *optics.values()]), before, after)]
    changed = _ends(end for end, reason in optics.items() if reason and not why[end])
    between = before if not changed else _with_optics(before, after, changed)
    found = [Change(0, SWAP, changed, TRANSCEIVER, before, between)] if changed else []
    if unplugged:
        reason = _stated([*why.values(), *(optics[end] for end in (A, Z) if why[end]), renumbered])
        return [*found, Change(0, MOVE, unplugged, reason, between, after)]
    return [*found, *_relabelled(between, after)]


def _with_optics(before: PlannedCable, after: PlannedCable, ends: str) -> PlannedCable:
    """The cable with the transceivers that the new plan has at these ends, where it stays plugged in."""

    def end_with(old: CableEnd, new: CableEnd) -> CableEnd:
        optics = {before.place: after.optic for before, after in _plugs_in_pairs(old.plugs, new.plugs)}
        return replace(old, plugs=tuple(replace(plug, optic=optics[plug.place]) for plug in old.plugs))

    a = end_with(before.a, after.a) if A in ends.split() else before.a
    z = end_with(before.z, after.z) if Z in ends.split() else before.z
    return replace(before, a=a, z=z)


def _relabelled(before: PlannedCable, after: PlannedCable) -> list[Change]:
    why = {A: _why_label(before.a, after.a), Z: _why_label(before.z, after.z)}
    renumbered = _why_number(before, after)
    ends = BOTH if renumbered else _ends(end for end, reason in why.items() if reason)
    return [Change(0, RELABEL, ends, _stated([renumbered, *why.values()]), before, after)] if ends else []


def _why_number(before: PlannedCable, after: PlannedCable) -> str:
    """What became of a cable's number; "" where it is the same."""
    if before.number == after.number:
        return ""
    return f"number {before.number or 'none'} is now {after.number or 'none'}"


def _why_moved(before: CableEnd, after: CableEnd, moved: Mapping[str, str]) -> str:
    """Why an end is unplugged; "" where it stays where it is."""
    if len(before.plugs) != len(after.plugs):
        return "other number of connectors"
    reasons = (_why_plug(old, new, moved) for old, new in _plugs_in_pairs(before.plugs, after.plugs))
    return _stated(reasons)


def _plugs_in_pairs(before: Sequence[Plug], after: Sequence[Plug]) -> Iterator[tuple[Plug, Plug]]:
    """Connectors that are in the same port in both plans, then the others as they stand."""
    there = {(plug.device_id, plug.port): plug for plug in before}
    same = {key for plug in after if (key := (plug.device_id, plug.port)) in there}
    yield from ((there[plug.device_id, plug.port], plug) for plug in after if (plug.device_id, plug.port) in same)
    old = (plug for plug in before if (plug.device_id, plug.port) not in same)
    new = (plug for plug in after if (plug.device_id, plug.port) not in same)
    yield from zip(old, new, strict=True)


def _why_plug(old: Plug, new: Plug, moved: Mapping[str, str]) -> str:
    """Why a connector is unplugged: another port, or a device or rack that moves with it."""
    is_same = old.device_id == new.device_id and old.device_type == new.device_type
    if old.place != new.place and not (is_same and old.port == new.port):
        return "other port" if old.device == new.device else "other device"
    stays_in_rack = old.rack_id == new.rack_id if old.rack_id and new.rack_id else old.rack == new.rack
    if not stays_in_rack:
        return f"{new.device} moved from {old.rack or 'no rack'} to {new.rack or 'no rack'}"
    if old.unit != new.unit:
        return f"{new.device} moved from {_unit(old)} to {_unit(new)}"
    return f"{new.rack} moved {moved[new.rack_id]}" if new.rack_id in moved else ""


def _unit(plug: Plug) -> str:
    return "no unit" if plug.unit is None else f"U{plug.unit}"


def _why_another(before: PlannedCable, after: PlannedCable) -> str:
    """Why another cable is needed; "" where the old one does."""
    if (before.medium, before.part) != (after.medium, after.part):
        return "other part" if before.part != after.part else "other medium"
    if before.stock_length_m != after.stock_length_m:
        return "other stock length"
    if before.colour != after.colour:
        return "other color"
    if after.stock_length_m is None and after.length_m is not None:
        if before.length_m is None:
            return "its length is known now"
        if after.length_m > before.length_m:  # one that is longer than needed stays
            return f"too short by {after.length_m - before.length_m:.4g} m"
    return ""


def _why_optic(before: CableEnd, after: CableEnd) -> str:
    is_same = (before.optic, before.optic_number) == (after.optic, after.optic_number)
    return "" if is_same else TRANSCEIVER


def _why_label(before: CableEnd, after: CableEnd) -> str:
    """Why an end that stays plugged in gets another label; "" where it keeps its own."""
    return "" if before.label == after.label else "other label"


def _ends(ends: Iterable[str]) -> str:
    return " and ".join(ends)


def _stated(reasons: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason))


# -- in which order -------------------------------------------------------------------------------------------------


def _ports_freed_first(changes: Sequence[Change]) -> list[Change]:
    """The changes so that a port is freed before another cable goes into it, wherever no ring of cables forbids it.

    A change that has to wait for one after it says which cable is unplugged first.
    """
    holder = {plug.place: number for number, one in enumerate(changes) for plug in _plugs(one.before)}
    needs = [
        list(
            dict.fromkeys(holder[plug.place] for plug in _plugs(one.after) if holder.get(plug.place, number) != number)
        )
        for number, one in enumerate(changes)
    ]
    done: dict[int, None] = {}
    for first in range(len(changes)):
        path = [first]
        on_path = {first}
        while path:
            number = path[-1]
            waiting = next((one for one in needs[number] if one not in done and one not in on_path), None)
            if number in done or waiting is None:
                on_path.discard(path.pop())
                done.setdefault(number)
            else:
                path.append(waiting)
                on_path.add(waiting)
    place = {number: step for step, number in enumerate(done)}
    return [
        _with_first(changes, number, [one for one in needs[number] if place[one] > place[number]]) for number in done
    ]


def _with_first(changes: Sequence[Change], number: int, late: Sequence[int]) -> Change:
    one = changes[number]
    if not late:
        return one
    names = ", ".join(changes[other].number or "the cable in its port" for other in late)
    return replace(one, reason=f"{one.reason}; unplug {names} first")


def _plugs(cable: PlannedCable | None) -> Iterator[Plug]:
    for end in cable.ends if cable is not None else ():
        yield from end.plugs

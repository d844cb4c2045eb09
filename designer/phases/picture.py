"""The picture of a plan: devices by tier and cables between tiers, in each phase."""

from collections import Counter
from collections.abc import Mapping, Sequence

from designer.analysis.survey import UNKNOWN_TIER, survey
from designer.drawing.parts.growth import GrowthBar, GrowthColumn, GrowthPicture
from designer.exchange.plans.change_order import MOVE, PULL, REMOVE, SWAP
from designer.exchange.plans.snapshot import PlannedCable
from designer.model.design import Design
from designer.phases.request import DISMOUNT, INSTALL
from designer.phases.steps import PhaseStep
from designer.units import format_count, format_counted

SERVERS = "server"
_PARTS = {PULL: "new", REMOVE: "removed", MOVE: "moved", SWAP: "moved"}


def growth_picture(title: str, steps: Sequence[PhaseStep]) -> GrowthPicture:
    """The picture of the steps of a plan."""
    tiers: dict[str, int] = {SERVERS: 0}
    columns = []
    before: Mapping[str, str] = {}
    for step in steps:
        roles, heights = _roles(step.design)
        tiers.update(heights)
        columns.append(GrowthColumn(step.name, _lines(step), _bars(step, roles, before)))
        before = roles
    names = sorted(tiers, key=lambda role: (-tiers[role], role))
    order = {name: number for number, name in enumerate(names)}
    cables = {name for column in columns for name in column.bars if " to " in name}

    def place(name: str) -> tuple[int, int, str]:
        """Cables stand between their tiers: below the upper one."""
        low, _, high = name.removesuffix(" cables").partition(" to ")
        return (min(order.get(low, 0), order.get(high, 0)), 1, name) if high else (order[name], 0, name)

    rows = tuple((name, name in cables) for name in sorted([*names, *cables], key=place))
    return GrowthPicture(title, rows, tuple(columns), {name: _row_title(name) for name, _ in rows})


def _row_title(name: str) -> str:
    """ "Leaf switches", "Servers", "Leaf to spine cables"."""
    shown = (
        name if name.endswith("cables") else "servers" if name == SERVERS else format_counted(2, name).partition(" ")[2]
    )
    return shown[:1].upper() + shown[1:]


def _roles(design: Design) -> tuple[dict[str, str], dict[str, int]]:
    """The role of each device, and the tier of each role."""
    surveyed = survey(design)
    roles = {one.id: SERVERS for one in surveyed.servers} | {one.id: surveyed.role[one.id] for one in design.switches()}
    heights: dict[str, int] = {}
    for one in design.switches():
        heights[roles[one.id]] = max(heights.get(roles[one.id], 0), surveyed.tier.get(one.id, UNKNOWN_TIER))
    return roles, heights


def _bars(step: PhaseStep, roles: Mapping[str, str], before: Mapping[str, str]) -> dict[str, GrowthBar]:
    found: dict[str, Counter[str]] = {}
    for device in step.design.devices.values():
        is_new = device.id not in before
        found.setdefault(roles[device.id], Counter())["new" if is_new else "kept"] += 1
    for device_id in before.keys() - step.design.devices.keys():
        found.setdefault(before[device_id], Counter())["removed"] += 1
    both = {**before, **roles}
    for change in step.order.changes:
        part = _PARTS.get(change.action)
        if part is not None and not change.is_of_transceivers and not change.is_of_name:
            found.setdefault(_kind(change.cable, both), Counter())[part] += 1
    for kind, count in _all_cables(step, both).items():
        counts = found.setdefault(kind, Counter())
        counts["kept"] = count - counts["new"] - counts["moved"]
    return {name: GrowthBar(n["kept"], n["moved"], n["new"], n["removed"]) for name, n in found.items()}


def _kind(cable: PlannedCable, roles: Mapping[str, str]) -> str:
    low, high = (end.plugs[0].device_id for end in cable.ends)
    return f"{roles.get(low, '?')} to {roles.get(high, '?')} cables"


def _all_cables(step: PhaseStep, roles: Mapping[str, str]) -> Counter[str]:
    return Counter(_kind(cable, roles) for cable in step.cables)


def _lines(step: PhaseStep) -> tuple[str, ...]:
    """What a phase takes, in few words."""
    money = ["cost not known"]
    if step.capital is not None:
        least = "at least " if step.capital.is_least else ""
        money = [f"{least}{amount:,.0f} {currency}" for currency, amount in step.capital.sums]
    missing = f"{format_count(step.n_unpriced)} pieces without a price" if step.n_unpriced and step.capital else ""
    power = f"{'power ' if step.costing.power_w is None else ''}{step.costing.power_text}"
    off = step.count(DISMOUNT)
    devices = [f"{format_count(step.count(INSTALL))} devices installed"]
    devices += [f"{format_count(off)} switched off"] if off else []
    work = step.time_text if step.minutes is not None else "time not known"
    tiers = f"{step.tiers_before} to {step.tiers} switch tiers" if step.is_new_tier else ""
    gpus = format_counted(step.gpus, "GPU")
    said = (f"{gpus}, {power}", tiers, ", ".join(devices), *money, missing, f"work: {work}")
    return tuple(text[:1].upper() + text[1:] for text in said if text)

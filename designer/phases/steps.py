"""What each phase takes: parts to buy, devices to install and remove, cables to unplug and pull, time and money."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from designer.analysis.billing.amounts import Amounts
from designer.analysis.billing.bill import bill_of
from designer.analysis.billing.costing import Costing, gpus_of
from designer.analysis.billing.kinds import KINDS
from designer.analysis.billing.lines import BillLine
from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import NO_PRICES, PriceList, sums
from designer.analysis.billing.terms import NO_TERMS, CostTerms
from designer.analysis.optical_parts import parts_known
from designer.analysis.survey import survey
from designer.analysis.tiers import server_word
from designer.exchange.cable_plan import cable_rows
from designer.exchange.plans.change_order import MOVE, REMOVE, SWAP, Change, ChangeOrder, change_order
from designer.exchange.plans.snapshot import PlannedCable, PlanSnapshot, snapshot_of
from designer.model.design import Design
from designer.model.entities import Device
from designer.model.hardware.types import HardwareType
from designer.phases.request import ACTIONS, DISMOUNT, INSTALL, NO_TIMES, RELOCATE, Phase, WorkTimes
from designer.tables.columns import Column, Columns
from designer.units import format_count, format_counted

NO_PLAN = PlanSnapshot((), {})
UNPLUGS = (REMOVE, SWAP, MOVE)
NOT_KNOWN = "not known"
MINUTES_PER_HOUR = 60


def _money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _hours(minutes: float) -> str:
    """ "12.5 h"."""
    return f"{minutes / MINUTES_PER_HOUR:,.1f} h"


def _of_cables(action: str) -> Column:
    return Column(action, f"{action.capitalize()} cables", lambda step: step.count(action), right=True)


@dataclass(frozen=True, slots=True)
class PartNeed:
    """A part in a phase: how many the design has then, how many are owned before, what is bought, what is left."""

    kind: str
    name: str
    need: int
    owned: int
    price: Price | None

    @property
    def bought(self) -> int:
        """What is needed beyond what is owned."""
        return max(0, self.need - self.owned)

    @property
    def spare(self) -> int:
        """What is owned and not used in this phase."""
        return max(0, self.owned - self.need)

    @property
    def cost(self) -> Decimal | None:
        """What the bought ones cost; None where no price is known."""
        return None if self.price is None else self.price.of(self.bought)

    COLUMNS: ClassVar[Columns] = (
        Column("kind", "Kind", lambda row: KINDS[row.kind]),
        Column("name", "Part"),
        Column("need", "In use", right=True),
        Column("owned", "Owned before", right=True),
        Column("bought", "Buy", right=True),
        Column("spare", "Left over", right=True, tip="Owned, and not used in this phase."),
        Column("unit_price", "Unit price", lambda row: row.price and row.price.amount, _money, right=True),
        Column("currency", "Currency", lambda row: row.price.currency if row.price else ""),
        Column("cost", "Cost", text=_money, right=True, empty=NOT_KNOWN),
    )


@dataclass(frozen=True, slots=True)
class DeviceStep:
    """What becomes of a device in a phase."""

    action: str
    """"install", "dismount", "relocate", or "unplugged" where it stays and cables of it are taken out or moved."""
    name: str
    type: str
    place: str
    cables: int = 0

    COLUMNS: ClassVar[Columns] = (
        Column("action", "Action"),
        Column("name", "Device"),
        Column("type", "Type"),
        Column("place", "Place"),
        Column("cables", "Cables unplugged", right=True),
    )


UNPLUGGED = "unplugged"


@dataclass(frozen=True, slots=True)
class PhaseStep:
    """A phase, and all that leads from the one before to it."""

    number: int
    name: str
    design: Design
    switches: Mapping[str, int]
    """By role, lowest tier first."""
    tiers: int
    tiers_before: int
    parts: tuple[PartNeed, ...]
    devices: tuple[DeviceStep, ...]
    order: ChangeOrder
    costing: Costing
    times: WorkTimes
    cables: tuple[PlannedCable, ...]
    """All that are there at the end of the phase."""

    @property
    def servers(self) -> int:
        """How many there are at the end of the phase."""
        return sum(1 for _ in self.design.servers())

    @property
    def gpus(self) -> int:
        """How many there are at the end of the phase."""
        return self.costing.gpus

    def count(self, action: str) -> int:
        """How often something is done in the phase, with cables or with devices."""
        if action in (INSTALL, RELOCATE, DISMOUNT, UNPLUGGED):
            return sum(one.action == action for one in self.devices)
        return self.order.counts[action]

    @property
    def is_new_tier(self) -> bool:
        """Whether the fabric gets another number of tiers."""
        return bool(self.tiers_before) and self.tiers != self.tiers_before

    @property
    def renamed(self) -> str:
        """ "64 devices" that stay under another name: nobody states how long their new labels take. "" for none."""
        names = Counter(one.ends for one in self.order.changes if one.is_of_name)
        return " and ".join(format_counted(count, what) for what, count in names.items())

    @property
    def unplugged(self) -> tuple[Change, ...]:
        """Cables that were there and are moved, swapped or taken out, with both ends before and after."""
        return tuple(one for one in self.order.changes if one.action in UNPLUGS and not one.is_of_transceivers)

    @property
    def capital(self) -> Amounts | None:
        """What is bought in the phase costs; None where none of it has a price."""
        bought = [one for one in self.parts if one.bought]
        known = [(one.price.currency, one.price.of(one.bought)) for one in bought if one.price is not None]
        if bought and not known:
            return None
        return self.costing.terms.converted(Amounts(sums(known), len(known) < len(bought)))

    @property
    def n_unpriced(self) -> int:
        """Pieces that are bought in the phase and have no price."""
        return sum(one.bought for one in self.parts if one.price is None)

    @property
    def work_minutes(self) -> float | None:
        """How long the work takes one person; None where the minutes of a piece of it are not stated."""
        if self.times_missing:
            return None
        return sum((self.times.minutes_of(one) or 0.0) * self.count(one) for one in ACTIONS)

    @property
    def minutes(self) -> float | None:
        """How long the work takes all people together; None where the minutes of a piece of it are not stated."""
        whole = self.work_minutes
        return None if whole is None else whole / self.times.crew

    @property
    def times_missing(self) -> tuple[str, ...]:
        """Work that is to be done, and whose minutes are not stated."""
        return tuple(one for one in ACTIONS if self.count(one) and self.times.minutes_of(one) is None)

    @property
    def time_text(self) -> str:
        """ "12.5 h", "129.1 h, 32.3 h for 4 people", "not known: minutes to pull, install"."""
        if self.work_minutes is None or self.minutes is None:
            return f"{NOT_KNOWN}: minutes to {', '.join(self.times_missing)}"
        crew = self.times.crew
        return _hours(self.work_minutes) + (f", {_hours(self.minutes)} for {crew} people" if crew > 1 else "")

    @property
    def sentence(self) -> str:
        """What the phase is about, in a line or two."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        roles = ", ".join(format_counted(count, role) for role, count in self.switches.items())
        gpus = f" with {format_counted(self.gpus, 'GPU')}" if self.gpus else ""
        yield f"{format_counted(self.servers, server_word(self.design))}{gpus}; {roles or 'no switches'}."
        if self.is_new_tier:
            yield f"The fabric goes from {self.tiers_before} to {self.tiers} switch tiers."
        yield f"{self.order.summary}."
        staying = self.count(UNPLUGGED)
        if staying:
            verb = "has" if staying == 1 else "have"
            yield f"{format_counted(staying, 'device')} that stay{'s' if staying == 1 else ''} {verb} cables unplugged."
        if self.times_missing and self.times != NO_TIMES:
            yield f"The time is {self.time_text} are not stated."
        elif self.work_minutes is not None and self.work_minutes:
            yield f"Work {self.time_text}."
            if self.renamed:
                yield f"Relabeling {self.renamed} is not counted."

    COLUMNS: ClassVar[Columns] = (
        Column("number", "Phase", right=True),
        Column("name", "Name"),
        Column("servers", "Servers", right=True),
        Column("gpus", "GPUs", right=True),
        Column("switches", "Switches", lambda step: sum(step.switches.values()), right=True),
        Column("tiers", "Tiers", right=True),
        Column("install", "Install", lambda step: step.count(INSTALL), right=True, tip="Devices that are new."),
        Column("dismount", "Switch off", lambda step: step.count(DISMOUNT), right=True, tip="Devices taken out."),
        Column("relocate", "Relocate", lambda step: step.count(RELOCATE), right=True),
        Column(
            UNPLUGGED,
            "Unplugged",
            lambda step: step.count(UNPLUGGED),
            right=True,
            tip="Devices that stay, and have cables moved or taken out.",
        ),
        *map(_of_cables, ("pull", "move", "swap", "remove")),
        Column("kept", "Cables kept", "order.n_untouched", right=True),
        Column("capital", "Cost", text=lambda one: one.text, right=True, empty=NOT_KNOWN),
        Column("n_unpriced", "Without price", right=True, tip="Pieces to buy that have no price."),
        Column("power_kw", "Power", "costing.power_text", right=True, order=lambda step: step.costing.power_w or 0.0),
        Column(
            "work",
            "Work",
            "work_minutes",
            _hours,
            right=True,
            empty=NOT_KNOWN,
            sheet="work (min)",
            tip="Of one person.",
        ),
        Column(
            "time",
            "Time",
            "minutes",
            _hours,
            right=True,
            empty=NOT_KNOWN,
            sheet="time (min)",
            tip="The work divided by the people who do it at the same time.",
        ),
    )

    @property
    def json(self) -> dict[str, Any]:
        """As JSON has it: null is what is not known."""
        return {
            "number": self.number,
            "name": self.name,
            "servers": self.servers,
            "gpus": self.gpus,
            "switches": dict(self.switches),
            "tiers": self.tiers,
            "cables": {**self.order.counts, "untouched": self.order.n_untouched},
            "devices": {one: self.count(one) for one in (INSTALL, RELOCATE, DISMOUNT, UNPLUGGED)},
            "unplugged": [_cable_json(one) for one in self.unplugged],
            "capital": None if self.capital is None else self.capital.json,
            "pieces_without_price": self.n_unpriced,
            "power_w": self.costing.power_w,
            "devices_without_power": self.costing.draw.n_unknown,
            "work_minutes": self.work_minutes,
            "minutes": self.minutes,
            "minutes_not_stated": list(self.times_missing),
            "buy": [
                {"kind": one.kind, "part": one.name, "bought": one.bought, "in_use": one.need, "left_over": one.spare}
                | {"cost": None if one.cost is None else float(one.cost), "currency": one.price and one.price.currency}
                for one in self.parts
                if one.bought or one.spare
            ],
            "summary": self.sentence,
        }


def _cable_json(change: Change) -> dict[str, Any]:
    ends = {}
    for when, cable in (("before", change.before), ("after", change.after)):
        plugs = None if cable is None else [f"{one.device} {one.port}" for one in cable.ends]
        ends[when] = plugs
    return {"cable": change.number or None, "action": change.action, **ends}


def phase_steps(
    phases: Sequence[Phase],
    types: Mapping[str, HardwareType],
    prices: PriceList = NO_PRICES,
    terms: CostTerms = NO_TERMS,
    times: WorkTimes = NO_TIMES,
) -> tuple[PhaseStep, ...]:
    """The steps of a plan, the first from nothing. What a phase leaves over is used again in a later one."""
    owned: Counter[tuple[str, str]] = Counter()
    found: list[PhaseStep] = []
    before, plan = Design(), NO_PLAN
    for number, phase in enumerate(phases, start=1):
        design = phase.design
        bill = bill_of(design, types, terms.discounted(prices))
        parts = tuple(_needs(bill.lines, owned))
        owned = Counter({(one.kind, one.name): max(one.need, one.owned) for one in parts})
        rows = cable_rows(design, parts=parts_known(design, types))
        now = snapshot_of(design, rows)
        order = change_order(plan, now)
        switches, tiers = _tiers(design)
        found.append(
            PhaseStep(
                number=number,
                name=phase.name,
                design=design,
                switches=switches,
                tiers=tiers,
                tiers_before=found[-1].tiers if found else 0,
                parts=parts,
                devices=tuple(_devices(before, design, order)),
                order=order,
                costing=Costing(bill, terms, gpus_of(design)),
                times=times,
                cables=now.cables,
            )
        )
        before, plan = design, now
    return tuple(found)


def _tiers(design: Design) -> tuple[dict[str, int], int]:
    surveyed = survey(design)
    order = sorted(surveyed.switches, key=lambda one: surveyed.tier.get(one.id, 1_000))
    roles = Counter(surveyed.role[one.id] for one in order)
    return dict(roles), len({surveyed.tier[one.id] for one in order if one.id in surveyed.tier})


def _needs(lines: Sequence[BillLine], owned: Mapping[tuple[str, str], int]) -> Iterator[PartNeed]:
    """The parts of a phase in the order of the bill, then what is owned and no longer used."""
    need: Counter[tuple[str, str]] = Counter()
    prices: dict[tuple[str, str], Price | None] = {}
    for line in lines:
        if line.to_order:
            key = line.item.kind, _part_name(line)
            need[key] += line.to_order
            prices[key] = line.price
    for key, count in need.items():
        yield PartNeed(*key, count, owned.get(key, 0), prices[key])
    for key, count in owned.items():
        if key not in need:
            yield PartNeed(*key, 0, count, None)


def _part_name(line: BillLine) -> str:
    item = line.item
    length = "" if item.order_m is None else f"{item.order_m:g} m"
    return ", ".join(filter(None, (item.part_number, item.model or item.description, length)))


def _devices(before: Design, after: Design, order: ChangeOrder) -> Iterator[DeviceStep]:
    """What becomes of devices: installed, dismounted, relocated, or unplugged where they stay."""
    lost: Counter[str] = Counter()
    for change in order.changes:
        if change.action in UNPLUGS and change.before is not None:
            lost.update({plug.device_id for end in change.before.ends for plug in end.plugs})
    for one in after.devices.values():
        if one.id not in before.devices:
            yield _step(INSTALL, after, one)
        elif _place(before, one.id) != _place(after, one.id):
            yield _step(RELOCATE, after, one, lost[one.id])
        elif lost[one.id]:
            yield _step(UNPLUGGED, after, one, lost[one.id])
    for one in before.devices.values():
        if one.id not in after.devices:
            yield _step(DISMOUNT, before, one, lost[one.id])


def _step(action: str, design: Design, device: Device, cables: int = 0) -> DeviceStep:
    return DeviceStep(action, device.name, design.device_type(device.id).model, _place(design, device.id), cables)


def _place(design: Design, device_id: str) -> str:
    """ "A01 U40"; "" for a device in no rack."""
    placement = design.placements.get(device_id)
    if placement is None or placement.rack_id is None:
        return ""
    return f"{design.racks[placement.rack_id].name} U{format_count(placement.unit or 0)}"

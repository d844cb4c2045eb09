"""A bill that is kept up to date while a design is edited: an edit costs what it touches, not what there is.

Quantities are those of the whole bill; networks, lengths and notes about where parts are stay out, as no price needs
them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from designer.analysis.billing.costing import Costing
from designer.analysis.billing.items import (
    Fact,
    Item,
    Tally,
    equipment_item,
    in_order_of_kinds,
    link_item,
    module_fact,
    passive_item,
    piece_fact,
)
from designer.analysis.billing.kinds import TRANSCEIVER
from designer.analysis.billing.lines import priced
from designer.analysis.billing.passive import Place, circuit_lines, fan_out_lines, shared_places
from designer.analysis.billing.prices import PriceList
from designer.analysis.billing.terms import NO_TERMS, CostTerms
from designer.analysis.equipment import RunningEquipment
from designer.analysis.optical_parts import cage_facts, parts_known
from designer.analysis.parts import (
    FIBRE,
    Piece,
    UsedCage,
    cable_key,
    cage_place,
    form_is_assumed,
    has_transceivers,
    medium_of,
    piece_alone,
    with_run,
)
from designer.analysis.power import Power, power_of
from designer.analysis.survey import Run, run_of, survey
from designer.model.circuits import circuit_switch
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Link, Module, order_key
from designer.model.hardware.servers import ServerType
from designer.model.hardware.types import HardwareType

MOST_LINKS = 2_000
"""Links that an edit may touch to be followed; an edit that touches more is counted from the start, in a worker."""

Group = object
"""What the links of a cable have in common; of a link alone its id."""


class RunningBill:
    """The items of a design of one revision, and of the next ones as long as `follow` says so."""

    def __init__(self, design: Design, types: Mapping[str, HardwareType]) -> None:
        self._design, self._types = design, types
        self._optical = parts_known(design, types)
        self._equipment = RunningEquipment(design)
        self._runs: dict[str, Run] = {}
        self._at: dict[Place, set[str]] = {}
        """Links by the cages at their ends."""
        self._group_of: dict[str, Group] = {}
        self._members: dict[Group, set[str]] = {}
        self._in_group: dict[Group, list[int]] = {}
        """The numbers of the facts that a group of links comes to."""
        self._in_cage: dict[Place, int] = {}
        self._circuits: Counter[str] = Counter()
        self._far: dict[Place, Counter[str]] = {}
        self._shared_by: dict[str, list[tuple[Place, str]]] = {}
        self._facts: list[tuple[str, Fact]] = []
        self._number_of: dict[object, int] = {}
        self._quantities: Counter[int] = Counter()
        self._add(survey(design).runs)

    def follow(self, design: Design, edit: Edit) -> bool:
        """Take in an edit that the design has; False where everything has to be counted again."""
        changes = edit.others
        if any(type(change.subject).__name__.endswith("Type") for change in changes) or self._optical.assumed:
            return False
        self._design = design
        touched = self._touched(edit)
        if len(touched) > MOST_LINKS or any(self._is_open(one) for one in touched):
            return False
        self._equipment.follow(design, edit)
        self._remove(touched)
        self._add([run_of(design, design.links[one], {}) for one in touched if one in design.links])
        return True

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the bill, without where they are."""
        return in_order_of_kinds(self._items())

    @property
    def power(self) -> Power:
        """As `analysis.power` has it."""
        return power_of(self._equipment.counted)

    @property
    def gpus(self) -> int:
        """How many GPUs the servers have."""
        counted = self._equipment.counted
        return sum(one.type.stated_gpus * one.count for one in counted if isinstance(one.type, ServerType))

    def _items(self) -> Iterator[Item]:
        for one in self._equipment.counted:
            yield equipment_item(one)
        for number, quantity in self._quantities.items():
            if quantity:
                kind, fact = self._facts[number]
                tally = Tally()
                tally.quantity = quantity
                yield link_item(kind, fact, tally, self._optical)
        shared = Counter((len(far), place[2]) for place, far in self._far.items() if len(far) > 1)
        for line in (*circuit_lines(+self._circuits, set()), *fan_out_lines(shared, set())):
            yield passive_item(line)

    # -- what an edit touches -----------------------------------------------------------------------------------------

    def _touched(self, edit: Edit) -> dict[str, None]:
        """Ids of links that an edit may have changed: themselves, or the ports at their ends."""
        found: dict[str, None] = {}
        for change in edit.others:
            one = change.subject
            if isinstance(one, Link):
                found[one.id] = None
            elif isinstance(one, Device | Module):
                device_id = one.id if isinstance(one, Device) else one.device_id
                if device_id in self._design.devices:
                    found.update((link.id, None) for link in self._design.links_of(device_id))
        return found

    def _is_open(self, link_id: str) -> bool:
        """Whether a link ends at a port whose form factor is assumed: the assumption may be another now."""
        runs = [self._runs[link_id]] if link_id in self._runs else []
        if link_id in self._design.links:
            runs.append(run_of(self._design, self._design.links[link_id], {}))
        media = ((run, medium_of(self._design, run.link)) for run in runs)
        chosen = [run for run, medium in media if medium is not None and not medium.is_built_in]
        return any(form_is_assumed(port) for run in chosen for port in (run.low_port, run.high_port))

    # -- links --------------------------------------------------------------------------------------------------------

    def _add(self, runs: Sequence[Run]) -> None:
        groups, places = dict[Group, None](), dict[Place, None]()
        for run in runs:
            link_id = run.link.id
            self._runs[link_id] = run
            self._count_passive(run, 1)
            if run.low_port is None or run.high_port is None:
                continue
            group = self._group(run)
            self._group_of[link_id] = group
            self._members.setdefault(group, set()).add(link_id)
            groups[group] = None
            for place in _cages(run):
                self._at.setdefault(place, set()).add(link_id)
                places[place] = None
        self._count_groups(groups)
        self._count_cages(places)

    def _remove(self, link_ids: Mapping[str, None]) -> None:
        groups, places = dict[Group, None](), dict[Place, None]()
        for link_id in link_ids:
            run = self._runs.pop(link_id, None)
            if run is None:
                continue
            self._count_passive(run, -1)
            group = self._group_of.pop(link_id, None)
            if group is None:
                continue
            self._members[group].discard(link_id)
            groups[group] = None
            for place in _cages(run):
                self._at[place].discard(link_id)
                places[place] = None
        self._count_groups(groups)
        self._count_cages(places)

    def _group(self, run: Run) -> Group:
        medium = medium_of(self._design, run.link)
        if medium is None or piece_alone(run, medium) is not None or medium.links < 2:
            return run.link.id
        return cable_key(run, medium)

    def _count_groups(self, groups: Mapping[Group, None]) -> None:
        for group in groups:
            for number in self._in_group.pop(group, ()):
                self._quantities[number] -= 1
            members = self._members[group]
            if not members:
                del self._members[group]
                continue
            numbers = [self._piece_number(piece) for piece in self._pieces(members) for _ in range(piece.count)]
            self._in_group[group] = numbers
            self._quantities.update(numbers)

    def _pieces(self, members: set[str]) -> list[Piece]:
        runs = [self._runs[one] for one in sorted(members, key=order_key)]
        medium = medium_of(self._design, runs[0].link)
        alone = piece_alone(runs[0], medium)
        if alone is not None:
            return [alone]
        assert medium is not None, "what is in a cable has one"
        found = []
        for first in range(0, len(runs), max(1, medium.links)):
            piece = None
            for run in runs[first : first + max(1, medium.links)]:
                piece = with_run(piece, run, medium)
            found += [piece] if piece is not None else []
        return found

    def _piece_number(self, piece: Piece) -> int:
        key = (piece.kind, piece.medium and piece.medium.id, piece.length_m, piece.is_ordered)
        if key not in self._number_of:
            self._number_of[key] = self._fact_number(*piece_fact(piece, self._optical))
        return self._number_of[key]

    def _fact_number(self, kind: str, fact: Fact) -> int:
        medium, part, length_m, description, gap = fact
        key = (kind, medium and medium.id, part, length_m, description, gap)
        number = self._number_of.get(key)
        if number is None:
            number = self._number_of[key] = len(self._facts)
            self._facts.append((kind, fact))
        return number

    # -- cages --------------------------------------------------------------------------------------------------------

    def _count_cages(self, places: Mapping[Place, None]) -> None:
        for place in places:
            number = self._in_cage.pop(place, None)
            if number is not None:
                self._quantities[number] -= 1
            cage = self._cage(place)
            if cage is not None and cage.is_optical and cage.is_ordered:
                number = self._module_number(cage)
                self._in_cage[place] = number
                self._quantities[number] += 1

    def _cage(self, place: Place) -> UsedCage | None:
        """What is in a cage: of the first optical link, or else of the first."""
        links = self._at[place]
        if not links:
            del self._at[place]
            return None
        first: UsedCage | None = None
        for link_id in sorted(links, key=order_key) if len(links) > 1 else links:
            run = self._runs[link_id]
            medium = medium_of(self._design, run.link)
            alone = piece_alone(run, medium)
            through_optics = alone is not None and alone.kind == FIBRE
            is_low = cage_place(run.low, run.low_port) == place[:2]
            port, far = (run.low_port, run.high_port) if is_low else (run.high_port, run.low_port)
            assert port is not None, "both ports exist"
            is_ordered = has_transceivers(run.link, medium)
            found = UsedCage(
                port, medium, run.link.length_m, run.network, False, through_optics, far, is_ordered=is_ordered
            )
            if through_optics:
                return found
            first = first or found
        return first

    def _module_number(self, cage: UsedCage) -> int:
        key = (cage.medium and cage.medium.id, cage.length_m, cage_facts(cage.port), cage.far and cage_facts(cage.far))
        if key not in self._number_of:
            fact = module_fact(cage, self._optical)
            self._number_of[key] = self._fact_number(TRANSCEIVER, fact)
        return self._number_of[key]

    # -- between the ends ---------------------------------------------------------------------------------------------

    def _count_passive(self, run: Run, by: int) -> None:
        if name := circuit_switch(run.link):
            self._circuits[name] += by
        if by > 0 and medium_of(self._design, run.link) is None:
            servers = [end.device_id for end in (run.low, run.high) if self._design.is_server(end.device_id)]
            self._shared_by[run.link.id] = list(shared_places(run, servers))
        for place, device_id in self._shared_by.get(run.link.id, ()):
            far = self._far.setdefault(place, Counter())
            far[device_id] += by
            if not far[device_id]:
                del far[device_id]
        if by < 0:
            self._shared_by.pop(run.link.id, None)


def costing_of_running(running: RunningBill, prices: PriceList, terms: CostTerms | None = None) -> Costing:
    """What the design costs at the revision that the bill is of, without spares."""
    stated = terms or NO_TERMS
    made = priced(running.items, running.power, stated.discounted(prices))
    return Costing(made, stated, running.gpus)


def _cages(run: Run) -> Iterator[Place]:
    for end, port in ((run.low, run.low_port), (run.high, run.high_port)):
        yield (*cage_place(end, port), True)

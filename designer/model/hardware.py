"""Device types: what can be bought. Facts come from the catalog and travel inside the design."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from designer.units import parse_size

# A figure that no public source states is None, never a guess.

LENGTH_TOLERANCE_M = 1e-6
# Lengths that differ by less are one.

MOST_GPUS_IN_A_CHASSIS = 16
# More than in any one chassis of the catalog: a system of more is a rack of trays.

MANAGEMENT = "management"
"""Purpose of the ports that join the out-of-band network."""

NVLINK = "nvlink"
"""Protocol of ports of a scale-up domain whose switches are devices of the design."""

FRONT_TO_REAR, REAR_TO_FRONT = "front-to-rear", "rear-to-front"
AIRFLOWS = ("", FRONT_TO_REAR, REAR_TO_FRONT)
"""Where air goes in and out of a device; the front of a switch is where its ports are. "" where nobody states it, and
where a type is sold both ways."""

TWINAX_KINDS = tuple(f"{kind}{split}" for kind in ("DAC", "ACC", "LACC", "AEC") for split in ("", " splitter"))
"""Kinds of medium that are copper in pairs of coaxial conductors, straight and split."""


@dataclass(frozen=True, slots=True)
class CageGroup:
    """A run of like cages; cages are numbered from 1 through all groups of a type."""

    count: int
    form_factor: str
    heat_sink: str = ""
    """"finned", "flat-top" or "" where the shell does not matter."""
    max_module_w: float | None = None
    slot: str = ""
    """The slot of a chassis whose line card has these cages."""
    card: str = ""
    """The line card's model."""


@dataclass(frozen=True, slots=True)
class PortMode:
    """How the cages of a switch or NIC are split into logical ports.

    `port_name` is a template over `cage` and `lane` (from 1), `lane0` (from 0) and `port` (running number from 1), and
    of a chassis over `slot` and `socket` (the cage's number on its line card, from 1).
    """

    name: str
    ports_per_cage: int
    rate_gbps: float
    port_name: str = "{port}"
    protocols: tuple[str, ...] = ()
    """What the ports speak in this mode, where it is not all that the type speaks."""


@dataclass(frozen=True, slots=True)
class ManagementPort:
    """A port by which a switch is managed, in addition to the ports of its cages."""

    name: str
    form_factor: str = "RJ45"
    rate_gbps: float = 1


@dataclass(frozen=True, slots=True)
class SwitchType:
    """A switch model. `modes[0]` is the mode it is delivered in.

    A chassis has slots for line cards; its cages and modes are those of the cards it is delivered with, and a device of
    it has the ports of the cards it holds. Without slots, groups of cages may still say on which card they are.
    """

    id: str
    vendor: str
    model: str
    protocols: tuple[str, ...]
    cages: tuple[CageGroup, ...]
    modes: tuple[PortMode, ...]
    rack_units: float | None = None
    capacity_tbps: float | None = None
    """Sum of the port rates, one direction."""
    latency_ns: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    weight_kg: float | None = None
    depth_mm: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    slots: tuple["Slot", ...] = ()
    """Slots for line cards, in the order in which their ports are counted."""
    part_number: str = ""
    management_ports: tuple[ManagementPort, ...] = ()
    """Those that sources state; they join the out-of-band network and are in no mode."""
    airflow: str = ""
    """One of AIRFLOWS."""

    @property
    def n_cages(self) -> int:
        """Cages as delivered."""
        return sum(group.count for group in self.cages)

    @property
    def fills_rack(self) -> bool:
        """Whether it is taken for a rack by itself: a chassis of line cards where no height is stated."""
        return self.rack_units is None and any(cages.slot for cages in self.cages)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a NIC in a server, or for a line card in a chassis.

    `gpu` is the local index (from 0) of the GPU the NIC serves: its rail; None serves all.
    `cage` is the chassis cage its link leaves through where several NICs share one (DGX H100: four twin-port cages).
    """

    name: str
    gpu: int | None = None
    purpose: str = "fabric"
    """"fabric" (compute), "storage", "in-band", "north-south" or "management" (out-of-band)."""
    nic_type_id: str = ""
    """The NIC as delivered; "" where the slot is delivered empty."""
    cage: int | None = None
    form_factor: str = ""
    """The chassis cage's form factor where it differs from the NIC's own."""
    heat_sink: str = ""
    network_nic_type_id: str = ""
    """The NIC stated for a slot of another network: it is put in where that network is built; "" where none is."""
    port_purposes: tuple[str, ...] = ()
    """What the NIC's ports are for, one after the other, where they are not all for `purpose`."""
    card_type_id: str = ""
    """The line card as delivered, in a slot of a chassis; "" where the slot is delivered empty."""
    lane: int | None = None
    """Which link of its chassis cage the NIC has, from 1; None where no source states it: then slots go in order."""
    label: str = ""
    """What the chassis prints at the port, as "OSFP4P2"; of a NIC with several ports, before " P1", " P2"."""

    @property
    def module_type_id(self) -> str:
        """The NIC or line card as delivered; "" where the slot is delivered empty."""
        return self.nic_type_id or self.card_type_id

    @property
    def purposes(self) -> frozenset[str]:
        """Everything that ports of the slot are for."""
        return frozenset((*self.port_purposes, self.purpose))

    def purpose_of_port(self, number: int) -> str:
        """What port `number` (from 0) of its NIC is for."""
        return self.port_purposes[number] if number < len(self.port_purposes) else self.purpose


@dataclass(frozen=True, slots=True)
class ScaleUp:
    """The scale-up domain of a server: every GPU joined to one crossbar (NVLink + NVSwitch), or to every other GPU.

    GPUs are joined pairwise, as Gaudi's and MI300X's are, where `gbytes_per_s_per_pair` is given.
    """

    name: str
    gbytes_per_s_per_gpu: float
    """One direction: half of the bidirectional sum that data sheets print."""
    latency_ns: float | None = None
    gbytes_per_s_per_pair: float | None = None
    """What the links between two GPUs carry, one direction."""


@dataclass(frozen=True, slots=True)
class ServerType:
    """A server model with GPUs (or one endpoint, for the generic host) and NIC slots."""

    id: str
    vendor: str
    model: str
    gpus: int
    gpu_model: str = ""
    slots: tuple[Slot, ...] = ()
    scale_up: ScaleUp | None = None
    rack_units: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    weight_kg: float | None = None
    depth_mm: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    trays: int = 1
    """Compute trays of a rack that is one scale-up domain; rails count the NICs of one of them."""
    airflow: str = ""
    """One of AIRFLOWS."""

    @property
    def fills_rack(self) -> bool:
        """Whether it is a rack by itself, with shelves for its power, as NVL72 and Helios are."""
        return self.trays > 1 or self.gpus > MOST_GPUS_IN_A_CHASSIS

    @property
    def gpu_memory_bytes(self) -> int | None:
        """The memory in the name of the GPU's model, 80e9 for "H100 80 GB"; None where the name has none."""
        found = re.search(r"[0-9]+(\.[0-9]+)? ?GB\b", self.gpu_model)
        return parse_size(found[0]) if found is not None else None


@dataclass(frozen=True, slots=True)
class NicType:
    """A NIC module: what is installed into a server's slot.

    `ports` and `rate_gbps` are those of the mode it is delivered in: `modes[0]`, or the only one where none are stated.
    """

    id: str
    vendor: str
    model: str
    protocols: tuple[str, ...]
    ports: int
    rate_gbps: float
    form_factors: tuple[str, ...] = ()
    """The shells the adapter is sold with; the first is assumed where the chassis does not say."""
    heat_sink: str = ""
    host_interface: str = ""
    latency_ns: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    modes: tuple[PortMode, ...] = ()

    @property
    def port_modes(self) -> tuple[PortMode, ...]:
        """Every mode, the delivered one first; made of `ports` and `rate_gbps` where none are stated."""
        return self.modes or (PortMode(f"{self.ports}x{self.rate_gbps:.10g}G", 1, self.rate_gbps),)

    @property
    def n_cages(self) -> int:
        """Cages of the NIC in the mode it is delivered in, at least one."""
        return max(1, self.ports // self.port_modes[0].ports_per_cage)

    def mode(self, name: str = "") -> PortMode:
        """The mode of that name; the delivered one for "" and for a name it does not have (validation reports it)."""
        return next((mode for mode in self.port_modes if mode.name == name), self.port_modes[0])


@dataclass(frozen=True, slots=True)
class LineCardType:
    """A line card: what is installed into a slot of a chassis, with cages of its own.

    `modes[0]` is the mode it is delivered in. Names of ports hold the slot: see PortMode.
    """

    id: str
    vendor: str
    model: str
    protocols: tuple[str, ...]
    cages: tuple[CageGroup, ...]
    modes: tuple[PortMode, ...]
    form_factors: tuple[str, ...] = ()
    """The slots it fits, as "7800R4"."""
    part_number: str = ""
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    weight_kg: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def port_modes(self) -> tuple[PortMode, ...]:
        """Every mode, the delivered one first: as of a NIC."""
        return self.modes

    @property
    def n_cages(self) -> int:
        """Cages of the card, all cage groups together."""
        return sum(group.count for group in self.cages)

    def mode(self, name: str = "") -> PortMode:
        """The mode of that name; the delivered one for "" and for a name it does not have (validation reports it)."""
        return next((mode for mode in self.modes if mode.name == name), self.modes[0])


@dataclass(frozen=True, slots=True)
class RackType:
    """A rack model."""

    id: str
    vendor: str
    model: str
    units: int
    power_w: float | None = None
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    depth_mm: float | None = None
    """How deep a device in it may be."""
    max_weight_kg: float | None = None
    """What it carries."""
    feeds_w: tuple[float, ...] = ()
    """What each power feed supplies."""


@dataclass(frozen=True, slots=True)
class MediumPart:
    """What a medium is ordered as: one length of a cable, one shell of an optic."""

    number: str
    """The number it is ordered by."""
    model: str = ""
    """Its older name where it has one, as "MCP7Y00-N001"."""
    length_m: float | None = None
    shell: str = ""
    """As "OSFP flat-top", where pieces differ by their shell."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class MediumType:
    """A cable, or an optic with the fibre it takes. `links` is how many logical links one piece carries."""

    id: str
    vendor: str
    model: str
    kind: str
    """"DAC", "ACC", "LACC", "AEC" or "AOC", each also as a splitter ("DAC splitter"), "copper" (twisted pair),
    "transceiver", "fiber" or "fiber splitter"."""
    links: int
    link_gbps: float | None = None
    protocols: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    """Shells at either end, as "OSFP finned"; the first is the switch side of a splitter."""
    connector: str = ""
    fibre: str = ""
    """"MM", "SM" or "" for copper and active optical cables."""
    lengths_m: tuple[float, ...] = ()
    max_length_m: float | None = None
    fibres: int = 0
    """Fibre cables to add when the product is a transceiver."""
    end_power_w: float | None = None
    price_usd: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[MediumPart, ...] = ()
    """What it is ordered as, where that was found; lengths and shells may be missing here."""
    diameter_mm: float | None = None
    bend_radius_mm: float | None = None

    def part(self, length_m: float | None, shell: str = "") -> MediumPart | None:
        """The shortest part that is as long and has that shell ("" fits any); None where none was found."""
        fitting = [
            one
            for one in self.parts
            if (one.length_m is None or (length_m is not None and one.length_m >= length_m - LENGTH_TOLERANCE_M))
            and (not shell or not one.shell or one.shell == shell)
        ]
        return min(fitting, key=lambda one: one.length_m or 0.0, default=None)


DeviceType = SwitchType | ServerType
ModuleType = NicType | LineCardType
HardwareType = SwitchType | ServerType | NicType | LineCardType | RackType | MediumType


def module_word(type_: ModuleType) -> str:
    """ "NIC" or "line card", as a sentence calls a module of that type."""
    return "NIC" if isinstance(type_, NicType) else "line card"


@dataclass(frozen=True, slots=True)
class Port:
    """A logical port as the fabric sees it, derived from types: never stored."""

    name: str
    rate_gbps: float
    form_factor: str
    heat_sink: str
    cage: int
    lane: int
    """Which of the cage's links, from 1."""
    ports_per_cage: int
    protocols: tuple[str, ...]
    purpose: str = "fabric"
    gpu: int | None = None
    slot: str = ""
    max_module_w: float | None = None
    label: str = ""
    """What the chassis prints at it, where a source states that."""
    type_id: str = ""
    """The type that it belongs to: of the switch, or of the NIC."""


def with_delivered_cards(type_: SwitchType, types: Mapping[str, HardwareType]) -> SwitchType:
    """A chassis with the cages and modes of the line cards it is delivered with; cards not among the types are none."""
    cages: list[CageGroup] = []
    modes: dict[str, PortMode] = {}
    for slot in type_.slots:
        card = types.get(slot.card_type_id)
        if isinstance(card, LineCardType):
            cages += [replace(group, slot=slot.name, card=card.model) for group in card.cages]
            modes = {mode.name: mode for mode in card.modes} | modes
    return replace(type_, cages=tuple(cages), modes=tuple(modes.values())) if type_.slots else type_


Cards = tuple[tuple[str, LineCardType], ...]
"""Line cards by slot."""


@dataclass(frozen=True, slots=True)
class _Section:
    """A group of cages, whose modes they are, and the mode wanted of them."""

    group: CageGroup
    modes: tuple[PortMode, ...]
    wanted: str
    protocols: tuple[str, ...]
    slot: str
    """Of the chassis, as the names of ports hold it."""


def _sections(
    type_: SwitchType, mode_name: str, cards: Cards | None, card_modes: Mapping[str, str]
) -> Iterator[_Section]:
    if cards is None or not type_.slots:
        for group in type_.cages:
            yield _Section(group, type_.modes, mode_name, type_.protocols, group.slot)
        return
    held = dict(cards)
    for slot in type_.slots:
        card = held.get(slot.name)
        if card is not None:
            for group in card.cages:
                yield _Section(group, card.modes, card_modes.get(slot.name) or mode_name, card.protocols, slot.name)


def switch_ports(
    type_: SwitchType,
    mode_name: str = "",
    cage_modes: tuple[tuple[int, str], ...] = (),
    cards: Cards | None = None,
    card_modes: tuple[tuple[str, str], ...] = (),
) -> tuple[Port, ...]:
    """The logical ports of a switch in the named mode; `card_modes` override it by slot, `cage_modes` cage by cage.

    Of a chassis they are the ports of the given cards, slot by slot; of those it is delivered with where none are
    given. A mode that the type or card does not have counts as the delivered one (validation reports it).
    """
    overrides = dict(cage_modes)
    ports: list[Port] = []
    sockets: dict[str, int] = {}
    cage = 0
    for section in _sections(type_, mode_name, cards, dict(card_modes)):
        group, modes = section.group, {mode.name: mode for mode in section.modes}
        for _ in range(group.count):
            cage += 1
            mode = modes.get(overrides.get(cage, section.wanted), section.modes[0])
            socket = sockets[section.slot] = sockets.get(section.slot, 0) + 1
            for lane in range(1, mode.ports_per_cage + 1):
                name = mode.port_name.format(
                    cage=cage, lane=lane, lane0=lane - 1, port=len(ports) + 1, slot=section.slot, socket=socket
                )
                ports.append(
                    Port(
                        name,
                        mode.rate_gbps,
                        group.form_factor,
                        group.heat_sink,
                        cage,
                        lane,
                        mode.ports_per_cage,
                        mode.protocols or section.protocols,
                        slot=section.slot if type_.slots else "",
                        max_module_w=group.max_module_w,
                        type_id=type_.id,
                    )
                )
    return tuple(ports)


def server_ports(
    type_: ServerType, installed: tuple[tuple[str, NicType], ...], nic_modes: tuple[tuple[str, str], ...] = ()
) -> tuple[Port, ...]:
    """The logical ports of a server whose slots hold the given NICs, in slot order; `nic_modes` are modes by slot.

    A NIC with one port lends the port its slot's name; with several, they are "slot/1", "slot/2", ... as the mode
    names them. Slots without a mode, and modes the NIC does not have, count as the delivered mode.
    """
    nics, chosen = dict(installed), dict(nic_modes)
    shared: dict[int, int] = {}
    for slot in type_.slots:
        if slot.cage is not None and slot.name in nics:
            nic = nics[slot.name]
            shared[slot.cage] = shared.get(slot.cage, 0) + nic_port_count(nic, chosen.get(slot.name, ""))
    ports: list[Port] = []
    seen: dict[int, int] = {}
    next_cage = max((slot.cage or 0 for slot in type_.slots), default=0)
    for slot in type_.slots:
        found = nics.get(slot.name)
        if found is None:
            continue
        mode = found.mode(chosen.get(slot.name, ""))
        n_ports = found.n_cages * mode.ports_per_cage
        form_factor = slot.form_factor or (found.form_factors[0] if found.form_factors else "")
        for number in range(n_ports):
            own_cage, lane0 = divmod(number, mode.ports_per_cage)
            if slot.cage is None:
                next_cage += lane0 == 0
                cage, lane, width = next_cage, lane0 + 1, mode.ports_per_cage
            else:
                cage = slot.cage
                seen[cage] = seen.get(cage, 0) + 1
                lane = seen[cage] if slot.lane is None else slot.lane + number
                width = shared[cage]
            name = mode.port_name.format(
                cage=own_cage + 1, lane=lane0 + 1, lane0=lane0, port=number + 1, slot=slot.name, socket=own_cage + 1
            )
            ports.append(
                Port(
                    slot.name if n_ports == 1 else f"{slot.name}/{name}",
                    mode.rate_gbps,
                    form_factor,
                    slot.heat_sink or found.heat_sink,
                    cage,
                    lane,
                    width,
                    mode.protocols or found.protocols,
                    slot.purpose_of_port(number),
                    slot.gpu,
                    slot.name,
                    label=slot.label if n_ports == 1 or not slot.label else f"{slot.label} P{number + 1}",
                    type_id=found.id,
                )
            )
    return tuple(ports)


def management_ports(type_: SwitchType, n_cages: int) -> tuple[Port, ...]:
    """The ports by which a switch is managed, each counted as a cage of its own after the `n_cages` it has."""
    return tuple(
        Port(one.name, one.rate_gbps, one.form_factor, "", n_cages + number, 1, 1, ("ethernet",), MANAGEMENT)
        for number, one in enumerate(type_.management_ports, start=1)
    )


def nic_port_count(nic: NicType, mode_name: str = "") -> int:
    """Logical ports of a NIC in a mode."""
    return nic.n_cages * nic.mode(mode_name).ports_per_cage

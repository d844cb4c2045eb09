"""What can be asked for of the networks other than compute: their switches, ratios, kept ports, and what they share."""

from dataclasses import dataclass
from typing import Any

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, setting
from designer.fields.ranges import Range
from designer.model.networks import COMPUTE, IN_BAND, NORTH_SOUTH, OUT_OF_BAND, STORAGE, TITLES
from designer.topologies.parameters import ratio_parameter

KEPT_FOR = {
    STORAGE: (("storage_server_ports", "storage servers"), ("storage_manager_ports", "fabric managers")),
    IN_BAND: (
        ("in_band_core_ports", "the core"),
        ("in_band_edge_ports", "the edge"),
        ("in_band_support_ports", "support servers"),
        ("in_band_storage_ports", "storage servers"),
    ),
    NORTH_SOUTH: (
        ("north_south_edge_ports", "the edge"),
        ("north_south_storage_ports", "storage servers"),
        ("north_south_support_ports", "support servers"),
    ),
    OUT_OF_BAND: (("oob_device_ports", "other devices"),),
}
"""What ports of leafs are kept for: what a network leads to and the design does not show; by field of parameters."""

MOST_KEPT = 1024

_STORAGE, _IN_BAND, _NORTH_SOUTH, _OOB = "Storage", "In-band", "North-south", "Out-of-band"
"""Sections of the form."""

OWN = "own"
"""A network on switches of its own, if it is there at all."""

_PLURALS = {"switch": "switches", "leafs": "leaf switches", "spines": "spines"}


def _switch(name: str, help: str, *, section: str) -> Any:
    return setting("", title=name, help=help, kind=kinds.SWITCH, empty="none", section=section)


def _on(name: str, word: str, carriers: tuple[str, ...], *, section: str) -> Any:
    """Whose switches a network is on."""
    choices = (Word(OWN, "own switches"), *(Word(one, f"{TITLES[one]} switches") for one in carriers))
    return setting(
        OWN,
        title=name,
        help=f"Whose switches carry the {word} network: its own, or those of another network, with which it then "
        "shares their ports and uplinks.",
        kind=kinds.CHOICE,
        choices=choices,
        section=section,
    )


def _number(name: str, help: str, *, section: str) -> Any:
    return setting(None, title=name, help=f"{help}; if left out, the fewest.", kind=kinds.COUNT, section=section)


def _kept(name: str, which: str, what: str, *, section: str) -> Any:
    help_ = f"{which} that are kept for {what}."
    return setting(0, title=name, help=help_, kind=kinds.COUNT, within=Range(0, MOST_KEPT), section=section)


@dataclass(frozen=True, slots=True)
class NetworkParameters:
    """Which networks to add, and with what. Raises ParameterError for values that make no sense."""

    storage_switch: str = _switch(
        "Storage switch",
        "Type of the switches of a storage network; if left out, there is no such network.",
        section=_STORAGE,
    )
    storage_oversubscription: float = ratio_parameter(
        "Storage oversubscription",
        "Storage: highest ratio of downlink to uplink capacity of a leaf switch.",
        section=_STORAGE,
    )
    storage_leafs: int | None = _number("Storage leaf switches", "Storage: number of leaf switches", section=_STORAGE)
    storage_spines: int | None = _number(
        "Storage spines", "Storage: number of spine switches above the leafs", section=_STORAGE
    )
    storage_on: str = _on("Storage on", "storage", (NORTH_SOUTH, COMPUTE), section=_STORAGE)
    in_band_switch: str = _switch(
        "In-band switch",
        "Type of the switches of an in-band management network; if left out, there is no such network.",
        section=_IN_BAND,
    )
    in_band_oversubscription: float = ratio_parameter(
        "In-band oversubscription",
        "In-band: highest ratio of downlink to uplink capacity of a leaf switch.",
        section=_IN_BAND,
    )
    in_band_leafs: int | None = _number("In-band leaf switches", "In-band: number of leaf switches", section=_IN_BAND)
    in_band_spines: int | None = _number(
        "In-band spines", "In-band: number of spine switches above the leafs", section=_IN_BAND
    )
    in_band_on: str = _on("In-band on", "in-band", (STORAGE, NORTH_SOUTH, COMPUTE), section=_IN_BAND)
    north_south_switch: str = _switch(
        "North-south switch",
        "Type of the switches of a north-south network, to users and other sites; if left out, there is no such "
        "network.",
        section=_NORTH_SOUTH,
    )
    north_south_oversubscription: float = ratio_parameter(
        "North-south oversubscription",
        "North-south: highest ratio of downlink to uplink capacity of a leaf switch.",
        section=_NORTH_SOUTH,
    )
    north_south_leafs: int | None = _number(
        "North-south leaf switches", "North-south: number of leaf switches", section=_NORTH_SOUTH
    )
    north_south_spines: int | None = _number(
        "North-south spines", "North-south: number of spine switches above the leafs", section=_NORTH_SOUTH
    )
    north_south_nic: str = setting(
        "",
        title="North-south NIC",
        help="North-south: the NIC in the slots that a server has for it; if left out, the one that its type states.",
        kind=kinds.NIC,
        empty="as stated",
        section=_NORTH_SOUTH,
    )
    north_south_on: str = _on("North-south on", "north-south", (STORAGE, COMPUTE), section=_NORTH_SOUTH)
    oob_switch: str = _switch(
        "Out-of-band switch",
        "Type of the switches that connect server controllers (BMC) and management ports of switches; if left out, "
        "there is no such network.",
        section=_OOB,
    )
    oob_spine_switch: str = setting(
        "",
        title="Out-of-band spine",
        help="Out-of-band: type of the switches above those that devices connect to. If left out, switches like these, "
        "or those of the in-band network, where they have ports for the fastest uplinks; else links up run as fast "
        "as those of devices.",
        kind=kinds.SWITCH,
        empty="as it fits",
        section=_OOB,
    )
    oob_per_rack: bool = setting(
        False,
        title="Out-of-band switch per rack",
        help="Out-of-band: each rack has a switch of its own for what stands in it, or several where one is not "
        "enough; they join the spines.",
        kind=kinds.FLAG,
        section=_OOB,
    )
    oob_uplinks: int = setting(
        1,
        title="Out-of-band uplinks",
        help="Out-of-band: uplinks of each switch, if one switch is not enough for all servers.",
        kind=kinds.COUNT,
        section=_OOB,
    )
    oob_leafs: int | None = _number(
        "Out-of-band leaf switches", "Out-of-band: number of switches that devices connect to", section=_OOB
    )
    oob_spines: int | None = _number(
        "Out-of-band spines", "Out-of-band: number of switches above those that devices connect to", section=_OOB
    )
    storage_server_ports: int = _kept(
        "Ports for storage servers", "Storage: ports of each leaf switch", "storage servers", section=_STORAGE
    )
    storage_manager_ports: int = _kept(
        "Storage ports for managers",
        "Storage: ports of each leaf switch",
        "fabric managers, such as UFM",
        section=_STORAGE,
    )
    in_band_core_ports: int = _kept(
        "Ports for the core", "In-band: ports of each leaf switch", "the core", section=_IN_BAND
    )
    in_band_edge_ports: int = _kept(
        "Ports for the edge", "In-band: ports of each leaf switch", "the edge", section=_IN_BAND
    )
    in_band_support_ports: int = _kept(
        "Ports for support servers",
        "In-band: ports of each leaf switch",
        "support servers, such as management nodes",
        section=_IN_BAND,
    )
    in_band_storage_ports: int = _kept(
        "In-band ports for storage", "In-band: ports of each leaf switch", "storage servers", section=_IN_BAND
    )
    north_south_edge_ports: int = _kept(
        "North-south ports for the edge", "North-south: ports of each leaf switch", "the edge", section=_NORTH_SOUTH
    )
    north_south_storage_ports: int = _kept(
        "North-south ports for storage",
        "North-south: ports of each leaf switch",
        "storage servers",
        section=_NORTH_SOUTH,
    )
    north_south_support_ports: int = _kept(
        "North-south ports for support",
        "North-south: ports of each leaf switch",
        "support servers",
        section=_NORTH_SOUTH,
    )
    oob_device_ports: int = _kept(
        "Ports for other devices", "Out-of-band: ports of each leaf switch", "other devices, such as PDUs", section=_OOB
    )

    def __post_init__(self) -> None:
        check(self)
        for network, carrier in self.shares.items():
            self._check_shared(network, carrier)
        if self.oob_per_rack and self.oob_leafs is not None:
            raise ParameterError(
                "out-of-band leaf switches are counted by rack: leave out their number, or the switch per rack"
            )

    def _check_shared(self, network: str, carrier: str) -> None:
        word, field = TITLES[network].lower(), network.replace("-", "_")
        for name in ("switch", "leafs", "spines"):
            if getattr(self, f"{field}_{name}"):
                raise ParameterError(
                    f"the {word} network is on the switches of the {TITLES[carrier].lower()} network: leave out its "
                    f"own {'number of ' if name != 'switch' else ''}{_PLURALS[name]}"
                )
        if carrier in self.shares:
            raise ParameterError(
                f"the {word} network cannot be on the {TITLES[carrier].lower()} network, which is itself on switches "
                "of another: name that one for both"
            )

    @property
    def shares(self) -> dict[str, str]:
        """Networks that are on the switches of another, each with that one."""
        on = {STORAGE: self.storage_on, IN_BAND: self.in_band_on, NORTH_SOUTH: self.north_south_on}
        return {network: carrier for network, carrier in on.items() if carrier != OWN}

    @property
    def switches(self) -> dict[str, str]:
        """Types of switches by network, of those that have switches of their own."""
        return {
            network: type_id
            for network, type_id in (
                (STORAGE, self.storage_switch),
                (IN_BAND, self.in_band_switch),
                (NORTH_SOUTH, self.north_south_switch),
                (OUT_OF_BAND, self.oob_switch),
            )
            if type_id
        }

    @property
    def any(self) -> bool:
        """Whether at least one network is asked for."""
        return bool(self.switches or self.shares)

    def kept_of(self, network: str) -> tuple[tuple[str, int], ...]:
        """What ports of the leafs of a network are kept for, and how many."""
        return tuple((what, number) for name, what in KEPT_FOR[network] if (number := getattr(self, name)))

"""What would let a refused link be made: NICs for its network, or another port mode of a device, and the link."""

import itertools
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial

from designer.errors import DesignerError, NoFreePortError, PortMismatchError
from designer.model import matching
from designer.model.cage_runs import cages
from designer.model.design import Design
from designer.model.drawn_tiers import network_nics
from designer.model.edit import Edit, joined
from designer.model.entities import Module
from designer.model.hardware.types import HardwareType
from designer.model.networks import COMPUTE, PURPOSE_OF, network_of_switch
from designer.model.nic_modes import set_nic_mode
from designer.model.port_modes import set_cage_modes, set_port_mode
from designer.units import format_count

Make = Callable[[Design], Edit]
Find = Callable[[str], HardwareType | None]
"""The type of an id in the catalog."""


def made_possible(design: Design, make: Make, device_ids: Collection[str], find: Find) -> Edit | None:
    """What `make` refuses for want of ports that fit, after a change to the devices; None where that does not help.

    The change is the NICs that a server lacks for the network of the switch, and a port mode where one is needed: of
    a switch before NICs, and of a device without links before one that has some. Of a switch with links only as many
    free cages change as it takes, or all where its links fit the mode. NICs change all that are of one type.
    """
    try:
        make(design)
    except (PortMismatchError, NoFreePortError):
        pass
    except DesignerError:
        return None
    else:
        return None
    equipped, nics = design.snapshot(), _missing_nics(design, device_ids, find)
    equipped.apply(nics)
    for change in (Edit("", ()), *_modes(equipped, device_ids)):
        after = equipped.snapshot()
        with suppress(DesignerError):
            after.apply(change)
            links = make(after)
            if _n_misfits(after, device_ids) <= _n_misfits(design, device_ids):
                steps = [one for one in (nics, change) if one]
                return joined(f"{', '.join(one.label for one in steps)} and connect", (*steps, links))
    return None


def why_not_possible(design: Design, make: Make, device_ids: Collection[str], find: Find) -> str:
    """Why no NICs are offered to a server that lacks them for the network of a switch, as a sentence; else ""."""
    nics, equipped = _missing_nics(design, device_ids, find), design.snapshot()
    if not nics.changes:
        return _unnamed(design, device_ids)
    equipped.apply(nics)
    try:
        make(equipped)
    except DesignerError as error:
        return f"Installing {nics.label.removeprefix('Install ')} would not help: {error}"
    return ""


def _unnamed(design: Design, device_ids: Collection[str]) -> str:
    servers, switches = ([one for one in device_ids if among(one)] for among in (design.is_server, design.is_switch))
    networks = {network_of_switch(design.device(one)) for one in switches} - {COMPUTE}
    for server, network in itertools.product(servers, networks):
        if not design.ports_for(server, PURPOSE_OF[network]):
            return f"{design.device_type(server).model} names no NIC for it that could be offered"
    return ""


def _missing_nics(design: Design, device_ids: Collection[str], find: Find) -> Edit:
    """The NICs that the servers among two devices lack for the network of the switch; no change where none are."""
    servers = [one for one in device_ids if design.is_server(one)]
    switches = [one for one in device_ids if design.is_switch(one)]
    try:
        edit = network_nics(design, servers, switches, find)
    except DesignerError:
        return Edit("", ())
    equipped = design.snapshot()
    equipped.apply(edit)
    installed = [change.after for change in edit.changes if isinstance(change.after, Module)]
    models = sorted({equipped.module_type(one.id).model for one in installed})
    what = f"{format_count(len(installed))} × {models[0]}" if len(models) == 1 else "NICs"
    return Edit(f"Install {what} in {design.device(servers[0]).name}" if installed else "", edit.changes)


def _n_misfits(design: Design, device_ids: Collection[str]) -> int:
    """How many links of the devices have ports at their ends that do not fit, or are not there."""
    links = {link.id: link for one in device_ids for link in design.links_of(one)}.values()
    are_there = (design.port(one.a) is not None and design.port(one.b) is not None for one in links)
    return sum(
        not there or matching.why_not(design, one.a, one.b) is not None
        for one, there in zip(links, are_there, strict=True)
    )


def _modes(design: Design, ids: Collection[str]) -> Iterator[Edit]:
    """Every other mode of the devices, of those that can be set."""
    for one in sorted(ids, key=lambda one: (design.is_server(one), len(design.links_of(one)))):
        if design.is_switch(one):
            made = [*_of_free_cages(design, one)] if design.links_of(one) else []
            made += [partial(set_port_mode, design, one, mode.name) for mode in design.port_modes(one)]
        else:
            alike: dict[str, list[str]] = {}
            for module in design.modules_of(one):
                alike.setdefault(module.type_id, []).append(module.id)
            made = [
                partial(set_nic_mode, design, ids_alike, mode.name)
                for ids_alike in alike.values()
                for mode in design.module_type(ids_alike[0]).port_modes
            ]
        for make in made:
            with suppress(DesignerError):
                if edit := make():
                    yield edit


def _of_free_cages(design: Design, switch_id: str) -> Iterator[Callable[[], Edit]]:
    """The first cages without a link or reservation in each mode: one, two, four and so on."""
    held = {*design.used_ports(switch_id), *design.device(switch_id).reserved_ports}
    taken = {port.cage for port in design.ports_for(switch_id, "fabric") if port.name in held}
    for mode in design.port_modes(switch_id):
        free = [
            cage.number
            for cage in cages(design, switch_id)
            if cage.number not in taken
            and cage.mode.name != mode.name
            and any(one.name == mode.name for one in cage.modes)
        ]
        counts = [2**power for power in range(len(free).bit_length())]
        for count in dict.fromkeys(min(one, len(free)) for one in (*counts, len(free)) if free):
            yield partial(set_cage_modes, design, switch_id, free[:count], mode.name)

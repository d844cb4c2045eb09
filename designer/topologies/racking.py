"""How tall hardware is taken to be when it is mounted, which rack it stands in, and what is assumed in that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from designer.catalog import generic
from designer.errors import ParameterError
from designer.model.equipping import WHOLE_RACK_UNITS, height
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.topologies.blueprint import Blueprint, Layer, Mount
from designer.topologies.equipment import TypeSource
from designer.topologies.rack_policy import FREE_UNITS, SERVERS_PER_RACK
from designer.units import format_counted


def mounted_units(type_: SwitchType | ServerType) -> int | None:
    """Units kept for a device in a rack; None for what has no height and stands in none: generic types, and chips."""
    if type_.rack_units is None and (generic.is_generic(type_.id) or is_chip(type_)):
        return None
    return height(type_)


def is_chip(type_: SwitchType | ServerType) -> bool:
    """Whether it is one of several accelerators on a board, as a node of a torus may be, and no server."""
    return isinstance(type_, ServerType) and type_.gpus == 1 and not type_.fills_rack


def rack_for(find: TypeSource, units: int, most: int) -> RackType:
    """The lower of the catalog's two generic racks, where as many devices of that height fit as in the higher one."""
    racks = [type_ for type_ in (find("rack-42u"), find("rack-48u")) if isinstance(type_, RackType)]
    if not racks:
        raise ParameterError("rack-42u and rack-48u are no racks: nothing can be mounted")
    stack = units * max(1, min(most, racks[-1].units // units))
    return next((rack for rack in racks if stack <= rack.units), racks[-1])


def racked(
    blueprint: Blueprint,
    find: TypeSource,
    racks: str,
    together: Mapping[int, int] = MappingProxyType({}),
    per_rack: Mapping[int, int] = MappingProxyType({}),
) -> Blueprint:
    """The blueprint with racks, unless `racks` is "none"; its remark then also says what they assume.

    Servers stand four a rack, rack-scale systems one a rack, switches in racks of their own, spread
    evenly with FREE_UNITS units kept free in each, generic hardware in none.
    `together` devices of a layer, by its number, start a new rack; so many of a layer of servers stand `per_rack` where
    they fit in one, as the trays of a rack-scale system do.
    """
    if racks == "none":
        return blueprint
    remark = " ".join(filter(None, (blueprint.remark, assumed_heights(layer.type_ for layer in blueprint.layers))))
    return replace(blueprint, mounts=_mounts(find, blueprint.layers, together, per_rack), remark=remark)


def _mounts(
    find: TypeSource, layers: Sequence[Layer], together: Mapping[int, int], per_rack: Mapping[int, int]
) -> tuple[Mount, ...]:
    made = []
    for number, layer in enumerate(layers):
        units, is_server = mounted_units(layer.type_), layer.kit is not None
        if units is not None and layer.count:
            of_rack = per_rack.get(number, SERVERS_PER_RACK)
            of_rack = of_rack if of_rack * units <= WHOLE_RACK_UNITS else SERVERS_PER_RACK
            most = of_rack if is_server else None
            rack, word = rack_for(find, units, most or 1), "rack" if is_server else "net"
            free = 0 if is_server else FREE_UNITS
            made.append(Mount(number, rack, units, word, most, not is_server, together.get(number), free))
    return tuple(made)


def assumed_heights(types: Iterable[SwitchType | ServerType]) -> str:
    """A sentence for each of the types that is mounted although its height is not known; "" where there is none."""
    stated = []
    for type_ in {one.id: one for one in types}.values():
        kept = mounted_units(type_)
        if type_.rack_units is None and kept is not None:
            own = f"it gets a {WHOLE_RACK_UNITS} U rack of its own"
            taken = (
                own
                if type_.fills_rack
                else f"{format_counted(kept, 'unit')} of a rack {'is' if kept == 1 else 'are'} kept for it"
            )
            stated.append(f"The height of {type_.model} is not known: {taken}.")
    return " ".join(stated)

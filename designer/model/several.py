"""Several of one type at once: how many and under which names, and the verbs that bring them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Edit, added, joined
from designer.model.entities import ROLES, Device, Placement
from designer.model.equipping import (
    check_coordinates,
    delivered,
    install_module,
    kind_word,
    missing_types,
    own_device_type,
)
from designer.model.hardware.modules import ModuleType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.naming import Names, checked_name, stem_of

MOST_AT_ONCE = 512

_REQUEST = re.compile(r"\s*(?:(\d{1,3})[x×*]\s+)?(.*?)(?:\s+as\s+(\S.*?))?\s*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many of a type, and the name of the first of them; "" for names that are counted up."""

    count: int = 1
    name: str = ""


ONE = Wanted()


def request(text: str) -> tuple[Wanted, str]:
    """What "8x dgx h100 as gpu-1" asks for: eight, named on from gpu-1, of what "dgx h100" finds."""
    found = _REQUEST.fullmatch(text)
    assert found is not None  # everything in it may be missing
    count, words, name = found.groups()
    return Wanted(min(max(int(count or 1), 1), MOST_AT_ONCE), name or ""), words


def names_from(first: str, count: int, taken: Iterable[str]) -> list[str]:
    """So many free names: counted up from the first where that ends in a number, else with numbers behind it."""
    names = Names(taken)
    first = checked_name(first)
    if count == 1 or stem_of(first) != first:
        return [names.unique(first) for _ in range(count)]
    return [names.first(first) for _ in range(count)]


def role_of(name: str) -> str:
    """The role that a name such as leaf-1 or spine stands for; "" where it stands for none."""
    stem = stem_of(name).rstrip("-_. ").lower()
    return stem if stem in ROLES else ""


def add_devices(
    design: Design,
    type_: SwitchType | ServerType,
    spots: Sequence[tuple[float, float]],
    *,
    catalog_types: Mapping[str, HardwareType],
    name: str = "",
) -> Edit:
    """A new device at each of these places, with what it is delivered with.

    They are named on from `name`, which gives switches their role where it is a word such as leaf or spine, or counted
    up. Raises ParameterError for none or too many, EditError for a name or place that cannot be.
    """
    if not 1 <= len(spots) <= MOST_AT_ONCE:
        raise ParameterError(f"1 to {MOST_AT_ONCE} devices can be added at once, not {len(spots):,}")
    check_coordinates(*(value for spot in spots for value in spot))
    type_ = own_device_type(design, type_)
    types = missing_types(design, type_, catalog_types)
    taken = [device.name for device in design.devices.values()]
    given = names_from(name or f"{kind_word(type_)}-01", len(spots), taken)
    role = role_of(name) if isinstance(type_, SwitchType) else ""
    ids = design.new_ids("devices", len(spots))
    devices = [Device(one, named, type_.id, role) for one, named in zip(ids, given, strict=True)]
    modules = delivered(design, dict.fromkeys(ids, type_))
    places = [Placement(one, float(x), float(y)) for one, (x, y) in zip(ids, spots, strict=True)]
    label = f"Add {given[0]}" if len(given) == 1 else f"Add {given[0]} to {given[-1]}"
    return Edit(label, added([*types, *devices, *modules, *places]))


def install_modules(design: Design, device_id: str, module_type: ModuleType, count: int) -> Edit:
    """So many NICs or line cards in the next free slots they fit. Raises SlotError."""
    return repeated(
        design,
        count,
        lambda so_far, _number: install_module(so_far, device_id, module_type),
        f"Install {count} × {module_type.model} in {design.device(device_id).name}",
    )


def repeated(design: Design, times: int, make: Callable[[Design, int], Edit], label: str) -> Edit:
    """What a verb does several times over, each time to the outcome of those before; once as the verb names it.

    Raises what the verb raises.
    """
    first = make(design, 0)
    if times == 1:
        return first
    after, edits = design.snapshot(), [first]
    for number in range(1, times):
        after.apply(edits[-1])
        edits.append(make(after, number))
    return joined(label, edits)

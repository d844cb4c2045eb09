"""Several of one type at once: how many and under which names, and the verbs that bring them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, joined
from designer.model.entities import ROLES, Device, Placement, order_key
from designer.model.equipping import (
    check_coordinates,
    delivered,
    install_module,
    kind_word,
    missing_types,
    own_device_type,
    role_of_type,
)
from designer.model.hardware.modules import ModuleType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.naming import Names, checked_name, stem_of

MOST_AT_ONCE = 512

_REQUEST = re.compile(
    r"\s*(?:(?P<before>\d{1,3})(?:\s*[x×*]\s+|\s+)(?![x×*]\s)(?=[^\W\d])|(?P<joined>\d{1,3})[x×*]\s+)?"
    r"(?P<words>.*?)(?:\s+[x×*]\s*(?P<after>\d{1,3}))?(?:\s+as\s+(?P<name>\S.*?))?\s*"
)
"""A number before words is a count; before a figure such as 400G, only one that is joined to its x."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many of a type, and the name of the first of them; "" for names that are counted up."""

    count: int = 1
    name: str = ""


ONE = Wanted()


def request(text: str) -> tuple[Wanted, str]:
    """What "8x dgx h100 as gpu-1" asks for: eight, named on from gpu-1, of what "dgx h100" finds.

    "8 dgx h100" and "dgx h100 x 8" ask for as many, "2 qm9700 spine" for two that are spines.
    """
    found = _REQUEST.fullmatch(text)
    assert found is not None  # everything in it may be missing
    stated = found["before"] or found["joined"] or found["after"]
    name, words = found["name"] or "", found["words"]
    before, _, last = words.rpartition(" ")
    if stated and not name and before and last.lower() in ROLES:
        name, words = last.lower(), before
    return Wanted(min(max(int(stated or 1), 1), MOST_AT_ONCE), name), words


def names_from(first: str, count: int, taken: Iterable[str]) -> list[str]:
    """So many free names: counted up from the first where that ends in a number, else with numbers behind it.

    A word that is counted already goes on as it is: after leaf-04, leaf stands for leaf-05.
    """
    taken = list(taken)
    names, first = Names(taken), checked_name(first)
    first = _onward(first, taken) or first
    if count == 1 or stem_of(first) != first:
        return [names.unique(first) for _ in range(count)]
    return [names.first(first) for _ in range(count)]


def _onward(word: str, taken: Iterable[str]) -> str:
    """The name after the highest that is this word with a number behind it; "" where there is none."""
    counted = re.compile(rf"({re.escape(word)}[-_. ]?)([0-9]{{1,9}})")
    found = [match for name in taken if (match := counted.fullmatch(name))]
    if not found:
        return ""
    stem, digits = max(found, key=lambda match: int(match[2])).groups()
    return f"{stem}{int(digits) + 1:0{len(digits)}d}"


def labelled(design: Design, link_ids: Iterable[str], first: str) -> Edit:
    """Links under one label, several under labels counted on from it, in design order; "" takes labels off.

    Raises EditError for a label that could not be printed.
    """
    links = [design.links[one] for one in sorted(set(link_ids), key=order_key)]
    own = {one.id for one in links}
    taken = [one.label for one in design.links.values() if one.label and one.id not in own]
    labels = [""] * len(links)
    if first.strip():
        alone = checked_name(first, "a label")
        labels = [alone] if len(links) == 1 else names_from(alone, len(links), taken)
    changes = (Change(one, replace(one, label=label)) for one, label in zip(links, labels, strict=True))
    what = "link" if len(links) == 1 else f"{len(links):,} links"
    return Edit(f"Label {what}", tuple(change for change in changes if change.before != change.after))


def first_label(design: Design, link_ids: Iterable[str]) -> str:
    """The label that links have, or that theirs are counted on from; "" where they have others."""
    links = [design.links[one] for one in sorted(set(link_ids), key=order_key)]
    labels = [one.label for one in links]
    counted = labels[0] and not labelled(design, (one.id for one in links), labels[0])
    return labels[0] if counted or len(set(labels)) == 1 else ""


def role_of(name: str) -> str:
    """The role that a name such as leaf-1, ib-spine or leaf-su1-r3 stands for; "" where it stands for none.

    Of several words for roles the last counts: spine-leaf-2 is a leaf switch.
    """
    words = (stem_of(word) for word in reversed(re.split(r"[-_. ]+", name.lower())))
    return next((word for word in words if word in ROLES), "")


def first_name(type_: SwitchType | ServerType) -> str:
    """What the first device of a type is called that nobody named: "switch-01", "storage-01"."""
    return f"{role_of_type(type_) or kind_word(type_)}-01"


def add_devices(
    design: Design,
    type_: SwitchType | ServerType,
    spots: Sequence[tuple[float, float]],
    *,
    catalog_types: Mapping[str, HardwareType],
    name: str = "",
    group_id: str | None = None,
) -> Edit:
    """A new device at each of these places, with what it is delivered with, in a group if one is given.

    They are named on from `name`, which gives switches their role where it is a word such as leaf or spine, or counted
    up. Raises ParameterError for none or too many, EditError for a name or place that cannot be.
    """
    if not 1 <= len(spots) <= MOST_AT_ONCE:
        raise ParameterError(f"1 to {MOST_AT_ONCE} devices can be added at once, not {len(spots):,}")
    check_coordinates(*(value for spot in spots for value in spot))
    type_ = own_device_type(design, type_)
    types = missing_types(design, type_, catalog_types)
    taken = [device.name for device in design.devices.values()]
    role = role_of(name) if isinstance(type_, SwitchType) else role_of_type(type_)
    given = names_from(name or first_name(type_), len(spots), taken)
    ids = design.new_ids("devices", len(spots))
    devices = [Device(one, named, type_.id, role, group_id=group_id) for one, named in zip(ids, given, strict=True)]
    modules = delivered(design, dict.fromkeys(ids, type_))
    places = [Placement(one, float(x), float(y)) for one, (x, y) in zip(ids, spots, strict=True)]
    label = f"Add {given[0]}" if len(given) == 1 else f"Add {given[0]} to {given[-1]}"
    if group_id is not None:
        label += f" in {design.groups[group_id].name}"
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

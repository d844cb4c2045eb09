"""Port modes of many devices: those that all of them have, and an edit that sets one on all."""

from collections.abc import Iterable, Sequence

from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.equipping import set_port_mode
from designer.model.nic_modes import set_nic_mode


def modes_of_all(design: Design, ids: Sequence[str]) -> tuple[str, ...]:
    """The names of the modes that all these devices have; of servers those of their NICs, where one type has several.

    Empty where there is nothing to choose.
    """
    found: list[tuple[str, ...]] = []
    for one in ids:
        if design.is_switch(one):
            found.append(tuple(mode.name for mode in design.port_modes(one)))
        else:
            found.append(next(iter(_nics_by_modes(design, one)), ()))
    alike = len(set(found)) == 1 and len(found[0]) > 1
    return found[0] if alike else ()


def all_in_mode(design: Design, ids: Iterable[str], mode: str) -> Edit:
    """These devices, or their NICs, in a mode; links stay where it has room for them. Raises DesignerError."""
    after, edits, nics = design.snapshot(), list[Edit](), list[str]()
    for one in ids:
        if design.is_switch(one):
            edits.append(set_port_mode(after, one, mode))
            after.apply(edits[-1])
        else:
            nics += (nic for modes, held in _nics_by_modes(design, one).items() if mode in modes for nic in held)
    if nics:
        edits.append(set_nic_mode(after, nics, mode))
    return joined(f"Set ports to {mode}", edits)


def _nics_by_modes(design: Design, server_id: str) -> dict[tuple[str, ...], list[str]]:
    """The NICs of a server that have several modes, by these; empty where they differ in them."""
    found: dict[tuple[str, ...], list[str]] = {}
    for module in design.modules_of(server_id):
        names = tuple(mode.name for mode in design.module_type(module.id).port_modes)
        if len(names) > 1:
            found.setdefault(names, []).append(module.id)
    return found if len(found) == 1 else {}

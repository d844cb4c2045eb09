"""What would join two devices whose ports differ: another mode of one of them, and the link that it makes possible."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from designer.errors import DesignerError, PortMismatchError
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.nic_modes import set_nic_mode
from designer.model.port_modes import set_port_mode
from designer.model.wiring import connect_devices


def connected_in_a_mode(design: Design, a_id: str, b_id: str) -> Edit | None:
    """One of the two devices in another port mode, and a link between them; None where none is refused, or none helps.

    A switch before NICs, and a device without links before one that has some. NICs change all that are of one type.
    """
    try:
        connect_devices(design, a_id, b_id)
    except PortMismatchError:
        pass
    except DesignerError:
        return None
    else:
        return None
    for mode in _modes(design, (a_id, b_id)):
        after = design.snapshot()
        try:
            after.apply(mode)
            link = connect_devices(after, a_id, b_id)
        except DesignerError:
            continue
        return joined(f"{mode.label} and connect", (mode, link))
    return None


def _modes(design: Design, ids: tuple[str, str]) -> Iterator[Edit]:
    """Every other mode of the two, of those that can be set."""
    for one in sorted(ids, key=lambda one: (design.is_server(one), len(design.links_of(one)))):
        if design.is_switch(one):
            made = [partial(set_port_mode, design, one, mode.name) for mode in design.port_modes(one)]
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

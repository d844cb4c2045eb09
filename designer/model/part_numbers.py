"""Part numbers that a design states for what it is made of, where no source has one."""

from dataclasses import replace

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.media import MediumType
from designer.units import shortened


def state_part_number(design: Design, type_id: str, number: str) -> Edit:
    """The type is ordered by that number in this design; "" takes it back. No edit where it is already so.

    Raises EditError where the design has no such type, and for cables and optics, whose pieces have numbers each.
    """
    type_ = design.types.get(type_id)
    if type_ is None or isinstance(type_, MediumType):
        known = ", ".join(sorted(one.id for one in design.types.values() if not isinstance(one, MediumType)))
        raise EditError(
            f"the design has no device, NIC or rack of type {shortened(type_id)!r}: it has {known or 'none'}"
        )
    after = replace(type_, part_number=number.strip())
    label = f"State part number of {type_.model}" if after.part_number else f"Remove part number of {type_.model}"
    return Edit(label, () if after == type_ else (Change(type_, after),))

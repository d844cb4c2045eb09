"""What the session offers where something was refused: one click makes it possible."""

from collections.abc import Callable, Collection
from functools import partial

from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.mode_offers import made_possible, why_not_possible
from designer.model.wiring import connect_devices
from designer.session.session import Session


def offer_link(session: Session, reason: str, a_id: str, b_id: str) -> str:
    """Offer what lets two devices be linked; where nothing does, the reason to show, with that of no offer."""
    return offer_change(session, reason, partial(connect_devices, a_id=a_id, b_id=b_id), (a_id, b_id))


def offer_change(
    session: Session, reason: str, make_links: Callable[[Design], Edit], device_ids: Collection[str]
) -> str:
    """Offer a change of the devices after which the links can be made, with the reason that they are refused.

    Returns "" then; where no change helps, the reason to show, with why NICs that are lacking are not offered.
    """

    def make() -> Edit | None:
        return made_possible(session.design, make_links, device_ids, session.catalog.types.get)

    edit = make()
    if edit is None:
        why = why_not_possible(session.design, make_links, device_ids, session.catalog.types.get)
        return f"{reason}. {why}" if why else reason
    session.offered.emit(reason, edit.label, lambda: make() or Edit("", ()))
    return ""

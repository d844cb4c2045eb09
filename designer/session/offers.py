"""What the session offers where something was refused: one click makes it possible."""

from designer.model.edit import Edit
from designer.model.mode_offers import connected_in_a_mode
from designer.session.document import Document


def offer_mode(document: Document, reason: str, a_id: str, b_id: str) -> bool:
    """Offer the port mode in which two devices can be linked; False where no mode helps."""

    def make() -> Edit | None:
        return connected_in_a_mode(document.design, a_id, b_id)

    edit = make()
    if edit is not None:
        document.offered.emit(reason, edit.label, lambda: make() or Edit("", ()))
    return edit is not None

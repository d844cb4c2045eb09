"""Renaming in place: a line of text over the name that is drawn, which goes on from device to device."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from designer.canvas.camera_view import CameraView
from designer.canvas.cursor_notes import CursorNotes
from designer.canvas.pointer import pointer_at
from designer.drawing.camera import Camera
from designer.errors import DesignerError
from designer.model import operations
from designer.model.colour_keys import OWN_LABEL
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Device, Group, Rack
from designer.model.fixture import Fixture
from designer.model.furnishing import change_fixtures
from designer.model.looks import label_links
from designer.model.naming import LONGEST_NAME, Names
from designer.model.several import first_label, labelled
from designer.placement.row_order import rename_row, row_keyed

LEAST_WIDTH_PX = 110
LEAST_SEEN_PX = 40.0
"""Where a name has less room than this, the view goes nearer first."""
POPUP = Qt.FocusReason.PopupFocusReason
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

Named = Device | Rack | Group | Fixture


class NameEditor(QLineEdit):
    """Enter accepts, Esc cancels, Tab and Shift+Tab accept and go on to the next or previous of the kind.

    A name that was typed is continued: after leaf-1, Tab offers leaf-2 for a device of the same type and role.
    On a line it is the label of its link; of several it is counted on. A row of racks goes by its key. What is too far
    away to be read is brought near; Enter and Esc go back to what was seen before, unless the view was moved meanwhile.
    """

    def __init__(self, view: CameraView, notes: CursorNotes) -> None:
        super().__init__(view)
        self._view = view
        self._notes = notes
        self._ids: tuple[str, ...] = ()
        """What is renamed; several links of one line."""
        self._own = ""
        """The name that what is renamed has."""
        self._at_opening = ""
        """What stood in the line before anything was typed: the own name, or the one offered."""
        self._way_back: tuple[Camera, Camera] | None = None
        """What was seen before names were brought near, and what is seen since; None where nothing was."""
        self.setMaxLength(LONGEST_NAME)
        self.hide()
        self.textEdited.connect(self._edited)
        view.moved.connect(self._place)
        view.session.changed.connect(self._follow)
        view.session.replacing.connect(self.close_unchanged)

    @property
    def entity_id(self) -> str | None:
        """What is being renamed, or the first of the links; None while the editor is closed."""
        return self._ids[0] if self._ids else None

    def open(self, *ids: str, offered: str = "") -> bool:
        """Put the cursor into the name of something that is drawn, or offer another; False where it has none here.

        Links have a label on the line that they share, and none where they are of several.
        """
        own = _own_name(self._view.session.design, ids)
        if own is None or not self._view.shows(ids[0]):
            return False
        self._bring_into_view(ids)
        if self._place_of(ids) is None:
            return False
        self._ids, self._own, self._at_opening = ids, own, offered or own
        design = self._view.session.design
        row = row_keyed(design, ids[0])
        self._view.session.select(ids if row is None else row.rack_ids)
        what = "Label" if _are_links(design, ids) else "Name" if row is None else "Name of the row"
        self.setAccessibleName(what)
        self.setPlaceholderText(what)
        self.setText(self._at_opening)
        self.selectAll()
        self._place()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def close_unchanged(self) -> None:
        """Close without renaming, and give the keyboard back to the view."""
        if self._ids:
            had_keyboard = self.window().focusWidget() is self  # of a window that may not be active
            self._ids, self._way_back = (), None
            self.hide()
            self._notes.drop()
            if had_keyboard:
                self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Take Enter, Esc and Tab; leaving the line accepts a name that can be, and else gives it up."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() is not POPUP:
            self._accept()
            self.close_unchanged()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._press(Qt.Key(event.key())):
            return True
        return super().event(event)

    def _press(self, key: Qt.Key) -> bool:
        if key in ENTER:
            if self._accept():
                self._close_and_go_back()
        elif key == Qt.Key.Key_Escape:
            self._close_and_go_back()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._go_on(1 if key == Qt.Key.Key_Tab else -1)
        else:
            return False
        return True

    def _edited(self) -> None:
        self._notes.drop()
        self._place()

    # -- renaming -------------------------------------------------------------------------------------------------

    def _accept(self) -> bool:
        """Rename; False, with the reason below the line, where the name cannot be."""
        ids, name, session = self._ids, self.text(), self._view.session
        if not ids or name == self._own:
            return True
        try:
            session.push(_renamed(session.design, ids, name))
        except DesignerError as error:
            spot = self._view.spot(self.geometry().bottomLeft().toPointF())
            self._notes.show(str(error), pointer_at(self._view.camera, spot), refused=True, lasting=True)
            return False
        self._own = name.strip()
        return True

    def _go_on(self, step: int) -> None:
        """Accept, and open the editor on the next in reading order."""
        before, typed = self.entity_id, self.text() != self._at_opening or self._at_opening != self._own
        if before is None or not self._accept():
            return
        following = self._view.subject.next_named(before, step)
        if following is None:
            self._close_and_go_back()
            return
        design = self._view.session.design
        self.open(following, offered=_continued(design, before, following) if typed and step > 0 else "")

    # -- where it stands ------------------------------------------------------------------------------------------

    def _place_of(self, ids: Sequence[str]) -> QRectF | None:
        subject, view = self._view.subject, self._view
        if _are_links(view.session.design, ids):
            return subject.label_rect(ids, view.sight)
        return subject.name_rect(ids[0], view.sight) if ids else None

    def _bring_into_view(self, ids: Sequence[str]) -> None:
        place = self._place_of(ids)
        if place is None or place.width() < LEAST_SEEN_PX or not self._view.sight.rect.contains(place):
            before = self._seen_before or self._view.camera
            self._view.zoom_to(ids)
            self._way_back = before, self._view.camera

    @property
    def _seen_before(self) -> Camera | None:
        """Where Enter and Esc go back to; None where nothing was brought near, or the view was moved since."""
        before, since = self._way_back or (None, None)
        return before if since == self._view.camera else None

    def _close_and_go_back(self) -> None:
        before = self._seen_before
        self.close_unchanged()
        if before is not None:
            self._view.move_camera(before)

    def _place(self) -> None:
        """Over the name, as wide as what is typed, inside the view."""
        drawn = self._place_of(self._ids)
        if drawn is None:
            return
        place = self._view.on_widget(drawn)
        height = self.sizeHint().height()
        width = max(LEAST_WIDTH_PX, round(place.width()) + 12, self.fontMetrics().horizontalAdvance(self.text()) + 30)
        width = min(width, self._view.width())
        x = min(max(0, round(place.left()) - 8), self._view.width() - width)
        self.setGeometry(x, round(place.center().y() - height / 2), width, height)

    def _follow(self) -> None:
        """Stay over what is renamed while the design changes, close where it is deleted."""
        if self._ids and not self._view.shows(self._ids[0]):
            self.close_unchanged()
        self._place()


def _are_links(design: Design, ids: Sequence[str]) -> bool:
    return bool(ids) and all(one in design.links for one in ids)


def _own_name(design: Design, ids: Sequence[str]) -> str | None:
    """The name of one thing or row, or the first label of links; None for all else."""
    if _are_links(design, ids):
        return first_label(design, ids)
    if len(ids) == 1 and (row := row_keyed(design, ids[0])) is not None:
        return row.name
    found = design.entity(ids[0]) if len(ids) == 1 else None
    return found.name if isinstance(found, Named) else None


def _renamed(design: Design, ids: Sequence[str], name: str) -> Edit:
    """One thing under another name, or links with labels, which are then shown on lines. Raises DesignerError."""
    if (row := row_keyed(design, ids[0])) is not None:
        return rename_row(design, row.rack_ids[0], name)
    if ids[0] in design.fixtures:
        return change_fixtures(design, ids, name=name.strip())
    if not _are_links(design, ids):
        return operations.rename(design, ids[0], name)
    edit = labelled(design, ids, name)
    return joined(edit.label, [edit, label_links(design, {*design.settings.link_labels, OWN_LABEL})])


def _continued(design: Design, named_id: str, following_id: str) -> str:
    """The name after that of one thing, for another of the same kind; "" for one of another type or role."""
    named, following = design.entity(named_id), design.entity(following_id)
    if type(named) is not type(following) or not isinstance(named, Named):
        return ""
    if isinstance(named, Fixture):
        return ""
    if isinstance(named, Device) and isinstance(following, Device):
        if (named.type_id, named.role) != (following.type_id, following.role):
            return ""
        table: list[Named] = [*design.devices.values()]
    else:
        table = [*design.racks.values()] if isinstance(named, Rack) else [*design.groups.values()]
    return Names(one.name for one in table if one.id != following_id).unique(named.name)

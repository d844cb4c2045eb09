"""Which devices are under construction: drawn since the design was opened, and not connected to anything yet."""

from PySide6.QtCore import QObject

from designer.model.edit import Edit
from designer.model.entities import Device, Link
from designer.session.document import Document


class UnderConstruction(QObject):
    """Devices from when they are drawn until their first link, or until a check of everything is asked for."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._drawn: set[str] = set()
        """All that was drawn since everything was last checked: undo takes a first link away again."""
        self.devices: set[str] = set()
        document.settled.connect(self._follow)
        document.reset.connect(self.end)

    def end(self) -> None:
        """Nothing is under construction any more: everything is checked."""
        self._drawn, self.devices = set(), set()

    def _follow(self, edit: Edit) -> None:
        if not edit.kinds & {Device, Link}:
            return
        design = self._document.design
        touched: set[str] = set()
        for change in edit.changes:
            if isinstance(change.after, Device) and change.before is None:
                touched.add(change.after.id)
                if not self._document.is_replaying:
                    self._drawn.add(change.after.id)
            elif isinstance(change.subject, Link):
                touched |= {change.subject.a.device_id, change.subject.b.device_id}
        if not self._document.is_replaying:
            touched &= self.devices | {c.after.id for c in edit.changes if c.before is None and c.after is not None}
        for one in touched & self._drawn:
            if one in design.devices and not design.links_of(one):
                self.devices.add(one)
            else:
                self.devices.discard(one)
        self.devices &= design.devices.keys()

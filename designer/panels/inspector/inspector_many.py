"""Inspector page of several things at once: how many of what, and the port budget they have together."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.panels.inspector.many_fields import ManyFields
from designer.panels.widgets.fields import add_row, form
from designer.panels.widgets.labels import ElidedLabel, label, rule
from designer.placement.many import Gathered, gathered
from designer.session.jobs import Outcome, Progress
from designer.session.session import Session
from designer.units import format_count

T = TypeVar("T")

LANE = "inspector"
AT_ONCE = 2_000
"""More than this is counted in a worker."""


class ManyPage(QWidget):
    """The fields that all of it has in common, and a summary; more is in the Arrange and Link menus."""

    entered = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.title = label("", "heading")
        self.editor = ManyFields(session)
        self.editor.entered.connect(self.entered)
        self._counting: frozenset[str] | None = None
        self._kinds = form()
        self._ports = form()
        self.figures: dict[str, ElidedLabel] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addLayout(self._kinds)
        column.addWidget(rule())
        column.addWidget(self.editor)
        column.addWidget(rule())
        column.addLayout(self._ports)
        column.addWidget(
            label(
                "Connect, align, distribute, group or duplicate them by menu, right click or command palette.",
                "muted",
                wrap=True,
            )
        )
        column.addStretch(1)
        session.selection_changed.connect(self._leave_off)

    def refresh(self) -> None:
        """Count the selection and its ports, in a worker where more than 2,000 things are selected."""
        session, selection = self._session, self._session.selection
        self.title.setText(f"{format_count(len(selection))} selected")
        if len(selection) <= AT_ONCE:
            session.jobs.cancel(LANE)
            self._show(counted(session.design, selection))
            self.editor.show_gathered(gathered(session.design, selection, session.catalog.types))
            self.editor.setEnabled(True)
            return

        def take(outcome: Outcome) -> None:
            if outcome.value is not None and session.selection is selection:
                counts, found = outcome.value
                self._show(counts)
                self.editor.show_gathered(found)
                self.editor.setEnabled(True)

        design, types = session.snapshot(), session.catalog.types
        self.editor.setEnabled(False)  # until it shows what is selected now
        self._show(Counts((("Counting …", ""),), ()))

        def work(progress: Progress) -> tuple[Counts, Gathered]:
            def go_on() -> None:
                progress(0.0)

            return counted(design, selection, go_on), gathered(design, selection, types, go_on)

        self._counting = selection
        session.jobs.run(LANE, work, take)

    def _leave_off(self) -> None:
        """Count no longer what is not selected any more: it takes a second for 100,000 devices."""
        if self._counting is not None and self._counting is not self._session.selection:
            self._counting = None
            self._session.jobs.cancel(LANE)

    def _show(self, counts: "Counts") -> None:
        self._fill(self._kinds, counts.kinds)
        self._fill(self._ports, counts.ports)

    def _fill(self, layout: QFormLayout, rows: Sequence[tuple[str, str]]) -> None:
        while layout.rowCount():
            layout.removeRow(0)
        for name, value in rows:
            figure = ElidedLabel(value)
            self.figures[name] = figure
            add_row(layout, name, figure)


class Counts(NamedTuple):
    """What is selected by kind, and the ports and links of the devices in it, as (name, figure)."""

    kinds: tuple[tuple[str, str], ...]
    ports: tuple[tuple[str, str], ...]


def counted(design: Design, selection: frozenset[str], go_on: Callable[[], object] = lambda: None) -> Counts:
    """The counts of a selection; for workers too, whose `go_on` is called often and may raise."""
    entities = [entity for one in _going_on(selection, go_on) if (entity := design.entity(one)) is not None]
    devices = [entity for entity in entities if isinstance(entity, Device)]
    links = sum(isinstance(entity, Link) for entity in entities)
    models = Counter(design.types[device.type_id].model for device in devices)
    others = Counter(type(entity).__name__ for entity in entities if not isinstance(entity, Device | Link))
    kinds = [*sorted(models.items()), *((f"{name}s", count) for name, count in sorted(others.items()))]
    if links:
        kinds.append(("Links", links))
    ports: list[tuple[str, int]] = []
    if devices:
        inside = {device.id for device in devices}
        used = (design.used_ports(device.id) for device in _going_on(devices, go_on))
        of_them = {one for by_port in used for ids in by_port.values() for one in ids}
        ends = ((design.links[one].a.device_id, design.links[one].b.device_id) for one in _going_on(of_them, go_on))
        ports = [
            ("Ports used", sum(design.n_used_ports(device.id) for device in _going_on(devices, go_on))),
            ("Ports free", sum(design.n_free_ports(device.id) for device in _going_on(devices, go_on))),
            ("Links between them", sum(a in inside and b in inside for a, b in ends)),
        ]
    return Counts(_in_words(kinds), _in_words(ports))


def _going_on(things: Iterable[T], go_on: Callable[[], object]) -> Iterator[T]:
    for number, one in enumerate(things):
        if number % AT_ONCE == 0:
            go_on()
        yield one


def _in_words(rows: list[tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, format_count(count)) for name, count in rows)

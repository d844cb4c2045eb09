"""What the links are colored by, and a word when that is not the current run as a whole."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import label
from designer.session.session import Session

CHOICES = (("peak", "Peak utilization"), ("mean", "Mean utilization over the run"), ("bytes", "Bytes"))
NO_PEAKS = "Peak utilization (not known: too many flows to follow one by one)"


class HeatChoice(QWidget):
    """`pin_wanted` asks to keep the result for comparison."""

    pin_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._view = session.workbench.heat_view
        self.measure = ChoiceField("Color links by", self._view.show_measure)
        self.pin = QPushButton("Pin")
        self.pin.setToolTip("Keep this result, to compare others with it (Ctrl+F6)")
        self.pin.clicked.connect(self.pin_wanted)
        self.note = label("", "warning", wrap=True)
        self.back = QPushButton("Show the current run")
        self.back.clicked.connect(lambda: self._view.show_measure(self._view.measure))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.measure, 1)
        row.addWidget(self.pin)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.note)
        column.addWidget(self.back)
        self._view.changed.connect(self.refresh)
        session.workbench.pins.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the measure that links are colored by, and say so where it is not that of the current run as a whole."""
        known = self._view.are_peaks_known
        offered = CHOICES if known else (("peak", NO_PEAKS), *CHOICES[1:])
        self.measure.show_choices(offered, self._view.measure)
        self.measure.grey_out(() if known else ("peak",))
        current = self._session.workbench.simulation.current_result
        self.measure.setEnabled(current is not None)
        self.pin.setEnabled(
            self._session.workbench.pins.current is not None and not self._session.workbench.pins.current_is_pinned
        )
        heat = self._session.workbench.heat_view.heat
        view = self._view
        other = heat is not None and (view.shows_jobs or view.pinned is not None or view.phase is not None)
        # Jobs have figures of their own in the Studies panel: those below must not be taken for them.
        below = " The figures below are those of the simulation run, not of the jobs."
        shown = f"Link colors show {heat.label[:1].lower()}{heat.label[1:]}." if heat is not None and other else ""
        self.note.setText(shown + (below if view.shows_jobs and current is not None else ""))
        self.note.setVisible(other)
        self.back.setVisible(other)
        self.back.setText("Show the current run" if current is not None else "Hide these colors")

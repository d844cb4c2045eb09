"""The status bar: what is under the pointer, counts, state of validation and simulation, zoom."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStatusBar, QToolButton

from designer.analysis.tiers import mixed_hosts, server_word, switch_word
from designer.late import Late
from designer.model.hardware.servers import HOST, ServerType
from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel, label
from designer.session.session import Session
from designer.units import format_count, format_counted

cost_texts = Late("designer.panels.costs")

SAY_MS = 8000
GAP_PX = 6
SHOW_FINDINGS = "Show findings"
CHECK_ALL = "Check everything, with what is under construction, and show the findings"

SIMULATION_WORDS = {
    "idle": "",
    "running": "Simulating …",
    "current": "Simulation current",
    "stale": "Simulation out of date",
    "failed": "Simulation failed",
}
STATE_COLOURS = {"current": "good", "failed": "error"}
INCOMPLETE = "Simulation settings incomplete"
"""While a chosen pattern lacks its file, whatever the result shown is for."""


class StatusBar(QStatusBar):
    """Reads the session; holds nothing."""

    findings_wanted = Signal()
    simulation_wanted = Signal()
    cost_wanted = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.setSizeGripEnabled(False)
        self.hint = ElidedLabel()
        self.selection = label()
        self.counts = label()
        self.counts.setMinimumWidth(1)  # it gives way: no window is wider for its sake
        self.cost = _button("", self.cost_wanted)
        self.check = _button(SHOW_FINDINGS, self._show_findings)
        self.simulation = _button("Show the simulation panel", self.simulation_wanted)
        self.addWidget(self.hint, 1)
        self._others = self.selection, self.cost, self.check, self.simulation
        for widget in (self.selection, self.counts, self.cost, self.check, self.simulation):
            self.addPermanentWidget(widget)
        session.changed.connect(self.refresh)
        session.reset.connect(self.refresh)
        session.selection_changed.connect(self._show_selection)
        session.costs.state_changed.connect(self._show_cost)
        session.workbench.validation.state_changed.connect(self._show_check)
        session.workbench.simulation.state_changed.connect(self._show_simulation)
        session.failed_changed.connect(self._show_simulation)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show counts, selection, and the state of check and simulation as they are now."""
        self._show_counts()
        self._show_selection()
        self._show_cost()
        self._show_check()
        self._show_simulation()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the counts where there is room for them."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Look whether the counts have room when the others take more or less of it."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        shown = [one for one in (*self._others, self.counts) if one is self.counts or not one.isHidden()]
        self.counts.setVisible(sum(one.sizeHint().width() + GAP_PX for one in shown) <= self.width())

    def _show_counts(self) -> None:
        design = self._session.design
        servers = sum(count for type_, count in design.count_by_type().items() if isinstance(type_, ServerType))
        mixed = mixed_hosts(design)
        of_nodes = f" ({format_counted(mixed[0], HOST)}, {format_count(mixed[1])} without GPUs)" if mixed else ""
        self.counts.setText(
            "  ·  ".join(
                (
                    format_counted(servers, server_word(design)) + of_nodes,
                    format_counted(len(design.devices) - servers, switch_word(design)),
                    format_counted(len(design.links), "link"),
                )
            )
        )

    def _show_selection(self) -> None:
        count = len(self._session.selection)
        self.selection.setText(f"{format_count(count)} selected" if count else "")

    def _show_cost(self) -> None:
        """What the lines with a price cost together; three dots while it is counted again."""
        costs = self._session.costs
        self.cost.setVisible(costs.prices is not None)
        costing = costs.costing
        if costs.state == "failed" or costing is None:
            self.cost.setText("Cost not known" if costs.state == "failed" else "Cost …")
            self.cost.setToolTip(plain_text(costs.error or ""))
            return
        self.cost.setText(f"{cost_texts.cost_words(costing)}{'' if costs.is_current else ' …'}")
        self.cost.setToolTip(plain_text("\n".join(cost_texts.cost_lines(costing))))

    @property
    def cost_summary(self) -> str:
        """What the design costs, in full and by kind of part."""
        costs = self._session.costs
        if costs.costing is None:
            return costs.error or "Not known yet."
        return "\n".join(cost_texts.cost_lines(costs.costing))

    def _show_check(self) -> None:
        validation = self._session.workbench.validation
        if not self._session.design.devices or validation.report is None:
            self.check.setVisible(False)
            return
        self.check.setVisible(True)
        report = validation.report_now
        if report is None:
            self.check.setText("Checking …")
            return
        if report.errors or report.warnings:
            words = [format_counted(report.errors, "error")] if report.errors else []
            words += [format_counted(report.warnings, "warning")] if report.warnings else []
            name = "error" if report.errors else "warning"
        elif validation.waiting:
            under = format_counted(len(validation.waiting), "device")
            words, name = [f"No errors in what is connected; {under} under construction"], "validate"
        else:
            words, name = ["No errors"], "validate"
        color = name if name != "validate" else "muted" if validation.waiting else "good"
        self.check.setText(f"{', '.join(words)}{'' if validation.is_current else ' …'}")
        self.check.setIcon(self._appearance.icon(name, color))
        self.check.setToolTip(plain_text(CHECK_ALL if validation.waiting else SHOW_FINDINGS))

    def _show_findings(self) -> None:
        """Show the findings, those about devices under construction too."""
        if self._session.workbench.validation.waiting:
            self._session.workbench.validation.check_all()
        self.findings_wanted.emit()

    def _show_simulation(self) -> None:
        simulation = self._session.workbench.simulation
        words = SIMULATION_WORDS[simulation.state]
        is_unfinished = bool(simulation.unfinished) and simulation.state != "running"
        if is_unfinished:
            words = INCOMPLETE
        if self._session.failed:
            words = ", ".join(filter(None, (words, f"{len(self._session.failed)} marked as failed")))
        self.simulation.setText(words)
        self.simulation.setVisible(bool(words))
        colour = "muted" if is_unfinished else STATE_COLOURS.get(simulation.state, "muted")
        self.simulation.setIcon(self._appearance.icon("live" if simulation.live else "play", colour))


def _button(tip: str, signal: object) -> QToolButton:
    button = QToolButton()
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setToolTip(plain_text(tip))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(signal)
    return button

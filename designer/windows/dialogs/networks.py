"""Add networks: storage, in-band and out-of-band management for the servers of the design, with a preview."""

from dataclasses import replace

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from designer.canvas.previews import Preview, preview_of
from designer.errors import DesignerError
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.labels import label
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters
from designer.windows.desk import Desk

LANE = "networks"
PREVIEW_MS = 60


class NetworksDialog(QDialog):
    """Stays open beside the window; what it would add is drawn as ghosts until it is done."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._found: Preview | None = None
        self.setWindowTitle("Add Networks")
        self.form = ParameterForm(NetworkParameters, desk.catalog, in_tabs=True)
        self.preview = label("", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.buttons = QDialogButtonBox()
        self.add = self.buttons.addButton("Add", QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setProperty("kind", "primary")
        self.add.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        self._later = later(self, PREVIEW_MS, self.refresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(
            label(
                "For the selected servers, or for all servers if none is selected. A server uses the ports that its "
                "type has for a network; servers that are already in the network do not change.",
                "muted",
                wrap=True,
            )
        )
        column.addWidget(self.form)
        column.addWidget(self.preview)
        column.addWidget(self.refusal)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.form.changed.connect(self._later.start)
        for signal in (desk.session.changed, desk.session.reset, desk.session.selection_changed):
            signal.connect(self._soon)
        self.resize(520, 470)

    def showEvent(self, event: object) -> None:
        """Compute the preview for the design as it is now."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()

    def closeEvent(self, event: object) -> None:
        """Remove the preview from the canvas."""
        for canvas in self._desk.views.canvases:
            canvas.show_ghosts(None)
        super().closeEvent(event)  # type: ignore[arg-type]

    def _soon(self, *_what: object) -> None:
        if self.isVisible():
            self._later.start()

    def refresh(self) -> None:
        """Calculate in a worker what would be added, or why it cannot be."""
        self._later.stop()
        desk = self._desk
        try:
            parameters = self.form.parameters()
        except DesignerError as error:
            self._show(None, str(error))
            return
        if not parameters.any:
            self._show(None, "")
            return
        design, catalog = desk.session.snapshot(), desk.catalog
        chosen = [one for one in sorted(desk.session.selection) if one in design.devices and design.is_server(one)]

        def work(_progress: Progress) -> Preview:
            edit = networks.build(design, parameters, catalog, chosen or None)
            found, slow = preview_of(design, edit), networks.slow_uplinks(design, edit)
            return replace(found, text=f"{found.text} {slow}") if slow else found

        desk.session.jobs.run(LANE, work, self._take)

    def _take(self, outcome: Outcome) -> None:
        if not self.isVisible():
            return
        if outcome.error is not None:
            self._show(None, outcome.error)
        elif outcome.value is not None:
            self._show(outcome.value, "")

    def _show(self, found: Preview | None, refusal: str) -> None:
        self._found = found
        self.preview.setText(found.text if found is not None else "")
        self.preview.setVisible(found is not None)
        self.refusal.refuse(refusal)
        self.add.setEnabled(found is not None)
        for canvas in self._desk.views.canvases:
            canvas.show_ghosts(found.ghosts if found is not None else None)

    def do(self) -> None:
        """Add what is previewed, as one edit."""
        found, session = self._found, self._desk.session
        if found is None or found.revision != session.design.revision:
            self.refresh()
            return
        edit = found.edit
        self._desk.views.show_canvas()
        self.close()
        if session.attempt(lambda: edit):
            self._desk.views.show_whole()
            self._desk.notice.say(f"{edit.label}: {self.preview.text().removeprefix('Adds ')}")

"""What to simulate: traffic, algorithm, size, routing, ranks; run, live, cancel, and the state it is in."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from designer.model.errors import DesignerError, ParameterError
from designer.panels.appearance import Appearance
from designer.panels.fields import ChoiceField, TextField, add_row, form
from designer.panels.labels import label
from designer.panels.sections import Section
from designer.session.session import Session
from designer.units import format_size, format_time, parse_size

if TYPE_CHECKING:
    from designer.simulation.scenario import Scenario

ORDERS = (("design", "as drawn"), ("rail", "by rail"), ("topology", "by topology"), ("random", "random"))


class SimulationControls(QWidget):
    """Each choice becomes the session's scenario at once; with Live on it is computed at once."""

    run_wanted = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        from designer.simulation import catalogue

        self._catalogue = catalogue
        self._session = session
        self._appearance = appearance
        self.traffic = ChoiceField("Traffic", self._choose_traffic)
        self.parameter = TextField("Pattern's number", self._set_parameter)
        self.algorithm = ChoiceField("Algorithm", lambda name: self._choose(algorithm=name or None))
        self.buffer_size = TextField("Size", self._set_size)
        self.routing = ChoiceField("Routing", lambda name: self._choose(routing=name))
        self.ranks = TextField("Ranks", self._set_ranks, "all")
        self.order = ChoiceField("Rank order", lambda name: self._choose(order=name))
        self.seed = TextField("Seed", self._set_seed)
        self.channels = TextField("Channels", self._set_channels, "one for each NIC")
        self.efficiency = TextField("Efficiency", self._set_efficiency, "from protocol and MTU")
        self.latency = ChoiceField("Latency", lambda value: self._choose(latency=value == "on"))
        self.run = QPushButton("Run")
        self.run.setProperty("kind", "primary")
        self.run.setToolTip("Run the simulation (F5)")
        self.run.clicked.connect(self._run_or_cancel)
        self.live = QPushButton("Live")
        self.live.setCheckable(True)
        self.live.setToolTip("Compute again after each edit (F6)")
        self.live.toggled.connect(self._set_live)
        self.state = label("", "muted", wrap=True)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        self._fields = form()
        self._lay_out()
        session.heat_changed.connect(self.refresh_state)
        session.simulation.scenario_changed.connect(self.refresh)
        session.simulation.progressed.connect(self._show_progress)
        appearance.changed.connect(self.refresh_state)
        self.refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for name, field in (
            ("Traffic", self.traffic),
            ("", self.parameter),
            ("Algorithm", self.algorithm),
            ("Size a rank", self.buffer_size),
            ("Routing", self.routing),
            ("Ranks", self.ranks),
        ):
            add_row(self._fields, name, field)
        column.addLayout(self._fields)
        more = QWidget()
        rows = form()
        more.setLayout(rows)
        for name, field in (
            ("Rank order", self.order),
            ("Seed", self.seed),
            ("Channels", self.channels),
            ("Efficiency", self.efficiency),
            ("Latency", self.latency),
        ):
            add_row(rows, name, field)
        column.addWidget(Section("More", more, self._appearance, is_open=False))
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.run, 1)
        buttons.addWidget(self.live)
        column.addLayout(buttons)
        column.addWidget(self.progress)
        column.addWidget(self.state)

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the scenario."""
        scenario, catalogue = self._session.simulation.scenario, self._catalogue
        pattern, _, number = (scenario.traffic or "").partition(":")
        collectives = [(f"collective {row.name}", row.title) for row in catalogue.COLLECTIVES]
        patterns = [(f"traffic {row.name}", f"{row.title} (pattern)") for row in catalogue.PATTERNS]
        chosen = f"collective {scenario.collective}" if scenario.collective else f"traffic {pattern}"
        self.traffic.show_choices([*collectives, *patterns], chosen)
        self._show_parameter(pattern, number)
        collective = next((row for row in catalogue.COLLECTIVES if row.name == scenario.collective), None)
        self._fields.setRowVisible(self.algorithm, collective is not None and len(collective.algorithms) > 1)
        if collective is not None:
            algorithms = [("", "automatic"), *((name, name.replace("-", " ")) for name in collective.algorithms)]
            self.algorithm.show_choices(algorithms, scenario.algorithm or "")
        self.buffer_size.show_value(format_size(scenario.size_bytes))
        self.routing.show_choices([(row.name, row.title) for row in catalogue.ROUTINGS], scenario.routing)
        self.ranks.show_value(_ranks_text(scenario.ranks))
        self.order.show_choices(ORDERS, scenario.order)
        self.seed.show_value(str(scenario.seed))
        self.channels.show_value("" if scenario.channels is None else str(scenario.channels))
        self.efficiency.show_value("" if scenario.efficiency is None else f"{scenario.efficiency:g}")
        self.latency.show_choices((("on", "counted"), ("off", "left out")), "on" if scenario.latency else "off")
        self.refresh_state()

    def _show_parameter(self, pattern: str, number: str) -> None:
        row = next((row for row in self._catalogue.PATTERNS if row.name == pattern), None)
        wanted = row is not None and bool(row.parameter)
        self._fields.setRowVisible(self.parameter, wanted)
        if row is not None and wanted:
            self._fields.labelForField(self.parameter).setText(row.parameter.capitalize())  # type: ignore[attr-defined]
            self.parameter.show_value(number)

    def refresh_state(self) -> None:
        """Show what state the result is in."""
        simulation = self._session.simulation
        running = simulation.state == "running"
        self.run.setText("Cancel" if running else "Run")
        self.progress.setVisible(running)
        if not running:
            self.progress.setValue(0)
        with QSignalBlocker(self.live):
            self.live.setChecked(simulation.live)
        self.live.setIcon(self._appearance.icon("live", "accent" if simulation.live else "text"))
        self.run.setIcon(self._appearance.icon("stop" if running else "play", "on_accent"))
        self.state.setText(self._state_text())
        self.state.setProperty("kind", "error" if simulation.state == "failed" else "muted")
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)

    def _show_progress(self, share: float) -> None:
        self.progress.setValue(round(share * 1000))

    def _state_text(self) -> str:
        simulation = self._session.simulation
        broken = len(simulation.failed)
        tail = f" {broken} taken as broken." if broken else ""
        if simulation.state == "running":
            return "Computing …" + tail
        if simulation.state == "current":
            return f"Current: computed in {format_time(simulation.wall_s)}." + tail
        if simulation.state == "stale":
            return "Stale: something changed since. Run again." + tail
        if simulation.state == "failed":
            return simulation.error or "The simulation failed."
        return "Not run yet." + tail

    # -- choosing -------------------------------------------------------------------------------------------------

    def _run_or_cancel(self) -> None:
        if self._session.simulation.state == "running":
            self._session.simulation.cancel()
        else:
            self.run_wanted.emit()

    def _set_live(self, on: bool) -> None:
        self._session.simulation.live = on

    def _choose_traffic(self, chosen: str) -> None:
        kind, _, name = chosen.partition(" ")
        if kind == "collective":
            self._change(collective=name, traffic=None, algorithm=None)
            return
        row = next(row for row in self._catalogue.PATTERNS if row.name == name)
        traffic = f"{name}:{row.default}" if row.parameter else name
        self._change(collective=None, traffic=traffic, algorithm=None)

    def _change(self, **values: Any) -> str | None:
        """Make the scenario have these values; the sentence of its refusal, or None."""
        simulation = self._session.simulation
        try:
            changed: Scenario = replace(simulation.scenario, **values)
        except DesignerError as error:
            self._session.message.emit(str(error))
            self.refresh()
            return str(error)
        simulation.scenario = changed
        return None

    def _choose(self, **values: Any) -> None:
        self._change(**values)

    def _set_parameter(self, text: str) -> str | None:
        pattern = (self._session.simulation.scenario.traffic or "").partition(":")[0]
        try:
            return self._change(traffic=f"{pattern}:{_whole(text)}")
        except ParameterError as error:
            return str(error)

    def _set_size(self, text: str) -> str | None:
        try:
            refusal = self._change(size_bytes=parse_size(text))
        except ParameterError as error:
            return str(error)
        self.refresh()
        return refusal

    def _set_ranks(self, text: str) -> str | None:
        try:
            return self._change(ranks=parse_ranks(text))
        except ParameterError as error:
            return str(error)

    def _set_seed(self, text: str) -> str | None:
        try:
            return self._change(seed=_whole(text))
        except ParameterError as error:
            return str(error)

    def _set_channels(self, text: str) -> str | None:
        try:
            return self._change(channels=_whole(text) if text else None)
        except ParameterError as error:
            return str(error)

    def _set_efficiency(self, text: str) -> str | None:
        try:
            value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1) if text else None
        except ValueError:
            return f"{text!r} is not a share: write it like 0.95 or 95%"
        if value is not None and not 0 < value <= 1:
            return f"{text!r} is not between 0 and 1"
        return self._change(efficiency=value)


def parse_ranks(text: str) -> int | tuple[int, ...] | None:
    """None from "" or "all", a count from "64", a list from "0-7, 16, 24-31". Raises ParameterError."""
    text = text.strip().lower()
    if text in ("", "all"):
        return None
    if text.isdecimal():
        return _whole(text)
    ranks: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        low = _whole(first.strip())
        high = _whole(last.strip()) if dash else low
        if high < low or high - low > 10_000_000:
            raise ParameterError(f"{part.strip()!r} is not a range of ranks: write it like 0-7")
        ranks.extend(range(low, high + 1))
    return tuple(ranks)


def _ranks_text(ranks: int | tuple[int, ...] | None) -> str:
    if ranks is None:
        return ""
    return str(ranks) if isinstance(ranks, int) else ",".join(map(str, ranks))


def _whole(text: str) -> int:
    if not text.isdecimal() or len(text) > 12:
        raise ParameterError(f"{text!r} is not a whole number")
    return int(text)

"""What to simulate: traffic, algorithm, size, routing, ranks; run, live, cancel, and the state it is in."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from designer.errors import DesignerError, ParameterError, PartsError, sentence
from designer.fields.field import fields_of
from designer.graph.endpoints import numbers_of_gpus
from designer.model.edit import Edit
from designer.model.entities import Device, Link, Module
from designer.model.networks import COMPUTE, NETWORKS, network_of_link, networks_of
from designer.model.shown_text import plain_text
from designer.panels.simulation.given_row import ConstantsRow, TablesRow
from designer.panels.studies.study_parts import CUT_OFF, STALE
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form
from designer.panels.widgets.labels import label
from designer.panels.widgets.live_fields import LiveFields
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.sections import Section
from designer.session.session import Session
from designer.session.simulation import RERUN_S
from designer.simulation import catalogue
from designer.simulation.catalogue import AlgorithmRow, PatternRow
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import parts_of, rest_of
from designer.units import format_time

OUT_OF_DATE = "Out of date: something failed or was repaired after the run."
LEAST_NAMED_S = 0.5
"""Less time to load the simulation is not named."""
TRAFFIC_TIPS = {f"collective {row.name}": row.explanation for row in catalogue.COLLECTIVES}
TRAFFIC_TIPS |= {f"traffic {row.name}": row.tip for row in catalogue.PATTERNS}
PARAMETER_HINTS = {"file": "a CSV file: source, destination, bytes"}


class SimulationControls(QWidget):
    """Each choice becomes the session's scenario at once; with Live on it is computed at once."""

    run_wanted = Signal()
    refused = Signal(QWidget)
    """Carries the field that keeps a run from being started."""
    tables_wanted = Signal()
    """A routing was chosen that goes by forwarding tables, and none are read."""
    constants_wanted = Signal()
    """Constants of the user's own are to be read."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.traffic = ChoiceField("Traffic", self._choose_traffic)
        self.parameter = TextField("Pattern's number", self._set_parameter)
        self.algorithm = ChoiceField("Algorithm", self._choose_algorithm)
        self.beside = TextField("Second pattern", self._set_second, "none, or such as shift:1")
        self.beside.line.setToolTip(
            "A second pattern that runs at the same time, such as shift:1 together with an incast"
        )
        self.fields = LiveFields(self._change, self._refuse)
        self.tables = TablesRow()
        self.tables.wanted.connect(self.tables_wanted)
        self.constants = ConstantsRow()
        self.constants.wanted.connect(self.constants_wanted)
        self.constants.given_up.connect(lambda: self._change(constants=None))
        self.run = QPushButton("Run")
        self.run.setProperty("kind", "primary")
        self.run.setToolTip("Run the simulation (F5)")
        self.run.clicked.connect(self._run_or_cancel)
        self.live = QPushButton("Live")
        self.live.setCheckable(True)
        self.live.setToolTip("Run again after each edit (F6)")
        self.live.toggled.connect(self._set_live)
        self.state = label("", "muted", wrap=True)
        self.largest_part = QPushButton("Run on the Largest Part")
        self.largest_part.setToolTip("Leave out the GPUs of the other parts; More > Parts takes that back")
        self.largest_part.clicked.connect(self._run_on_largest_part)
        self.progress = ShareBar()
        self._rows = form()
        self._lay_out()
        session.workbench.simulation.state_changed.connect(self.refresh_state)
        session.workbench.simulation.scenario_changed.connect(self.refresh)
        session.workbench.simulation.progressed.connect(self.progress.show_share)
        session.changed.connect(self._follow)
        session.reset.connect(self._grey_networks)
        appearance.changed.connect(self.refresh_state)
        self.refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        shown = [field for field in fields_of(type(self._scenario)).values() if field.is_shown]
        for name, field in (("Traffic", self.traffic), ("", self.parameter), ("Algorithm", self.algorithm)):
            add_row(self._rows, name, field)
        own = catalogue.ROUTING_SETTINGS
        for one in shown:
            if one.first:
                self.fields.add(one, self._rows)
            if one.name == "model":
                add_row(self._rows, "Constants", self.constants)
            if one.name == "routing":
                add_row(self._rows, "Tables", self.tables)
                for described in (other for other in shown if other.name in own):
                    self.fields.add(described, self._rows)
        column.addLayout(self._rows)
        more = QWidget()
        rows = form()
        more.setLayout(rows)
        add_row(rows, "Second pattern", self.beside)
        for one in shown:
            if not one.first and one.name not in own:
                self.fields.add(one, rows)
        self._more = Section("More", more, self._appearance, is_open=False)
        column.addWidget(self._more)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.run, 1)
        buttons.addWidget(self.live)
        column.addLayout(buttons)
        column.addWidget(self.progress)
        column.addWidget(self.state)
        column.addWidget(self.largest_part)

    @property
    def _scenario(self) -> Scenario:
        return self._session.workbench.simulation.scenario

    @property
    def _pending(self) -> str:
        """The pattern that is chosen and still lacks its parameter; "" where the scenario is what is chosen."""
        return self._session.workbench.simulation.unfinished

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the scenario."""
        scenario = self._scenario
        self._wait_for("")
        self.fields.show(scenario)
        self.tables.show_tables(scenario.tables)
        self._rows.setRowVisible(self.tables, scenario.goes_by_tables)
        self.constants.show_constants(scenario.constants)
        self._rows.setRowVisible(self.constants, scenario.is_calibrated)
        used = catalogue.routing_settings(scenario.routing)
        for name in catalogue.ROUTING_SETTINGS:
            self._rows.setRowVisible(self.fields[name], name in used)
        self._show_traffic(scenario)
        self.fields["chunk_bytes"].setEnabled(scenario.algorithm_used in catalogue.CHUNKED)
        can_reduce = scenario.collective == "all-reduce" and scenario.algorithm_used in catalogue.IN_NETWORK
        self.fields["in_network_reduction"].setEnabled(can_reduce)
        self._grey_networks()
        self.beside.show_value(rest_of(scenario.traffic) if scenario.traffic else "")
        self.beside.setEnabled(scenario.traffic is not None)
        self.refresh_state()

    def _follow(self, edit: Edit) -> None:
        """Look which networks there are where the edit could have brought or ended one."""
        design = self._session.design
        links = (change.subject for change in edit.changes)
        if edit.kinds & {Device, Module} or (
            Link in edit.kinds
            and any(isinstance(one, Link) and network_of_link(design, one) != COMPUTE for one in links)
        ):
            self._grey_networks()

    def _grey_networks(self) -> None:
        """Grey those networks that the design does not have."""
        self.fields["network"].grey_out(set(NETWORKS) - set(networks_of(self._session.design)))

    def _show_traffic(self, scenario: Scenario) -> None:
        name, parameter = parts_of(scenario.traffic)[0] if scenario.traffic else ("", "")
        collectives = [(f"collective {row.name}", row.title) for row in catalogue.COLLECTIVES]
        patterns = [(f"traffic {row.name}", row.listed) for row in catalogue.PATTERNS]
        chosen = f"collective {scenario.collective}" if scenario.collective else f"traffic {name}"
        self.traffic.show_choices([*collectives, *patterns], chosen, TRAFFIC_TIPS)
        collective = catalogue.collective(scenario.collective or "")
        pattern = catalogue.pattern(name)
        self._show_parameter(pattern, parameter)
        self._rows.setRowVisible(self.algorithm, collective is not None and len(collective.algorithms) > 1)
        if collective is not None:
            titles = {row.name: row.title for row in catalogue.ALGORITHMS}
            offered = [(name, titles.get(name, name)) for name in collective.algorithms]
            used = scenario.algorithm_used
            if scenario.is_calibrated:
                used = scenario.algorithm or ""
                chosen = f"Chosen by {catalogue.model_title(scenario.model)}"
                offered = [("", chosen), *(one for one in offered if one[0] in catalogue.LIBRARY_NAMES)]
            self.algorithm.show_choices(offered, used)
            self.algorithm.setToolTip(plain_text(_explanation(catalogue.ALGORITHMS, used)))
            self.traffic.setToolTip(plain_text(collective.explanation))
            self.fields["size_bytes"].line.setToolTip(
                plain_text(f"Size: {collective.size_means}, as nccl-tests counts it")
            )
        elif pattern is not None:
            self.traffic.setToolTip(plain_text(pattern.tip))
            self.fields["size_bytes"].line.setToolTip("Size: the bytes of each flow")

    def _show_parameter(self, pattern: PatternRow | None, value: str) -> None:
        wanted = pattern is not None and bool(pattern.parameter)
        self._rows.setRowVisible(self.parameter, wanted)
        if pattern is not None and wanted:
            name = self._rows.labelForField(self.parameter)
            if isinstance(name, QLabel):
                name.setText(pattern.parameter.capitalize())
            self.parameter.line.setPlaceholderText(PARAMETER_HINTS.get(pattern.parameter, ""))
            self.parameter.show_value(value)

    def refresh_state(self) -> None:
        """Show what state the result is in."""
        simulation = self._session.workbench.simulation
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
        in_parts = simulation.cause is not None and issubclass(simulation.cause, PartsError)
        self.largest_part.setVisible(simulation.state == "failed" and in_parts)

    def _state_text(self) -> str:
        simulation = self._session.workbench.simulation
        broken = len(self._session.failed)
        tail = f" {broken} marked as failed." if broken else ""
        if simulation.state == "running":
            return "Computing …" + tail
        if self._pending:
            return self._what_is_missing() + tail
        if simulation.state == "current":
            return f"Current: computed in {self._took()}.{tail}"
        if simulation.live and not self._session.design.links:
            return "Nothing to simulate: no links are drawn."
        if simulation.state == "stale" and simulation.differs_in_failures:
            return f"{OUT_OF_DATE} {self._why_not_rerun()}{tail}"
        if simulation.state == "stale":
            stated = CUT_OFF if simulation.was_cut_off else STALE
            return f"{stated} Run again.{tail}"
        if simulation.state == "failed":
            return sentence(simulation.error or "The simulation failed.")
        return (CUT_OFF if simulation.was_cut_off else "Not run yet.") + tail

    def _took(self) -> str:
        """How long the run took; "6.3 s, 6.2 s of it to load the simulation once" where that was most of it."""
        simulation = self._session.workbench.simulation
        took, loading_s = format_time(simulation.wall_s), simulation.start_up_s
        is_named = loading_s >= max(LEAST_NAMED_S, simulation.own_s)
        return f"{took}, {format_time(loading_s)} of it to load the simulation once" if is_named else took

    def _what_is_missing(self) -> str:
        """What the chosen pattern needs before it can run, and what the result shown is for."""
        row = catalogue.pattern(self._pending)
        needed = f"Enter the {row.parameter} for {row.listed}, then run." if row is not None else ""
        has_result = self._session.workbench.simulation.result is not None
        return f"{needed} The result shown is for the previous traffic." if has_result else needed

    def _why_not_rerun(self) -> str:
        """What has the run not repeated by itself after a failure, and what to do."""
        simulation = self._session.workbench.simulation
        if not simulation.reruns_after_failures:
            return "Run again, or switch on Settings > Rerun after failures."
        took = format_time(simulation.own_s)
        return f"The run took {took}, and those over {RERUN_S:g} s are not repeated by themselves: run again."

    # -- choosing -------------------------------------------------------------------------------------------------

    def finish(self) -> bool:
        """Take what is being typed; False where a field refuses it, so that nothing else is run instead."""
        if self._pending and not self.parameter.line.text().strip():
            self.parameter.refuse(f"Type {self.parameter.line.placeholderText() or 'a value'}")
            return False
        for field in self.findChildren(TextField):
            # Folded away it counts all the same; a field that this traffic has no use for does not.
            is_of_use = field.isEnabled() and not field.isHidden()
            if is_of_use and not field.finish():
                if self._more.isAncestorOf(field):
                    self._more.unfold()
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                self.refused.emit(field)
                return False
        return True

    def _run_or_cancel(self) -> None:
        if self._session.workbench.simulation.state == "running":
            self._session.workbench.simulation.cancel()
        else:
            self.run_wanted.emit()

    def _run_on_largest_part(self) -> None:
        if self._change(largest_part=True) is None:
            self.run_wanted.emit()

    def _set_live(self, on: bool) -> None:
        self._session.workbench.simulation.live = on

    def _choose_traffic(self, chosen: str) -> None:
        kind, _, name = chosen.partition(" ")
        if kind == "collective":
            self._change(collective=name, traffic=None, algorithm=None, in_network_reduction=False)
            return
        row = catalogue.pattern(name)
        if row is not None and row.parameter and not row.default:
            # Nothing to simulate until its parameter is typed; the scenario stays as it is meanwhile.
            self._rows.setRowVisible(self.algorithm, False)
            self._show_parameter(row, "")
            self._wait_for(name)
            self.parameter.setFocus()
        elif row is not None:
            traffic = row.traffic(self._count_ranks())
            self._change(collective=None, traffic=traffic, algorithm=None, in_network_reduction=False)

    def _wait_for(self, pattern: str) -> None:
        """Hold that this pattern is chosen and lacks its parameter, or with "" that the scenario is what is chosen."""
        simulation = self._session.workbench.simulation
        if pattern != simulation.unfinished:
            simulation.unfinished = pattern
            simulation.state_changed.emit()

    def _count_ranks(self) -> int:
        """How many ranks a run has, unless a failure cuts some off."""
        design, simulation = self._session.design, self._session.workbench.simulation
        there = sum(gpus for _first, gpus in numbers_of_gpus(design, self._session.failed).values())
        chosen = simulation.scenario.ranks
        wanted = len(chosen) if isinstance(chosen, tuple) else chosen
        return there if wanted is None else min(there, wanted)

    def _change(self, **values: Any) -> str | None:
        """Make the scenario have these values; the sentence of its refusal, or None."""
        simulation = self._session.workbench.simulation
        if simulation.scenario.tables is None and catalogue.takes_tables(values.get("routing", "")):
            self.refresh()
            self.tables_wanted.emit()
            return None
        if (model := values.get("model", catalogue.IDEAL)) != catalogue.IDEAL:
            values.setdefault("algorithm", None)
            own = simulation.scenario.constants
            if own is not None and own.library != model:
                values.setdefault("constants", None)  # the other library has constants of its own
        try:
            changed = replace(simulation.scenario, **values)
        except DesignerError as error:
            return str(error)
        simulation.scenario = changed
        if self._pending:
            self.refresh()  # the scenario is the one that held before, so nothing else shows it again
        return None

    def _refuse(self, refusal: str) -> None:
        """Say why a choice was refused, and show what holds."""
        self._session.message.emit(refusal)
        self.refresh()

    def _choose_algorithm(self, name: str) -> None:
        reduces = self._session.workbench.simulation.scenario.in_network_reduction and name in catalogue.IN_NETWORK
        refusal = self._change(algorithm=name or None, in_network_reduction=reduces)
        if refusal is not None:
            self._refuse(refusal)

    def _set_parameter(self, text: str) -> str | None:
        traffic = self._session.workbench.simulation.scenario.traffic or ""
        rest = rest_of(traffic) if traffic and not self._pending else ""
        name = self._pending or traffic.partition(":")[0]
        together = f"{name}:{text}+{rest}" if rest else f"{name}:{text}"
        return self._change(collective=None, traffic=together, algorithm=None, in_network_reduction=False)

    def _set_second(self, text: str) -> str | None:
        traffic = self._scenario.traffic
        if traffic is None:
            return (
                "A collective cannot be combined with a second pattern; choose a traffic pattern first"
                if text
                else None
            )
        rest = rest_of(traffic)
        first = traffic.removesuffix(f"+{rest}") if rest else traffic
        try:
            if text:
                parts_of(text)  # what it refuses is about this field, not of the pattern before it
        except ParameterError as error:
            return str(error)
        return self._change(traffic=f"{first}+{text}" if text else first)


def _explanation(rows: Sequence[AlgorithmRow], name: str) -> str:
    return next((row.explanation for row in rows if row.name == name), "")

"""The form of one job: its name and what it sends; each choice is taken at once."""

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.errors import DesignerError, ParameterError
from designer.graph.endpoints import ranks_of_servers
from designer.panels.fields import ChoiceField, TextField, add_row, form
from designer.session.placed_jobs import PlacedJob
from designer.session.session import Session
from designer.simulation import catalogue
from designer.units import format_size, format_time, parse_size, parse_time

ORDER_WORDS = {"design": "as drawn", "rail": "by rail", "topology": "by leaf", "random": "random"}
AFTERWARDS = (("yes", "begins again"), ("no", "ends"))


class JobForm(QWidget):
    """Shows a job of the session and changes it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._job: PlacedJob | None = None
        self.name = TextField("Name of the job", lambda text: self._change(name=text))
        self.traffic = ChoiceField("Traffic of the job", self._choose_traffic)
        self.parameter = TextField("Parameter of the pattern", self._set_parameter)
        self.algorithm = ChoiceField("Algorithm of the job", lambda name: self._choose(algorithm=name))
        self.buffer_size = TextField("Size of the job", self._set_size)
        self.order = ChoiceField("Rank order of the job", lambda name: self._choose(order=name))
        self.start = TextField("Start of the job", self._set_start)
        self.start.setToolTip("How much later than the others it begins: 2ms, 1.5s")
        self.loop = ChoiceField("When the job is done", lambda value: self._told(self._change(loop=value == "yes")))
        self.loop.setToolTip("Begins again until every job has run once, or leaves the fabric to the others")
        self._rows = form()
        for title, field in (
            ("Name", self.name), ("Traffic", self.traffic), ("", self.parameter), ("Algorithm", self.algorithm),
            ("Size", self.buffer_size), ("Rank order", self.order), ("Start", self.start), ("When done", self.loop),
        ):  # fmt: skip
            add_row(self._rows, title, field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._rows)
        self.show_job(None)

    def show_job(self, job: PlacedJob | None) -> None:
        """Show this job; without one the form is greyed."""
        self._job = job
        self.setEnabled(job is not None)
        self.setVisible(job is not None)
        if job is None:
            return
        scenario = job.scenario
        self.name.show_value(job.name)
        collectives = [(f"collective {row.name}", row.title) for row in catalogue.COLLECTIVES]
        offered = [row for row in catalogue.PATTERNS if row.default or not row.parameter]
        patterns = [(f"traffic {row.name}", f"{row.title} (flows)") for row in offered]
        name, _, parameter = (scenario.traffic or "").partition(":")
        chosen = f"collective {scenario.collective}" if scenario.collective else f"traffic {name}"
        self.traffic.show_choices([*collectives, *patterns], chosen)
        pattern, collective = catalogue.pattern(name), catalogue.collective(scenario.collective or "")
        self._rows.setRowVisible(self.parameter, pattern is not None and bool(pattern.parameter))
        if pattern is not None:
            self.parameter.setToolTip(pattern.parameter.capitalize())
            self.parameter.show_value(parameter)
        self._rows.setRowVisible(self.algorithm, collective is not None and len(collective.algorithms) > 1)
        if collective is not None:
            titles = {row.name: row.title for row in catalogue.ALGORITHMS}
            algorithms = [(name, titles.get(name, name)) for name in collective.algorithms]
            self.algorithm.show_choices(algorithms, scenario.algorithm_used)
        self.buffer_size.show_value(format_size(scenario.size_bytes))
        self.order.show_choices([(name, ORDER_WORDS.get(name, name)) for name in catalogue.ORDERS], scenario.order)
        self.start.show_value(format_time(job.start_s) if job.start_s else "0")
        self.loop.show_choices(AFTERWARDS, "yes" if job.loop else "no")

    # -- choosing -------------------------------------------------------------------------------------------------

    def _change(self, **values: Any) -> str | None:
        return self._session.placed_jobs.change(self._job, **values) if self._job is not None else None

    def _send(self, **values: Any) -> str | None:
        """Make the job's scenario have these values; the sentence of its refusal, or None."""
        if self._job is None:
            return None
        try:
            return self._change(scenario=replace(self._job.scenario, **values))
        except DesignerError as error:
            return str(error)

    def _choose(self, **values: Any) -> None:
        self._told(self._send(**values))

    def _told(self, refusal: str | None) -> None:
        if refusal is not None:
            self._session.message.emit(refusal)
            self.show_job(self._job)

    def _choose_traffic(self, chosen: str) -> None:
        kind, _, name = chosen.partition(" ")
        row = catalogue.pattern(name) if kind == "traffic" else None
        session, servers = self._session, self._job.servers if self._job is not None else ()
        n_ranks = len(ranks_of_servers(session.design, servers, session.simulation.failed))
        traffic = None if row is None else row.traffic(n_ranks)
        collective = name if row is None else None
        self._choose(collective=collective, traffic=traffic, algorithm=None, in_network_reduction=False)

    def _set_parameter(self, text: str) -> str | None:
        name = ((self._job.scenario.traffic if self._job is not None else "") or "").partition(":")[0]
        return self._send(traffic=f"{name}:{text}")

    def _set_size(self, text: str) -> str | None:
        try:
            return self._send(size_bytes=parse_size(text))
        except ParameterError as error:
            return str(error)

    def _set_start(self, text: str) -> str | None:
        try:
            return self._change(start_s=parse_time(text or "0"))
        except ParameterError as error:
            return str(error)

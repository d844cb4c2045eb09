"""The form of one job: its name, color and servers, and what it sends; each choice is taken at once."""

from dataclasses import fields
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from designer.fields.field import fields_of
from designer.model.entities import PlacedJob
from designer.model.job_colours import JOB_COLOURS
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form
from designer.panels.widgets.labels import label
from designer.panels.widgets.live_fields import LiveFields
from designer.session.session import Session
from designer.simulation import catalogue
from designer.simulation.jobs.job import Job
from designer.simulation.scenario import Traffic
from designer.units import format_count, format_counted

SWATCH_PX = 12
OTHER = "other"


def swatch(colour: str) -> QIcon:
    """A square in that color, in a chosen row too."""
    square = QPixmap(SWATCH_PX, SWATCH_PX)
    square.fill(QColor(colour))
    icon = QIcon(square)
    icon.addPixmap(square, QIcon.Mode.Selected)
    return icon


class ColourField(ChoiceField):
    """Color-blind safe colors, the one that is chosen, and the wish for another."""

    def show_colour(self, colour: str) -> None:
        """Offer the standard colors and choose this one, which is added where it is not among them."""
        names = {value: name for name, value in JOB_COLOURS}
        offered = [(value, name.capitalize()) for value, name in names.items()]
        if colour not in names:
            offered.append((colour, colour))
        self.show_choices([*offered, (OTHER, "Other…")], colour)
        for row, (value, _name) in enumerate(offered):
            self.setItemIcon(row, swatch(value))


class ServersField(QWidget):
    """How many servers a job runs on, and a button that moves it to those selected."""

    def __init__(self) -> None:
        super().__init__()
        self.stated = label("", "")
        self.take = QPushButton("Use selection")
        self.take.setToolTip("Move the job to all GPUs of the servers selected on the canvas")
        self.take.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.stated, 1)
        row.addWidget(self.take)


class JobForm(QWidget):
    """Shows a job of the design and changes it. `colour_wanted` and `move_wanted` carry its id."""

    colour_wanted = Signal(str)
    move_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._job: PlacedJob | None = None
        self.name = TextField("Name of the job", lambda text: self._change(name=text))
        self.colour = ColourField("Color of the job", self._choose_colour)
        self.colour.setToolTip("Color of its servers on the canvas; the first six are color-blind safe")
        self.servers = ServersField()
        self.servers.take.clicked.connect(self._ask_to_move)
        self.traffic = ChoiceField("Traffic of the job", self._choose_traffic)
        self.parameter = TextField("Parameter of the pattern", self._set_parameter)
        self.algorithm = ChoiceField("Algorithm of the job", lambda name: self._choose(algorithm=name, dims=()))
        self.fields = LiveFields(self._change, self._refuse)
        self._rows = form()
        for title, field in (
            ("Name", self.name),
            ("Color", self.colour),
            ("Servers", self.servers),
            ("Traffic", self.traffic),
            ("", self.parameter),
            ("Algorithm", self.algorithm),
        ):
            add_row(self._rows, title, field)
        sent = {one.name for one in fields(PlacedJob)}
        for described in (*fields_of(Traffic).values(), *fields_of(Job).values()):
            if described.is_shown and described.name in sent:
                self.fields.add(described, self._rows)
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
        self.name.show_value(job.name)
        self.colour.show_colour(job.colour)
        self._show_servers(job)
        self._show_traffic(job)
        self.fields.show(job)
        algorithm = job.algorithm or _built_in(job.collective)
        self.fields["chunk_bytes"].setEnabled(algorithm in catalogue.CHUNKED)
        can_reduce = job.collective == "all-reduce" and algorithm in catalogue.IN_NETWORK
        self.fields["in_network_reduction"].setEnabled(can_reduce)

    def _show_servers(self, job: PlacedJob) -> None:
        jobs = self._session.workbench.placed_jobs
        count = len(jobs.servers_of(job))
        gpus = format_counted(jobs.gpus_of(job), "GPU")
        self.servers.stated.setText(format_count(count) if job.servers else f"all {format_count(count)}")
        later = "" if job.servers else "; servers added later take part too"
        self.servers.stated.setToolTip(plain_text(f"{gpus}{later}"))

    def _show_traffic(self, job: PlacedJob) -> None:
        collectives = [(f"collective {row.name}", row.title) for row in catalogue.COLLECTIVES]
        offered = [row for row in catalogue.PATTERNS if row.default or not row.parameter]
        patterns = [(f"traffic {row.name}", row.listed) for row in offered]
        name, _, parameter = job.traffic.partition(":")
        chosen = f"collective {job.collective}" if job.collective else f"traffic {name}"
        tips = {f"traffic {row.name}": row.tip for row in offered}
        self.traffic.show_choices([*collectives, *patterns], chosen, tips)
        pattern, collective = catalogue.pattern(name), catalogue.collective(job.collective)
        self._rows.setRowVisible(self.parameter, pattern is not None and bool(pattern.parameter))
        if pattern is not None:
            self.parameter.setToolTip(plain_text(pattern.parameter.capitalize()))
            self.parameter.show_value(parameter)
        self._rows.setRowVisible(self.algorithm, collective is not None and len(collective.algorithms) > 1)
        if collective is not None:
            titles = {row.name: row.title for row in catalogue.ALGORITHMS}
            algorithms = [(name, titles.get(name, name)) for name in collective.algorithms]
            self.algorithm.show_choices(algorithms, job.algorithm or collective.algorithms[0])

    # -- choosing -------------------------------------------------------------------------------------------------

    def _change(self, **values: Any) -> str | None:
        """Make the job have these values; the sentence of its refusal, or None."""
        return self._session.workbench.placed_jobs.change(self._job, **values) if self._job is not None else None

    def _choose(self, **values: Any) -> None:
        refusal = self._change(**values)
        if refusal is not None:
            self._refuse(refusal)

    def _refuse(self, refusal: str) -> None:
        """Say why a choice was refused, and show what holds."""
        self._session.message.emit(refusal)
        self.show_job(self._job)

    def _choose_colour(self, colour: str) -> None:
        if colour != OTHER:
            self._choose(colour=colour)
        elif self._job is not None:
            self.show_job(self._job)
            self.colour_wanted.emit(self._job.id)

    def _ask_to_move(self) -> None:
        if self._job is not None:
            self.move_wanted.emit(self._job.id)

    def _choose_traffic(self, chosen: str) -> None:
        kind, _, name = chosen.partition(" ")
        row = catalogue.pattern(name) if kind == "traffic" else None
        n_gpus = self._session.workbench.placed_jobs.gpus_of(self._job) if self._job is not None else 0
        collective, traffic = ("", row.traffic(n_gpus)) if row is not None else (name, "")
        self._choose(collective=collective, traffic=traffic, algorithm="", dims=(), in_network_reduction=False)

    def _set_parameter(self, text: str) -> str | None:
        name = (self._job.traffic if self._job is not None else "").partition(":")[0]
        return self._change(traffic=f"{name}:{text}")


def _built_in(collective: str) -> str:
    """The algorithm of a collective where none is chosen."""
    row = catalogue.collective(collective)
    return row.built_in[0] if row is not None else ""

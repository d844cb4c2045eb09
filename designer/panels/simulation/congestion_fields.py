"""Two rows of the simulation's form: whether congestion spreads, and what is sent beside the chosen pattern."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QFormLayout

from designer.errors import DesignerError
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import ChoiceField, TextField, add_row
from designer.session.session import Session
from designer.simulation import catalogue
from designer.simulation.scenario import parts_of, rest_of


class CongestionFields:
    """`add_to` puts the rows into a form; `refresh` shows the scenario."""

    def __init__(self, session: Session, choose: Callable[..., None]) -> None:
        self._session = session
        self.spreads = ChoiceField("Congestion", lambda name: choose(congestion=name))
        self.beside = TextField("Second pattern", self._set_beside, "none, or such as shift:1")
        self.beside.line.setToolTip(
            "A second pattern that runs at the same time, such as shift:1 together with an incast"
        )

    def add_to(self, rows: QFormLayout) -> None:
        add_row(rows, "Second pattern", self.beside)
        add_row(rows, "Congestion", self.spreads)

    def refresh(self) -> None:
        scenario = self._session.workbench.simulation.scenario
        rows = [(row.name, row.title) for row in catalogue.CONGESTIONS]
        self.spreads.show_choices(rows, scenario.congestion)
        chosen = next(row for row in catalogue.CONGESTIONS if row.name == scenario.congestion)
        self.spreads.setToolTip(plain_text(chosen.explanation))
        self.beside.show_value(rest_of(scenario.traffic) if scenario.traffic else "")
        self.beside.setEnabled(scenario.traffic is not None)

    def _set_beside(self, text: str) -> str | None:
        simulation = self._session.workbench.simulation
        traffic = simulation.scenario.traffic
        if traffic is None:
            return "A collective runs alone; choose a traffic pattern to add a second one" if text else None
        rest = rest_of(traffic)
        first = traffic.removesuffix(f"+{rest}") if rest else traffic
        try:
            if text:
                parts_of(text)  # what it refuses is said of this field, not of the pattern before it
            simulation.scenario = replace(simulation.scenario, traffic=f"{first}+{text}" if text else first)
        except DesignerError as error:
            return str(error)
        return None

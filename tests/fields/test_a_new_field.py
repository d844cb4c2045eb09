"""A field that is added to a scenario's record is set everywhere, without another line being written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BEFORE = "    dims: tuple[int, ...] | None = None\n"
ADDED = """\
    warm_ups: int | None = setting(
        None,
        title="Warm-up runs",
        help="Runs before the one that counts.",
        kind=kinds.COUNT,
        within=Range(1, 9),
        empty="none",
    )
"""
PROBE = """
from PySide6.QtWidgets import QApplication

from designer.catalog.catalog import load
from designer.cli.simulate import command
from designer.errors import ParameterError
from designer.panels.simulation.simulation_controls import SimulationControls
from designer.panels.widgets.appearance import Appearance
from designer.session.session import Session
from designer.simulation.jobs.job_text import fields_of, job_fields, job_from
from designer.simulation.scenario import Scenario

option = next(one for one in command.params if one.name == "warm_ups")
print(option.opts, option.help)
job = job_from(fields_of("collective=all-reduce,size=1MB,warm-ups=3"), 1, {})
print(job.scenario.warm_ups, job_fields(job)["warm-ups"])
try:
    Scenario(collective="all-reduce", warm_ups=10)
except ParameterError as error:
    print(error)

application = QApplication([])
session = Session(load())
controls = SimulationControls(session, Appearance(application, "light"))
line = controls.fields["warm_ups"].line
print(line.accessibleName(), line.placeholderText())
line.setText("4")
controls.fields["warm_ups"].finish()
print(session.workbench.simulation.scenario.warm_ups)
session.close()
"""


@pytest.fixture
def sources(tmp_path):
    """The program with a field more."""
    shutil.copytree(ROOT / "designer", tmp_path / "designer", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", tmp_path / "resources")
    record = tmp_path / "designer" / "simulation" / "scenario.py"
    text = record.read_text()
    assert text.count(BEFORE) == 1
    record.write_text(text.replace(BEFORE, ADDED + BEFORE))
    return tmp_path


def test_a_field_added_to_a_scenario_is_an_option_a_word_of_job_texts_and_a_row_of_the_form(sources):
    environment = {**os.environ, "PYTHONPATH": str(sources), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROBE], env=environment, cwd=sources, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "['--warm-ups'] Runs before the one that counts.",
        "3 3",
        "warm-up runs should be 1 to 9, not 10",
        "Warm-up runs none",
        "4",
    ], done.stderr

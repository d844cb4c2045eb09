"""What tests of pinned runs do to a session, and what they read of what is kept."""

import json

from designer.model import operations
from designer.session import kept_pins
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


def settle(session, qtbot):
    busy = session.jobs.busy
    qtbot.waitUntil(lambda: not busy("pinned-keeping") and not busy("pinned"), timeout=PATIENCE_MS)


def pinned(session, qtbot, **scenario):
    simulation = session.workbench.simulation
    simulation.scenario = Scenario(**scenario)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
    return session.workbench.pins.pin()


def numbers(path):
    return [one.number for one in kept_pins.listed(path)]


def list_of(path):
    return kept_pins.folder_of(path) / kept_pins.LIST


def restate(path, **values):
    """State other values of the first run in the list of the file."""
    stated = json.loads(list_of(path).read_text())
    stated["runs"][0] |= values
    list_of(path).write_text(json.dumps(stated))


def runs_of(session, qtbot):
    settle(session, qtbot)
    assert not session.workbench.pins.n_waiting
    return session.workbench.pins.runs


def unlink(session):
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))

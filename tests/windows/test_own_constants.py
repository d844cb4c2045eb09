"""Constants of the user's own in the window: chosen next to the model, used by the run, given up again."""

import pytest
from PySide6.QtCore import Qt

from designer.catalog.catalog import load
from designer.errors import CatalogError, FileFormatError
from designer.exchange.acceptance.own_constants import read_constants
from designer.regeneration.recipes import family_named
from designer.simulation.libraries.execution import measured
from designer.simulation.libraries.writing import constants_text
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


@pytest.fixture
def own(tmp_path):
    """The delivered constants, with half the share of Hopper's links."""
    path = tmp_path / "ours.yaml"
    text = constants_text(measured("nccl"))
    hopper = text.index('"Hopper"')
    share = text.index("share: ", hopper)
    path.write_text(text[:share] + "share: 0.31" + text[text.index(",", share) :], "utf-8")
    return path


def run_of(session, qtbot):
    simulation = session.workbench.simulation
    qtbot.waitUntil(lambda: simulation.state in ("current", "failed"), timeout=PATIENCE_MS)
    assert simulation.state == "current", simulation.error
    return simulation.result.time_s


def test_constants_are_chosen_next_to_the_model_and_given_up(window, own, answers, qtbot):
    session = window.session
    family = family_named("fat-tree")
    parameters = family.parameters(server="dgx-h100", switch="nvidia-qm9700", servers=1)
    session.push(family.build(session.design, parameters, load()))
    controls = window.docks.simulation.controls
    window.docks.show("simulation")
    assert not controls.constants.isVisible()
    simulation = session.workbench.simulation
    simulation.scenario = Scenario(collective="all-reduce", size_bytes=2**30, model="nccl")
    assert controls.constants.isVisible() and controls.constants.text.text() == "delivered"
    assert not controls.constants.back.isVisible()
    window.actions_table.trigger("simulate.run")
    delivered_s = run_of(session, qtbot)
    answers.on_open = [own]
    qtbot.mouseClick(controls.constants.choose, Qt.MouseButton.LeftButton)
    assert simulation.scenario.constants.place == "ours.yaml" == controls.constants.text.text()
    assert (
        str(own) in controls.constants.text.toolTip() and "constants of nccl, 20" in controls.constants.text.toolTip()
    )
    assert run_of(session, qtbot) > 1.2 * delivered_s
    model = controls.fields["model"]
    model.activated.emit(model.findText("RCCL", Qt.MatchFlag.MatchExactly))
    assert simulation.scenario.model == "rccl" and simulation.scenario.constants is None
    answers.on_open = [own]
    window.actions_table.trigger("simulate.constants")
    assert (simulation.scenario.model, simulation.scenario.constants.library) == ("nccl", "nccl")
    qtbot.mouseClick(controls.constants.back, Qt.MouseButton.LeftButton)
    assert simulation.scenario.constants is None and simulation.scenario.model == "nccl"
    model.activated.emit(model.findText("Ideal", Qt.MatchFlag.MatchExactly))
    assert not controls.constants.isVisible()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("between:", "betwen:", r"ours.yaml, line \d+, betwen: there is no field 'betwen': did you mean 'between'\?"),
        (
            "    values:",
            "    value:",
            r"line \d+, inside.Ampere.value: there is no field 'value': did you mean 'values'",
        ),
        ("worst:", "wurst:", r"spread.0..wurst: there is no field 'wurst': did you mean 'worst'"),
        ('"Hopper"', '"Hoper"', r"ours.yaml, inside.Hoper: there is no generation 'Hoper': did you mean 'Hopper'"),
        ('"efa@Hopper"', '"efa@Hoper"', r"between.efa@Hoper: there is no generation 'Hoper'"),
        ('"verbs"', '"verb"', r"between.verb: there is no transport 'verb': did you mean 'verbs'"),
        ("rendezvous_us", "rendevous_us", r"there is no constant 'rendevous_us': did you mean 'rendezvous_us'"),
    ],
)
def test_a_misspelled_name_is_refused_with_its_place_and_the_nearest(own, old, new, sentence):
    text = own.read_text("utf-8")
    assert old in text
    own.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises((CatalogError, FileFormatError), match=sentence):
        read_constants(own)


def test_a_file_that_is_refused_changes_nothing(window, own, answers, qtbot):
    own.write_text(own.read_text("utf-8").replace("between:", "betwen:"), "utf-8")
    session = window.session
    before = session.workbench.simulation.scenario
    session.push(_link_of_two(session))
    answers.on_open = [own]
    window.actions_table.trigger("simulate.constants")
    assert session.workbench.simulation.scenario == before
    assert window.notice.text.text().startswith("The constants did not change: ours.yaml, line ")


def _link_of_two(session):
    family = family_named("fat-tree")
    return family.build(session.design, family.parameters(server="dgx-h100", switch="nvidia-qm9700", servers=2), load())

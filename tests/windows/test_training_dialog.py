"""The Training Step dialog on a real fabric in the real window."""

import pytest
from PySide6.QtCore import Qt

from designer.graph.building.build import build
from designer.regeneration import recipes
from designer.simulation.training.request import Training
from designer.simulation.training.step import train_step
from designer.topologies.rail_optimized import RailOptimizedParameters


@pytest.fixture
def dialog(window, qtbot):
    session = window.session
    family = recipes.family_named("rail-optimized")
    parameters = RailOptimizedParameters(servers=8, servers_per_su=8)
    session.push(recipes.generated(session.design, family, parameters, session.catalog))
    window.actions_table.trigger("simulate.training")
    dialog = window.dialogs["training"]
    qtbot.waitUntil(lambda: dialog.missing.isVisible())
    return dialog


@pytest.fixture
def worked_out(dialog, qtbot):
    for name, text in (("gpu_tflops", "989"), ("layers", "8"), ("hidden", "1024"), ("pipeline", "2")):
        dialog.form.set_text(name, text)
    qtbot.waitUntil(lambda: dialog.step is not None)
    return dialog


def column(table, number):
    return [table.texts(row)[number] for row in range(len(table.rows))]


def test_it_asks_for_the_peak_of_the_gpu_instead_of_making_one_up(dialog):
    assert dialog.missing.text().startswith("Give GPU peak, TFLOP/s:")
    assert not dialog.refusal.isVisible() and dialog.step is None
    assert dialog.figures["Step"].text() == "–"


def test_it_shows_the_step_its_parts_and_every_formula(worked_out):
    dialog, step = worked_out, worked_out.step
    assert step.degrees.ranks == 64 and step.degrees.tensor == 8
    assert dialog.figures["MFU"].text() == f"{100 * step.mfu:.1f} %"
    assert column(dialog.collectives, 0) == [
        "Tensor-parallel all-reduce",
        "Between pipeline stages",
        "Data-parallel all-reduce",
    ]
    assert column(dialog.formulas, 0) == [formula.name for formula in step.formulas]
    assert dialog.bars[0].parts == step.parts
    assert "Compute" in dialog.bars[0].accessibleDescription()


def test_it_gives_the_same_step_as_the_command_line_for_the_same_input(worked_out):
    training = worked_out.form.request()
    plain = Training(training.model, training.gpu_tflops, pipeline=2)
    assert training == plain
    assert worked_out.step.step_s == train_step(build(worked_out._session.design), plain).step_s


def test_idle_gpus_and_a_memory_too_small_are_said_beside_the_figures(worked_out, qtbot):
    assert not worked_out.warnings.isVisible()
    worked_out.form.set_text("global_batch", "30")
    qtbot.waitUntil(lambda: worked_out.step is not None)
    assert worked_out.warnings.text().startswith("16 of 64 GPUs idle: a batch of 30 does not divide over 4 replicas")
    worked_out.form.set_text("parameters", "900B")
    qtbot.waitUntil(lambda: worked_out.step is not None)
    assert worked_out.warnings.text().endswith("does not fit: a GPU has 80 GB.")


def test_a_typed_dimension_makes_the_model_ones_own_with_its_own_parameters(worked_out):
    form = worked_out.form
    assert form.preset.value == "own" and form.lines["parameters"].text() == ""
    assert form.request().model.source == ""
    form.choose_preset("llama2-70b")
    assert form.lines["hidden"].text() == "8192" and form.lines["parameters"].text() == "70e9"
    assert "Touvron" in form.request().model.source


def test_the_heat_of_a_collective_is_shown_until_the_design_changes(worked_out, window, qtbot):
    session = window.session
    worked_out.collectives.choose(2)
    worked_out.heat_button.click()
    assert session.workbench.simulation.heat.label == "Data-parallel all-reduce"
    assert session.workbench.simulation.heat.utilization == worked_out.step.communications[-1].result.link_utilization()
    spine = next(device for device in session.design.switches() if device.role == "leaf")
    session.set_failed(frozenset([spine.id]))
    assert session.workbench.simulation.heat is None and worked_out.step is None


def test_what_does_not_fit_is_said_in_place_and_a_failure_is_worked_in(worked_out, window, qtbot):
    worked_out.form.set_text("pipeline", "3")
    qtbot.waitUntil(lambda: worked_out.refusal.isVisible())
    assert worked_out.refusal.text() == "8 layers do not divide into 3 pipeline stages."
    worked_out.form.set_text("hidden", "lots")
    qtbot.waitUntil(lambda: "lots" in worked_out.refusal.text())
    assert worked_out.form.lines["hidden"].property("refused")
    worked_out.form.set_text("hidden", "1024")
    worked_out.form.set_text("pipeline", "1")
    qtbot.waitUntil(lambda: worked_out.step is not None)
    server = window.session.design.servers()[0]
    window.session.set_failed(frozenset([server.id]))
    qtbot.waitUntil(lambda: worked_out.step is not None)
    assert worked_out.step.degrees.ranks < 64


def test_it_can_be_cancelled_and_closed_while_it_works(worked_out, qtbot):
    worked_out.form.set_text("sequence", "4096")
    worked_out.compute()
    assert worked_out.cancel_button.isVisible()
    qtbot.mouseClick(worked_out.cancel_button, Qt.MouseButton.LeftButton)
    assert worked_out.step is None and not worked_out.cancel_button.isVisible()
    worked_out.compute()
    worked_out.close()
    assert not worked_out.isVisible()


def test_no_field_of_the_form_is_cut_off(worked_out):
    form = worked_out.form
    assert form.width() <= form.parentWidget().width()
    assert all(
        editor.mapTo(form, editor.rect().topRight()).x() < form.width()
        for editor in form.editors.values()
        if editor.isVisible()
    )

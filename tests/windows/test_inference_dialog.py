"""The Inference dialog on a real fabric in the real window."""

import pytest
from PySide6.QtCore import Qt

from designer.graph.building.build import build
from designer.regeneration import recipes
from designer.simulation.inference.service import serve
from designer.topologies.rail_optimized import RailOptimizedParameters


@pytest.fixture
def dialog(window, qtbot):
    session = window.session
    family = recipes.family_named("rail-optimized")
    parameters = RailOptimizedParameters(servers=8, servers_per_su=8)
    session.push(recipes.generated(session.design, family, parameters, session.catalog))
    window.actions_table.trigger("simulate.inference")
    dialog = window.dialogs["inference"]
    dialog.form.choose_preset("mixtral-8x7b")
    for name, text in (("prefill_expert", "8"), ("decode_expert", "8"), ("gpu_tflops", "989")):
        dialog.form.set_text(name, text)
    return dialog


@pytest.fixture
def worked_out(dialog, qtbot):
    qtbot.waitUntil(lambda: dialog.missing.isVisible())
    assert dialog.missing.text().startswith("Give GPU memory, GB/s:")
    dialog.form.set_text("memory_gbytes_per_s", "3350")
    qtbot.waitUntil(lambda: dialog.service is not None)
    return dialog


def test_it_shows_what_the_command_line_computes(worked_out, qtbot):
    dialog, service = worked_out, worked_out.service
    again = serve(build(dialog._session.design), dialog.form.request())
    assert (service.ttft_s, service.tpot_s, service.rate_per_s) == (again.ttft_s, again.tpot_s, again.rate_per_s)
    assert [dialog.bars[0].parts, dialog.bars[1].parts] == [service.prefill.parts, service.decode.parts]
    assert [row.title for row in dialog.collectives.rows] == [one.title for one in service.communications]
    assert [row.name for row in dialog.formulas.rows] == [formula.name for formula in service.formulas]
    assert "Mixtral of Experts, January 2024" in dialog.form.source.text()
    simulation = dialog._session.workbench.simulation
    qtbot.mouseClick(dialog.load_button, Qt.MouseButton.LeftButton)
    assert "requests/s" in simulation.heat.label
    hottest = max(max(pair) for pair in simulation.heat.utilization.values())
    assert hottest == pytest.approx(service.load.links(1)[0].utilization_mean)


def test_a_deployment_fills_in_model_requests_and_pools(dialog):
    form = dialog.form
    form.set_text("decode_batch", "7")
    form.choose_setup("deepseek-2025")
    assert form.preset.value == "deepseek-v3" and form.lines["decode_expert"].text() == "144"
    assert form.lines["decode_batch"].text() == "64", "what the deployment does not state is as usual"
    assert form.lines["gpu_tflops"].text() == "989", "the GPU is not part of a deployment"
    assert "73,700 input tokens/s" in form.source.text() and "1 March 2025" in form.source.text()
    form.choose_preset("llama3-70b")
    assert form.deployment is None and "Measured there" not in form.source.text()

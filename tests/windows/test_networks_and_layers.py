"""Networks from the window: added with a preview, shown and hidden as layers."""

import pytest

from designer.model.networks import network_of_link
from designer.storage import document
from designer.topologies import rail_optimized


@pytest.fixture
def pod(window, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=4)
    window.session.push(rail_optimized.build(window.session.design, parameters, catalog))
    return window.session.design


@pytest.fixture
def dialog(window, pod):
    window.actions_table.trigger("fabric.networks")
    return window.dialogs["networks"]


def test_networks_are_previewed_added_in_one_step_and_undone(window, pod, dialog, qtbot):
    before = document.encode(pod)
    assert not dialog.add.isEnabled()
    dialog.form.set_text("storage_switch", "nvidia-qm9700")
    qtbot.waitUntil(dialog.add.isEnabled)
    assert (
        dialog.preview.text()
        == "Adds 16 links, 2 leaf switches, 1 group, 1 rack and 8 NICs; 56 ports left on each leaf."
    )
    assert len(window.views.canvas.fabric.ghosts.shown.boxes) == 2
    dialog.add.click()
    assert not dialog.isVisible()
    stated = window.notice.text.text()
    assert stated.endswith(": 16 links, 2 leaf switches, 1 group, 1 rack and 8 NICs; 56 ports left on each leaf."), (
        stated
    )
    assert window.views.canvas.fabric.ghosts.shown is None
    assert sum(device.network == "storage" for device in pod.devices.values()) == 2
    window.actions_table.trigger("edit.undo")
    assert document.encode(pod) == before


def test_a_network_that_cannot_be_is_refused_with_the_reason(window, dialog, qtbot):
    dialog.form.set_text("oob_switch", "nvidia-qm9700")
    qtbot.waitUntil(lambda: "run at 1G" in dialog.refusal.text())
    assert not dialog.add.isEnabled()


def test_a_layer_hides_its_switches_and_their_links(window, pod, dialog, qtbot):
    drawn = window.views.canvas.fabric.composition.projection
    boxes, links = len(drawn.device_ids), len(drawn.link_ids)
    dialog.form.set_text("storage_switch", "nvidia-qm9700")
    qtbot.waitUntil(dialog.add.isEnabled)
    dialog.add.click()
    actions = window.actions_table
    projection = window.views.canvas.fabric.composition.projection
    assert (len(projection.device_ids), len(projection.link_ids)) == (boxes + 2, links + 16)
    actions.trigger("layer.storage")
    assert not actions["layer.storage"].isChecked()
    projection = window.views.canvas.fabric.composition.projection
    assert (len(projection.device_ids), len(projection.link_ids)) == (boxes, links)
    window.views.canvas.grab()
    storage = next(device for device in pod.devices.values() if device.network == "storage")
    window.views.go_to(frozenset((storage.id,)))  # from a finding, say: what is gone to is shown
    assert storage.id in window.views.canvas.fabric.composition.projection.row_of
    actions.trigger("layer.compute")
    shown = window.views.canvas.fabric.composition.projection.device_ids
    assert not any(pod.is_switch(one) and pod.device(one).network != "storage" for one in shown)
    actions.trigger("layer.all")
    assert not window.session.hidden_networks
    assert len(window.views.canvas.fabric.composition.projection.device_ids) == boxes + 2


def test_what_is_hidden_is_not_chosen_or_deleted_with_the_rest(window, pod, dialog, qtbot):
    dialog.form.set_text("storage_switch", "nvidia-qm9700")
    qtbot.waitUntil(dialog.add.isEnabled)
    dialog.add.click()
    storage = {device.id for device in pod.devices.values() if device.network == "storage"}
    window.session.select(storage)
    window.actions_table.trigger("layer.storage")
    assert not window.session.selection
    window.actions_table.trigger("edit.select_all")
    assert not storage & window.session.selection
    window.session.select([server.id for server in pod.servers()])
    window.actions_table.trigger("edit.select_neighbours")
    assert not storage & window.session.selection
    window.actions_table.trigger("edit.select_all")
    leafs = [switch.id for switch in pod.switches() if switch.id not in storage]
    window.session.select(leafs)
    window.actions_table.trigger("edit.delete")
    assert storage <= pod.devices.keys()


def test_a_switch_drawn_while_its_layer_is_hidden_stays_hidden(window, pod):
    actions = window.actions_table
    actions.trigger("layer.compute")
    seen = len(window.views.canvas.fabric.composition.projection.device_ids)
    window.session.select([])
    actions.trigger("edit.undo")
    actions.trigger("edit.redo")
    assert len(window.views.canvas.fabric.composition.projection.device_ids) == seen


def test_a_diagram_is_written_as_the_layers_show_it(window, pod, dialog, answers, tmp_path, qtbot):
    dialog.form.set_text("storage_switch", "nvidia-qm9700")
    qtbot.waitUntil(dialog.add.isEnabled)
    dialog.add.click()
    written = {}
    for hidden in ((), ("storage",)):
        window.session.hide_networks(hidden)
        for name in ("svg", "png"):
            path = tmp_path / f"{len(hidden)}.{name}"
            answers.on_save.append(path)
            window.actions_table.trigger(f"export.{name}")
            written[name, len(hidden)] = path.read_bytes()
    assert b"storage-leaf-01" in written["svg", 0]
    assert b"storage-leaf-01" not in written["svg", 1]
    assert b"gpu-01" in written["svg", 1]
    assert written["png", 0] != written["png", 1]


def test_two_networks_are_put_on_the_same_switches_and_the_inspector_says_so(window, pod, dialog, qtbot):
    types = {link.id for link in pod.links.values()}
    dialog.form.set_text("storage_switch", "nvidia-qm9700")
    dialog.form.set_text("in_band_on", "compute")
    dialog.form.set_text("storage_on", "compute")
    qtbot.waitUntil(lambda: "leave out its own switches" in dialog.refusal.text())
    assert not dialog.add.isEnabled()
    dialog.form.set_text("storage_switch", "")
    dialog.form.set_text("in_band_on", "own")
    qtbot.waitUntil(dialog.add.isEnabled)
    dialog.add.click()
    assert len(pod.links) == len(types) + 16
    leaf = next(one for one in pod.switches() if one.carries)
    window.session.select({leaf.id})
    window.docks.inspector.refresh()
    page = window.docks.inspector.device_page
    assert page.carries.value == "storage"
    page._set_carried("")
    assert not pod.device(leaf.id).carries
    window.actions_table.trigger("edit.undo")
    assert pod.device(leaf.id).carries == ("storage",)


def test_links_of_a_hidden_layer_at_shared_switches_cannot_be_selected(window, pod, dialog, qtbot):
    dialog.form.set_text("storage_on", "compute")
    qtbot.waitUntil(dialog.add.isEnabled)
    dialog.add.click()
    leaf = next(one for one in pod.switches() if one.carries)
    servers = {one.id for one in pod.servers()}
    to_servers = [link for link in pod.links_of(leaf.id) if servers & {link.a.device_id, link.b.device_id}]
    links = {network_of_link(pod, link): link.id for link in to_servers}
    session = window.session
    window.actions_table.trigger("layer.storage")
    assert session.is_shown(links["compute"]) and not session.is_shown(links["storage"])
    window.actions_table.trigger("layer.storage")
    window.actions_table.trigger("layer.compute")
    assert session.is_shown(links["storage"]) and not session.is_shown(links["compute"])
    assert session.is_shown(leaf.id)

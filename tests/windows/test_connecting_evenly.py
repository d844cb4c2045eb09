"""Connect Evenly proposes the same whenever port modes are chosen, and says what comes of it once."""

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from designer.model import operations
from designer.model.cage_runs import cage_runs
from designer.model.networks import OUT_OF_BAND

SN5600, DGX, MODE = "nvidia-sn5600", "dgx-h100", "128x400G"


@pytest.fixture
def put(window, catalog):
    """Adds devices of one type in a row; returns their ids."""

    def add(type_id, count, y=0.0, role=""):
        design, made = window.session.design, []
        for number in range(count):
            type_ = catalog.get(type_id)
            x = 160.0 * number
            edit = operations.add_device(design, type_, x, y, catalog_types=catalog.types, role=role)
            window.session.push(edit)
            made.append(next(c.after.id for c in edit.changes if c.after.id in design.devices))
        return made

    return add


@pytest.fixture
def tiers(window, put):
    """Two spines above four leaf switches at 400G with 16 links each to eight servers."""
    design, push = window.session.design, window.session.push
    spines, leafs, servers = put(SN5600, 2, -600.0, "spine"), put(SN5600, 4, -300.0), put(DGX, 8)
    for leaf in leafs:
        push(operations.set_port_mode(design, leaf, MODE))
    push(operations.make_rails(design, servers, leafs, in_runs=True))
    return spines, leafs


def opened(window, chosen):
    window.session.select(chosen)
    window.actions_table.trigger("link.connect_evenly")
    return window.construction


@pytest.mark.own_window
def test_the_mode_chosen_in_the_form_and_the_one_set_before_propose_the_same(window, tiers, qtbot):
    spines, leafs = tiers
    bar = opened(window, [*spines, *leafs])
    field = bar.findChild(QLineEdit, "editor")
    name = window.session.design.device(spines[0]).name
    assert f"set {name} to a 400G mode" in bar.text.text() and not bar.do_button.isEnabled()
    above = bar._fields["upper_mode"].findChild(QComboBox)
    above.setCurrentIndex(above.findData(MODE))
    qtbot.waitUntil(bar.do_button.isEnabled)
    said = "96 ports left on each leaf; 96 ports left on each spine. Oversubscription 1:1."
    assert (field.text(), bar.text.text()) == ("8", f"Adds 64 links, changes 2 spines; {said}")
    bar.close_bar()
    for spine in spines:
        window.session.push(operations.set_port_mode(window.session.design, spine, MODE))
    field = opened(window, [*spines, *leafs]).findChild(QLineEdit, "editor")
    assert (field.text(), bar.text.text()) == ("8", f"Adds 64 links; {said}")


def test_uplinks_at_800g_leave_the_cages_of_servers_at_400g(window, tiers, qtbot):
    spines, leafs = tiers
    design = window.session.design
    bar = opened(window, [*spines, *leafs])
    below = bar._fields["lower_mode"].findChild(QComboBox)
    below.setCurrentIndex(below.findData("64x800G"))
    qtbot.waitUntil(bar.do_button.isEnabled)
    bar.do_button.click()
    left = "48 ports of 800G left on each leaf; 48 ports left on each spine"
    assert bar.text.text() == f"Adds 32 links, changes 4 leaf switches; {left}. Oversubscription 1:1."
    runs = [(run.first, run.last, run.mode) for run in cage_runs(design, leafs[0])]
    assert runs == [(1, 8, MODE), (9, 64, "64x800G")]
    ups = design.links_of(spines[0])
    assert {design.port(end).rate_gbps for link in ups for end in (link.a, link.b)} == {800.0}
    rates = {design.port(link.a).rate_gbps == design.port(link.b).rate_gbps for link in design.links.values()}
    assert rates == {True}


def test_links_that_do_not_divide_are_said_to_be_moved_to_5_or_6_per_pair(window, tiers, put, qtbot):
    spines, leafs = tiers
    design, push = window.session.design, window.session.push
    spines = [*spines, *put(SN5600, 1, -600.0, "spine")]
    for spine in spines:
        push(operations.set_port_mode(design, spine, MODE))
    push(operations.connect_evenly(design, leafs, spines[:2], 8))
    bar = opened(window, [*spines, *leafs])
    assert bar.text.text().endswith("Counts the 64 existing links. Oversubscription 0.667:1.")
    bar._fields["spread"].findChild(QCheckBox).setChecked(True)
    qtbot.waitUntil(lambda: bar.text.text() == "Moves 20 links. 5 or 6 links per pair. Oversubscription 1:1.")
    assert bar._fields["per_pair"].isHidden()
    bar._fields["spread"].findChild(QCheckBox).setChecked(False)
    qtbot.waitUntil(lambda: not bar._fields["per_pair"].isHidden())


def test_ports_left_are_counted_apart_where_switches_of_a_role_have_other_rates(window, put):
    session = window.session
    (managing,), above, (leaf,) = put("nvidia-sn2201", 1, 300.0), put(SN5600, 2, -300.0), put(SN5600, 1, 0.0, "leaf")
    session.push(operations.set_network(session.design, [managing], "oob"))
    bar = opened(window, [managing, *above, leaf])
    assert bar.text.text().startswith(
        "Adds 3 links; 64 ports left on each 800G switch; 45 ports of 1G left on the switch;"
    )


def test_management_switches_are_above_all_that_they_manage(window, add):
    session, design = window.session, window.session.design
    leafs, spines = ([add("nvidia-sn5600") for _ in range(2)] for _ in range(2))
    storage, managing = add("nvidia-sn4700"), add("nvidia-sn2201")
    for ids, network in (([storage], "storage"), ([managing], OUT_OF_BAND)):
        session.push(operations.set_network(design, ids, network))
    session.select([*leafs, *spines, storage, managing])
    window.actions_table.trigger("link.connect_evenly")
    window.construction.accept()
    far = {end.device_id for link in design.links_of(managing) for end in (link.a, link.b)}
    assert far == {managing, storage, *leafs, *spines} and len(design.links) == 5


def test_a_refusal_names_the_sides_where_one_is_of_several_kinds(window, add):
    session, design = window.session, window.session.design
    leaf, storage = add("nvidia-qm9700"), add("nvidia-sn4700")
    session.push(operations.set_network(design, [storage], "storage"))
    server = add("dgx-h100")
    names = [design.device(one).name for one in (server, leaf, storage)]
    session.select([leaf, storage, server])
    window.actions_table.trigger("link.connect_evenly")
    said = window.construction.text.text()
    assert f"{names[0]} were to be linked to {names[1]} and {names[2]}: select devices of one kind" in said, said


@pytest.fixture
def storage(window, put):
    """Three DGX without storage NICs, and two switches of the storage network at 400G."""
    design, push = window.session.design, window.session.push
    switches, servers = put(SN5600, 2, -300.0), put(DGX, 3)
    push(operations.set_network(design, switches, "storage"))
    for switch in switches:
        push(operations.set_port_mode(design, switch, MODE))
    return switches, servers


def parts(design, server, switch):
    """The slot, and the cage of the switch, of each link between the two."""
    found = []
    for link in design.links_of(server):
        ends = {end.device_id: design.port(end) for end in (link.a, link.b)}
        if switch in ends:
            found.append((ends[server].slot, ends[switch].cage))
    return found


def join(window, chosen, per_pair):
    bar = opened(window, chosen)
    bar._fields["per_pair"].findChild(QLineEdit, "editor").setText(str(per_pair))
    bar.refresh()
    return bar


def storage_slots(design, server):
    return [one.slot for one in design.modules_of(server) if one.slot.startswith("storage")]


def test_links_of_a_server_leave_by_each_of_its_storage_nics_to_different_cages(window, storage, qtbot):
    (switch, _), servers = storage
    design = window.session.design
    join(window, [switch, *servers], 2).accept()
    found = [parts(design, server, switch) for server in servers]
    assert [[slot for slot, _ in links] for links in found] == [["storage1", "storage2"]] * 3
    assert [[cage for _, cage in links] for links in found] == [[1, 2], [1, 2], [3, 4]], "both halves of each"


def test_a_link_to_each_of_two_switches_leaves_by_its_own_nic(window, storage):
    switches, servers = storage
    design = window.session.design
    join(window, [*switches, *servers], 1).accept()
    for server in servers:
        slots = [slot for switch in switches for slot, _ in parts(design, server, switch)]
        assert sorted(slots) == ["storage1", "storage2"]


def test_only_nics_that_links_take_are_installed_and_more_come_with_more_links(window, storage):
    (switch, other), servers = storage
    design = window.session.design
    bar = join(window, [switch, *servers], 1)
    assert "New in each of 3 servers: 1 × ConnectX-7, two ports." in bar.text.text()
    bar.accept()
    assert all(storage_slots(design, server) == ["storage1"] for server in servers)
    join(window, [other, *servers], 1).accept()
    assert all(storage_slots(design, server) == ["storage1"] for server in servers), "a port of it is free"
    bar = join(window, [switch, *servers], 2)
    assert "New in each of 3 servers: 1 × ConnectX-7, two ports." in bar.text.text()
    bar.accept()
    assert all(storage_slots(design, server) == ["storage1", "storage2"] for server in servers)
    for server in servers:
        (one, first), (two, second) = parts(design, server, switch)
        assert (one, two) == ("storage1", "storage2") and first != second
    window.actions_table.trigger("edit.undo")
    assert all(storage_slots(design, server) == ["storage1"] for server in servers)

"""A link drawn to a server takes the NIC that is wanted, and says what network a switch just drawn is in."""

from dataclasses import replace

import pytest

from designer.errors import NoFreePortError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, Link
from designer.model.networks import COMPUTE, OUT_OF_BAND, STORAGE, network_of_link
from designer.model.nic_choice import connect_drawn, connect_nic, is_open, nic_choices, of_its_kind, with_network


@pytest.fixture
def design(catalog):
    """A server with compute, storage and management NICs; an InfiniBand switch and a management one, as dropped."""
    made = Design()
    for type_id, name in (("dgx-h100", "gpu-01"), ("nvidia-qm9700", "ib"), ("nvidia-sn2201", "mgmt")):
        edit = operations.add_device(made, catalog.get(type_id), 0, 0, catalog_types=catalog.types, name=name)
        made.apply(edit)
    return made


def id_of(design, name):
    return design.find(name).id


def choices(design, catalog, switch):
    return nic_choices(design, id_of(design, "gpu-01"), id_of(design, switch), catalog.types.get)


def links(edit):
    return [change.after for change in edit.changes if isinstance(change.after, Link)]


def test_a_server_offers_its_nics_by_network_with_ports_and_what_is_free(design, catalog):
    compute, *others = choices(design, catalog, "ib")
    assert (compute.network, compute.server_end.port) == (COMPUTE, "rail1")
    assert STORAGE in {one.network for one in others}
    *_, managed = choices(design, catalog, "mgmt")
    assert managed.network == OUT_OF_BAND and managed.nics.changes


def test_a_switch_of_a_rail_is_offered_the_nic_of_that_rail(design, catalog):
    ib = id_of(design, "ib")
    before = design.device(ib)
    design.apply(Edit("Rail 3", (Change(before, replace(before, rail=3)),)))
    assert choices(design, catalog, "ib")[0].server_end.port == "rail3"


def test_the_nic_that_is_chosen_is_linked_and_the_switch_is_in_its_network(design, catalog):
    ib = id_of(design, "ib")
    choice = next(one for one in choices(design, catalog, "ib") if one.network == STORAGE)
    edit = connect_nic(design, choice)
    design.apply(edit)
    assert (design.device(ib).network, design.device(ib).role) == (STORAGE, "leaf")
    assert network_of_link(design, links(edit)[0]) == STORAGE
    design.apply(edit.inverted())
    assert design.device(ib).network == "" and not design.links


def test_a_switch_that_has_links_or_a_network_keeps_its_own(design, catalog):
    ib, server = id_of(design, "ib"), id_of(design, "gpu-01")
    design.apply(connect_drawn(design, server, ib, catalog.types.get))
    assert design.device(ib).network == "" and not is_open(design, ib)
    choice = next(one for one in choices(design, catalog, "ib") if one.network == STORAGE)
    design.apply(connect_nic(design, choice))
    assert design.device(ib).network == ""


def test_a_management_switch_takes_the_controller_at_its_first_link(design, catalog):
    """It has no port for compute."""
    mgmt = id_of(design, "mgmt")
    edit = connect_drawn(design, mgmt, id_of(design, "gpu-01"), catalog.types.get)
    assert len(links(edit)) == 1
    design.apply(edit)
    assert (design.device(mgmt).network, design.device(mgmt).role) == (OUT_OF_BAND, "leaf")
    assert network_of_link(design, links(edit)[0]) == OUT_OF_BAND
    design.apply(edit.inverted())
    before = design.device(mgmt)
    design.apply(Edit("As dropped", (Change(before, replace(before, network=OUT_OF_BAND)),)))
    again = connect_drawn(design, id_of(design, "gpu-01"), mgmt, catalog.types.get)
    assert {links(edit)[0].a, links(edit)[0].b} == {links(again)[0].a, links(again)[0].b}


def test_a_compute_switch_is_left_open_at_its_first_link(design, catalog):
    """Compute is what a switch is in of which nothing is said."""
    edit = connect_drawn(design, id_of(design, "gpu-01"), id_of(design, "ib"), catalog.types.get)
    assert with_network(design, edit) is edit


def test_switches_for_management_are_so_when_dropped(catalog):
    design = Design()
    for type_id, network, role in (("nvidia-sn2201", OUT_OF_BAND, "leaf"), ("nvidia-qm9700", "", "")):
        edit = operations.add_device(design, catalog.get(type_id), 0, 0, catalog_types=catalog.types)
        design.apply(of_its_kind(design, edit))
        device = design.switches()[-1]
        assert (device.network, device.role) == (network, role)


def test_what_is_no_server_and_a_switch_has_no_nics_to_choose_from(design, catalog):
    server, ib, mgmt = (id_of(design, one) for one in ("gpu-01", "ib", "mgmt"))
    for one, other in ((ib, mgmt), (server, server), (ib, server)):
        assert nic_choices(design, one, other, catalog.types.get) == ()


def test_a_switch_with_links_installs_no_nic_by_itself(design, catalog):
    """The program offers to install one."""
    mgmt, server = id_of(design, "mgmt"), id_of(design, "gpu-01")
    edit = operations.add_device(design, catalog.get("dgx-h100"), 0, 0, catalog_types=catalog.types, name="gpu-02")
    design.apply(edit)
    design.apply(connect_drawn(design, server, mgmt, catalog.types.get))
    with pytest.raises(NoFreePortError, match="gpu-02 has no management NIC"):
        connect_drawn(design, id_of(design, "gpu-02"), mgmt, catalog.types.get)


def test_the_first_of_several_links_says_the_network_and_a_role_stays(design, catalog):
    ib = id_of(design, "ib")
    before = design.device(ib)
    design.apply(Edit("Role", (Change(before, replace(before, role="border")),)))
    storage = next(one for one in choices(design, catalog, "ib") if one.network == STORAGE)
    design.apply(storage.nics)
    managed = next(one for one in choices(design, catalog, "mgmt") if one.network == OUT_OF_BAND)
    design.apply(managed.nics)
    other = replace(storage.switch_end, port=design.free_ports(ib)[1].name)
    link_ids = design.new_ids("links", 2)
    made = (Link(link_ids[0], storage.server_end, storage.switch_end), Link(link_ids[1], managed.server_end, other))
    design.apply(with_network(design, Edit("", added(made))))
    assert (design.device(ib).network, design.device(ib).role) == (STORAGE, "border")


def test_a_switch_keeps_the_network_it_is_dropped_with_and_few_slow_ports_make_none_of_management(catalog):
    design = Design()
    edit = operations.add_device(design, catalog.get("nvidia-sn2201"), 0, 0, catalog_types=catalog.types)
    placed = [
        replace(one, after=replace(one.after, network=STORAGE)) if isinstance(one.after, Device) else one
        for one in edit.changes
    ]
    design.apply(of_its_kind(design, Edit("", tuple(placed))))
    assert design.switches()[0].network == STORAGE
    slow = replace(catalog.get("nvidia-sn2201"), id="few-slow", cages=_few_slow(catalog.get("nvidia-sn2201")))
    edit = operations.add_device(design, slow, 0, 0, catalog_types={slow.id: slow})
    design.apply(of_its_kind(design, edit))
    assert design.switches()[-1].network == ""


def _few_slow(type_):
    """Its cages with as few slow ones as fast ones."""
    fewest = min(group.count for group in type_.cages)
    return tuple(replace(group, count=fewest) for group in type_.cages)

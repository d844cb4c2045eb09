"""The ports that a link drawn by hand can take: free ones first, with what NICs a server has room for."""

from dataclasses import replace

import pytest

from designer.errors import PortError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.port_choice import connect_ports, port_choices, usual_ends


@pytest.fixture
def design(catalog):
    """A server with NICs for several networks, two InfiniBand switches and a management one, as dropped."""
    made = Design()
    names = ("gpu-01", "gpu-02", "ib-1", "ib-2", "mgmt")
    for name, type_id in zip(
        names, ("dgx-h100", "dgx-h100", "nvidia-qm9700", "nvidia-qm9700", "nvidia-sn2201"), strict=True
    ):
        edit = operations.add_device(made, catalog.get(type_id), 0, 0, catalog_types=catalog.types, name=name)
        made.apply(edit)
    return made


def choices(design, catalog, one, other):
    return port_choices(design, design.find(one).id, design.find(other).id, catalog.types.get)


def test_all_ports_of_a_switch_are_listed_once_the_free_ones_first_and_then_what_the_others_are_linked_to(
    design, catalog
):
    ib, gpu = design.find("ib-1").id, design.find("gpu-01").id
    design.apply(operations.connect(design, End(ib, "2/1"), End(gpu, "rail3")))
    found = choices(design, catalog, "ib-1", "gpu-02")
    names = [one.end.port for one in found]
    every = [port.name for port in (*design.ports(ib), *design.management_ports(ib))]
    assert sorted(names) == sorted(every) and names[:4] == ["1/1", "1/2", "2/2", "3/1"] and names[-1] == "2/1"
    assert [one.is_free for one in found] == [True] * (len(every) - 1) + [False]
    assert found[0].cells == ("1/1", "400G", "OSFP 1", "")
    assert found[-1].cells[3] == "to gpu-01 OSFP3P1"


def test_reserved_ports_are_listed_after_the_free_ones_with_what_they_are_kept_for(design, catalog):
    ib = design.find("ib-1")
    design.apply(Edit("Reserve", (Change(ib, replace(ib, reserved_ports=("1/1",))),)))
    found = choices(design, catalog, "ib-1", "gpu-01")
    assert found[0].end.port == "1/2"
    assert [(one.end.port, one.state) for one in found if not one.is_free] == [("1/1", "reserved")]


def test_ports_of_nics_that_a_server_has_room_for_are_offered_to_a_switch_alone(design, catalog):
    to_switch = choices(design, catalog, "gpu-01", "mgmt")
    states = [one.state for one in to_switch]
    assert states.index("Compute") < states.index("Out-of-band management, new NIC")
    assert all(one.is_free for one in to_switch) and len({one.end for one in to_switch}) == len(to_switch)
    new = next(one for one in to_switch if one.nics.changes)
    assert design.port(new.end) is None
    assert not any(one.nics.changes for one in choices(design, catalog, "gpu-01", "gpu-02"))
    assert not any(one.nics.changes for one in choices(design, catalog, "mgmt", "gpu-01"))


def test_a_port_of_a_new_nic_is_linked_with_that_nic_in_one_edit_whichever_end_it_is(design, catalog):
    rows = choices(design, catalog, "gpu-01", "mgmt")
    theirs = choices(design, catalog, "mgmt", "gpu-01")
    new, port = next((a, b) for a in rows if a.state.startswith("Out-of-band") for b in theirs if a.matches(b))
    for ends in ((new, port), (port, new)):
        after = design.snapshot()
        after.apply(connect_ports(design, *ends))
        (link,) = after.links.values()
        assert (link.a, link.b) == tuple(one.end for one in ends)
        assert after.port(new.end) is not None
        assert after.device(design.find("mgmt").id).network == "oob"


def test_a_used_port_or_one_of_another_rate_is_refused(design, catalog):
    ib, other = choices(design, catalog, "ib-1", "ib-2"), choices(design, catalog, "ib-2", "ib-1")
    design.apply(connect_ports(design, ib[0], other[5]))
    with pytest.raises(PortError):
        connect_ports(design, ib[0], other[6])
    slow = choices(design, catalog, "mgmt", "ib-1")[0]
    assert not slow.matches(ib[1])
    with pytest.raises(PortError):
        connect_ports(design, ib[1], slow)


def test_the_usual_ends_are_those_of_a_line_from_device_to_device_either_way(design, catalog):
    gpu, ib, mgmt = (design.find(name).id for name in ("gpu-01", "ib-1", "mgmt"))
    find = catalog.types.get
    assert usual_ends(design, gpu, ib, find) == ("rail1", "1/1")
    assert usual_ends(design, ib, gpu, find) == ("1/1", "rail1")
    assert usual_ends(design, ib, mgmt, find) == ("", "")
    theirs, ours = usual_ends(design, gpu, mgmt, find)
    assert ours in design.port_map(mgmt) and theirs not in design.port_map(mgmt)
    assert usual_ends(design, mgmt, gpu, find) == (ours, theirs)

"""Links led to another device or port: the cable, its label and its tags stay."""

from dataclasses import replace

import pytest

from designer.errors import NoFreePortError, ParameterError, PortError, PortInUseError, PortMismatchError
from designer.model import operations, rewiring
from designer.model.edit import Change, Edit


@pytest.fixture
def pair(pen):
    """A server on leaf-01, and leaf-02 beside that."""
    leafs = [pen.add("nvidia-qm9700", f"leaf-{number:02d}", role="leaf") for number in (1, 2)]
    server = pen.add("dgx-h100", "gpu-001")
    pen.join(server, leafs[0])
    return server, *leafs


def only(design):
    (link,) = design.links.values()
    return link


def test_an_end_goes_to_the_next_free_port_and_all_else_stays(pen, design, pair, catalog):
    _, leaf, other = pair
    pen.do(operations.set_cable(design, ["l1"], catalog.types[next(iter(media(catalog)))], 7.0))
    before = only(design)
    labelled = replace(before, label="UP-1", tags=("spare",), fields=(("Owner", "net"),), cable=4, colour="blue")
    pen.do(Edit("Label", (Change(before, labelled),)))
    edit = pen.do(operations.reconnect(design, ["l1"], leaf, other))
    assert edit.label == "Reconnect link to leaf-02"
    assert only(design) == replace(labelled, b=replace(labelled.b, device_id=other, port="1/1"))


def media(catalog):
    return [one for one, type_ in catalog.types.items() if hasattr(type_, "max_length_m")]


def test_an_end_goes_to_the_port_that_is_named_also_of_its_own_device(pen, design, pair):
    _, leaf, other = pair
    pen.do(operations.reconnect(design, ["l1"], leaf, other, "3/2"))
    assert only(design).b.port == "3/2"
    pen.do(operations.reconnect(design, ["l1"], other, other, "4/1"))
    assert (only(design).b.device_id, only(design).b.port) == (other, "4/1")
    assert not operations.reconnect(design, ["l1"], other, other).changes
    assert not operations.reconnect(design, ["l1"], other, other, "4/1").changes


def test_the_rail_of_a_leaf_switch_chooses_the_nic(pen, design, pair):
    server, leaf, _ = pair
    second = pen.add("dgx-h100", "gpu-002")
    device = design.device(leaf)
    pen.do(Edit("Rail", (Change(device, replace(device, rail=3)),)))
    pen.do(operations.reconnect(design, ["l1"], server, second))
    assert only(design).a.port == "rail3"


def test_several_links_are_led_together_or_not_at_all(pen, design, pair):
    server, leaf, other = pair
    pen.join(server, leaf, 3)
    edit = pen.do(operations.reconnect(design, list(design.links), leaf, other))
    assert edit.label == "Reconnect 4 links to leaf-02" and not design.links_of(leaf)
    assert sorted(link.b.port for link in design.links.values()) == ["1/1", "1/2", "2/1", "2/2"]
    spine = pen.add("nvidia-qm9700", "spine-01")
    pen.join(leaf, spine, 61)
    with pytest.raises(NoFreePortError, match=r"leaf-01 has no free 400G port left \(61 of 64 used\)|64 of 64 used"):
        operations.reconnect(design, list(design.links)[:4], other, leaf)


def test_links_are_led_in_the_order_of_their_servers_however_they_are_handed_over(pen, design, pair):
    _, leaf, other = pair
    servers = [pen.add("dgx-h100", f"gpu-a{number}") for number in (10, 2, 9, 1)]
    for server in servers:
        pen.wire(server, "rail2", leaf, f"{10 + len(design.links)}/1")
        pen.wire(server, "rail1", leaf, f"{10 + len(design.links)}/1")
    ids = [one.id for one in design.links_of(leaf) if one.a.device_id in servers]
    pen.wire(pen.add("nvidia-qm9700", "spine-01"), "1/1", other, "1/1")
    pen.do(operations.reconnect(design, sorted(ids, reverse=True), leaf, other))
    led = [design.links[one] for one in ids]
    found = {one.b.port: (design.device(one.a.device_id).name, one.a.port) for one in led}
    ports = ["1/2", "2/1", "2/2", "3/1", "3/2", "4/1", "4/2", "5/1"]
    names = ["gpu-a1", "gpu-a2", "gpu-a9", "gpu-a10"]
    assert [found[one] for one in ports] == [(name, port) for name in names for port in ("rail1", "rail2")]


def test_what_cannot_be_linked_cannot_be_reconnected(pen, design, pair):
    server, leaf, other = pair
    slow, free = pen.add("generic-switch-8x10g", "slow"), pen.add("dgx-h100", "gpu-002")
    taken = pen.wire(free, "rail1", other, "1/1")
    for error, there, port, sentence in (
        (PortError, server, "", "gpu-001 cannot be linked to itself"),
        (PortInUseError, other, "1/1", "leaf-02 port 1/1: already linked to gpu-002 port rail1"),
        (PortError, other, "99/9", "leaf-02 has no port '99/9'"),
        (PortMismatchError, slow, "1", "runs at 10G"),
        (PortMismatchError, slow, "", "runs at 10G"),
    ):
        with pytest.raises(error, match=sentence):
            operations.reconnect(design, ["l1"], leaf, there, port)
    with pytest.raises(PortError, match="does not lead to that device"):
        operations.reconnect(design, ["l1"], other, leaf)
    with pytest.raises(ParameterError, match="takes one link, and 2 are selected"):
        operations.reconnect(design, ["l1", taken], other, leaf, "5/1")
    with pytest.raises(ParameterError, match="select 1 to 512 links"):
        operations.reconnect(design, ["l1"] * (rewiring.MOST_RECONNECTED + 1), leaf, other)
    with pytest.raises(ParameterError, match="select 1 to 512 links"):
        operations.reconnect(design, [], leaf, other)


def test_free_ports_that_match_other_ports_of_the_far_device_alone_are_refused_with_both_rates(pen, design):
    router, fast, slow = (
        pen.add(type_id, name)
        for type_id, name in (
            ("generic-router-2x400g-1x200g", "router"),
            ("generic-switch-8x400g", "fast"),
            ("generic-switch-8x200g", "slow"),
        )
    )
    device = design.device(router)
    pen.do(Edit("Split", (Change(device, replace(device, cage_modes=((3, "hosts at 200G"),))),)))
    links = [pen.wire(router, port, fast, port) for port in ("1", "2")]
    with pytest.raises(PortMismatchError, match="slow port 1 runs at 200G, router port 1 at 400G"):
        operations.reconnect(design, links[:1], fast, slow)


def test_ports_to_choose_are_the_one_in_use_and_free_ones_that_match(pen, design, pair):
    _, leaf, _ = pair
    link = only(design)
    taken = pen.add("dgx-h100", "gpu-002")
    pen.wire(taken, "rail1", leaf, "2/1")
    offered = rewiring.ports_to_choose(design, link, link.b)
    assert offered[:3] == ["1/1", "1/2", "2/2"] and len(offered) == 63
    assert len(rewiring.ports_to_choose(design, link, link.a)) == 8
    pen.do(operations.set_port_mode(design, pair[2], design.port_modes(pair[2])[-1].name))
    gone = replace(link, b=replace(link.b, port="99/9"))
    assert rewiring.ports_to_choose(design, gone, gone.b) == ["99/9"]

"""Scale-up fabrics: complete bipartite racks, two levels, racks joined directly, meshes; counts in closed form."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer import api
from designer.catalog.catalog import Catalog, load
from designer.errors import ParameterError
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.flows import uniform_planes
from designer.simulation.training.request import PRESETS, Training
from designer.simulation.training.step import train_step
from designer.topologies import scale_up
from designer.topologies.scale_up_plan import ScaleUpParameters
from designer.validation.engine import validate

CATALOG: Catalog = load()
LLAMA = PRESETS[1]
CLOUD_MATRIX = ScaleUpParameters(
    server="generic-server-8x14x400g",
    servers=1,
    switch="generic-switch-32x400g",
    switches=7,
    chips=1,
    groups=48,
    upper_switches=16,
    uplinks=16,
    upper_switch="generic-switch-48x400g",
)
MESH = ScaleUpParameters(server="generic-server-1x7x512g", servers=8, switches=0)


def built(parameters: ScaleUpParameters) -> Design:
    design = Design()
    design.apply(scale_up.build(design, parameters, CATALOG))
    return design


@pytest.fixture(scope="module")
def nvl72() -> Design:
    return built(ScaleUpParameters())


@pytest.fixture(scope="module")
def two_racks() -> Design:
    return built(ScaleUpParameters(servers=9, groups=2, cross_links=36))


def pairs(design: Design) -> Counter:
    """Links between every two devices, by their names in order."""
    return Counter(
        tuple(sorted((design.device(link.a.device_id).name, design.device(link.b.device_id).name)))
        for link in design.links.values()
    )


def test_an_nvl72_rack_is_complete_bipartite_chip_by_chip(nvl72):
    counts = scale_up.counts(ScaleUpParameters(), CATALOG)
    assert (counts.servers, counts.endpoints, counts.switches, counts.racks) == (18, 72, {"leaf": 9}, 1)
    assert counts.links == {"server-leaf": 72 * 18} and counts.remark == "Switch chips: 18."
    assert set(pairs(nvl72).values()) == {4 * 2}  # four GPUs, two chips
    chips = Counter()
    for link in nvl72.links.values():
        gpu = link.a.port.partition("/")[0]
        chip = (int(link.b.port) - 1) // 72
        chips[link.a.device_id, gpu, link.b.device_id, chip] += 1
    assert len(chips) == 72 * 18 and set(chips.values()) == {1}


def test_switch_trays_stand_between_the_trays_of_their_rack(nvl72):
    place = {nvl72.device(one.id).name: one for one in nvl72.placements.values() if one.rack_id is not None}
    assert len({one.rack_id for one in place.values()}) == 1
    units = {name: one.unit for name, one in place.items()}
    assert sorted(units.values()) == list(range(1, 28))
    assert sorted(unit for name, unit in units.items() if name.startswith("leaf")) == list(range(10, 19))


def test_the_links_of_a_rack_are_its_cartridge_and_stay_so(nvl72):
    assert {link.medium_id for link in nvl72.links.values()} == {"nvlink-cartridge"}
    assert {link.medium_source for link in nvl72.links.values()} == {"picked"}
    assert not validate(nvl72).findings


def test_traffic_in_a_rack_gets_the_links_of_a_gpu(nvl72):
    size, port = 2**30, 18 * 50e9
    all_to_all = api.simulate(nvl72, collective="all-to-all", size_bytes=size, latency=False)
    assert all_to_all.time_s == pytest.approx(71 / 72 * size / port)
    ring = api.simulate(nvl72, collective="all-reduce", algorithm="ring", size_bytes=size, latency=False)
    assert ring.time_s == pytest.approx(2 * 71 / 72 * size / port)


def test_the_latency_of_a_rack_is_that_of_a_scale_up_domain(nvl72):
    model = api.simulate(nvl72, traffic="permutation:1", size_bytes=1.0).model
    assert any("scale-up domain" in text for text in model.assumed_latencies)
    assert not any("NIC" in text or "Ethernet" in text for text in model.assumed_latencies)


def test_two_racks_are_joined_chip_to_chip(two_racks):
    across = {pair: count for pair, count in pairs(two_racks).items() if all(name.startswith("leaf") for name in pair)}
    assert across == {(f"leaf-g01-{number:02d}", f"leaf-g02-{number:02d}"): 72 for number in range(1, 10)}
    assert len(two_racks.racks) == 2 and len(two_racks.links) == 1296 + 648
    assert not validate(two_racks).findings
    found = api.simulate(two_racks, collective="all-to-all", size_bytes=2**30, latency=False)
    assert found.time_s == pytest.approx(71 / 72 * 2**30 / (18 * 50e9))


def test_a_domain_of_two_levels_has_a_sub_plane_for_each_chip():
    design = built(CLOUD_MATRIX)
    counts = scale_up.counts(CLOUD_MATRIX, CATALOG)
    assert (
        counts.switches
        == {"leaf": 336, "spine": 112}
        == {role: sum(switch.role == role for switch in design.switches()) for role in ("leaf", "spine")}
    )
    assert counts.links == {"server-leaf": 5376, "leaf-spine": 336 * 16}
    up = {pair: count for pair, count in pairs(design).items() if pair[0].startswith("leaf")}
    upward = {pair: count for pair, count in up.items() if pair[1].startswith("spine")}
    assert len(upward) == 336 * 16 and set(upward.values()) == {1}
    assert all(leaf[-1] == spine[len("spine-p0")] for leaf, spine in upward)
    plane = {device.name: device.plane for device in design.devices.values()}
    assert all(plane[leaf] == plane[spine] for leaf, spine in upward)


def test_every_two_gpus_of_a_mesh_are_joined_and_rings_use_all_links():
    design = built(MESH)
    assert len(design.links) == 28 and set(pairs(design).values()) == {1}
    size, link = 2**30, 64e9
    ring = api.simulate(design, collective="all-reduce", algorithm="ring", size_bytes=size, latency=False)
    assert ring.time_s == pytest.approx(2 * 7 / 8 * size / (7 * link))
    all_to_all = api.simulate(design, collective="all-to-all", size_bytes=size, latency=False)
    assert all_to_all.time_s == pytest.approx(size / 8 / link)


def test_gaudi_3_has_three_links_to_each_peer():
    design = built(ScaleUpParameters(server="generic-server-1x21x200g", servers=8, switches=0))
    assert len(design.links) == 84 and set(pairs(design).values()) == {3}


def test_groups_that_nothing_joins_are_said():
    remark = scale_up.counts(ScaleUpParameters(groups=2), CATALOG).remark
    assert remark == "Switch chips: 36. Nothing joins the groups: each is a domain of its own."


def test_links_that_do_not_come_out_even_over_chips_are_said():
    h100 = ScaleUpParameters(
        server="generic-server-8x18x200g", servers=1, switch="generic-switch-64x200g", switches=4, chips=1
    )
    counts = scale_up.counts(h100, CATALOG)
    assert counts.links == {"server-leaf": 144}
    assert counts.remark == "18 links of a GPU spread unevenly over 4 switch chips: 5 to some, 4 to the others."
    per_switch = Counter(link.b.device_id for link in built(h100).links.values())
    assert sorted(per_switch.values()) == [32, 32, 40, 40]


# -- with a scale-out network ------------------------------------------------------------------------------------------

TWO_DOMAINS = ScaleUpParameters(servers=4, groups=2, nic_switch="nvidia-qm9700")


@pytest.fixture(scope="module")
def two_domains() -> Design:
    return built(TWO_DOMAINS)


def test_both_networks_are_counted_by_roles_of_their_own(two_domains):
    counts = scale_up.counts(TWO_DOMAINS, CATALOG)
    assert counts.switches == {"scale-up leaf": 18, "leaf": 8, "spine": 1}
    assert counts.links == {"server-scale-up": 32 * 18, "server-leaf": 32, "leaf-spine": 32}
    assert len(two_domains.links) == 32 * 18 + 64 and counts.nics == 2 * 32
    assert not validate(two_domains).findings
    rails = {(link.a.port, two_domains.device(link.b.device_id).rail) for link in two_domains.links.values()}
    in_rack = {link.medium_id for link in two_domains.links.values() if link.a.port.startswith("gpu")}
    assert in_rack == {"nvlink-cartridge"}
    assert {(port, rail) for port, rail in rails if rail is not None} == {(f"nic{n}", n) for n in range(1, 5)}


def test_traffic_in_a_domain_keeps_to_its_links_and_between_domains_takes_nics(two_domains):
    found = api.simulate(two_domains, collective="all-to-all", size_bytes=2**30, latency=False)
    part = 2**30 / 32
    by_role = Counter()
    for arc in range(0, found.graph.n_arcs, 2):
        link = found.graph.link[arc]
        if link >= 0:
            ends = two_domains.links[found.graph.link_ids[link]]
            role = two_domains.device(ends.b.device_id).role
            if two_domains.is_server(ends.a.device_id):
                by_role[role] += found.bytes[arc]
    assert by_role["scale-up leaf"] == pytest.approx(32 * 15 * part)
    assert by_role["leaf"] == pytest.approx(32 * 16 * part)
    nic = 400e9 / 8 * 0.9937
    assert found.time_s == pytest.approx(16 * part / nic)


def test_rings_and_rails_go_through_whole_domains(two_domains):
    size, port = 2**30, 18 * 50e9
    ring = api.simulate(two_domains, collective="all-reduce", algorithm="ring", size_bytes=size, latency=False)
    assert ring.model.channels == 16
    through_nics = 2 * 31 / 32 * size / 16 / (400e9 / 8 * 0.9937)
    through_links = 2 * 31 / 32 * size * 15 / 16 / port
    assert ring.time_s == pytest.approx(max(through_nics, through_links))
    turns = api.simulate(two_domains, collective="all-reduce", algorithm="hierarchical", size_bytes=size, latency=False)
    inside, between = 2 * 15 / 16 * size / port, 2 * 1 / 2 * size / 16 / (400e9 / 8 * 0.9937)
    assert turns.time_s == pytest.approx(inside + between)


def test_gpus_of_a_drawn_domain_are_numbered_alike(two_domains):
    graph = build(two_domains)
    ends = network(graph).ends
    assert sorted(Counter(ends.drawn.tolist()).values()) == [16, 16]
    assert ends.scale_up_planes and (ends.domain < 0).all()


def test_a_tensor_group_of_a_whole_domain_crosses_no_fabric(two_domains):
    graph = build(two_domains)
    assert not any("beyond" in note for note in train_step(graph, Training(LLAMA, 989, tensor=16)).notes)
    step = train_step(graph, Training(LLAMA, 989, tensor=32))
    assert "1 of 1 tensor groups of 32 reach beyond a scale-up domain" in step.notes[0]


def test_gpus_that_share_links_and_a_rail_are_not_taken_to_use_both(two_domains):
    net = network(build(two_domains))
    members = np.array([0, 4, 8, 12])
    assert len(set(net.ends.kind[members].tolist())) == 1
    assert uniform_planes.run(net, members, 1e6, np.full(net.graph.n_arcs, 1e9)) is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"nic_switch": "nvidia-qm9700", "nic_spines": 2}, "need a scale-out switch and at least 2 groups"),
        ({"nic_spines": 2, "groups": 2}, "need a scale-out switch and at least 2 groups"),
        (
            {"nic_switch": "generic-switch-64x200g", "groups": 2},
            "run at 400G; Switch 64 x 200G has ports of 200G",
        ),
        (
            {"server": "generic-server-4x18x400g", "switch": "generic-switch-144x400g", "nic_switch": "nvidia-qm9700"},
            "Server 4 GPUs, 18 x 400G each has no NICs besides its scale-up links",
        ),
        ({"nic_switch": "nvidia-qm9700", "groups": 80}, "320 leaf switches cannot each have a link to every spine"),
        ({"nic_switch": "nvidia-qm9700", "groups": 3, "nic_spines": 1}, "has 64 ports; 216 are needed for 18 trays"),
        ({"uplinks": 4}, "uplinks and their switch need a number of second-level switches"),
        ({"groups": 2, "upper_switches": 2, "cross_links": 1}, "by a second level or by links across, not by both"),
        ({"upper_switches": 2}, "one group has nothing to be joined with"),
        ({"switches": 0, "groups": 2}, "a full mesh without switches is one group"),
        ({"switches": 10}, "18 links, and a group has 20 switch chips: give no more chips than links"),
        ({"chips": 5, "switches": 1}, "144 ports of NVLink 5 switch tray do not spread evenly over 5 chips"),
        ({"servers": 19}, "a chip of NVLink 5 switch tray has 72 ports; 76 downlinks and 0 to other groups"),
        ({"groups": 2, "cross_links": 1}, "has 72 ports; 72 downlinks and 1 to other groups were asked for"),
        ({"servers": 9, "groups": 2, "upper_switches": 5}, "36 uplinks of a chip do not spread evenly over 5"),
        (
            {"servers": 9, "groups": 9, "upper_switches": 2},
            "a second-level switch has 144 ports; 162 links of 9 groups",
        ),
        ({"switches": 0}, "GB200 compute tray has 4 GPUs, joined inside it"),
        (
            {"server": "generic-server-1x3x400g", "servers": 5, "switches": 0},
            "3 links of a GPU cannot lead to each of 4",
        ),
        ({"server": "dgx-h100"}, "speaks"),
    ],
)
def test_what_cannot_be_is_refused_with_its_numbers(fields, message):
    with pytest.raises(ParameterError, match=message):
        scale_up.counts(ScaleUpParameters(**fields), CATALOG)


@st.composite
def fabrics(draw):
    gpus, links, trays = draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    chips, switches = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    assume(switches * chips <= links)
    groups, joined = draw(st.integers(1, 4)), draw(st.sampled_from(["", "levels", "across"]))
    per_chip = gpus * trays * math.ceil(links / (switches * chips))
    upper, lanes = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    fields = {"uplinks": upper * lanes, "upper_switches": upper} if joined == "levels" else {}
    fields = {"cross_links": lanes} if joined == "across" else fields
    up = upper * lanes if joined == "levels" else lanes * (groups - 1) if joined == "across" else 0
    spare = draw(st.integers(0, 2))
    return ScaleUpParameters(
        server=f"generic-server-{gpus}x{links}x400g",
        servers=trays,
        switch=f"generic-switch-{(per_chip + up + spare) * chips}x400g",
        switches=switches,
        chips=chips,
        groups=groups,
        upper_switch=f"generic-switch-{max(1, groups * lanes)}x400g" if joined == "levels" and groups > 1 else "",
        **(fields if groups > 1 else {}),
    ), (gpus, links, lanes, joined if groups > 1 else "")


@settings(max_examples=60, deadline=None)
@given(fabrics())
def test_random_fabrics_keep_closed_forms_port_budgets_and_even_spread(case):
    parameters, (gpus, links, lanes, joined) = case
    counts, design = scale_up.counts(parameters, CATALOG), built(parameters)
    g, chips = parameters.groups, parameters.n_chips
    n_gpus = g * parameters.servers * gpus
    expected = {"server-leaf": n_gpus * links}
    if joined == "levels":
        expected["leaf-spine"] = g * chips * parameters.uplinks
    elif joined == "across":
        expected["leaf-leaf"] = g * (g - 1) // 2 * chips * lanes
    assert counts.links == expected and sum(expected.values()) == len(design.links)
    assert counts.endpoints == n_gpus and counts.servers == len(design.servers())
    assert sum(counts.switches.values()) == len(design.switches())
    used = Counter((end.device_id, end.port) for link in design.links.values() for end in (link.a, link.b))
    assert set(used.values()) == {1}
    assert all(port in design.port_map(device_id) for device_id, port in used)
    if links % chips == 0:
        in_group = {pair: count for pair, count in pairs(design).items() if pair[0].startswith("gpu")}
        assert set(in_group.values()) == {gpus * parameters.chips * links // chips}

"""Designs made of found networks: types by model, ports and choice, ports by name and number, places, one edit."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.exchange.exporters import BUILT_IN
from designer.exchange.reading import limits
from designer.exchange.reading.building import propose
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, FoundNode, ImportFailure
from designer.exchange.reading.sheets import read
from designer.exchange.reading.type_table import BY_CHOICE, BY_MODEL, BY_PORTS, FROM_FILE, NEAREST
from designer.model.design import Design
from designer.model.edit import Edit, removed
from designer.model.hardware.media import is_built_in
from designer.topologies.families import FAMILIES
from designer.validation.engine import validate

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN}
CARRIES_TYPES = ("cable-plan", "cable-plan-xlsx")
SHEETS = (*CARRIES_TYPES, "p2p-ethernet", "p2p-infiniband", "cvt", "avd", "shcd", "opa")


def imported(network, chosen=None, into=None):
    design = into or Design()
    proposal = propose(network, design, CATALOG, chosen)
    design.apply(proposal.edit)
    return design, proposal


def shape(design):
    names = {one.id: one.name for one in design.devices.values()}
    return set(names.values()), {
        frozenset(((names[one.a.device_id], one.a.port), (names[one.b.device_id], one.b.port)))
        for one in design.links.values()
    }


def network(links, **nodes):
    """A network of "a.1=b.2" links; nodes by name with their facts."""
    names = dict.fromkeys(end.split(".")[0] for link in links for end in link.split("="))
    made = []
    for link in links:
        a, b = (FoundEnd(*end.split(".")) for end in link.split("="))
        made.append(FoundLink(a, b))
    return FoundNetwork(tuple(FoundNode(name, **nodes.get(name, {})) for name in names), tuple(made))


@pytest.fixture(scope="module", params=[one.name for one in FAMILIES])
def family_design(request):
    family = next(one for one in FAMILIES if one.name == request.param)
    design = Design()
    design.apply(family.build(design, family.parameters(), CATALOG))
    return design


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_that_is_written_and_read_again_gives_an_equal_design(family_design, tmp_path, name):
    """With the types of its devices where the sheet does not carry them: numbers of ports depend on these."""
    if not _lists_any(name, family_design) or (name == "cable-plan-xlsx" and len(family_design.links) > 200):
        return
    path = tmp_path / f"plan{EXPORTER[name].suffix}"
    EXPORTER[name].write(family_design, path)
    found = read(path)
    types = {one.name: family_design.types[one.type_id] for one in family_design.devices.values()}
    chosen = {} if name in CARRIES_TYPES else {one.name: types[one.name].id for one in found.nodes}
    catalog = CATALOG.__class__({**CATALOG.types, **family_design.types})
    design = Design()
    proposal = propose(found, design, catalog, chosen)
    design.apply(proposal.edit)
    names, cabled = shape(family_design)
    if any(is_built_in(family_design.types, one.medium_id) for one in family_design.links.values()):
        cabled = shape(with_cables_alone(family_design))[1]  # what is inside of nodes is in no plan
        names = {name for ends in cabled for name, _ in ends}
    assert shape(design) == (names, cabled)
    assert not proposal.unread


def with_cables_alone(design):
    """The design without the links that come with nodes and racks."""
    kept = design.snapshot()
    built_in = [one for one in kept.links.values() if is_built_in(kept.types, one.medium_id)]
    kept.apply(Edit("Leave cables", removed(built_in)))
    return kept


def _lists_any(name, design):
    if all(is_built_in(design.types, one.medium_id) for one in design.links.values()):
        return False  # no cable of it is ordered, numbered or pulled
    protocols = {"p2p-ethernet": {"ethernet"}, "p2p-infiniband": {"infiniband"}, "cvt": {"ethernet", "infiniband"}}
    spoken = set()
    for link in list(design.links.values())[:1]:
        spoken = set(design.port(link.a).protocols) & set(design.port(link.b).protocols)
    return bool(spoken & protocols.get(name, spoken | {"any"})) or name not in protocols


def test_racks_units_rates_lengths_and_cables_come_along(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text(
        "A-Rack,A-U,A-Node,A-Type,A-Port,Z-Rack,Z-U,Z-Node,Z-Type,Z-Port,Length,Cable ID\n"
        "R1,1,gpu-1,DGX H100,rail1,R2,40,leaf-1,QM9700,1/1,3 m,C0007\n",
        encoding="utf-8",
    )
    design, _ = imported(read(path))
    gpu, leaf = design.find("gpu-1"), design.find("leaf-1")
    places = {one.id: (design.racks[one.rack_id].name, one.unit) for one in design.placements.values() if one.rack_id}
    assert places == {gpu.id: ("R1", 1), leaf.id: ("R2", 40)}
    (link,) = design.links.values()
    assert (link.length_m, link.length_source, link.cable) == (3.0, "typed", 7)
    assert design.settings.last_cable == 7
    assert not [one for one in validate(design).findings if one.code.startswith("PORT")]


def test_types_go_by_model_then_by_ports_then_are_made_of_the_file():
    found = network(
        ["gpu-1.rail1=leaf-1.1/1", "gpu-2.x=tor.swp1s0", "gpu-2.y=odd.Slot 3 Port 9 b"],
        **{"leaf-1": {"model": "MQM9700-NS2F"}, "gpu-1": {"model": "nvidia dgx h100"}, "odd": {"kind": SWITCH}},
    )
    design, proposal = imported(found)
    how = {row.key: row.how for row in proposal.rows}
    assert how == {
        "MQM9700-NS2F": NEAREST,
        "nvidia dgx h100": BY_MODEL,
        "tor": BY_PORTS,
        "odd": FROM_FILE,
        "gpu-#": FROM_FILE,
    }
    assert design.types[design.find("leaf-1").type_id].model == "QM9700"
    assert {port.name for port in design.ports(design.find("gpu-2").id)} == {"x", "y"}
    assert all(row.is_guess == (row.how != BY_MODEL) for row in proposal.rows)


@pytest.mark.parametrize("key", ["leaf-1", "leaf-#", "LEAF-*", "nv-model"])
def test_a_chosen_type_is_taken_by_node_row_pattern_or_model(key):
    found = network(["gpu-1.a=leaf-1.5"], **{"leaf-1": {"model": ""}, "gpu-1": {"kind": HOST}})
    if key == "nv-model":
        found = network(["gpu-1.a=leaf-1.5"], **{"leaf-1": {"model": "nv-model"}})
    design, proposal = imported(found, {key: "nvidia-qm9700"})
    assert design.find("leaf-1").type_id == "nvidia-qm9700"
    assert next(row for row in proposal.rows if row.kind == SWITCH).how == BY_CHOICE
    (link,) = design.links.values()
    assert "3/1" in (link.a.port, link.b.port), "port 5 of a switch with two ports a cage"


def with_rate(network, rate_gbps):
    return replace(network, links=tuple(replace(one, rate_gbps=rate_gbps) for one in network.links))


def test_the_nearest_model_is_taken_where_it_carries_the_ports_of_the_file_alone():
    few = network([f"gpu-1.nic{one}=leaf-1.{one}" for one in range(1, 5)], **{"leaf-1": {"model": "my-qm9700-b"}})
    many = network([f"gpu-{one}.a=leaf-1.{one}" for one in range(1, 66)], **{"leaf-1": {"model": "my-qm9700-b"}})
    taken = []
    for found in (few, many, with_rate(few, 800.0), with_rate(many, 400.0)):
        design, proposal = imported(found)
        taken.append(next(row.how for row in proposal.rows if row.kind == SWITCH))
        assert len(design.links) == len(found.links) and not proposal.unread
    assert taken == [NEAREST, NEAREST, FROM_FILE, FROM_FILE]


@pytest.mark.parametrize("type_id", ["generic-host-4x200g", "generic-server-4x1x200g", "generic-host-200g"])
@pytest.mark.parametrize("is_chosen", [True, False])
def test_a_generic_id_is_the_type_that_it_spells_out_with_its_nics(type_id, is_chosen):
    found = network(["gpu-1.nic1=leaf-1.63"], **{"gpu-1": {"model": "" if is_chosen else type_id}})
    found = replace(
        found, nodes=tuple(replace(one, kind=one.kind or HOST) for one in found.nodes[:1]) + found.nodes[1:]
    )
    design, proposal = imported(found, {"gpu-1": type_id, "leaf-1": "generic-switch-63x200g"} if is_chosen else None)
    assert design.device_type(design.find("gpu-1").id) == CATALOG.get(type_id)
    assert {one.type_id for one in design.modules.values()} == {"generic-nic-200g"} <= design.types.keys()
    assert len(design.links) == 1 and not proposal.unread


@pytest.mark.parametrize(
    "model", ["generic-switch-63x", "a generic-host", "Host 400G b", "generic-switch-99999x8x400g"]
)
def test_no_generic_type_is_the_nearest_model(model):
    _, proposal = imported(network(["gpu-1.a=b.1"], **{"gpu-1": {"model": model, "kind": HOST}}))
    assert next(row.how for row in proposal.rows if row.model == model) == FROM_FILE


def test_a_choice_for_one_node_leaves_the_others():
    found = network(["gpu-1.a=leaf-1.1", "gpu-2.a=leaf-1.2"])
    design, proposal = imported(found, {"gpu-2": "dgx-h200", "gpu-*": "dgx-h100"})
    assert [design.find(f"gpu-{one}").type_id for one in (1, 2)] == ["dgx-h100", "dgx-h200"]
    assert [len(row.nodes) for row in proposal.rows] == [1, 1, 1]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [({"core-9": "nvidia-qm9700"}, "no node is called"), ({"leaf-1": "connectx-7-ndr"}, "cannot be")],
)
def test_a_choice_of_nothing_or_of_no_device_type_is_refused(chosen, words):
    with pytest.raises(ParameterError, match=words):
        imported(network(["gpu-1.a=leaf-1.1"]), chosen)


def test_modes_of_cages_follow_the_names_of_their_ports():
    found = network(
        ["gpu-1.a=leaf-1.swp1s0", "gpu-2.a=leaf-1.swp1s1", "spine-1.swp1=leaf-1.swp64"],
        **{"leaf-1": {"model": "SN5600"}, "spine-1": {"model": "SN5600"}},
    )
    design, proposal = imported(found)
    leaf = design.find("leaf-1")
    assert leaf.port_mode == "128x400G" and leaf.cage_modes == ((64, "64x800G"),)
    assert len(design.links) == 3 and not proposal.unread


def test_a_port_with_two_links_keeps_the_first_and_names_the_other():
    found = network(["gpu-1.a=leaf-1.1", "gpu-2.a=leaf-1.1"])
    design, proposal = imported(found)
    assert len(design.links) == 1
    assert "leaf-1 1 is linked already" in proposal.unread[0].sentence


def test_tiers_follow_from_the_links_and_rings_of_switches_have_none():
    tree = network(["gpu-1.a=s1.1", "s1.2=s2.1", "s2.2=s3.1"], **{f"s{one}": {"kind": SWITCH} for one in (1, 2, 3)})
    design, _ = imported(tree)
    assert [design.find(f"s{one}").role for one in (1, 2, 3)] == ["leaf", "spine", "core"]
    ring = network(
        [*(f"gpu-{one}.a=s{one}.1" for one in (1, 2, 3)), "s1.2=s2.3", "s2.2=s3.3", "s3.2=s1.3"],
        **{f"s{one}": {"kind": SWITCH} for one in (1, 2, 3)},
    )
    design, _ = imported(ring)
    assert {design.find(f"s{one}").role for one in (1, 2, 3)} == {""}


def test_places_of_the_file_are_kept_as_far_apart_as_boxes_need():
    nodes = {"gpu-1": {"x": 0.0, "y": 10.0}, "leaf-1": {"x": 0.0, "y": 0.0}, "gpu-2": {"x": 5.0, "y": 10.0}}
    design, _ = imported(network(["gpu-1.a=leaf-1.1", "gpu-2.a=leaf-1.2"], **nodes))
    at = {name: design.placements[design.find(name).id] for name in nodes}
    assert at["gpu-2"].x - at["gpu-1"].x >= 120 and at["gpu-1"].y > at["leaf-1"].y
    assert at["gpu-1"].y == at["gpu-2"].y and at["gpu-1"].x == at["leaf-1"].x


def test_without_places_leaf_switches_stand_over_their_servers():
    design, _ = imported(network([f"gpu-{one}.a=leaf-1.{one}" for one in range(1, 5)]))
    servers = {design.placements[one.id].y for one in design.servers()}
    assert len(servers) == 1 and design.placements[design.find("leaf-1").id].y < servers.pop()
    assert len({(one.x, one.y) for one in design.placements.values()}) == 5


def test_importing_twice_gives_names_of_their_own_beside_the_first_and_undo_takes_them_back():
    found = network(["gpu-1.a=leaf-1.1"])
    design, _ = imported(found)
    before = list(design.entities())
    _, proposal = imported(found, into=design)
    assert {one.name for one in design.devices.values()} == {"gpu-1", "leaf-1", "2-gpu-1", "2-leaf-1"}
    first = max(design.placements[design.find(name).id].x for name in ("gpu-1", "leaf-1"))
    assert all(design.placements[design.find(name).id].x > first + 120 for name in ("2-gpu-1", "2-leaf-1"))
    design.apply(proposal.edit.inverted())
    assert list(design.entities()) == before


def test_an_unstated_rate_is_that_of_the_known_port_else_assumed_and_listed():
    known = network(["gpu-1.a=leaf-1.1/1"], **{"leaf-1": {"model": "QM9700"}})
    design, _ = imported(known)
    assert {port.rate_gbps for port in design.ports(design.find("gpu-1").id)} == {400.0}
    _, proposal = imported(network(["gpu-1.a=leaf-1.1"]))
    assert any("400 Gb/s are assumed" in one.sentence for one in proposal.guesses)


def test_two_devices_in_one_unit_leave_the_second_open():
    facts = {"kind": SWITCH, "rack": "R1", "unit": 3}
    found = network(["s1.1=s2.1"], s1=facts, s2=facts)
    design, proposal = imported(found)
    assert sorted((one.unit for one in design.placements.values()), key=str) == [3, None]
    assert "is taken by s1" in proposal.unread[0].sentence


def test_a_cage_is_in_the_mode_that_has_the_rate_of_its_links():
    """Names of SN5600's ports are the same at four of 200G and four of 100G."""
    a, b = FoundEnd("gpu-1", "x"), FoundEnd("leaf-1", "swp1s3")
    nodes = FoundNode("gpu-1", kind=HOST), FoundNode("leaf-1", model="SN5600")
    for rate, mode in ((200.0, "256x200G"), (100.0, "256x100G")):
        design, _ = imported(FoundNetwork(nodes, (FoundLink(a, b, rate_gbps=rate),)))
        assert design.find("leaf-1").port_mode == mode
        assert {port.rate_gbps for port in design.ports(design.find("gpu-1").id)} == {rate}


def test_cages_at_other_rates_are_in_modes_of_their_own():
    nodes = tuple(FoundNode(name, model="SN5600") for name in ("leaf-1", "spine-1"))
    links = tuple(
        FoundLink(FoundEnd("leaf-1", f"swp{cage}s3"), FoundEnd("spine-1", f"swp{cage}s3"), rate_gbps=rate)
        for cage, rate in ((1, 200.0), (2, 200.0), (3, 100.0))
    )
    design, _ = imported(FoundNetwork(nodes, links))
    leaf = design.find("leaf-1")
    assert (leaf.port_mode, leaf.cage_modes) == ("256x200G", ((3, "256x100G"),))


def test_storage_nics_are_installed_where_their_ports_are_named():
    found = network(["gpu-1.storage1/1=leaf-1.1/1"], **{"gpu-1": {"model": "DGX H100"}, "leaf-1": {"model": "QM9700"}})
    design, proposal = imported(found)
    server = design.find("gpu-1")
    slots = {module.slot for module in design.modules_of(server.id)}
    assert "storage1" in slots and "storage2" not in slots and "rail1" in slots
    assert not proposal.unread


def test_ports_of_adapters_go_by_their_number_from_zero():
    found = network(["gpu-1.mlx5_2=leaf-1.1/1"], **{"gpu-1": {"model": "DGX H100"}, "leaf-1": {"model": "QM9700"}})
    design, _ = imported(found)
    (link,) = design.links.values()
    assert "rail3" in (link.a.port, link.b.port)


def test_switches_have_the_network_that_their_links_are_of():
    links = tuple(
        FoundLink(FoundEnd(f"gpu-{one}", "s"), FoundEnd("leaf-1", str(one)), network="storage") for one in (1, 2)
    )
    nodes = tuple(FoundNode(name) for name in ("gpu-1", "gpu-2", "leaf-1"))
    design, _ = imported(FoundNetwork(nodes, links))
    assert design.find("leaf-1").network == "storage"
    assert {port.purpose for port in design.ports(design.find("gpu-1").id)} == {"storage"}


def test_a_rack_is_in_the_innermost_group_of_all_its_devices():
    groups = {"a": ("x", "y", "z"), "b": ("x", "y"), "c": ("x", "w"), "d": (), "e": ("x",)}
    racks = {"a": "R1", "b": "R1", "c": "R2", "d": "R3", "e": "R3"}
    nodes = {name: {"group": groups[name], "rack": racks[name]} for name in groups}
    design, proposal = imported(network(["a.1=b.1", "c.1=d.1", "e.1=c.2"], **nodes))
    names = {one.name: design.groups[one.group_id].name for one in design.racks.values() if one.group_id}
    assert names == {"R1": "y", "R2": "w"}
    parents = {one.name: one.parent_id and design.groups[one.parent_id].name for one in design.groups.values()}
    assert parents == {"x": None, "y": "x", "z": "y", "w": "x"}
    assert any(one.sentence.startswith("3 racks without a place on the floor, ") for one in proposal.left_open)


def test_cables_are_those_of_the_catalog_and_what_it_does_not_have_is_named():
    found = network([f"a.{one}=b.{one}" for one in range(1, 7)])
    media = ("tr-800-2sr4", "inside-node", "nvidia-qm9700", "red", "green", "blue")
    found = replace(found, links=tuple(replace(one, medium=of) for one, of in zip(found.links, media, strict=True)))
    design, proposal = imported(found)
    assert [one.medium_id for one in design.links.values()] == ["tr-800-2sr4", "inside-node", "", "", "", ""]
    assert {"tr-800-2sr4", "inside-node"} <= design.types.keys()
    (left,) = proposal.left_open
    assert (
        left.sentence.startswith("4 links without cable or optic")
        and "nvidia-qm9700, red, green and 1 more" in left.sentence
    )


def test_more_groups_than_any_fabric_has_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "MOST_NODES", 3)
    found = network(["a.1=b.1"], a={"group": ("x", "y", "z")}, b={"group": ("x", "w")})
    with pytest.raises(ImportFailure, match="more than 3 groups"):
        imported(found)

"""Links that a rack or a node comes with: counted on the bill, and nobody orders, numbers, labels or pulls them."""

from dataclasses import replace

import pytest

from designer import api
from designer.analysis.billing.bill import bill_of
from designer.analysis.billing.running import RunningBill
from designer.analysis.billing.spares import parse_spares, require_used
from designer.analysis.cable_numbers import number_cables
from designer.analysis.optical_parts import parts_known
from designer.analysis.parts import parts
from designer.analysis.summary import summarize
from designer.analysis.summary_text import figures, summary_facts
from designer.analysis.survey import survey
from designer.analysis.topology_text import topology_text
from designer.catalog.catalog import load
from designer.drawing.sheets.cables import Cabling
from designer.errors import ParameterError
from designer.exchange.cable_plan import cable_rows
from designer.exchange.labels.labels import labels_of
from designer.exchange.labels.options import LabelOptions
from designer.exchange.plan_gaps import plan_gaps
from designer.graph.building.delays import delays
from designer.model.circuits import circuit_switch
from designer.model.edit import Change, Edit
from designer.model.hardware.media import is_built_in
from designer.placement.preparation import prepare, totals

TYPES = load().types


@pytest.fixture(scope="module")
def racks():
    design = api.generate(
        "scale-up",
        server="gb200-compute-tray",
        servers=2,
        switches=1,
        groups=2,
        nic_switch="nvidia-qm9700",
    )
    design.apply(prepare(design, TYPES).edit)
    design.apply(number_cables(design))
    return design


@pytest.fixture(scope="module")
def inside(racks):
    return {link.id for link in racks.links.values() if is_built_in(racks.types, link.medium_id)}


def test_a_bill_has_them_on_a_line_of_their_own_with_nothing_to_order(racks, inside):
    bill = bill_of(racks, TYPES, policy=parse_spares("all:10%:1"))
    (line,) = [one for one in bill.lines if one.item.type_id == "nvlink-cartridge" or one.item.kind == "inside-rack"]
    assert (line.item.kind, line.item.quantity, line.spares, line.to_order) == ("inside-rack", len(inside), 0, 0)
    assert line.note == f"{len(inside)} delivered with the racks that they are in" and not line.status
    counts = parts(survey(racks))
    outside = len(racks.links) - len(inside)
    assert (counts.links, counts.cables, counts.fibres) == (len(racks.links), outside, outside)
    assert counts.cages == len(
        {place for link in racks.links.values() if link.id not in inside for place in ends(racks, link)}
    )
    running = RunningBill(racks, TYPES).items
    assert [(one.kind, one.quantity, one.ordered_apart) for one in running] == [
        (one.item.kind, one.item.quantity, one.item.ordered_apart) for one in bill.lines
    ]


def ends(design, link):
    return [(end.device_id, design.port(end).cage) for end in (link.a, link.b)]


def test_no_spares_can_be_asked_for_them():
    with pytest.raises(ParameterError, match="'inside-rack' is no kind of part"):
        parse_spares("inside-rack:1%")
    with pytest.raises(ParameterError, match=r"it has switch$"):
        require_used(parse_spares("cable:1%"), ("switch", "inside-rack"))


def test_they_have_no_number_and_lose_the_one_that_an_earlier_file_gave(racks, inside):
    assert {one.cable == 0 for one in racks.links.values() if one.id in inside} == {True}
    numbers = sorted(one.cable for one in racks.links.values() if one.id not in inside)
    assert numbers == list(range(1, len(racks.links) - len(inside) + 1))
    earlier = racks.snapshot()
    link = earlier.links[min(inside)]
    earlier.apply(Edit("number", (Change(link, replace(link, cable=999)),)))
    edit = number_cables(earlier)
    earlier.apply(edit)
    assert earlier.links[link.id].cable == 0 and not number_cables(earlier)


def test_plan_labels_and_drawings_leave_them_out(racks, inside):
    outside = racks.links.keys() - inside
    assert {row.link_id for row in cable_rows(racks)} == outside
    parts_there = parts_known(racks, TYPES)
    assert len(labels_of(racks, LabelOptions(), parts_there)) == 2 * len(outside)
    cabling = Cabling(racks, parts_there)
    listed = [entry for one in racks.devices for entry in cabling.used(one)]
    assert len(listed) == 2 * len(outside)


def test_nothing_is_missing_for_them(racks, inside):
    bare = racks.snapshot()
    bare.apply(
        Edit(
            "bare",
            tuple(
                Change(link, replace(link, length_m=None, length_source="", cable=0))
                for link in bare.links.values()
                if link.id in inside
            ),
        )
    )
    gaps = plan_gaps(bare, TYPES, parts_known(bare, TYPES))
    assert not inside & {one for gap in gaps.gaps for one in gap.links}
    assert gaps.n_links == len(racks.links) - len(inside)
    assert not bill_of(bare, TYPES).preliminary


def test_what_is_prepared_counts_no_meters_of_them(racks, inside):
    found = totals(racks)
    assert found.n_cables == len(racks.links) - len(inside)
    assert "cartridge" not in found.by_type


def test_documents_say_once_that_they_come_with_the_racks(racks, inside):
    said = topology_text(racks).sentences
    assert said[1:] == (
        f"{len(inside)} links are inside racks and come with them: nothing is ordered, numbered or labeled for these.",
    )
    assert (
        len(topology_text(api.generate("fat-tree", servers=4, switch="nvidia-qm9700", server="dgx-h100")).sentences)
        == 1
    )


def test_a_scale_up_fabric_is_called_by_its_domains_and_gpus(racks):
    assert racks.settings.name == "Scale-up fabric, 2 × 8 GPUs"


# -- inside nodes ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cubes():
    """64 nodes in cubes of eight, each a host and a router, joined by circuit switches."""
    design = api.generate("torus", dims=(4, 4, 4), cube=(2, 2, 2))
    design.apply(prepare(design, TYPES).edit)
    design.apply(number_cables(design))
    return design


def test_a_host_and_its_router_are_joined_by_no_cable(cubes):
    within = {one.id for one in cubes.links.values() if is_built_in(cubes.types, one.medium_id)}
    assert within == {one.id for one in cubes.links.values() if {*map(cubes.is_switch, ids(one))} == {True, False}}
    assert len(within) == 64 and all(not cubes.links[one].cable for one in within)
    assert {row.link_id for row in cable_rows(cubes)} == cubes.links.keys() - within
    counts = parts(survey(cubes))
    assert (counts.links, counts.cables) == (256, 256 - 64 + counts.circuit_links)
    (line,) = [one for one in bill_of(cubes, TYPES).lines if one.item.kind == "inside-rack"]
    assert (line.item.quantity, line.to_order) == (64, 0) and "node" in line.item.description
    assert line.note == "64 delivered with the nodes that they are in"
    assert not any("inside" in one.text for one in parts_known(cubes, TYPES).assumed.values())


def ids(link):
    return link.a.device_id, link.b.device_id


def test_a_server_with_nics_of_its_own_takes_cables_to_its_router():
    design = api.generate("torus", dims=(2, 2), node="dgx-h100")
    assert not any(is_built_in(design.types, one.medium_id) for one in design.links.values())


def test_topology_and_figures_name_circuit_switches_and_their_modules(cubes):
    names = {circuit_switch(one) for one in cubes.links.values()} - {""}
    n_links = sum(bool(circuit_switch(one)) for one in cubes.links.values())
    lines = topology_text(cubes).lines
    assert lines[1].startswith(
        f"{n_links} links between cubes lead through {len(names)} optical circuit switches and take {2 * n_links} "
        "optical modules"
    )
    assert lines[2].startswith("64 links are inside nodes and come with them")
    assert f"Optical circuit switches: {len(names)}, for {n_links} links" in figures(cubes)
    found = summarize(cubes)
    assert (found.parts.circuit_switches, found.parts.circuit_links) == (len(names), n_links)
    assert f"\n{len(names)} optical circuit switches for {n_links} links" in dict(summary_facts(found, cubes))["parts"]
    plain = api.generate("torus", dims=(4, 4))
    assert not any("circuit" in one for one in (*figures(plain), *topology_text(plain).lines))


def test_a_link_inside_a_node_adds_no_propagation_delay(cubes):
    delay = delays(cubes)
    inside_, outside = (
        next(one for one in cubes.links.values() if is_built_in(cubes.types, one.medium_id) == is_inside)
        for is_inside in (True, False)
    )
    assert delay(inside_) == (0.0, True) and delay(outside)[0] > 0.0

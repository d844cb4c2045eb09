"""Cages with modes of their own, as uplinks next to ports for servers: ports, edits, faults of types, rules, files."""

from dataclasses import replace

import pytest

from designer.catalog.headline import headline, search_text
from designer.errors import NoFreePortError, ParameterError, UnknownEntityError
from designer.exchange.reading.port_fitting import NAMES, fit_switch
from designer.model import limits, operations
from designer.model.cage_runs import cage_runs
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link
from designer.model.hardware.modules import LineCardType
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.matching import explain
from designer.model.port_modes import all_in_mode
from designer.placement.many import MIXED, READ
from designer.storage import document
from designer.topologies.sizing import LeafBudget
from designer.validation.engine import validate

SN2201 = "nvidia-sn2201"
DOWN, SLOW = PortMode("48x1G", 1, 1.0, "p{cage}"), PortMode("96x0.5G", 2, 0.5, "p{cage}s{lane}")
UP, SPLIT = PortMode("4x100G", 1, 100.0, "p{cage}"), PortMode("16x25G", 4, 25.0, "p{cage}s{lane}")


@pytest.fixture
def tor(catalog):
    """As an SN2201, with two modes of either kind of cage."""
    cages = (CageGroup(48, "RJ45"), CageGroup(4, "QSFP28", modes=(UP, SPLIT)))
    return replace(catalog.get(SN2201), id="tor", cages=cages, modes=(DOWN, SLOW))


@pytest.fixture
def drawn(pen, tor):
    pen.do(operations.add_device(pen.design, tor, 0, 0, catalog_types=pen.catalog.types, name="tor"))
    return next(iter(pen.design.devices))


def runs(design, device_id):
    return [(run.first, run.last, run.mode) for run in cage_runs(design, device_id)]


def test_an_sn2201_has_48_ports_for_servers_and_4_uplinks(pen, catalog):
    tor = pen.add(SN2201)
    ports = pen.design.ports(tor)
    kinds = [(port.rate_gbps, port.form_factor) for port in ports]
    assert kinds == [(1.0, "RJ45")] * 48 + [(100.0, "QSFP28")] * 4
    assert [port.name for port in ports] == [f"swp{number}" for number in range(1, 53)]
    assert pen.design.port_map(tor)["eth0"].cage == 53
    assert catalog.get(SN2201).n_ports(catalog.get(SN2201).modes[0]) == 48
    assert headline(catalog.get(SN2201)) == "48 × 1G + 4 × 100G"
    assert "100g" in search_text(catalog.get(SN2201)).split()


def test_uplinks_join_a_spine_and_the_other_ports_servers(pen, design):
    tor, spine = pen.add(SN2201, "tor"), pen.add("nvidia-sn4600c", "spine")
    pen.do(operations.connect_evenly(design, [tor], [spine], 4))
    assert sorted(link.a.port for link in design.links.values()) == ["swp49", "swp50", "swp51", "swp52"]
    with pytest.raises(NoFreePortError, match=r"tor has no free 100G port left \(4 of 4 used\)"):
        pen.join(tor, spine)
    below = pen.add("generic-switch-64x1g", "below")
    pen.join(below, tor, 48)
    with pytest.raises(NoFreePortError, match=r"tor has no free 1G port left \(48 of 48 used\)"):
        pen.join(below, tor)


def test_the_mode_of_the_switch_leaves_uplinks_and_theirs_leaves_the_other_cages(pen, design, drawn):
    pen.do(operations.set_cage_modes(design, drawn, [50], "16x25G"))
    assert (design.device(drawn).port_mode, design.device(drawn).cage_modes) == ("", ((50, "16x25G"),))
    assert READ[Device, "port_mode"](design, design.device(drawn)) == "48x1G"
    pen.do(operations.set_port_mode(design, drawn, "96x0.5G"))
    expected = [(1, 48, "96x0.5G"), (49, 49, "4x100G"), (50, 50, "16x25G"), (51, 52, "4x100G")]
    assert runs(design, drawn) == expected
    assert not operations.set_port_mode(design, drawn, "96x0.5G")
    pen.do(operations.set_cage_modes(design, drawn, range(1, 49), "48x1G"))
    assert (design.device(drawn).port_mode, design.device(drawn).cage_modes) == ("", ((50, "16x25G"),))
    pen.do(operations.set_cage_modes(design, drawn, [3], "96x0.5G"))
    assert READ[Device, "port_mode"](design, design.device(drawn)) is MIXED
    with pytest.raises(UnknownEntityError, match=r"cage 48 of tor .* has no port mode '16x25G': it has 48x1G"):
        operations.set_cage_modes(design, drawn, [48, 49], "16x25G")
    with pytest.raises(UnknownEntityError, match="has no port mode '16x25G'"):
        operations.set_port_mode(design, drawn, "16x25G")


@pytest.fixture
def numbered(pen, tor):
    """Two switches whose ports are numbered through: 8 cages that split in two, and 4 uplinks."""
    halves, whole = PortMode("16x400G", 2, 400.0), PortMode("8x800G", 1, 800.0)
    cages = (CageGroup(8, "OSFP"), CageGroup(4, "QSFP28", modes=(replace(UP, port_name="{port}"),)))
    type_ = replace(tor, id="numbered", cages=cages, modes=(halves, whole), capacity_tbps=None)
    for name in ("a", "b"):
        pen.do(operations.add_device(pen.design, type_, 0, 0, catalog_types=pen.catalog.types, name=name))
    return tuple(pen.design.devices)


def test_links_of_other_cages_never_move_to_uplinks_with_the_mode_of_the_switch(pen, design, numbered):
    a, b = numbered
    for number in range(1, 11):
        pen.do(operations.connect(design, End(a, f"{number}"), End(b, f"{number}")))
    said = "a cages 1-8: 10 ports are in use, mode 8x800G has room for 8: remove 2 of their links first"
    with pytest.raises(NoFreePortError, match=said):
        operations.set_port_mode(design, a, "8x800G")
    pen.do(operations.delete(design, ["l1", "l3"]))
    pen.do(operations.set_port_mode(design, a, "8x800G"))
    assert sorted(design.port(link.a).cage for link in design.links.values()) == list(range(1, 9))


def test_links_stay_at_their_numbered_uplinks_through_modes_of_the_switch(pen, design, numbered):
    a, b = numbered
    pen.do(operations.connect(design, End(a, "17"), End(b, "17")))
    (link,) = design.links
    for mode, name in (("8x800G", "9"), ("16x400G", "17")):
        pen.do(operations.set_port_mode(design, a, mode))
        assert (design.links[link].a.port, design.port(design.links[link].a).cage) == (name, 9)


def test_all_cages_in_one_mode_are_named_one_by_one_where_some_have_modes_of_their_own(pen, design, tor):
    both = replace(tor, id="both", cages=(CageGroup(2, ""), CageGroup(2, "", modes=(UP, DOWN))))
    pen.do(operations.add_device(design, both, 0, 0, catalog_types={}, name="both"))
    (one,) = design.devices
    pen.do(operations.set_cage_modes(design, one, range(1, 5), "48x1G"))
    assert runs(design, one) == [(1, 4, "48x1G")]
    assert design.device(one).cage_modes == ((3, "48x1G"), (4, "48x1G"))


def test_cages_that_keep_their_mode_for_links_elsewhere_leave_uplinks_too(pen, design, tor):
    same = replace(SLOW, name="other")
    two = replace(tor, cages=(CageGroup(48, "RJ45"), CageGroup(4, "QSFP28", modes=(UP, same))), modes=(DOWN, same))
    pen.do(operations.add_device(design, two, 0, 0, catalog_types={}, name="tor"))
    (one,) = design.devices
    pen.join(pen.add("generic-switch-4x1g"), one)
    pen.do(all_in_mode(design, [one], "other", {one}))
    assert runs(design, one) == [(1, 1, "48x1G"), (2, 48, "other"), (49, 52, "4x100G")]
    pen.do(operations.set_port_mode(design, one, "other"))
    assert runs(design, one) == [(1, 48, "other"), (49, 52, "4x100G")]


def test_a_mode_that_only_other_cages_have_is_reported_and_cleared(pen, design, drawn):
    device = design.device(drawn)
    wrong = ((2, "16x25G"), (49, "48x1G"), (50, "16x25G"), (53, "16x25G"))
    pen.do(Edit("Fault", (Change(device, replace(device, cage_modes=wrong)),)))
    (found,) = [one for one in validate(design).findings if one.aspect == "cage modes"]
    assert found.message == (
        "tor: cage 2 in 16x25G, cage 49 in 48x1G, cage 53 in 16x25G cannot be used; "
        "SN2201 has 52 cages and 48x1G, 96x0.5G, 16x25G, 4x100G"
    )
    pen.do(found.fix)
    assert design.device(drawn).cage_modes == ((50, "16x25G"),)


def test_the_way_out_of_unlike_rates_names_a_mode_of_the_very_cage(pen, design, drawn):
    spine, host = pen.add("generic-switch-4x25g", "spine"), pen.add("generic-switch-4x0.5g", "host")
    up, down = design.port_map(drawn)["p49"], design.port_map(drawn)["p1"]
    (fast,), (slow,) = design.ports(spine)[:1], design.ports(host)[:1]
    assert "set tor to a 25G mode" in explain(design, drawn, up, spine, fast)
    assert "mode" not in explain(design, drawn, down, spine, fast)
    assert "set tor to a 0.5G mode" in explain(design, drawn, down, host, slow)
    assert "mode" not in explain(design, drawn, up, host, slow)


def test_a_list_of_cables_that_names_uplinks_leaves_the_modes_as_delivered(catalog):
    wanted = (("swp1", 1.0), ("swp2", None), ("swp49", 100.0), ("swp52", None), ("eth0", 1.0))
    fit = fit_switch(catalog.get(SN2201), wanted)
    assert (fit.how, fit.port_mode, fit.cage_modes) == (NAMES, "", ())
    assert fit.names == {name: name for name, _ in wanted}
    assert fit.rates_gbps["swp49"] == 100.0


def test_a_list_of_cables_in_another_mode_still_finds_the_uplinks(tor):
    wanted = (("p1s1", 0.5), ("p1s2", 0.5), ("p49", 100.0), ("p5", 1.0))
    fit = fit_switch(tor, wanted)
    assert (fit.how, len(fit.names)) == (NAMES, 4)
    assert fit.rates_gbps == dict(wanted)


def test_a_rate_that_uplinks_lack_does_not_decide_the_mode_of_the_switch(tor):
    fit = fit_switch(tor, (("p49", 0.5), ("p50", 0.5), ("p1", 1.0)))
    assert (fit.how, fit.port_mode, fit.cage_modes) == (NAMES, "", ())


def test_a_link_of_two_rates_is_fixed_by_a_mode_of_the_very_cage(pen, design, drawn):
    spine = pen.add("generic-switch-4x25g", "spine")
    pen.do(Edit("Fault", (Change(None, Link("l1", End(drawn, "p49"), End(spine, "1"))),)))
    found = next(one for one in validate(design).findings if one.fix is not None and "16x25G" in one.fix.label)
    assert found.fix.label == "Set cage 49 of tor to 16x25G"
    pen.do(found.fix)
    assert design.port(design.links["l1"].a).rate_gbps == 25.0


def test_a_file_keeps_cages_with_modes_of_their_own(pen, design, drawn, tor):
    again = document.decode(document.encode(design))
    assert again.device_type(drawn) == tor and again.ports(drawn) == design.ports(drawn)


@pytest.mark.parametrize(
    ("change", "field", "fault"),
    [
        (lambda cages: (cages[1], cages[0]), "cages[0].modes", "come after those with the modes of the type"),
        (lambda cages: cages[1:], "cages[0].modes", "come after those with the modes of the type"),
        (lambda cages: (cages[0], cages[1], cages[0]), "cages[1].modes", "come after those with the modes of the type"),
        (lambda cages: (cages[0], replace(cages[1], modes=(UP, UP))), "cages[1].modes[1].name", "is used twice"),
        (
            lambda cages: (cages[0], replace(cages[1], modes=(replace(UP, port_name="{lane}"),))),
            "cages[1].modes[0].port_name",
            "gives several ports one name",
        ),
        (
            lambda cages: (cages[0], replace(cages[1], modes=(replace(UP, protocols=("infiniband",)),))),
            "cages[1].modes[0].protocols",
            "is none of the protocols of the type",
        ),
        (
            lambda cages: (cages[0], replace(cages[1], modes=(replace(UP, ports_per_cage=1024),), count=1000)),
            "cages[1].modes",
            "makes 1,024,000 ports",
        ),
    ],
)
def test_groups_of_cages_that_could_not_be_worked_with_are_named(tor, change, field, fault):
    faults = list(limits.type_faults(replace(tor, cages=change(tor.cages))))
    assert any(found == field and fault in said for found, said in faults), faults
    assert not list(limits.type_faults(tor))


def test_ports_of_uplinks_do_not_share_a_name_with_the_others(tor):
    through = replace(UP, port_name="p{port}")
    shared = replace(tor, cages=(tor.cages[0], replace(tor.cages[1], modes=(through,))), modes=(DOWN,))
    assert not list(limits.type_faults(shared))
    named = replace(
        shared, cages=(tor.cages[0], replace(tor.cages[1], modes=(replace(UP, port_name="p4{lane}"),), count=1))
    )
    assert list(limits.type_faults(named)) == [
        ("modes", "'p41' is the name of ports in cages with and without modes of their own")
    ]


@pytest.mark.parametrize("mode", [0, 1])
def test_ports_of_uplinks_share_no_name_with_the_others_in_any_of_their_modes(tor, mode):
    twice = replace(SPLIT, name="twice", ports_per_cage=2, port_name="p7s{lane}")
    cages = (tor.cages[0], replace(tor.cages[1], modes=(UP, twice), count=1))
    first, second = (DOWN, SLOW) if mode else (SLOW, DOWN)
    assert list(limits.type_faults(replace(tor, cages=cages, modes=(first, second)))) == [
        ("modes", "'p7s1' is the name of ports in cages with and without modes of their own")
    ]
    assert not list(limits.type_faults(replace(tor, cages=cages, modes=(DOWN,))))


def test_groups_of_uplinks_as_delivered_share_no_name(tor):
    one, other = replace(UP, port_name="u{lane}"), replace(SPLIT, ports_per_cage=1, port_name="u{lane}")
    groups = ((one, replace(other, port_name="v{lane}")), (other, replace(one, port_name="w{lane}")))
    cages = (tor.cages[0], *(CageGroup(1, "QSFP28", modes=modes) for modes in groups))
    assert [field for field, said in limits.type_faults(replace(tor, cages=cages)) if "'u1'" in said] == ["modes"]


def test_only_switches_without_line_cards_have_such_cages(catalog, tor):
    card = LineCardType("card", "", "card", ("ethernet",), tor.cages, (replace(DOWN, port_name="{slot}/{socket}"),))
    assert [field for field, said in limits.type_faults(card) if "without line cards" in said] == ["cages[1].modes"]
    chassis = catalog.get("arista-7804r4")
    faulty = replace(chassis, cages=(*chassis.cages, tor.cages[1]))
    assert any("without line cards" in said for _, said in limits.type_faults(faulty))


def test_the_most_ports_and_the_capacity_count_both_kinds_of_cages(tor):
    assert limits.most_ports(tor) == 96 + 16
    assert tor.most_gbps == 48 + 400
    unlikely = list(limits.unlikely_figures(replace(tor, capacity_tbps=0.048)))
    assert unlikely == [("capacity_tbps", "a capacity of 0.048 Tb/s does not go with its ports, 0.448 Tb/s together")]
    assert not list(limits.unlikely_figures(tor))


def test_uplinks_are_no_ports_for_rails_or_for_links_down_of_a_generated_leaf(pen, design, tor):
    down, up, slow = (
        PortMode(f"{rate:g}", lanes, rate, "p{cage}s{lane}") for rate, lanes in ((400.0, 1), (800.0, 1), (200.0, 2))
    )
    leaf = replace(tor, cages=(CageGroup(4, ""), CageGroup(2, "", modes=(up,))), modes=(down, slow), capacity_tbps=None)
    servers = [pen.add("generic-host-1x400g") for _ in range(5)]
    with pytest.raises(ParameterError, match="takes 1 to 4 of these servers, not 5"):
        operations.make_rails(design, servers, leaf_type=leaf, servers_per_leaf=5)
    assert (LeafBudget(leaf, down, down).n_cells, LeafBudget(leaf, slow, slow).n_cells) == (4, 8)
    mixed = LeafBudget(leaf, down, slow)
    assert (mixed.n_cells, mixed.cage_modes(4)) == (4, ((3, "200"), (4, "200")))
    assert mixed.port_names(4) == (("p1s1", "p2s1"), ("p3s1", "p3s2", "p4s1", "p4s2"))

"""Every rule finds what it is for, says it with its numbers, and offers a fix that removes it and nothing else."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from designer.errors import Cancelled
from designer.model import operations, policies
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit, removed
from designer.model.entities import Device, End, Link, Module, Placement, Rack
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.storage import document
from designer.validation import engine
from designer.validation.engine import RULES, Severity, to_json, validate
from designer.validation.rule import registered, rule

EXAMPLES = Path(__file__).parents[2] / "examples"


def found(design, code):
    return [finding for finding in validate(design).findings if finding.code == code]


def only(design, code):
    """The one finding of a code."""
    findings = found(design, code)
    assert len(findings) == 1, [finding.message for finding in findings]
    return findings[0]


def links_between(design, a, b):
    ids = {design.find(a).id, design.find(b).id}
    return [link for link in design.links_of(design.find(a).id) if {link.a.device_id, link.b.device_id} == ids]


def assert_fixed(design, finding):
    """Applying the fix removes the finding, adds no other, and undo brings the design back."""
    assert finding.fix is not None
    before = {f.message for f in validate(design).findings}
    entities = list(design.entities())
    design.apply(finding.fix)
    after = {f.message for f in validate(design).findings}
    assert finding.message not in after
    assert after <= before
    design.apply(finding.fix.inverted())
    assert list(design.entities()) == entities


def test_codes_are_unique_and_well_formed():
    codes = [rule.code for rule in RULES]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[A-Z]{3,8}-[0-9]{3}", code) for code in codes)
    assert all(rule.title and rule.reason for rule in RULES)


def test_every_rule_that_is_defined_in_the_room_is_run():
    room = Path(engine.__file__).parent
    defined = [
        line
        for path in sorted(room.glob("**/*.py"))
        for line in re.findall(r"^@rule\(\s*\"([^\"]+)\"", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(defined) > 25
    assert sorted(defined) == [rule.code for rule in RULES]


def test_two_rules_with_one_code_are_refused():
    before = registered()
    with pytest.raises(ValueError, match="NIC-003 is the code of two rules: 'NIC without a cable' and 'Another'"):
        rule("NIC-003", Severity.ERROR, "Another", "because")(lambda _seen, _this: iter(()))
    assert registered() == before


def test_every_rule_has_an_example_a_remedy_and_a_source():
    for one in registered():
        for text in (one.reason, one.example, one.remedy, one.source):
            assert text[:1].isalnum() and text.endswith("."), one.code
    examples = Counter(one.example for one in registered())
    assert max(examples.values()) == 1


def test_remedies_are_about_the_fabric_and_only_advice_names_what_to_do_in_the_program():
    menus = re.compile(r"\b(File|Edit|View|Insert|Arrange|Room|Simulate|Check|Help) >|[Ee]nter |inspector|own types")
    assert [one.code for one in registered() if menus.search(one.remedy)] == []
    turned = RULES.named("RACK-005")
    assert turned.how.startswith("Room > Face Rows to Cold Aisles") and turned.advice == f"{turned.remedy} {turned.how}"


def test_what_a_rule_hides_are_other_rules():
    for one in registered():
        assert set(one.hides) <= {rule.code for rule in RULES} - {one.code}


def test_a_whole_fabric_has_no_findings(fabric, superpod):
    assert validate(fabric.design).findings == ()
    assert validate(superpod).findings == ()


def test_rules_that_do_not_apply_are_silent():
    report = validate(Design())
    assert report.findings == ()
    assert report.not_checked == ()


def test_a_fabric_without_racks_rails_and_cables_says_only_what_lacks_a_figure(fabric):
    codes = {entry.code for entry in validate(fabric.design).not_checked}
    assert not codes & {"REACH-001", "OVER-001", "RACK-001", "RACK-002", "RACK-003", "RAIL-001", "MEDIA-002"}
    assert "MEDIA-001" in codes


def test_what_was_not_checked_is_one_line_for_each_rule():
    design = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    lines = [one for one in validate(design).not_checked if one.code == "MEDIA-004"]
    assert [one.reason for one in lines] == [
        "the power of MMA4Z00-NS is not known; what the cages of some switches and NICs supply to a module is not known"
    ]


def test_of_two_servers_the_one_without_links_does_not_reach_the_other(bare):
    bare.add("nvidia-qm9700", "a")
    bare.add("dgx-h100", "host-1", "host-2")
    bare.join("host-2", "a")
    (finding,) = found(bare.design, "REACH-001")
    assert finding.message == "host-1 has no fabric link: it does not reach the other server"


def test_every_finding_names_subjects_that_exist_and_gives_a_reason(fabric):
    design = fabric.design
    first = next(iter(design.links.values()))
    nowhere = Link("l901", End(fabric.id("leaf-1"), "99/9"), End(fabric.id("host-1"), "x"))
    fabric.put(Link("l900", first.a, first.b), nowhere)
    findings = validate(design).findings
    assert findings
    for finding in findings:
        assert finding.reason
        assert all(design.entity(subject) is not None for subject in finding.subjects)


def test_the_same_design_gives_the_same_report_whatever_the_order_of_its_making(fabric):
    design = fabric.design
    first = next(iter(design.links.values()))
    fabric.put(*(Link(f"l{number}", first.a, first.b) for number in (905, 903, 904)))
    one = validate(design)
    settings = design.settings
    entities = [entity for entity in design.entities() if entity is not settings]
    other = validate(from_entities(reversed(entities), settings))
    assert [(f.code, f.subjects[0]) for f in one.findings] == [(f.code, f.subjects[0]) for f in other.findings]
    assert one.not_checked == other.not_checked


# -- ports ------------------------------------------------------------------------------------------------------------


def test_a_link_to_a_port_that_is_not_there(fabric):
    design = fabric.design
    link = design.links_of(fabric.id("host-1"))[0]
    leaf_end = link.a if design.is_switch(link.a.device_id) else link.b
    gone = End(leaf_end.device_id, "33/1")
    fabric.change(link, replace(link, a=gone) if link.a == leaf_end else replace(link, b=gone))
    finding = only(design, "PORT-001")
    assert finding.message == "leaf-1 has no port 33/1; its link to host-1 port rail1 ends nowhere"
    assert (finding.value, finding.limit) == ("33/1", "1/1 to 32/2")
    assert finding.subjects == (leaf_end.device_id, link.id)
    assert finding.fix.label.startswith("Move the link to leaf-1 port ")
    assert_fixed(design, finding)


def test_a_link_that_cannot_be_moved_is_offered_for_deletion(bare):
    bare.add("generic-switch-2x400g", "small")
    bare.add("generic-host", "a", "b", "c")
    bare.join("a", "small")
    bare.join("b", "small")
    bare.put(Link("l9", End(bare.id("c"), "nic1"), End(bare.id("small"), "3")))
    finding = only(bare.design, "PORT-001")
    assert finding.fix.label == "Delete the link c port nic1 to small port 3"
    bare.design.apply(finding.fix)
    assert "l9" not in bare.design.links


def test_a_port_used_twice(fabric):
    design = fabric.design
    link = design.links_of(fabric.id("host-1"))[0]
    twin = replace(design.links_of(fabric.id("host-3"))[0], id="l900")
    leaf_port = next(end for end in (link.a, link.b) if design.is_switch(end.device_id))
    fabric.put(replace(twin, a=leaf_port, b=End(fabric.id("spine-1"), design.free_ports(fabric.id("spine-1"))[0].name)))
    finding = only(design, "PORT-002")
    assert finding.message.startswith(f"leaf-1 port {leaf_port.port}: 2 links, to ")
    assert (finding.value, finding.limit) == (2, 1)
    assert set(finding.subjects) == {leaf_port.device_id, link.id, "l900"}
    assert_fixed(design, finding)


@pytest.fixture
def crowded(bare):
    """A switch whose two ports are in use, one of them twice."""
    bare.add("generic-switch-2x400g", "small")
    bare.add("generic-host", "a", "b", "c")
    bare.join("a", "small")
    bare.join("b", "small")
    return bare


def test_of_two_links_on_a_port_none_is_deleted_where_another_device_would_lose_its_link(crowded):
    crowded.put(Link("l9", End(crowded.id("c"), "nic1"), End(crowded.id("small"), "2")))
    assert only(crowded.design, "PORT-002").fix is None


def test_of_two_links_between_the_same_ports_one_is_deleted(crowded):
    link = crowded.design.links_of(crowded.id("b"))[0]
    crowded.put(Link("l9", link.b, link.a))
    fix = next(one.fix for one in validate(crowded.design).findings if one.code == "PORT-002")
    assert fix.label.startswith("Delete the link ")
    assert [change.before.id for change in fix.changes] == ["l9"]


def test_two_speeds_on_one_link_are_mended_by_splitting_the_cage(bare):
    bare.add("nvidia-sn5600", "leaf")
    bare.add("dgx-h100", "host")
    bare.put(Link("l1", End(bare.id("host"), "rail1"), End(bare.id("leaf"), "swp5")))
    finding = only(bare.design, "PORT-003")
    assert finding.message == "host port rail1 runs at 400G, leaf port swp5 at 800G"
    assert "cage 5 of leaf" in finding.fix.label
    assert_fixed(bare.design, finding)
    bare.design.apply(finding.fix)
    link = bare.design.links["l1"]
    assert bare.design.port(link.a).rate_gbps == bare.design.port(link.b).rate_gbps == 400


def test_splitting_a_cage_never_moves_the_ports_of_other_links(bare):
    running = SwitchType(
        "sw",
        "Acme",
        "Running numbers",
        ("ethernet",),
        (CageGroup(4, "QSFP-DD"),),
        (PortMode("4x400G", 1, 400.0), PortMode("8x200G", 2, 200.0)),
    )
    bare.put(running)
    bare.put(Device("d1", "a", "sw"), Device("d2", "b", "sw", port_mode="8x200G"))
    # Splitting cage 1 of a would rename its port 2.
    bare.put(Link("l1", End("d1", "1"), End("d2", "1")), Link("l2", End("d1", "2"), End("d2", "3")))
    one, other = found(bare.design, "PORT-003")
    assert one.fix is None
    copy = bare.design.snapshot()
    copy.apply(other.fix)
    assert dict(copy.links) == dict(bare.design.links)
    before = bare.design.links["l1"]
    assert bare.design.port(before.b) == copy.port(before.b)


def test_a_port_mode_that_the_switch_does_not_have(fabric):
    leaf = fabric.device("leaf-1")
    fabric.change(leaf, replace(leaf, port_mode="3x1000G", cage_modes=((40, "128x200G"), (2, "nonsense"))))
    findings = found(fabric.design, "PORT-004")
    assert [finding.value for finding in findings] == ["3x1000G", "cage 40 in 128x200G, cage 2 in nonsense"]
    assert "64x400G" in findings[0].limit
    for finding in findings:
        assert_fixed(fabric.design, finding)


def test_a_mode_that_the_nic_does_not_have(bare):
    modes = (PortMode("1x800G", 1, 800.0), PortMode("2x400G", 2, 400.0))
    nic = NicType("nic", "Acme", "Both", ("ethernet",), 1, 800.0, modes=modes)
    bare.put(nic, ServerType("srv", "Acme", "Box", 1, slots=(Slot("s1"),)))
    bare.put(Device("d1", "host", "srv"), Module("m1", "d1", "s1", "nic", "4x200G"))
    finding = only(bare.design, "PORT-004")
    assert finding.message == "host slot s1: Both has no mode 4x200G, only 1x800G, 2x400G"
    assert_fixed(bare.design, finding)


@pytest.mark.parametrize(
    ("mode", "protocol", "rate_gbps", "code"),
    [("1x800G", "ethernet", 800.0, "PORT-007"), ("1x800G", "ethernet", 400.0, "PORT-003")],
)
def test_a_nic_in_the_wrong_mode_is_set_to_the_right_one(bare, mode, protocol, rate_gbps, code):
    modes = (
        PortMode("1x800G", 1, 800.0, protocols=("infiniband",)),
        PortMode("2x", 2, rate_gbps, protocols=(protocol,)),
    )
    nic = NicType("nic", "Acme", "Both", ("ethernet", "infiniband"), 1, 800.0, modes=modes)
    bare.put(nic, ServerType("srv", "Acme", "Box", 1, slots=(Slot("s1"),)))
    bare.put(
        SwitchType("sw", "Acme", "S", (protocol,), (CageGroup(4, ""),), (PortMode("4x", 1, rate_gbps),)),
        Device("d1", "host", "srv"),
        Module("m1", "d1", "s1", "nic"),
        Device("d2", "leaf", "sw"),
        Link("l1", End("d1", "s1"), End("d2", "1")),
    )
    finding = only(bare.design, code)
    assert finding.fix.label == "Set host slot s1 to 2x"
    assert_fixed(bare.design, finding)
    copy = bare.design.snapshot()
    copy.apply(finding.fix)
    assert not [one for one in validate(copy).findings if one.severity is Severity.ERROR]


def test_a_nic_keeps_its_mode_where_another_link_of_it_needs_that(bare):
    modes = (PortMode("ib", 2, 400.0, protocols=("infiniband",)), PortMode("eth", 2, 400.0, protocols=("ethernet",)))
    nic = NicType("nic", "Acme", "Both", ("ethernet", "infiniband"), 2, 400.0, modes=modes)
    bare.put(nic, ServerType("srv", "Acme", "Box", 1, slots=(Slot("s1"),)))
    for protocol in ("infiniband", "ethernet"):
        bare.put(SwitchType(protocol, "Acme", "S", (protocol,), (CageGroup(4, ""),), (PortMode("4x", 1, 400.0),)))
    bare.put(
        Device("d1", "host", "srv"),
        Module("m1", "d1", "s1", "nic"),
        Device("d2", "a", "infiniband"),
        Device("d3", "b", "ethernet"),
        Link("l1", End("d1", "s1/1"), End("d2", "1")),
        Link("l2", End("d1", "s1/2"), End("d3", "1")),
    )
    finding = only(bare.design, "PORT-007")
    assert finding.fix is None


def test_nics_of_two_rates_in_one_server_cage(bare):
    fast = NicType("fast", "Acme", "Fast", ("ethernet",), 1, 400.0)
    slow = NicType("slow", "Acme", "Slow", ("ethernet",), 1, 200.0)
    server = ServerType("srv", "Acme", "Box", 2, slots=(Slot("s1", cage=1), Slot("s2", cage=1)))
    bare.put(fast, slow, server)
    bare.put(Device("d1", "host", "srv"), Module("m1", "d1", "s1", "fast"), Module("m2", "d1", "s2", "slow"))
    finding = only(bare.design, "PORT-004")
    assert finding.message == "host: s1 and s2 share cage 1 but run at 400G and 200G"


def test_shells_that_no_cable_joins(bare):
    modes = (PortMode("2x100G", 1, 100.0),)
    for type_id, form_factor in (("narrow", "SFP112"), ("wide", "QSFP28")):
        bare.put(SwitchType(type_id, "Acme", type_id, ("ethernet",), (CageGroup(2, form_factor),), modes))
    bare.put(Device("d1", "a", "narrow"), Device("d2", "b", "wide"), Link("l1", End("d1", "1"), End("d2", "1")))
    finding = only(bare.design, "PORT-004")
    assert "no cable connects them" in finding.message
    assert_fixed(bare.design, finding)


def test_a_cable_with_the_wrong_shells_or_too_short_a_reach(fabric, catalog):
    splitter, active = catalog.get("dac-ndr-split2"), catalog.get("acc-ndr-twin")
    design = fabric.design
    fabric.put(splitter, active)
    between = design.links_of(fabric.id("spine-1"))[0]
    fabric.change(between, replace(between, medium_id=splitter.id, length_m=40.0, length_source="typed"))
    finding = only(design, "PORT-004")
    assert "joins OSFP finned to OSFP flat-top, the ports are OSFP finned and OSFP finned" in finding.message
    assert_fixed(design, finding)
    reach = only(design, "MEDIA-001")
    assert (reach.value, reach.limit) == (40.0, 3.0)


def test_links_of_which_no_cable_is_chosen_are_counted(fabric, catalog):
    def unchecked():
        return {one.code: one.reason for one in validate(fabric.design).not_checked}

    links = list(fabric.design.links.values())
    assert unchecked()["PORT-004"] == f"{len(links)} links have no cable or optic selected: form factors not compared"
    assert unchecked()["MEDIA-001"] == "no link has a length and a cable of known reach"
    fabric.put(catalog.get("dac-ndr-twin"))
    for left in (2, 1, 0):
        for link in list(fabric.design.links.values())[left:]:
            if not link.medium_id:
                chosen = {"medium_id": "dac-ndr-twin", "length_m": 1.0, "length_source": "typed"}
                fabric.change(link, replace(link, **chosen))
        stated = unchecked()
        if left:
            links_have, lack = ("2 links have", "2 links lack") if left == 2 else ("1 link has", "1 link lacks")
            assert stated["PORT-004"] == f"{links_have} no cable or optic selected: form factors not compared"
            assert stated["MEDIA-001"] == f"{lack} a length and a cable of known reach"
        else:
            assert "PORT-004" not in stated and "MEDIA-001" not in stated


def test_a_cable_made_for_another_protocol(fabric, catalog):
    twin = catalog.get("dac-ndr-twin")
    link = links_between(fabric.design, "spine-1", "leaf-1")[0]
    for protocols, stated in ((("infiniband", "ethernet"), []), (("ethernet",), ["is made for ethernet only"])):
        kind = replace(twin, id="-".join(protocols), protocols=protocols)
        fabric.put(kind)
        now = fabric.design.links[link.id]
        fabric.change(now, replace(now, medium_id=kind.id))
        misfits = [one for one in found(fabric.design, "PORT-004") if link.id in one.subjects]
        assert [one.message.rpartition(twin.model)[2].strip() for one in misfits] == stated


def test_one_cage_cannot_hold_two_kinds_of_cable(fabric, catalog):
    twin, active = catalog.get("dac-ndr-twin"), catalog.get("acc-ndr-twin")
    fabric.put(twin, active)
    design = fabric.design
    first, second = links_between(design, "spine-1", "leaf-1")[:2]
    fabric.change(first, replace(first, medium_id=twin.id))
    fabric.change(second, replace(second, medium_id=active.id))
    messages = [finding.message for finding in found(design, "PORT-004")]
    assert messages and all("at once" in message for message in messages)


def test_more_links_than_ports(bare):
    bare.add("generic-switch-2x400g", "small")
    bare.add("generic-host", "a", "b", "c")
    bare.join("a", "small")
    bare.join("b", "small")
    bare.put(Link("l9", End(bare.id("c"), "nic1"), End(bare.id("small"), "2")))
    finding = only(bare.design, "PORT-005")
    assert finding.message == "small: 3 links, 2 ports"
    assert (finding.value, finding.limit) == (3, 2)


def test_a_reserved_port_in_use_is_a_warning_and_its_link_moves_on(fabric):
    leaf = fabric.device("leaf-1")
    used = next(iter(fabric.design.used_ports(leaf.id)))
    fabric.change(leaf, replace(leaf, reserved_ports=(used,)))
    finding = only(fabric.design, "PORT-006")
    assert finding.severity is Severity.WARNING
    assert f"port {used} is reserved but linked to" in finding.message
    assert_fixed(fabric.design, finding)


def test_reserving_a_port_that_is_not_there(fabric):
    leaf = fabric.device("leaf-1")
    fabric.change(leaf, replace(leaf, reserved_ports=("32/2", "64/1")))
    finding = only(fabric.design, "PORT-001")
    assert finding.message == "leaf-1 reserves port 64/1, which it does not have"
    assert_fixed(fabric.design, finding)


def test_infiniband_does_not_meet_ethernet(bare):
    bare.add("nvidia-qm9700", "ib")
    bare.add("nvidia-sn5600", "eth")
    bare.put(Link("l1", End(bare.id("ib"), "1/1"), End(bare.id("eth"), "swp1")))
    finding = only(bare.design, "PORT-007")
    assert finding.message == "ib port 1/1 speaks infiniband, eth port swp1 ethernet"
    assert finding.fix is None  # either switch would be left without a link
    for name in ("ib", "eth"):
        bare.add("nvidia-qm9700" if name == "ib" else "nvidia-sn5600", f"{name}-2")
        bare.join(name, f"{name}-2")
        fix = only(bare.design, "PORT-007").fix
        assert (fix is None) is (name == "ib")
    assert fix.label == "Delete the link ib port 1/1 to eth port swp1"


def test_what_differs_in_protocol_alone_is_said_once(bare):
    for type_id, protocol in (("ib", "infiniband"), ("eth", "ethernet")):
        mode = (PortMode("2x400G", 1, 400.0),)
        bare.put(SwitchType(type_id, "Acme", type_id, (protocol,), (CageGroup(2, "OSFP"),), mode))
    bare.put(Device("d1", "a", "ib"), Device("d2", "b", "eth"), Link("l1", End("d1", "1"), End("d2", "1")))
    codes = {one.code for one in validate(bare.design).findings if "l1" in one.subjects}
    assert codes == {"PORT-007"}


def test_a_link_from_a_device_to_itself(fabric):
    leaf = fabric.id("leaf-1")
    free = fabric.design.free_ports(leaf)
    fabric.put(Link("l900", End(leaf, free[0].name), End(leaf, free[1].name)))
    finding = only(fabric.design, "LINK-001")
    assert finding.message.startswith("leaf-1 is linked to itself")
    assert_fixed(fabric.design, finding)


# -- NICs -------------------------------------------------------------------------------------------------------------


def test_more_nics_than_slots(fabric):
    host = fabric.id("host-1")
    fabric.put(Module("m900", host, "rail1", "connectx-7-ndr"), Module("m901", host, "rail9", "connectx-7-ndr"))
    findings = found(fabric.design, "NIC-001")
    assert [finding.message for finding in findings] == [
        "host-1 has two NICs in slot rail1; DGX H100 has 12 slots",
        "host-1 has no slot rail9 for its ConnectX-7; DGX H100 has 12 slots",
    ]
    for finding in findings:
        assert_fixed(fabric.design, finding)
    links = len(fabric.design.links)
    for finding in findings:
        fabric.design.apply(finding.fix)
    assert len(fabric.design.links) == links


def test_a_nic_that_does_not_fit_its_slot_goes_with_its_link(bare, catalog):
    bare.add("nvidia-qm8790", "leaf")
    bare.add("dgx-h100", "host")
    host = bare.id("host")
    module = next(m for m in bare.design.modules_of(host) if m.slot == "rail1")
    bare.put(catalog.get("connectx-6-hdr"))
    bare.change(module, replace(module, type_id="connectx-6-hdr"))
    bare.put(Link("l1", End(host, "rail1"), End(bare.id("leaf"), "1")))
    finding = only(bare.design, "NIC-002")
    assert finding.message == "host slot rail1 takes OSFP, ConnectX-6 VPI comes as QSFP56"
    bare.design.apply(finding.fix)
    assert module.id not in bare.design.modules and "l1" not in bare.design.links


# -- the fabric -------------------------------------------------------------------------------------------------------


def test_a_server_without_links_and_one_behind_a_cut(fabric):
    fabric.add("dgx-h100", "host-5")
    finding = only(fabric.design, "REACH-001")
    assert finding.message == "host-5 has no fabric link: it reaches none of 4 servers"
    assert finding.subjects == (fabric.id("host-5"),)
    fabric.add("nvidia-qm9700", "island")
    fabric.join("host-5", "island")
    assert (
        only(fabric.design, "REACH-001").message == "host-5 cannot reach host-1 and 3 more servers: it reaches 0 of 4"
    )


def test_a_part_of_the_fabric_on_its_own_is_one_finding(fabric):
    fabric.add("nvidia-qm9700", "island")
    fabric.add("dgx-h100", "host-5", "host-6", "host-7")
    for host in ("host-5", "host-6", "host-7"):
        fabric.join(host, "island")
    finding = only(fabric.design, "REACH-001")
    assert finding.message == "host-5 and 2 more servers cannot reach host-1 and 3 more servers: each reaches 2 of 6"
    assert finding.subjects == tuple(fabric.id(f"host-{number}") for number in (5, 6, 7))


def test_of_two_halves_alike_the_second_does_not_reach_the_first(bare):
    bare.add("nvidia-qm9700", "a", "b")
    bare.add("dgx-h100", *(f"host-{number}" for number in range(1, 5)))
    for number in range(1, 5):
        bare.join(f"host-{number}", "a" if number < 3 else "b")
    finding = only(bare.design, "REACH-001")
    assert finding.message == "host-3 and 1 more server cannot reach host-1 and 1 more server: each reaches 1 of 3"
    assert finding.subjects == (bare.id("host-3"), bare.id("host-4"))


def test_servers_without_links_are_all_named_and_the_linked_one_is_the_measure(bare):
    bare.add("nvidia-qm9700", "a")
    bare.add("dgx-h100", *(f"host-{number}" for number in range(1, 6)))
    assert [one.subjects for one in found(bare.design, "REACH-001")] == [(bare.id(f"host-{n}"),) for n in range(1, 6)]
    bare.join("host-4", "a")
    messages = [one.message for one in found(bare.design, "REACH-001")]
    assert messages == [f"host-{n} has no fabric link: it reaches none of 4 servers" for n in (1, 2, 3, 5)]


def test_missing_uplinks_go_to_the_ports_that_leaf_switches_alike_use_for_that_spine(generate):
    design = generate("rail-optimized", servers=16, servers_per_su=8)
    leaf = next(one for one in design.switches() if one.role == "leaf")
    spine = [one for one in design.switches() if one.role == "spine"][-1]
    gone = [link for link in design.links_of(leaf.id) if spine.id in (link.a.device_id, link.b.device_id)]
    design.apply(Edit("Pull cables", removed(gone)))
    finding = only(design, "OVER-001")
    ends = {frozenset((change.after.a, change.after.b)) for change in finding.fix.changes}
    assert {one.port for pair in ends for one in pair if one.device_id == leaf.id} == {
        end.port for link in gone for end in (link.a, link.b) if end.device_id == leaf.id
    }


def test_an_oversubscribed_leaf_with_free_ports_is_offered_uplinks(fabric):
    design = fabric.design
    gone = [*links_between(design, "leaf-1", "spine-1")[:4], *links_between(design, "leaf-1", "spine-2")[:4]]
    design.apply(operations.delete(design, [link.id for link in gone]))
    finding = only(design, "OVER-001")
    assert finding.message == "leaf-1: 6.4 Tb/s down, 3.2 Tb/s up: 2:1, limit 1:1"
    assert (finding.value, finding.limit) == (2.0, 1.0)
    assert finding.severity is Severity.ERROR
    assert finding.fix.label == "Add 8 uplinks to leaf-1"
    assert_fixed(design, finding)
    design.apply(finding.fix)
    assert validate(design).findings == ()


def test_where_ports_are_spent_no_fix_loosens_the_limit(bare):
    bare.add("generic-switch-3x400g", "leaf-1", "leaf-2")
    bare.add("generic-switch-2x400g", "spine")
    bare.add("generic-host", "a", "b", "c", "d")
    for leaf, hosts in (("leaf-1", "ab"), ("leaf-2", "cd")):
        for host in hosts:
            bare.join(host, leaf)
        bare.join(leaf, "spine")
    findings = found(bare.design, "OVER-001")
    assert [finding.fix for finding in findings] == [None, None]
    bare.design.apply(policies.set_limits(bare.design, leaf_oversubscription=2.0))
    assert {finding.code for finding in validate(bare.design).findings} == {"SPOF-001", "SPOF-002"}  # one spine


def test_an_oversubscription_within_the_limit_of_the_design_is_no_finding(bare):
    bare.add("generic-switch", "leaf", "spine")
    bare.add("generic-host", "a", "b", "c")
    for host in "abc":
        bare.join(host, "leaf")
    bare.join("leaf", "spine")
    assert only(bare.design, "OVER-001").value == 3.0
    bare.design.apply(policies.set_limits(bare.design, leaf_oversubscription=3.0))
    assert found(bare.design, "OVER-001") == []


def test_a_leaf_that_is_linked_to_a_core_alone_has_no_fix(bare):
    bare.add("generic-switch", "leaf", "core")
    bare.add("generic-host", "a", "b")
    for name, role in (("leaf", "leaf"), ("core", "core")):
        device = bare.device(name)
        bare.change(device, replace(device, role=role))
    bare.join("a", "leaf")
    bare.join("b", "leaf")
    bare.join("leaf", "core")
    finding = only(bare.design, "OVER-001")
    assert finding.fix is None


def test_storage_links_are_not_the_oversubscription_of_the_fabric(fabric):
    fabric.add("nvidia-qm9700", "store")
    for number in range(1, 5):
        host = fabric.id(f"host-{number}")
        fabric.put(Module(f"m90{number}", host, "storage1", "connectx-7-ndr"))
        fabric.put(Link(f"l90{number}", End(host, "storage1"), End(fabric.id("store"), f"{number}/1")))
    fabric.put(Link("l910", End(fabric.id("store"), "20/1"), End(fabric.id("spine-1"), "32/2")))
    assert found(fabric.design, "OVER-001") == found(fabric.design, "REACH-001") == []


def test_a_missing_uplink_shows_as_uneven_spread_and_is_put_back(fabric):
    design = fabric.design
    leaf, spine = fabric.id("leaf-1"), fabric.id("spine-2")
    design.apply(operations.delete(design, [links_between(design, "leaf-1", "spine-2")[0].id]))
    finding = only(design, "SPREAD-001")
    assert finding.severity is Severity.WARNING
    assert finding.message == "leaf-1: 7 to 8 uplinks to each of 2 spines, fewest to spine-2"
    assert finding.subjects == (leaf, spine)
    assert finding.fix.label == "Add 1 uplink to leaf-1"
    assert_fixed(design, finding)


def test_a_spine_that_one_leaf_does_not_reach_at_all_is_uneven_too(superpod):
    design = superpod.snapshot()
    gone = links_between(design, "leaf-su2-r3", "spine-07")
    design.apply(operations.delete(design, [link.id for link in gone]))
    finding = only(design, "SPREAD-001")
    assert finding.message == "leaf-su2-r3: 0 to 2 uplinks to each of 16 spines, fewest to spine-07"
    assert_fixed(design, finding)


def test_a_crossed_rail(superpod):
    design = superpod.snapshot()
    host = design.find("gpu-040").id
    by_port = {(link.a if link.a.device_id == host else link.b).port: link for link in design.links_of(host)}
    one, two = by_port["rail1"], by_port["rail2"]
    swapped = {port: (link.b if link.a.device_id == host else link.a) for port, link in by_port.items()}
    design.apply(
        Edit(
            "swap",
            (
                Change(one, Link(one.id, End(host, "rail1"), swapped["rail2"])),
                Change(two, Link(two.id, End(host, "rail2"), swapped["rail1"])),
            ),
        )
    )
    findings = found(design, "RAIL-001")
    assert len(findings) == 2
    assert "of rail 2; elsewhere rail1 is on rail 1" in findings[0].message
    assert (findings[0].value, findings[0].limit) == (2, 1)


# -- names and racks --------------------------------------------------------------------------------------------------


def test_duplicate_names_of_devices_and_of_racks(fabric, catalog):
    for name in ("leaf-2", "spine-1"):
        device = fabric.device(name)
        fabric.change(device, replace(device, name="leaf-1"))
    fabric.put(catalog.get("rack-42u"))
    fabric.put(Rack("r1", "A01", "rack-42u"), Rack("r2", "A01", "rack-42u"))
    findings = found(fabric.design, "NAME-001")
    assert [finding.message for finding in findings] == [
        "3 devices are called 'leaf-1'",
        "3 devices are called 'leaf-1'",
        "2 racks are called 'A01'",
    ]
    for finding in findings:
        fabric.design.apply(finding.fix)
    assert found(fabric.design, "NAME-001") == []


def rack_with(fabric, catalog, *places):
    fabric.put(catalog.get("rack-42u"))
    fabric.put(Rack("r1", "A01", "rack-42u"))
    for name, unit in places:
        before = fabric.design.placements.get(fabric.id(name))
        after = Placement(fabric.id(name), 0.0, 0.0, "r1", unit)
        fabric.change(before, after)


def test_two_devices_in_one_rack_unit(fabric, catalog):
    rack_with(fabric, catalog, ("host-1", 1), ("host-2", 8), ("leaf-1", 42))
    finding = only(fabric.design, "RACK-001")
    assert finding.message == "host-2 and host-1 both take U8 of A01"
    assert finding.fix.label == "Move host-2 to U9 of A01"
    assert_fixed(fabric.design, finding)


@pytest.mark.parametrize(("unit", "says"), [(36, "U36 to U43"), (99, "U99 to U106")])
def test_a_device_that_stands_out_of_its_rack(fabric, catalog, unit, says):
    rack_with(fabric, catalog, ("host-1", unit))
    finding = only(fabric.design, "RACK-001")
    assert finding.message == f"host-1 takes {says} of A01, which has U1 to U42"
    assert_fixed(fabric.design, finding)


def test_more_in_a_rack_than_it_has_units(bare, catalog):
    names = [f"host-{number}" for number in range(6)]
    bare.add("dgx-h100", *names)
    rack_with(bare, catalog, *((name, None) for name in names))
    finding = only(bare.design, "RACK-001")
    assert finding.message == "A01: its devices need 48 U, the rack has 42 U"
    assert (finding.value, finding.limit) == (48, 42)


# -- engine -----------------------------------------------------------------------------------------------------------


def test_a_cancelled_validation_stops(superpod):
    def cancel(_share):
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        validate(superpod, cancel)


def test_progress_rises_from_zero(superpod):
    shares = []
    validate(superpod, shares.append)
    assert shares[0] == 0 and shares == sorted(shares) and shares[-1] < 1


def test_the_json_names_subjects_and_counts_severities(fabric):
    design = fabric.design
    design.apply(operations.delete(design, [links_between(design, "leaf-1", "spine-2")[0].id]))
    report = to_json(design, validate(design))
    assert set(report) == {"findings", "not_checked", "off", "errors", "warnings", "infos", "waived"}
    assert (report["errors"], report["warnings"]) == (1, 1)
    over, spread = report["findings"]
    assert over["code"] == "OVER-001" and over["severity"] == "error" and over["subjects"] == ["leaf-1"]
    assert spread["subjects"] == ["leaf-1", "spine-2"] and spread["waived"] is False
    assert spread["fix"] == "Add 1 uplink to leaf-1"
    assert all(set(entry) == {"code", "reason"} for entry in report["not_checked"])

"""A policy weighs and switches off rules; a waiver accepts findings until they are worse than they were."""

from dataclasses import replace

import pytest

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model import operations, policies, waiving
from designer.model.edit import Change, Edit
from designer.model.entities import End, Group, Link
from designer.model.networks import PURPOSE_OF
from designer.model.policy import Policy
from designer.model.waiver import Waiver
from designer.placement.cable_lengths import Routes
from designer.storage import document
from designer.validation import documents
from designer.validation.accepting import waiver_of_kind, waivers_of
from designer.validation.engine import to_json, validate
from designer.validation.findings import Severity
from designer.validation.fixing import fixed

WHO = ("M. Muster", "replaced next year", "2026-11-22")


def links_between(design, a, b):
    ends = {design.find(a).id, design.find(b).id}
    return [link for link in design.links.values() if {link.a.device_id, link.b.device_id} == ends]


@pytest.fixture
def thin(fabric):
    """The fabric with four links of leaf-1 to spine-1 taken out: oversubscribed and uneven."""
    gone = links_between(fabric.design, "leaf-1", "spine-1")[:4]
    fabric.design.apply(operations.delete(fabric.design, [link.id for link in gone]))
    return fabric


def open_codes(design):
    return [one.code for one in validate(design).open]


def waive(design, code):
    found = [one for one in validate(design).open if one.code == code]
    design.apply(waiving.add_waivers(design, waivers_of(found, *WHO)))


def test_a_waived_finding_is_shown_and_no_longer_counted(thin):
    assert open_codes(thin.design) == ["OVER-001", "SPREAD-001"]
    waive(thin.design, "OVER-001")
    report = validate(thin.design)
    assert (report.errors, report.warnings, report.waived) == (0, 1, 1)
    assert [one.code for one in report.findings] == ["SPREAD-001", "OVER-001"]  # the waived one last
    stated = to_json(thin.design, report)
    assert [one["waived"] for one in stated["findings"]] == [False, True]
    assert stated["findings"][1]["waiver"] == dict(zip(("author", "reason", "date"), WHO, strict=True))
    assert "waiver" not in stated["findings"][0]


def test_a_waiver_is_kept_in_the_file_and_undone_like_any_edit(thin):
    before = document.encode(thin.design)
    waive(thin.design, "OVER-001")
    again = document.decode(document.encode(thin.design))
    assert [one.code for one in validate(again).open] == ["SPREAD-001"]
    thin.design.apply(waiving.withdraw(thin.design, list(thin.design.waivers)))
    assert document.encode(thin.design) == before


def test_a_finding_that_gets_worse_is_open_again_and_its_waiver_reported(thin):
    waive(thin.design, "OVER-001")
    one = links_between(thin.design, "leaf-1", "spine-1")[0]
    thin.design.apply(operations.delete(thin.design, [one.id]))
    worse = [one for one in validate(thin.design).open if one.code in ("OVER-001", "DOC-001")]
    assert [one.code for one in worse] == ["OVER-001", "DOC-001"]
    assert worse[1].limit == pytest.approx(16 / 12)
    assert worse[1].fix is None


def test_a_finding_that_gets_better_stays_accepted(thin):
    waive(thin.design, "OVER-001")
    thin.design.apply(operations.connect_devices(thin.design, thin.id("leaf-1"), thin.id("spine-1"), 2))
    report = validate(thin.design)
    assert [one.code for one in report.findings if one.waiver] == ["OVER-001"]


def test_a_waiver_whose_finding_is_cured_can_be_withdrawn_by_its_fix(thin):
    waive(thin.design, "OVER-001")
    thin.design.apply(operations.connect_devices(thin.design, thin.id("leaf-1"), thin.id("spine-1"), 4))
    (left,) = validate(thin.design).open
    assert left.code == "DOC-001"
    thin.design.apply(left.fix)
    assert not validate(thin.design).findings
    assert not thin.design.waivers


def test_one_waiver_stands_for_all_findings_of_a_rule_up_to_the_worst(thin):
    gone = links_between(thin.design, "leaf-2", "spine-2")[:2]
    thin.design.apply(operations.delete(thin.design, [link.id for link in gone]))
    found = [one for one in validate(thin.design).open if one.code == "OVER-001"]
    assert len(found) == 2
    thin.design.apply(waiving.add_waivers(thin.design, [waiver_of_kind(found, *WHO)]))
    assert "OVER-001" not in open_codes(thin.design)
    more = links_between(thin.design, "leaf-2", "spine-2")[:3]
    thin.design.apply(operations.delete(thin.design, [link.id for link in more]))
    assert open_codes(thin.design).count("OVER-001") == 1  # leaf-2 now has five less, leaf-1 still four


def test_a_waiver_within_a_group_accepts_nothing_outside_it(thin):
    design = thin.design
    design.apply(Edit("group", (Change(None, Group("g1", "SU 1")), Change(None, Group("g2", "SU 2")))))
    inside = design.find("leaf-1")
    design.apply(operations.group(design, [inside.id], "SU 3"))
    home = design.find("leaf-1").group_id
    found = [one for one in validate(design).open if one.code == "OVER-001"]
    design.apply(waiving.add_waivers(design, [waiver_of_kind(found, *WHO, within=home)]))
    assert "OVER-001" not in open_codes(design)
    gone = links_between(design, "leaf-2", "spine-2")[:2]
    design.apply(operations.delete(design, [link.id for link in gone]))
    assert open_codes(design).count("OVER-001") == 1


def test_a_waiver_of_several_things_stands_for_fewer_of_them_and_for_no_other(fabric):
    design = fabric.design
    design.apply(policies.set_limits(design, name_pattern="host-*"))
    waive(design, "DOC-002")
    assert open_codes(design) == []
    design.apply(operations.rename(design, fabric.id("leaf-1"), "host-9"))
    assert open_codes(design) == []
    design.apply(operations.rename(design, fabric.id("host-1"), "gpu-1"))  # as many as before, and another one
    assert open_codes(design) == ["DOC-001", "DOC-002"]


def test_ids_that_a_waiver_names_are_never_given_to_something_else(thin):
    design = thin.design
    design.apply(waiving.add_waivers(design, [Waiver("", "NET-002", ("d99",), reason="still to come")]))
    again = document.decode(document.encode(design))
    assert again.new_ids("devices", 1) == ["d100"]


@pytest.mark.parametrize(
    ("waiver", "sentence"),
    [
        (Waiver("", "OVER-001", ("d1",)), "reason: say why the finding is accepted"),
        (Waiver("", "over", ("d1",), reason="x"), "code: 'over' is not the code of a rule"),
        (
            Waiver("", "OVER-001", reason="x", date="22.11.2026"),
            "date: '22.11.2026' is not a date: it must look like 2026-11-22",
        ),
    ],
)
def test_a_waiver_that_says_too_little_is_refused(thin, waiver, sentence):
    with pytest.raises(ParameterError, match=sentence):
        waiving.add_waivers(thin.design, [waiver])
    with pytest.raises(EditError):
        thin.design.apply(Edit("waive", (Change(None, replace(waiver, id="w1")),)))


def test_a_waiver_within_nothing_is_refused(thin):
    with pytest.raises(UnknownEntityError, match="no group or rack with id 'g7'"):
        waiving.add_waivers(thin.design, [Waiver("", "OVER-001", within="g7", reason="x")])
    with pytest.raises(UnknownEntityError, match="no waiver with id 'w7'"):
        waiving.withdraw(thin.design, ["w7"])


# -- policy -----------------------------------------------------------------------------------------------------------


def test_a_policy_gives_findings_another_severity(thin):
    policy = Policy("Acme", severities=(("OVER-001", "info"), ("SPREAD-001", "error")))
    thin.design.apply(policies.set_policy(thin.design, policy))
    report = validate(thin.design)
    assert [(one.code, one.severity) for one in report.findings] == [
        ("SPREAD-001", Severity.ERROR),
        ("OVER-001", Severity.INFO),
    ]
    assert (report.errors, report.warnings, report.infos) == (1, 0, 1)


def test_a_rule_that_the_policy_switches_off_is_named_with_the_reason(thin):
    policy = Policy(off=(("OVER-001", "blocking is wanted here"),))
    thin.design.apply(policies.set_policy(thin.design, policy))
    report = validate(thin.design)
    assert [one.code for one in report.findings] == ["SPREAD-001"]
    assert [(one.code, one.reason) for one in report.off] == [("OVER-001", "blocking is wanted here")]


def test_the_policy_that_the_program_comes_with_takes_no_room_in_the_file(thin):
    before = document.encode(thin.design)
    thin.design.apply(policies.set_limits(thin.design, leaf_oversubscription=2.0))
    assert b'"policy": {"leaf_oversubscription": 2}' in document.encode(thin.design)
    thin.design.apply(policies.set_policy(thin.design, Policy()))
    assert document.encode(thin.design) == before


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (Policy(leaf_oversubscription=0), "leaf_oversubscription: leaf oversubscription should be above 0"),
        (Policy(severities=(("OVER-001", "fatal"),)), "severities: 'fatal' is none of error, warning, info"),
        (Policy(severities=(("OVER-001", "info"), ("OVER-001", "error"))), "severities: names a rule twice"),
        (Policy(off=(("OVER-001", " "),)), "off: say why OVER-001 is switched off"),
        (Policy(off=(("all", "x"),)), "off: 'all' is not the code of a rule"),
        (Policy(spare_ports=-1), "spare_ports: spare ports should be 0 to 100,000"),
    ],
)
def test_a_policy_that_cannot_be_is_refused(thin, policy, sentence):
    with pytest.raises(ParameterError, match=sentence):
        policies.set_policy(thin.design, policy)


def test_only_the_rules_asked_for_are_checked(thin):
    report = validate(thin.design, codes={"SPREAD-001"})
    assert [one.code for one in report.findings] == ["SPREAD-001"]
    assert {one.code for one in report.not_checked} <= {"SPREAD-001"}


# -- rules that read it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "found"), [(2.0, []), (1.99, ["OVER-002"])])
def test_a_spine_above_its_limit_is_found(bare, limit, found):
    bare.add("generic-switch", "leaf", "spine", "core")
    bare.add("generic-host", "a")
    bare.join("a", "leaf")
    bare.join("leaf", "spine", 2)
    bare.join("spine", "core")
    bare.design.apply(policies.set_limits(bare.design, spine_oversubscription=limit, leaf_oversubscription=9))
    assert [one.code for one in validate(bare.design).findings if one.code == "OVER-002"] == found


@pytest.mark.parametrize(
    ("network", "field", "code"),
    [
        ("storage", "storage_oversubscription", "OVER-003"),
        ("in-band", "in_band_oversubscription", "OVER-004"),
        ("oob", "oob_oversubscription", "OVER-005"),
        ("north-south", "north_south_oversubscription", "OVER-006"),
    ],
)
def test_other_networks_have_limits_of_their_own(bare, catalog, network, field, code):
    """Four ports of a server lead to a leaf, of which one link leads on."""
    bare.add("dgx-h100", "a")
    bare.add("nvidia-qm9700", "leaf", "spine")
    for slot in ("storage1", "storage2"):
        nic = catalog.get("connectx-7-ndr-2p")
        bare.design.apply(operations.install_module(bare.design, bare.id("a"), nic, slot))
    purpose, type_ = PURPOSE_OF[network], bare.design.types["dgx-h100"]
    slots = tuple(replace(slot, purpose=purpose) if slot.purpose == "storage" else slot for slot in type_.slots)
    bare.change(type_, replace(type_, slots=slots))
    for name in ("leaf", "spine"):
        bare.change(bare.device(name), replace(bare.device(name), network=network))
    ports = [port for port in bare.design.ports_for(bare.id("a"), purpose) if port.slot.startswith("storage")]
    leaf = bare.design.ports(bare.id("leaf"))
    for number, port in enumerate(ports):
        ends = End(bare.id("a"), port.name), End(bare.id("leaf"), leaf[number].name)
        bare.put(Link(f"l{number + 1}", *ends))
    bare.join("leaf", "spine")
    report = validate(bare.design)
    assert code not in [one.code for one in report.findings]
    assert code in [one.code for one in report.not_checked], "and that nothing is checked is said"
    ratio = len(ports) * min(ports[0].rate_gbps, leaf[0].rate_gbps) / leaf[0].rate_gbps
    bare.design.apply(policies.set_limits(bare.design, **{field: ratio}))
    report = validate(bare.design)
    assert code not in [one.code for one in (*report.findings, *report.not_checked)]
    bare.design.apply(policies.set_limits(bare.design, **{field: ratio - 0.1}))
    (over,) = [one for one in validate(bare.design).findings if one.code == code]
    assert over.value == ratio > 1


@pytest.mark.parametrize(("wanted", "found"), [(0, 0), (32, 0), (33, 2)])
def test_switches_keep_as_many_ports_spare_as_the_policy_asks_for(fabric, wanted, found):
    """Leafs and spines of 64 ports have 32 and 48 free."""
    fabric.design.apply(policies.set_limits(fabric.design, spare_ports=wanted))
    assert [one.code for one in validate(fabric.design).findings] == ["PORT-008"] * found


@pytest.mark.parametrize(("pattern", "found"), [("", 0), ("*-[0-9]", 0), ("leaf-?", 1), ("host*", 1)])
def test_names_that_the_pattern_does_not_fit_are_one_finding(fabric, pattern, found):
    fabric.design.apply(policies.set_limits(fabric.design, name_pattern=pattern))
    findings = validate(fabric.design).findings
    assert [one.code for one in findings] == ["DOC-002"] * found
    if pattern == "leaf-?":
        assert findings[0].message == (
            "6 device names do not match leaf-?: spine-1, spine-2, host-1, host-2, host-3 and 1 more"
        )


def test_an_empty_group_is_found_and_its_fix_deletes_it(fabric):
    fabric.put(Group("g1", "SU 1"), Group("g2", "Rows", parent_id="g1"))
    (finding,) = validate(fabric.design).findings
    assert (finding.code, finding.message) == ("DOC-003", "Rows is empty")
    fabric.design.apply(finding.fix)
    (left,) = validate(fabric.design).findings
    assert left.message == "SU 1 is empty"


@pytest.mark.parametrize(("limit", "found"), [(None, 0), (2, 0), (1, 1)])
def test_a_fabric_wider_than_the_policy_allows_is_found(fabric, limit, found):
    """Servers of two leafs are leaf, spine, leaf apart: two hops."""
    fabric.design.apply(policies.set_limits(fabric.design, diameter_hops=limit))
    findings = validate(fabric.design).findings
    assert [(one.code, one.value, one.limit) for one in findings] == [("DIAM-001", 2, 1)] * found


def test_switches_without_a_link_are_one_finding(fabric):
    fabric.add("nvidia-qm9700", "spare-1", "spare-2")
    (finding,) = validate(fabric.design).findings
    assert (finding.code, finding.message) == ("TIER-001", "spare-1, spare-2 have no link")
    fabric.join("spare-1", "leaf-1")
    assert [one.message for one in validate(fabric.design).findings if one.code == "TIER-001"] == [
        "spare-2 has no link"
    ]


def test_a_cable_is_as_much_longer_than_its_route_as_the_policy_allows(fabric, catalog):
    design = fabric.design
    rack = operations.add_rack(design, catalog.get("rack-48u"), 0, 900, "rack-01")
    design.apply(rack)
    (rack_id,) = design.racks
    for name in ("leaf-1", "spine-1"):
        design.apply(operations.mount(design, fabric.id(name), rack_id))
    link = links_between(design, "leaf-1", "spine-1")[0]
    length_m = Routes(design).route(link).length_m
    for surplus, typed_m, found in ((0.5, length_m * 1.5, 0), (0.5, length_m * 1.51, 1), (None, length_m * 9, 0)):
        design.apply(policies.set_limits(design, length_surplus=surplus))
        design.apply(operations.set_cable(design, [link.id], None, typed_m))
        assert [one.code for one in validate(design).findings].count("MEDIA-003") == found, surplus


# -- what a waiver does not stand for -----------------------------------------------------------------------------


def test_a_waiver_of_one_thing_that_a_rule_finds_is_none_of_another(fabric):
    """A link at a port that is not there is waived; a reserved port that is not there is another matter."""
    design = fabric.design
    link = links_between(design, "leaf-1", "spine-1")[0]
    near = link.a if link.a.device_id == fabric.id("leaf-1") else link.b
    gone = replace(link, **{"a" if near == link.a else "b": End(near.device_id, "99")})
    fabric.change(link, gone)
    waive(design, "PORT-001")
    assert "PORT-001" not in open_codes(design)
    fabric.change(fabric.device("leaf-1"), replace(fabric.device("leaf-1"), reserved_ports=("77",)))
    assert open_codes(design).count("PORT-001") == 1


def test_the_group_of_a_waiver_is_never_another_one(thin):
    design = thin.design
    design.apply(operations.group(design, [thin.id("leaf-1")], "SU 1"))
    home = thin.device("leaf-1").group_id
    found = [one for one in validate(design).open if one.code == "OVER-001"]
    design.apply(waiving.add_waivers(design, [waiver_of_kind(found, *WHO, within=home)]))
    design.apply(operations.ungroup(design, home))
    again = document.decode(document.encode(design))
    again.apply(operations.group(again, [again.find("leaf-1").id], "SU 2"))
    assert again.find("leaf-1").group_id != home
    assert "OVER-001" in open_codes(again)


def test_findings_about_the_whole_design_are_within_no_group(fabric):
    fabric.design.apply(operations.group(fabric.design, [fabric.id("leaf-1")], "SU 1"))
    home = fabric.device("leaf-1").group_id
    fabric.design.apply(policies.set_limits(fabric.design, diameter_hops=1))
    waiver = Waiver("", "DIAM-001", within=home, reason="x")
    fabric.design.apply(waiving.add_waivers(fabric.design, [waiver]))
    assert open_codes(fabric.design) == ["DIAM-001", "DOC-001"]


def test_a_higher_limit_does_not_make_a_worse_finding_acceptable(thin):
    waive(thin.design, "OVER-001")
    thin.design.apply(policies.set_limits(thin.design, leaf_oversubscription=1.4))
    gone = links_between(thin.design, "leaf-1", "spine-2")[:3]
    thin.design.apply(operations.delete(thin.design, [link.id for link in gone]))
    assert "OVER-001" in open_codes(thin.design)


def test_a_waiver_of_no_rule_and_one_of_unused_waivers_are_reported(fabric):
    waivers = [Waiver("", "ABCD-999", reason="x"), Waiver("", "DOC-001", reason="y")]
    fabric.design.apply(waiving.add_waivers(fabric.design, waivers))
    assert open_codes(fabric.design) == ["DOC-001", "DOC-001"]


def test_a_rule_wide_waiver_that_one_finding_outgrew_is_named(thin):
    gone = links_between(thin.design, "leaf-2", "spine-2")[:2]
    thin.design.apply(operations.delete(thin.design, [link.id for link in gone]))
    found = [one for one in validate(thin.design).open if one.code == "OVER-001"]
    thin.design.apply(waiving.add_waivers(thin.design, [waiver_of_kind(found, *WHO)]))
    more = links_between(thin.design, "leaf-2", "spine-2")[:4]
    thin.design.apply(operations.delete(thin.design, [link.id for link in more]))
    report = validate(thin.design)
    assert [one.code for one in report.open if one.code in ("OVER-001", "DOC-001")] == ["OVER-001", "DOC-001"]
    assert report.waived == 1


# -- fixing -------------------------------------------------------------------------------------------------------


def test_a_fix_that_makes_a_waiver_unused_is_applied(thin):
    waive(thin.design, "OVER-001")
    made = fixed(thin.design, {"SPREAD-001"})
    assert made.sentence == "1 of 1 findings fixed"
    thin.design.apply(made.edit)
    assert open_codes(thin.design) == ["DOC-001"]


def test_a_fix_that_raises_another_error_is_refused(fabric, monkeypatch):
    """The fix of an empty group is made to delete a spine's links as well."""
    design = fabric.design
    fabric.put(Group("g1", "SU 1"))
    links = links_between(design, "leaf-1", "spine-1")
    bad = operations.delete(design, ["g1", *(link.id for link in links)])
    monkeypatch.setattr(documents, "delete_group", lambda _group: bad)
    made = fixed(design)
    assert made.fixes == ()
    assert made.sentence == "0 of 1 findings fixed; 1 has no fix that can be applied"

"""A redacted copy names nobody, and everything computed from it is the same."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.errors import GraphError
from designer.exchange.redacting import redacted
from designer.exchange.revisions import RevisionOptions, record
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import ROUTER_GROUPS, TABLE_OF, Group, Revision, order_key
from designer.model.hardware.servers import ServerType
from designer.simulation.designs import simulate_design
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.validation.engine import validate

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.fabric"))
KNOWN = load().types
OWNER = "Acme"


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def pair(request):
    design = document.load(request.param)
    return design, redacted(design, KNOWN)


@pytest.fixture(scope="module")
def golden():
    """Every field of every record, whose hardware types are all by "Acme"."""
    return document.load(max((ROOT / "tests" / "golden").glob("every_field_v*.fabric")))


def test_findings_are_the_same_in_number_and_figures(pair):
    before, after = (validate(one) for one in pair)
    figures = [
        sorted(
            (one.code, one.severity, str(one.value), str(one.limit), one.subjects)
            for one in report.findings
            if one.code != "DOC-005"  # labels are left out
        )
        for report in (before, after)
    ]
    assert figures[0] == figures[1]
    assert len(before.not_checked) == len(after.not_checked)


def test_simulated_times_and_loads_are_the_same(pair):
    scenario = Scenario(collective="all-reduce", size_bytes=2**28)
    try:
        before = simulate_design(pair[0], scenario)
    except GraphError:  # deliberate faults: servers that cannot reach each other
        with pytest.raises(GraphError):
            simulate_design(pair[1], scenario)
        return
    after = simulate_design(pair[1], scenario)
    assert (before.time_s, before.busbw_gbytes_per_s) == (after.time_s, after.busbw_gbytes_per_s)
    assert np.array_equal(before.utilization_peak, after.utilization_peak)


def test_figures_are_the_same_but_for_name_and_cost(pair):
    before, after = (replace(summarize(one), name="", cost_usd=None) for one in pair)
    own = {type_.id for type_ in pair[0].types.values()} - {type_.id for type_ in pair[1].types.values()}
    for one in own:  # the user's own types have other names
        assert one not in KNOWN
    unknown = [(len(one.power.unknown_typical), len(one.power.unknown_max)) for one in (before, after)]
    assert unknown[0] == unknown[1]
    before, after = (
        replace(one, jobs=(), power=replace(one.power, unknown_typical=(), unknown_max=())) for one in (before, after)
    )
    assert before == after


def test_names_follow_a_pattern_and_stay_in_order(pair):
    before, after = pair
    assert set(before.devices) == set(after.devices) and set(before.links) == set(after.links)
    pattern = re.compile(r"((storage|in-band|oob)-)?(server|leaf|spine|core|router|switch)-[0-9]{2,}")
    assert all(pattern.fullmatch(one.name) for one in after.devices.values())
    assert not {one.name for one in before.groups.values()} & {one.name for one in after.groups.values()} - {"SU 1"}
    assert all(one.recipe is None for one in after.groups.values())


def test_no_text_of_the_user_is_left_in_the_file(golden):
    own = golden.snapshot()
    group = next(iter(own.groups.values()))
    own.apply(operations.rename(own, group.id, f"{OWNER} hall"))
    named = dict.fromkeys(("project", "customer", "site", "author", "drawing_number"), OWNER)
    own.apply(operations.set_settings(own, **named))
    changes = tuple(Change(link, replace(link, label=OWNER, notes=OWNER)) for link in own.links.values())
    own.apply(Edit("", changes))
    noted = [*own.devices, *own.links, *own.racks, *own.groups, *own.modules, *own.jobs]
    own.apply(operations.add_tags(own, noted, (OWNER,)))
    own.apply(operations.set_field(own, noted, OWNER, OWNER))
    own.apply(record(own, RevisionOptions(revision="9", author=OWNER, note=OWNER)))
    text = document.encode(redacted(own, KNOWN)).decode()
    assert OWNER.lower() in document.encode(own).decode().lower()
    assert OWNER.lower() not in text.lower()
    assert not [one for one in ('"price_usd":', '"sources":', '"digest":', '"plan":', '"design":') if one in text]


def test_ids_that_say_something_are_counted_and_keep_their_order():
    design = document.load(ROOT / "examples" / "superpod-h100-4su.fabric")
    text = document.encode(design).decode()
    for entity_id in ("d1", "r1", "g1", "l2", "m3"):
        text = text.replace(f'"{entity_id}"', f'"acme-{entity_id}"')
    named = document.decode(text.encode())
    copy = redacted(named, KNOWN)
    assert "acme" not in document.encode(copy).decode()
    for table in ("devices", "links", "racks", "groups", "modules", "placements"):
        assert len(getattr(copy, table)) == len(getattr(named, table))
    kinds = [named.device_type(one.id).model for one in named.switches()]
    assert [copy.device_type(one.id).model for one in copy.switches()] == kinds
    assert [len(copy.mounted(one)) for one in sorted(copy.racks, key=order_key)] == [
        len(named.mounted(one)) for one in sorted(named.racks, key=order_key)
    ]


def test_names_are_counted_as_people_read_them_and_purposes_of_ports_go():
    design = document.load(ROOT / "examples" / "fat-tree-16-2to1.fabric")
    leafs = [one for one in design.switches() if one.role == "leaf"]
    for leaf, name in zip(leafs, ("sw10", "sw9", "sw2", "sw1"), strict=True):
        design.apply(operations.rename(design, leaf.id, name))
    kept = replace(design.device(leafs[0].id), reserved_for=(("1", OWNER),))
    design.apply(Edit("", (Change(design.device(leafs[0].id), kept),)))
    copy = redacted(design, KNOWN)
    assert [copy.device(one.id).name for one in leafs] == ["leaf-04", "leaf-03", "leaf-02", "leaf-01"]
    assert copy.device(leafs[0].id).reserved_for == (("1", "reserved"),)


def test_equal_names_stay_equal_so_that_they_are_still_found():
    design = document.load(ROOT / "examples" / "faults.fabric")
    twice = [one.name for one in design.devices.values()]
    again = [one.name for one in redacted(design, KNOWN).devices.values()]
    assert len(set(twice)) == len(set(again)) < len(twice)


@pytest.mark.parametrize("kind", sorted(ROUTER_GROUPS))
def test_kinds_of_groups_that_generators_make_stay(kind, golden):
    own = golden.snapshot()
    own.apply(Edit("", (Change(None, Group("g99", "Group 1", kind)),)))
    assert redacted(own, KNOWN).groups["g99"].kind == kind


def test_a_kind_of_group_that_is_a_users_word_goes(golden):
    own = golden.snapshot()
    added = Group("g99", "x", OWNER)
    own.apply(Edit("", (Change(None, added),)))
    assert redacted(own, KNOWN).groups["g99"].kind == "group"


def test_free_words_of_types_cables_and_revisions_go(golden):
    own = golden.snapshot()
    worded = {
        "server_types": {"gpu_model": f"{OWNER} X 80 GB"},
        "nic_types": {"host_interface": OWNER},
        "medium_types": {"connector": OWNER},
    }
    for one in own.types.values():
        given = next((texts for table, texts in worded.items() if TABLE_OF[type(one)] == table), {})
        if hasattr(one, "cages"):
            given = {"cages": tuple(replace(cage, card=OWNER) for cage in one.cages)}
        own.apply(Edit("", (Change(one, replace(one, **given)),)))
    link = own.links["l1"]
    own.apply(Edit("", (Change(link, replace(link, colour=f"{OWNER} blue")),)))
    own.apply(Edit("", (Change(None, Revision("v2", f"{OWNER} 2")),)))
    copy = redacted(own, KNOWN)
    assert OWNER.lower() not in document.encode(copy).decode().lower()
    assert {one.gpu_memory_bytes for one in copy.types.values() if isinstance(one, ServerType)} == {80 * 10**9}
    assert [one.number for one in copy.revisions.values()] == ["A", "2"]


@pytest.mark.parametrize("colour", ["blue", "Yellow", "#d55e00"])
def test_colours_of_cables_stay(golden, colour):
    own = golden.snapshot()
    link = own.links["l1"]
    own.apply(Edit("", (Change(link, replace(link, colour=colour)),)))
    assert redacted(own, KNOWN).links["l1"].colour == colour


def test_what_is_collapsed_stays_so_and_roles_in_a_users_words_go(golden):
    design = golden.snapshot()
    group, settings, roles = design.groups["g2"], design.settings, ("acme edge", "leaf", "server")
    changed = ((one, replace(one, collapsed_roles=roles)) for one in (group, settings))
    design.apply(Edit("", tuple(Change(before, after) for before, after in changed)))
    after = redacted(design, KNOWN)
    assert after.settings.collapsed_roles == ("leaf", "server", "switch")
    kept = [one for one in after.groups.values() if "leaf" in one.collapsed_roles]
    assert [one.collapsed_roles for one in kept] == [("leaf", "server", "switch")]
    assert OWNER.lower() not in document.encode(after).decode().lower()


def test_styles_of_annotations_are_numbered_and_stay_on_them(golden):
    copy = redacted(golden, KNOWN)
    (style,) = copy.annotation_styles.values()
    assert style.name == "Style 1" and style.colour == "#d55e00"
    assert [one.style_id for one in copy.annotations.values()] == ["", "", style.id, ""]


def test_rows_lose_their_names_and_dimensions_hold_on_to_what_they_did(golden):
    text = document.encode(golden).decode().replace('"r1"', '"rack-of-acme"').replace('"f3"', '"f-acme"')
    copy = redacted(document.decode(text.encode()), KNOWN)
    assert {rack.row for rack in copy.racks.values()} == {""}
    (one,) = (fixture for fixture in copy.fixtures.values() if fixture.ties)
    assert one.ties[0].thing_id in copy.racks and one.name == ""
    assert "acme" not in document.encode(copy).decode().lower()


def test_waivers_and_the_policy_keep_what_they_decide_and_say_nothing(golden):
    copy = redacted(golden, KNOWN)
    policy = copy.policy
    assert (policy.name, policy.name_pattern, policy.off) == ("", "", (("MEDIA-002", "removed"),))
    assert policy.leaf_oversubscription == golden.policy.leaf_oversubscription
    assert [one.code for one in copy.waivers.values()] == [one.code for one in golden.waivers.values()]
    for one in copy.waivers.values():
        assert (one.author, one.reason, one.date) == ("", "removed", "")
        assert all(copy.entity(subject) is not None for subject in one.subjects)

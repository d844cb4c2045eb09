"""A bill kept up to date by edits holds what a rebuilt bill would: whatever was drawn, removed and undone."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.assumed_forms import AssumedForm
from designer.analysis.billing.bill import bill_of
from designer.analysis.billing.prices import NO_PRICES
from designer.analysis.billing.running import RunningBill, costing_of_running
from designer.analysis.new_designs import new_design
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.placement.preparation import prepare
from designer.regeneration.recipes import family_named
from designer.topologies.presets import family_of, parameters_of, preset_named


@pytest.fixture(scope="module")
def pod(catalog):
    """Eight DGX H100 with twin-port optics and a management network. Not to be changed: take a snapshot."""
    values = {"server": "dgx-h100", "servers": 8, "oob_switch": "nvidia-sn2201"}
    return new_design(family_named("rail-optimized"), values, catalog, "Pod", "auto").design


def counted(items):
    """Quantities by what is ordered, without where it is."""
    found = Counter()
    for one in items:
        named = (one.kind, one.part_number, one.model, one.order_m, one.description, one.gap, one.type_id)
        found[named] += one.quantity
        found[(*named, "included")] += one.included
    return +found


def assert_same(running, design, catalog):
    whole = bill_of(design, catalog.types)
    assert counted(running.items) == counted(line.item for line in whole.lines)
    assert costing_of_running(running, NO_PRICES).priced.power == whole.power


def removal(design, table, entity_id):
    """An edit that removes one thing with what cannot stay without it."""
    changes = []
    if table == "devices":
        links = {link.id: link for link in design.links_of(entity_id)}
        changes += [Change(link, None) for link in links.values()]
        changes += [Change(module, None) for module in design.modules_of(entity_id)]
        placement = design.placements.get(entity_id)
        changes += [Change(placement, None)] if placement is not None else []
    return Edit("Remove", (*changes, Change(getattr(design, table)[entity_id], None)))


def test_a_bill_counted_anew_is_the_same(pod, catalog):
    assert_same(RunningBill(pod, catalog.types), pod, catalog)


@given(data=st.data())
def test_removals_and_undo_are_followed(pod, catalog, data):
    design = pod.snapshot()
    running = RunningBill(design, catalog.types)
    done = []
    for _ in range(data.draw(st.integers(1, 5))):
        if done and data.draw(st.booleans()):
            edit = done.pop().inverted()
        else:
            table = data.draw(st.sampled_from(("links", "links", "devices")))
            edit = removal(design, table, data.draw(st.sampled_from(sorted(getattr(design, table)))))
            done.append(edit)
        design.apply(edit)
        assert running.follow(design, edit)
    assert_same(running, design, catalog)


def test_lengths_media_and_moves_are_followed(pod, catalog):
    from dataclasses import replace

    design = pod.snapshot()
    running = RunningBill(design, catalog.types)
    link = next(link for link in design.links.values() if link.medium_id)
    rack_of = next(one for one in design.placements.values() if one.rack_id is not None)
    for change in (
        Change(link, replace(link, length_m=27.0)),
        Change(replace(link, length_m=27.0), replace(link, length_m=None, medium_id="")),
        Change(rack_of, replace(rack_of, rack_id=None, unit=None)),
    ):
        edit = Edit("Change", (change,))
        design.apply(edit)
        assert running.follow(design, edit)
        assert_same(running, design, catalog)


def test_what_changes_types_or_assumed_forms_is_counted_anew(pod, catalog):
    from dataclasses import replace

    design = pod.snapshot()
    running = RunningBill(design, catalog.types)
    type_ = design.types["nvidia-qm9700"]
    edit = Edit("Price", (Change(type_, replace(type_, price_usd=5.0)),))
    design.apply(edit)
    assert not running.follow(design, edit)


@pytest.mark.parametrize(
    ("name", "values"), [("google-tpu-v4-superpod", {"dims": (4, 4, 4)}), ("openai-mrc-131072", {"servers": 4})]
)
def test_circuit_switches_and_fan_outs_are_followed(catalog, name, values):
    preset = preset_named(name)
    design = Design()
    design.apply(family_of(preset).build(design, replace(parameters_of(preset), **values), catalog))
    running = RunningBill(design, catalog.types)
    assert_same(running, design, catalog)
    server = next(iter(design.servers())).id
    edit = removal(design, "devices", server)
    design.apply(edit)
    assert running.follow(design, edit)
    assert_same(running, design, catalog)


def test_splitter_cables_are_shared_as_on_the_bill(catalog):
    preset = preset_named("era-2-8-9-800-4su-single-tier")
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), catalog))
    design.apply(prepare(design, catalog.types).edit)
    assert_same(RunningBill(design, catalog.types), design, catalog)


def test_nics_are_ordered_apart_once_their_server_is_of_a_type_without_them(pod, catalog):
    design = pod.snapshot()
    server = next(iter(design.servers()))
    type_ = design.device_type(server.id)
    slots = tuple(replace(one, nic_type_id="", network_nic_type_id="") for one in type_.slots)
    design.apply(Edit("Own type", (Change(None, replace(type_, id="bare", slots=slots)),)))
    running = RunningBill(design, catalog.types)
    edit = Edit("Other type", (Change(server, replace(server, type_id="bare")),))
    design.apply(edit)
    assert running.follow(design, edit)
    assert_same(running, design, catalog)


def test_a_design_with_assumed_form_factors_is_counted_anew(pod, catalog):
    running = RunningBill(pod, catalog.types)
    edit = Edit("Nothing", ())
    assert running.follow(pod, edit)
    kind = ("x", 400.0, 1)
    running._optical = replace(running._optical, assumed={kind: AssumedForm("x", 400.0, "OSFP", "y")})
    assert not running.follow(pod, edit)

"""What identifies the cable of a link, also where little is known of it."""

from dataclasses import replace

from designer.analysis.link_facts import FIBER, NUMBER, PLACES, REACH, SOURCE, fibre_text, link_facts
from designer.model import operations
from designer.model.edit import Change, Edit


def test_a_link_without_number_rack_cable_and_length_says_nothing(generate, catalog):
    design = generate("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=8, racks="none")
    link = next(iter(design.links.values()))
    assert set(link_facts(design, catalog.types, link).values()) == {""}


def test_one_end_without_a_rack_is_named_so(generate, catalog):
    design = generate("rail-optimized", servers=32)
    link = next(one for one in design.links.values() if design.is_server(one.a.device_id))
    place = design.placements[link.a.device_id]
    away = replace(place, rack_id=None, unit=None)
    design.apply(Edit("Take out", (Change(place, away),)))
    assert link_facts(design, catalog.types, link)[PLACES].startswith("no rack to ")


def test_a_copper_cable_has_a_reach_and_no_fiber_and_a_typed_length_is_called_so(generate, catalog):
    design = generate("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=8, racks="none")
    cable = next(one for one in catalog.media() if one.kind == "DAC" and one.max_length_m and one.link_gbps == 400)
    link = next(iter(design.links.values()))
    design.apply(operations.set_cable(design, [link.id], cable, 1.0))
    facts = link_facts(design, catalog.types, design.links[link.id])
    assert (facts[REACH], facts[FIBER]) == (f"up to {cable.max_length_m:g} m", "")
    assert (facts[SOURCE], facts[NUMBER]) == ("typed in", "")


def test_an_optic_without_a_fitting_fiber_says_so(catalog):
    optic = next(one for one in catalog.media() if one.kind == "transceiver" and one.fibre == "MM")
    assert fibre_text(optic, None, 5.0) == "MM fiber, none in the catalog fits"

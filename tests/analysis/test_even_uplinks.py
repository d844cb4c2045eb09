"""How many uplinks match what is below."""

from dataclasses import replace

import pytest

from designer.analysis.even_uplinks import even_uplinks, worst_ratio
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device


@pytest.fixture(scope="module")
def tiers():
    """Four servers under two leafs, two spines above, and a core."""
    catalog, design = load(), Design()

    def add(type_id):
        edit = operations.add_device(design, catalog.get(type_id), 0, 0, catalog_types=catalog.types)
        design.apply(edit)
        return next(change.after.id for change in edit.changes if isinstance(change.after, Device))

    rows = {
        name: [add(type_id) for _ in range(count)]
        for name, type_id, count in (
            ("servers", "dgx-h100", 4),
            ("leafs", "nvidia-qm9700", 2),
            ("spines", "nvidia-qm9700", 2),
            ("cores", "nvidia-qm9700", 1),
        )
    }
    design.apply(operations.connect_evenly(design, rows["servers"], rows["leafs"]))
    return design, rows


def test_leafs_want_as_many_links_up_as_servers_are_on_them(tiers):
    design, rows = tiers
    found = even_uplinks(design, rows["leafs"], rows["spines"])
    assert (found.down_gbps, found.up_gbps, found.links_per_pair) == (16 * 400, 0, 8)


def test_what_comes_from_below_is_compared_with_all_that_goes_up(tiers):
    design, rows = tiers
    design = design.snapshot()
    assert worst_ratio(design, rows["leafs"], rows["spines"]) is None
    design.apply(operations.connect_evenly(design, rows["leafs"], rows["spines"], 4))
    assert worst_ratio(design, rows["leafs"], rows["spines"]) == worst_ratio(design, rows["leafs"], []) == 2.0
    design.apply(operations.connect_devices(design, rows["leafs"][0], rows["spines"][0], 8))
    assert worst_ratio(design, rows["leafs"], rows["spines"]) == 2.0


def test_links_up_that_are_there_count(tiers):
    design, rows = tiers
    design = design.snapshot()
    design.apply(operations.connect_evenly(design, rows["leafs"], rows["spines"], 6))
    assert even_uplinks(design, rows["leafs"], rows["spines"]).links_per_pair == 8
    assert even_uplinks(design, rows["spines"], rows["cores"]).links_per_pair == 12


def test_another_spine_gets_as_many_links_as_those_next_to_it(tiers):
    design, rows = tiers
    design = design.snapshot()
    design.apply(operations.connect_evenly(design, rows["leafs"], rows["spines"][:1], 9))
    for lower, upper in ((rows["leafs"], rows["spines"]), (rows["leafs"], rows["spines"][1:])):
        for role in ("", "spine"):
            changed = [(design.device(one), role) for one in rows["spines"]] + [
                (design.device(one), "leaf") for one in rows["leafs"]
            ]
            changes = [Change(one, replace(one, role=role)) for one, role in changed if one.role != role]
            design.apply(Edit("Name roles", tuple(changes)))
            wanted = 9 if role or len(upper) > 1 else 7  # without roles the first spine may be anything
            assert even_uplinks(design, lower, upper).links_per_pair == wanted


def test_nothing_is_proposed_for_servers_or_where_nothing_is_below(tiers):
    design, rows = tiers
    assert even_uplinks(design, rows["servers"], rows["leafs"]) is None
    assert even_uplinks(design, rows["spines"], rows["cores"]) is None

"""The outline of a design: every device once among the groups, every rack once in the room."""

from dataclasses import replace

import pytest

from designer.analysis.outline import RUN, Outline
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.storage import document
from designer.topologies.families import FAMILIES


def built(family, **parameters):
    row = next(one for one in FAMILIES if one.name == family)
    design = Design()
    design.apply(row.build(design, row.parameters(**parameters), load()))
    return design


@pytest.fixture(scope="module")
def superpod():
    return document.load("examples/superpod-h100-4su.fabric")


def leaves(outline, entries):
    for entry in entries:
        if entry.has_children:
            yield from leaves(outline, outline.children(entry))
        else:
            yield entry


def test_every_device_is_once_in_the_groups_and_every_rack_once_in_the_room(superpod):
    outline = Outline(superpod)
    *groups, room = outline.roots()
    assert sorted(one.ids[0] for one in leaves(outline, groups)) == sorted(superpod.devices)
    rows = outline.children(room)
    racks = [rack for row in rows for rack in (outline.children(row) if row.key[0] in ("row", "off-floor") else [row])]
    assert sorted(one.ids[0] for one in racks) == sorted(superpod.racks)


def test_lines_say_how_much_is_in_them(superpod):
    outline = Outline(superpod)
    fabric = outline.roots()[0]
    assert fabric.detail == f"{len(superpod.devices)}" and fabric.counted == "127 servers, 48 switches"
    unit = next(one for one in outline.children(fabric) if one.title == "SU 1")
    assert unit.detail == "40" and unit.counted == "32 servers, 8 switches"
    assert [(one.title, one.detail) for one in outline.children(unit)] == [("Leaf switches", "8"), ("Servers", "32")]


@pytest.mark.parametrize("by_type", [True, False])
def test_servers_for_storage_have_a_line_of_their_own(by_type):
    design = built("fat-tree", servers=8)
    if by_type:
        catalog = load()
        stored = catalog.get("generic-storage")
        known = set(design.devices)
        for x in (0.0, 200.0):
            design.apply(operations.add_device(design, stored, x, -500.0, catalog_types=catalog.types))
        held = set(design.devices) - known
    else:
        chosen = [*design.servers()][:2]
        design.apply(Edit("Role", tuple(Change(one, replace(one, role="storage")) for one in chosen)))
        held = {one.id for one in chosen}
    outline = Outline(design)
    lines = {entry.key: entry for entry in branches(outline, outline.roots())}
    line = next(entry for entry in lines.values() if entry.title == "Storage servers")
    assert (set(line.ids), line.detail, line.kind) == (held, "2", "server")
    others = {found for entry in lines.values() if entry.title == "Servers" for found in entry.ids}
    assert others == {server.id for server in design.servers()} - held
    assert {outline.path_to(one)[-2] for one in held} == {line.key}


def branches(outline, entries):
    for entry in entries:
        if entry.has_children:
            yield entry
            yield from branches(outline, outline.children(entry))


def test_the_path_to_a_thing_leads_through_lines_that_are_there(superpod):
    outline = Outline(superpod)
    chosen = [*list(superpod.devices)[:3], *list(superpod.racks)[:2], *list(superpod.groups)[:2]]
    for entity_id in chosen:
        entries = outline.roots()
        for key in outline.path_to(entity_id):
            found = next((one for one in entries if one.key == key), None)
            if found is None:
                continue
            entries = outline.children(found) if found.has_children else []
        assert found is not None
        assert found.ids == (entity_id,)
    assert outline.path_to("nothing") == []


def test_a_search_finds_names_of_groups_racks_and_devices(superpod):
    outline = Outline(superpod)
    assert [one.title for one in outline.search("su 2")] == ["SU 2"]
    assert outline.search("GPU-001")[0].kind == "server"
    assert outline.search("rack-09")[0].kind == "rack"
    assert outline.search("  ") == []


def test_many_devices_are_in_runs_under_titles_that_say_from_where_to_where():
    design = built("k-ary-fat-tree", k=16)
    outline = Outline(design)
    pods = outline.roots()
    assert [one.title for one in pods] == [*(f"Pod {number}" for number in range(1, 17)), "Cores"]
    torus = built("torus", dims=(10, 10, 10))
    outline = Outline(torus)
    long = next(one for one in outline.roots() if len(one.ids) > RUN)
    runs = outline.children(long)
    assert [len(one.ids) for one in runs] == [RUN, RUN]
    assert " to " in runs[0].title
    last = runs[-1].ids[-1]
    assert outline.path_to(last)[-2] == runs[-1].key


def test_a_search_lists_the_best_match_first_and_devices_before_racks_and_groups_alike():
    design = document.load("examples/superpod-h100-4su.fabric")
    a, b, c = list(design.devices)[:3]
    names = {a: "new qq-01", b: "qq-01b", c: "qq-01", next(iter(design.groups)): "qq-01b"}
    names[next(iter(design.racks))] = "qq-01b"
    for one, name in names.items():
        was = design.entity(one)
        design.apply(Edit("Rename", (Change(was, replace(was, name=name)),)))
    found = Outline(design).search("QQ-01")
    assert [one.title for one in found] == ["qq-01", "qq-01b", "qq-01b", "qq-01b", "new qq-01"]
    assert [one.kind for one in found[1:4]] == ["server", "rack", "group"]


def test_a_device_alone_in_its_role_stands_where_the_heading_of_its_role_would(superpod):
    design = superpod.snapshot()
    first, *others = design.servers()
    design.apply(operations.delete(design, [one.id for one in others]))
    outline = Outline(design)
    group = next(one for one in outline.roots() if first.id in [leaf.ids[0] for leaf in leaves(outline, [one])])
    path = outline.path_to(first.id)
    assert path[-1] == (first.id,) and (first.group_id or "", "server") not in path
    inner = outline.children(next(one for one in outline.children(group) if one.key == path[1]))
    assert ("server", first.name) in [(one.kind, one.title) for one in inner]
    assert "Server" not in [one.title for one in inner]

"""Two people edit one design at random: what they did is merged, and nothing of it gets lost or is made up."""

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from designer.errors import DesignerError
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.merging.merging import merge
from designer.storage import document

sys.path.insert(0, str(Path(__file__).parent))

from merged_designs import Editor, check, check_without_base, rows

MERGES = 80
seeds = st.integers(0, 2**32 - 1)


def versions(catalog, random, steps):
    """A design, and what two people make of it."""
    base = Editor(random, catalog).edit(random.randrange(8))
    return base, Editor(random, catalog, base).edit(steps), Editor(random, catalog, base).edit(steps)


@settings(max_examples=12)
@given(seed=seeds, steps=st.integers(1, 10))
def test_what_one_side_changed_is_taken_and_what_contradicts_is_a_conflict(catalog, seed, steps):
    check(*versions(catalog, Random(seed), steps))


@pytest.mark.slow
def test_many_merges_of_random_edits(catalog):
    n_conflicts = 0
    for seed in range(MERGES):
        random = Random(seed)
        n_conflicts += len(check(*versions(catalog, random, random.choice((1, 3, 8, 15)))).conflicts)
    assert n_conflicts > MERGES


@example(seed=68, steps=4)
@settings(max_examples=10)
@given(seed=seeds, steps=st.integers(1, 8))
def test_a_side_that_changed_nothing_takes_the_other_as_it_is(catalog, seed, steps):
    base, ours, _ = versions(catalog, Random(seed), steps)
    coming = merge(base, base, ours)
    assert document.encode(coming.made) == document.encode(ours)
    for other in (base, ours):
        there = merge(base, ours, other)
        assert not there.edit and not there.conflicts and not there.renumbered
    assert not coming.conflicts and not coming.renumbered


@settings(max_examples=12)
@given(seed=seeds, steps=st.integers(1, 10))
def test_without_a_base_nothing_of_ours_changes_unless_somebody_decides_so(catalog, seed, steps):
    check_without_base(*versions(catalog, Random(seed), steps)[1:])


@pytest.mark.slow
def test_many_merges_without_a_base(catalog):
    for seed in range(MERGES // 2):
        check_without_base(*versions(catalog, Random(seed), 8)[1:])


# -- different things -------------------------------------------------------------------------------------------------

HALVES = "left", "right"
VERBS = ("add", "connect", "rename", "move", "delete", "tag", "length", "rack", "note", "job", "group")


@pytest.fixture(scope="module")
def shared(catalog):
    """Two halves that nothing joins, with names that say which half things are of."""
    story = Editor(Random(0), catalog)
    design = story.design
    design.apply(operations.delete(design, [*design.devices, *design.racks, *design.groups, *design.fixtures]))
    for half in HALVES:
        made = [add(design, catalog, f"{half}-{n}", kind) for n, kind in enumerate(("leaf", "leaf", "server"))]
        design.apply(operations.connect_devices(design, made[0], made[1], 4))
        design.apply(operations.connect_devices(design, made[0], made[2], 4))
    return document.decode(document.encode(design))


def add(design, catalog, name, kind):
    type_ = catalog.get("nvidia-qm9700" if kind == "leaf" else "dgx-h100")
    role = "leaf" if kind == "leaf" else ""
    edit = operations.add_device(design, type_, 0, 0, catalog_types=catalog.types, role=role, name=name)
    design.apply(edit)
    return next(change.after.id for change in edit.changes if getattr(change.after, "name", "") == name)


def play(design, catalog, half, seed, steps):
    """Edits of one half that do the same to any design that has that half as it is in the base."""
    random = Random(f"{half}{seed}")
    for number in range(steps):
        verb, picks = random.choice(VERBS), [random.random() for _ in range(3)]
        ids = sorted((one.id for one in design.devices.values() if one.name.startswith(half)), key=_name_of(design))
        try:
            edit = _edit(design, catalog, f"{half}-{verb}-{number}", verb, [ids[int(p * len(ids))] for p in picks])
        except (DesignerError, IndexError):
            continue
        if edit is not None:
            design.apply(edit)
    return design


def _name_of(design):
    return lambda one: design.devices[one].name


def _edit(design, catalog, name, verb, picked):
    one, other, _ = picked
    links = sorted(design.links_of(one), key=lambda link: sorted(map(design.end_name, (link.a, link.b))))
    if verb == "add":
        add(design, catalog, name, "leaf")
        return None
    edits = {
        "connect": lambda: operations.connect_devices(design, one, other, 2),
        "rename": lambda: operations.rename(design, one, name),
        "move": lambda: operations.move(design, {one: (float(len(name)), 7.0)}),
        "delete": lambda: operations.delete(design, [links[0].id]) if len(name) % 2 else _delete(design, one),
        "tag": lambda: operations.set_tags(design, [one], [name]),
        "length": lambda: operations.set_cable(design, [links[-1].id], None, 3.0),
        "rack": lambda: operations.add_rack(design, catalog.get("rack-42u"), 0, 0, name),
        "note": lambda: annotate(design, "note", (0, 0), (9, 9), text=name),
        "job": lambda: operations.add_job(design, name, size_bytes=1e6, collective="all-reduce", colour="#112233"),
        "group": lambda: operations.group(design, [one, other], name),
    }
    return edits[verb]()


def _delete(design, one):
    return operations.delete(design, [one])


def meaning(design):
    """The design without its ids: everything by name."""
    named = {one.id: one.name for table in ("devices", "racks", "groups") for one in getattr(design, table).values()}
    found = []
    for (table, one), record in rows(design).items():
        row = {key: named.get(value, value) if isinstance(value, str) else value for key, value in record.items()}
        if table == "links":
            link = design.links[one]
            row |= {"a": "", "b": "", "ends": sorted(map(design.end_name, (link.a, link.b)))}
        if table in ("links", "modules", "annotations", "jobs"):
            del row["id"]
        elif table == "placements" and one in design.annotations:
            row["id"] = design.annotations[one].text
        found.append((table, sorted(map(repr, row.items()))))
    return sorted(found)


@settings(max_examples=25)
@given(seed=seeds, left=st.integers(0, 8), right=st.integers(0, 8))
def test_edits_of_different_things_are_as_if_both_were_done_in_either_order(catalog, shared, seed, left, right):
    mine = play(shared.snapshot(), catalog, "left", seed, left)
    theirs = play(shared.snapshot(), catalog, "right", seed, right)
    both = play(play(shared.snapshot(), catalog, "left", seed, left), catalog, "right", seed, right)
    for ours, other in ((mine, theirs), (theirs, mine)):
        found = merge(shared, ours, other)
        assert not found.conflicts
        assert meaning(found.made) == meaning(both)

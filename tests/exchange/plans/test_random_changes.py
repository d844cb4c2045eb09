"""Change orders of random edits: doing what they say makes the new plan of the old one."""

import functools
from dataclasses import replace

import plan_reader
import pytest
from change_cases import CATALOG, base, rows_of
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.cable_numbers import number_cables
from designer.errors import DesignerError
from designer.exchange.plans.cells import plan_csv
from designer.exchange.plans.change_order import change_order
from designer.exchange.plans.change_rows import FULL_COLUMNS
from designer.exchange.plans.headings import KEYS, heading
from designer.exchange.plans.snapshot import packed, snapshot_of, unpacked
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.preparation import prepare
from designer.tables.table import delimited


@functools.cache
def base_plan(kind):
    rows = rows_of(base(kind))
    return snapshot_of(base(kind), rows), plan_reader.plan_by_cable(plan_csv(rows))


def order_text(order):
    getters = [column.of for column in FULL_COLUMNS]
    rows = [[get(change) for get in getters] for change in order.changes]
    return delimited([heading(column, KEYS) for column in FULL_COLUMNS], rows)


# -- random edits -----------------------------------------------------------------------------------------------------


def pick(table, number):
    rows = ordered(table)
    return rows[number % len(rows)]


def move_rack(design, a, b):
    rack = pick(design.racks, a)
    return floor.place_racks(design, {rack.id: (rack.x_m + b % 7 - 3, rack.y_m + 0.3 * (b % 5))})


def shift_room(design, a, b):
    return floor.place_racks(design, {rack.id: (rack.x_m + a % 3, rack.y_m - b % 4) for rack in ordered(design.racks)})


def move_device(design, a, b):
    device, rack = pick(design.devices, a), pick(design.racks, b)
    return operations.mount(design, device.id, rack.id, 1 + (a * 7 + b) % 40)


def unmount(design, a, _b):
    return operations.mount(design, pick(design.devices, a).id, None)


def exchange_cables(design, a, b):
    """Two cables, each into the port of the other."""
    one, other = pick(design.links, a), pick(design.links, b)
    if one == other:
        return Edit("nothing", ())
    return Edit("exchange", (Change(one, replace(one, b=other.b)), Change(other, replace(other, b=one.b))))


def rotate_cables(design, a, b):
    """A ring of three cables, each into the port of the next."""
    one, two, three = (pick(design.links, number) for number in (a, b, a + b + 1))
    if len({one.id, two.id, three.id}) < 3:
        return Edit("nothing", ())
    changes = [Change(x, replace(x, b=y.b)) for x, y in ((one, two), (two, three), (three, one))]
    return Edit("rotate", tuple(changes))


def to_free_port(design, a, b):
    link = pick(design.links, a)
    free = design.free_ports(link.b.device_id)
    end = End(link.b.device_id, free[b % len(free)].name)
    return Edit("port", (Change(link, replace(link, b=end)),))


def delete_link(design, a, _b):
    return operations.delete(design, [pick(design.links, a).id])


def delete_device(design, a, _b):
    return operations.delete(design, [pick(design.devices, a).id])


def copy_rack(design, a, _b):
    return floor.copy_rack(design, pick(design.racks, a).id)


def add_server(design, a, b):
    server = next(one for one in ordered(design.devices) if design.is_server(one.id))
    design.apply(operations.duplicate(design, [server.id], 100.0 * (a % 5), 50.0))
    made = ordered(design.devices)[-1]
    leafs = [one for one in ordered(design.devices) if one.role == "leaf"]
    return operations.connect_devices(design, made.id, leafs[b % len(leafs)].id)


def add_link(design, a, b):
    return operations.connect_devices(design, pick(design.devices, a).id, pick(design.devices, b).id)


def draw_again(design, a, _b):
    """The same link deleted and redrawn, with its cable or without."""
    link = pick(design.links, a)
    design.apply(operations.delete(design, [link.id]))
    made = operations.connect(design, link.a, link.b)
    if a % 2:
        after = replace(made.changes[-1].after, medium_id=link.medium_id, length_m=link.length_m)
        made = Edit("again", (*made.changes[:-1], Change(None, after)))
    return made


def rename_device(design, a, b):
    return operations.rename(design, pick(design.devices, a).id, f"renamed {b}")


def rename_rack(design, a, b):
    return operations.rename(design, pick(design.racks, a).id, f"Z{b}")


def other_medium(design, a, b):
    media = [one for one in CATALOG.types.values() if one.id.startswith(("tr-", "dac-", "aoc-"))]
    links = [pick(design.links, a + number).id for number in range(1 + b % 4)]
    return operations.set_cable(design, list(dict.fromkeys(links)), media[b % len(media)], 1.0 + b % 30)


def facts_of_link(design, a, b):
    link = pick(design.links, a)
    after = replace(link, colour=("", "blue", "red")[b % 3], label=("", "Blue 7")[b % 2], length_m=float(1 + b % 9))
    return Edit("facts", (Change(link, after),))


def all_again(design, _a, b):
    design.apply(operations.set_settings(design, cable_slack_m=float(b % 6)))
    return prepare(design, CATALOG.types).edit


EDITS = (
    move_rack,
    shift_room,
    move_device,
    unmount,
    exchange_cables,
    rotate_cables,
    to_free_port,
    delete_link,
    delete_device,
    copy_rack,
    add_server,
    add_link,
    draw_again,
    rename_device,
    rename_rack,
    other_medium,
    facts_of_link,
    all_again,
)

STEPS = st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=10)


def edited(kind, steps):
    design = base(kind).snapshot()
    for make, a, b in steps:
        try:
            design.apply(make(design, a, b))
        except (DesignerError, ZeroDivisionError):
            continue  # nothing left to do it to
    design.apply(number_cables(design))
    return design


def check(kind, steps):
    old, installed = base_plan(kind)
    design = edited(kind, steps)
    rows = rows_of(design)
    order = change_order(unpacked(packed(old), "the old plan"), snapshot_of(design, rows))
    changes = plan_reader.read_rows(order_text(order))
    done = plan_reader.Installer(installed).do(changes)
    assert plan_reader.same(done, plan_reader.plan_by_cable(plan_csv(rows)))
    touched = {change["cable_id"] for change in changes}
    assert order.n_untouched == len(installed.keys() - touched)


@settings(max_examples=40)
@given(st.sampled_from(("rail", "tree")), STEPS)
def test_doing_what_the_change_order_says_makes_the_new_plan_of_the_old_one(kind, steps):
    check(kind, steps)


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=300)
@given(st.sampled_from(("rail", "tree")), STEPS)
def test_doing_what_hundreds_of_change_orders_say_makes_the_new_plans_of_the_old_ones(kind, steps):
    check(kind, steps)

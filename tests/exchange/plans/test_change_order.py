"""Change orders: each thing that an installer is asked to do, why, at which end, and in which order."""

import csv
import io
from dataclasses import replace

import openpyxl
import pytest
from change_cases import CATALOG, base, order_between, plan_of

from designer.analysis.cable_numbers import number_cables
from designer.analysis.optical_parts import PartName
from designer.errors import ExportError
from designer.exchange.exporters import EXPORTERS
from designer.exchange.plans import snapshot
from designer.exchange.plans.change_order import ACTIONS, change_order, moved_racks
from designer.exchange.plans.change_rows import FULL_COLUMNS, PAPER_COLUMNS
from designer.exchange.plans.headings import GERMAN, heading
from designer.exchange.plans.recorded import recorded_plan
from designer.exchange.plans.since import changes_since, issue
from designer.exchange.plans.snapshot import packed, unpacked
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.model.records import ordered
from designer.placement import floor
from designer.storage import document

EXPORTER = {one.name: one for one in EXPORTERS}


@pytest.fixture
def design():
    return base("rail").snapshot()


def order_since(design, kind="rail"):
    design.apply(number_cables(design))
    return order_between(base(kind), design)


def only(order):
    (change,) = order.changes
    return change


def change_link(design, link, **fields):
    design.apply(Edit("change", (Change(link, replace(link, **fields)),)))


def server_link(design):
    return next(link for link in ordered(design.links) if design.is_server(link.a.device_id))


def paper(change):
    return [column.of(change) for column in PAPER_COLUMNS]


def test_nothing_changed_is_nothing_to_do(design):
    order = order_since(design)
    assert order.changes == ()
    assert order.n_untouched == len({link.cable for link in design.links.values()})
    assert order.summary == f"Nothing to do; {order.n_untouched} cables unchanged"


def test_a_deleted_link_is_a_cable_to_remove_and_a_new_one_a_cable_to_pull(design):
    link = server_link(design)
    number = f"C{link.cable:04d}"
    design.apply(operations.delete(design, [link.id]))
    removed = only(order_since(design))
    assert (removed.action, removed.number, removed.ends, removed.after) == ("remove", number, "A and Z", None)
    design.apply(operations.connect(design, link.a, link.b))
    order = order_since(design)
    last = f"C{design.settings.last_cable:04d}"
    assert [(one.action, one.number) for one in order.changes] == [("remove", number), ("pull", last)]
    assert order.summary.startswith("Remove 1 cable, pull 1 cable; ")
    assert paper(order.changes[1])[6] == "unknown, length unknown"
    (made,) = design.links_at(link.a)
    change_link(design, design.links[made], medium_id=link.medium_id, length_m=link.length_m)
    change = only(order_since(design))
    assert (change.action, change.number, change.cable.number) == ("relabel", number, last)
    assert change.reason == f"number {number} is now {last}"


def test_a_cable_in_another_port_is_moved_at_that_end(design):
    link = server_link(design)
    free = design.free_ports(link.b.device_id)[0].name
    change_link(design, link, b=replace(link.b, port=free))
    change = only(order_since(design))
    assert (change.action, change.ends, change.reason) == ("move", "Z", "other port")
    _, _, cable, end, before, after, where, _ = paper(change)
    leaf = design.device(link.b.device_id).name
    assert (cable, end) == (f"C{link.cable:04d}", "Z")
    assert before.endswith(f"{leaf} {link.b.port}")
    assert after.endswith(f"{leaf} {free}")
    assert where.startswith("other end ")
    assert design.device(link.a.device_id).name in where


def test_a_cable_moved_at_both_ends_is_found_by_both_of_its_ports(design):
    ends = ((link, [design.free_ports(end.device_id) for end in (link.a, link.b)]) for link in design.links.values())
    link, (at_a, at_b) = next((link, free) for link, free in ends if all(free))
    free = [at_a[0].name, at_b[0].name]
    change_link(design, link, a=replace(link.a, port=free[0]), b=replace(link.b, port=free[1]))
    change = only(order_since(design))
    assert (change.action, change.ends) == ("move", "A and Z")
    where = paper(change)[6]
    assert "other end" not in where
    for end in (link.a, link.b):
        assert design.device(end.device_id).name in where


def test_a_device_that_moves_takes_all_its_cables_along(design):
    server = design.servers()[0]
    n = len({link.cable for link in design.links_of(server.id)})
    was = design.placements[server.id].unit
    design.apply(operations.mount(design, server.id, design.placements[server.id].rack_id, 20))
    order = order_since(design)
    assert {(one.action, one.ends) for one in order.changes} == {("move", "A")}
    assert {one.reason for one in order.changes} == {f"{server.name} moved from U{was} to U20"}
    assert len(order.changes) == n


def test_a_rack_that_moves_on_the_floor_is_named_and_a_room_that_shifts_is_not(design):
    for rack in ordered(design.racks):
        design.apply(floor.place_racks(design, {rack.id: (rack.x_m + 2.0, rack.y_m - 1.0)}))
    assert order_since(design).changes == ()
    rack = next(one for one in ordered(design.racks) if any(map(design.is_server, design.mounted(one.id))))
    rack = design.racks[rack.id]
    design.apply(floor.place_racks(design, {rack.id: (rack.x_m, rack.y_m + 3.0)}))
    order = order_since(design)
    assert order.changes
    x, y = rack.x_m, rack.y_m  # those of the room that shifted
    before, after = f"x {x - 2:g} m, y {round(y + 1, 2):g} m", f"x {x:g} m, y {round(y + 3, 2):g} m"
    assert {one.reason for one in order.changes} == {f"{rack.name} moved from {before} to {after}"}
    assert {one.action for one in order.changes} == {"move"}


def test_of_two_racks_the_one_that_stands_elsewhere_moved():
    old = {"a": (0.0, 0.0), "b": (1.0, 0.0)}
    for x_m, y_m in ((1.0, 3.0), (1.0, -3.0), (4.0, 0.0)):
        assert moved_racks(old, old | {"b": (x_m, y_m)}) == {"b"}
    assert moved_racks(old, {"a": (2.0, 0.0), "b": (3.0, 0.0)}) == frozenset()
    assert moved_racks(old, old | {"b": (1.004, 0.0), "c": (9.0, 9.0)}) == frozenset()
    assert moved_racks({}, old) == frozenset()


def test_a_device_with_a_new_name_is_relabeled_once_and_its_cables_stay_as_they_are(design):
    server = design.servers()[0]
    design.apply(operations.rename(design, server.id, "head-node"))
    change = only(order_since(design))
    assert (change.action, change.ends, change.reason) == ("relabel", "device", "device renamed")
    step, _, cable, _, before, after, where, _ = paper(change)
    assert (step, cable, before, after) == (1, "", server.name, "head-node")
    assert where.endswith("head-node")
    order = order_since(design)
    assert order.summary == f"Relabel 1 device; {order.n_untouched} cables unchanged"
    assert order.n_untouched == len({link.cable for link in design.links.values()})
    assert not any(order.counts.values())


def test_two_devices_that_exchange_their_names_are_both_relabeled(design):
    one, other = design.servers()[:2]
    changes = (Change(one, replace(one, name=other.name)), Change(other, replace(other, name=one.name)))
    design.apply(Edit("exchange", changes))
    order = order_since(design)
    assert {(paper(change)[4], paper(change)[5]) for change in order.changes} == {
        (one.name, other.name),
        (other.name, one.name),
    }


def test_what_follows_a_new_name_has_it_too(design):
    link = server_link(design)
    server = design.device(link.a.device_id)
    design.apply(operations.rename(design, server.id, "head-node"))
    design.apply(operations.delete(design, [link.id]))
    named, removed = order_since(design).changes
    assert (named.ends, removed.action) == ("device", "remove")
    assert "head-node" in paper(removed)[4]


def test_a_device_that_moves_under_another_name_is_moved(design):
    server = design.servers()[0]
    was = design.placements[server.id].unit
    design.apply(operations.mount(design, server.id, design.placements[server.id].rack_id, 20))
    design.apply(operations.rename(design, server.id, "head-node"))
    order = order_since(design)
    assert {(one.action, one.ends) for one in order.changes} == {("move", "A")}
    assert {one.reason for one in order.changes} == {f"head-node moved from U{was} to U20"}


def test_a_label_that_was_typed_is_a_relabel_at_both_ends(design):
    link = server_link(design)
    change_link(design, link, label="Blue 7")
    change = only(order_since(design))
    assert (change.action, change.ends, change.reason) == ("relabel", "A and Z", "other label")
    assert paper(change)[5] == "A: Blue 7; Z: Blue 7"


def test_a_new_rack_name_relabels_the_rack_and_both_ends_of_cables_whose_labels_hold_it(design):
    rack = design.racks[design.placements[design.servers()[0].id].rack_id]
    design.apply(operations.rename(design, rack.id, "Z99"))
    first, *others = order_since(design).changes
    assert (first.ends, paper(first)[4:7]) == ("rack", [rack.name, "Z99", ""])
    assert {(one.action, one.ends) for one in others} == {("relabel", "A and Z")}
    assert "Z99" in paper(others[0])[5]


def test_another_part_is_a_swap_and_a_longer_way_too_where_the_length_is_ordered(design):
    link = server_link(design)
    other = CATALOG.get("tr-800-2dr4-100")
    design.apply(operations.set_cable(design, [link.id], other, link.length_m))
    changes = [one for one in order_since(design).changes if one.number == f"C{link.cable:04d}"]
    assert (changes[0].action, changes[0].ends) == ("swap", "A and Z")
    assert changes[0].reason.startswith("other part; other transceiver")
    assert paper(changes[0])[5].startswith("MFP7E30-N")


def test_a_cable_ordered_by_length_is_swapped_when_it_is_too_short_and_stays_when_it_is_longer(design):
    link = server_link(design)
    plain = replace(CATALOG.get("gen-cat6"), id="by-length", lengths_m=(), parts=(), max_length_m=90.0)
    design.apply(operations.set_cable(design, [link.id], plain, 10.0))
    old = plan_of(design)
    link = design.links[link.id]
    change_link(design, link, length_m=8.0)
    assert change_order(old, plan_of(design)).changes == ()
    assert change_order(old, old).changes == ()
    change_link(design, design.links[link.id], length_m=10.5)
    change = only(change_order(old, plan_of(design)))
    assert (change.action, change.reason) == ("swap", "too short by 0.5 m")
    change_link(design, design.links[link.id], length_m=10.0, colour="blue")
    assert only(change_order(old, plan_of(design))).reason == "other color"


def test_a_cable_with_other_ends_and_another_part_is_removed_and_pulled_anew(design):
    one, other = (link for link in ordered(design.links) if link.id in ("l1", "l9"))
    a, b = (design.free_ports(link.b.device_id)[-1].name for link in (one, other))
    change_link(design, one, a=other.a, b=replace(one.b, port=a), colour="red")
    order = order_since(design)
    changes = [change for change in order.changes if change.number == f"C{one.cable:04d}"]
    assert [change.action for change in changes] == ["remove", "pull"]
    assert b


def test_cables_that_change_places_name_the_one_that_is_unplugged_first(design):
    one, other = (design.links["l1"], design.links["l2"])
    design.apply(
        Edit("exchange", (Change(one, replace(one, b=other.b)), Change(other, replace(other, b=one.b)))),
    )
    first, second = order_since(design).changes
    assert {first.action, second.action} == {"move"}
    assert first.reason.endswith(f"; unplug {second.number} first")
    assert "unplug" not in second.reason


def test_a_port_is_freed_before_another_cable_goes_into_it(design):
    one, other = (design.links["l1"], design.links["l2"])
    free = [port.name for port in design.free_ports(other.b.device_id)][-1]
    for first, then in ((one, other), (other, one)):
        after = base("rail").snapshot()
        changes = (
            Change(first, replace(first, b=then.b)),
            Change(then, replace(then, b=replace(then.b, port=free))),
        )
        after.apply(Edit("move up", changes))
        order = order_between(base("rail"), after)
        assert [change.number for change in order.changes] == [f"C{then.cable:04d}", f"C{first.cable:04d}"]
        assert not any("unplug" in change.reason for change in order.changes)


def test_the_order_of_the_work_is_remove_swap_move_pull_relabel(design):
    gone, moved, named = (link for link in ordered(design.links) if link.id in ("l1", "l10", "l20"))
    server = design.device(named.a.device_id)
    free = design.free_ports(moved.b.device_id)[0].name
    design.apply(operations.delete(design, [gone.id]))
    change_link(design, moved, b=replace(moved.b, port=free))
    design.apply(operations.connect(design, gone.a, gone.b))
    design.apply(operations.rename(design, server.id, "renamed"))
    order = order_since(design)
    name, *cables = order.changes
    assert name.ends == "device"
    places = [ACTIONS.index(change.action) for change in cables]
    assert places == sorted(places)
    assert [change.step for change in order.changes] == list(range(1, len(places) + 2))
    assert set(order.counts) == set(ACTIONS)
    assert sum(order.counts.values()) == len(places)


def test_another_transceiver_at_one_end_is_a_swap_at_that_end(design):
    plan = plan_of(design)
    cable = plan.cables[0]
    plugs = tuple(replace(plug, optic=PartName("980-1", "OTHER-1")) for plug in cable.a.plugs)
    after = replace(plan, cables=(replace(cable, a=replace(cable.a, plugs=plugs)), *plan.cables[1:]))
    change = only(change_order(plan, after))
    assert (change.action, change.ends, change.reason) == ("swap", "A", "other transceiver")
    assert paper(change)[4:6] == [cable.a.optic, "OTHER-1"]
    both = replace(cable, z=replace(cable.z, plugs=tuple(replace(plug, port="x") for plug in cable.z.plugs)))
    both = replace(both, a=replace(cable.a, plugs=plugs))
    first, second = change_order(plan, replace(plan, cables=(both, *plan.cables[1:]))).changes
    assert [(one.action, one.ends) for one in (first, second)] == [("swap", "A"), ("move", "Z")]
    assert first.after == second.before


def test_a_transceiver_with_the_same_model_and_another_number_is_another_one(design):
    plan = plan_of(design)
    cable = plan.cables[0]
    plugs = tuple(replace(plug, optic=plug.optic._replace(number="980-1")) for plug in cable.a.plugs)
    after = replace(plan, cables=(replace(cable, a=replace(cable.a, plugs=plugs)), *plan.cables[1:]))
    assert only(change_order(plan, after)).reason == "other transceiver"


def test_cables_without_numbers_are_known_by_their_ports(design):
    bare = design.snapshot()
    bare.apply(Edit("none", tuple(Change(link, replace(link, cable=0)) for link in bare.links.values())))
    order = order_between(bare, design)
    assert {(one.action, one.ends) for one in order.changes} == {("relabel", "A and Z")}
    assert order.changes[0].reason == f"number none is now {order.changes[0].number}"
    assert order_between(bare, bare).changes == ()


def to_port(end, device, port):
    plugs = (replace(end.plugs[0], device_id=device, device=device, port=port), *end.plugs[1:])
    return replace(end, plugs=plugs)


@pytest.mark.parametrize("stays", ["a", "z"])
def test_a_cable_whose_ends_are_swapped_moves_at_the_one_that_goes_to_another_device(design, stays):
    """By either end alone it is seen which end is which."""
    plan = plan_of(design)
    cable = plan.cables[0]
    kept, moved = (cable.a, cable.z) if stays == "a" else (cable.z, cable.a)
    elsewhere = to_port(moved, "another", "7")
    after = replace(cable, a=elsewhere, z=kept) if stays == "a" else replace(cable, a=kept, z=elsewhere)
    change = only(change_order(plan, replace(plan, cables=(after, *plan.cables[1:]))))
    assert (change.action, change.ends) == ("move", "A" if stays == "a" else "Z")
    assert change.reason == "other device"


def test_a_device_in_another_rack_is_said_to_move_from_one_to_the_other(design):
    server = design.servers()[0]
    racks = {rack.id: rack.name for rack in design.racks.values()}
    old = design.placements[server.id].rack_id
    new = next(one for one in racks if one != old)
    design.apply(operations.mount(design, server.id, new, 30))
    reasons = {one.reason for one in order_since(design).changes if one.action == "move"}
    assert any(f"{server.name} moved from {racks[old]} to {racks[new]}" in one for one in reasons)


def test_a_cable_whose_ends_are_named_the_other_way_round_is_the_same_cable(design):
    plan = plan_of(design)
    turned = replace(plan, cables=tuple(replace(cable, a=cable.z, z=cable.a) for cable in plan.cables))
    assert change_order(turned, plan).changes == ()


# -- what a revision keeps --------------------------------------------------------------------------------------------


def recorded(design, number="A", date="2026-11-22", plan=None):
    text = recorded_plan(design) if plan is None else plan
    revision = Revision(design.new_ids("revisions", 1)[0], number, date, plan=text)
    design.apply(Edit("record", (Change(None, revision),)))
    return revision


def test_a_plan_comes_back_from_a_revision_as_it_was(design):
    plan = plan_of(design)
    text = packed(plan)
    assert unpacked(text, "revision A") == plan
    assert text.isascii()
    assert len(text) < 200 * len(plan.cables)
    assert packed(unpacked(text, "revision A")) == text


def damaged():
    whole = packed(plan_of(base("rail")))
    yield ""
    yield "no plan"
    yield whole[:-40]
    yield whole[:60] + ("A" if whole[60] != "A" else "B") + whole[61:]
    for made in (
        b"[]",
        b"{}",
        b'{"version":2,"places":{},"stands":[],"optics":[],"kinds":[],"cables":[["C0001","","",[],[],0,null,null]]}',
        b'{"version":2,"places":{},"stands":[["d1","a","T","r1","R",1]],"optics":[["",""]],"kinds":[["","",["",""],""]],"cables":'
        b'[["C0001","","",[[-1,"1",0]],[],0,null,null]]}',
        b'{"version":2,"places":{"r1":[1,"x"]},"stands":[],"optics":[],"kinds":[],"cables":[]}',
        b"\xff\xfe",
    ):
        yield snapshot.base64.b64encode(snapshot.zlib.compress(made)).decode()


@pytest.mark.parametrize("text", list(damaged()), ids=[f"text {number}" for number in range(10)])
def test_a_text_that_is_no_plan_is_named_and_nothing_else_happens(text):
    with pytest.raises(ExportError, match=r"the cable plan of revision A is damaged: compare with a design file"):
        unpacked(text, "revision A")


def test_a_plan_of_another_version_of_the_program_says_so():
    newer = b'{"version":3,"places":{},"stands":[],"optics":[],"kinds":[],"cables":[]}'
    with pytest.raises(ExportError, match="revision A was recorded by another version"):
        unpacked(snapshot.base64.b64encode(snapshot.zlib.compress(newer)).decode(), "revision A")


def test_no_more_is_unpacked_than_the_largest_plan_takes(monkeypatch, design):
    text = packed(plan_of(design))
    monkeypatch.setattr(snapshot, "MOST_BYTES", 1000)
    empty = b'{"version":2,"places":{},"stands":[],"optics":[],"kinds":[],"cables":[]}'
    padded = snapshot.base64.b64encode(snapshot.zlib.compress(empty + b" " * 5000)).decode()
    for one in (text, padded):
        with pytest.raises(ExportError, match="damaged"):
            unpacked(one, "revision A")
    with pytest.raises(ExportError, match="too large to be kept"):
        packed(plan_of(design))


def test_the_last_revision_is_compared_with_unless_another_or_a_file_is_named(design, tmp_path):
    recorded(design, "A", "")
    link = server_link(design)
    design.apply(operations.delete(design, [link.id]))
    recorded(design, "B")
    document.save(base("rail").snapshot(), tmp_path / "old.fabric")
    for since, name, n in (
        ("", "revision B of 2026-11-22", 0),
        ("B", "revision B of 2026-11-22", 0),
        ("A", "revision A", 1),
        (str(tmp_path / "old.fabric"), "old.fabric", 1),
    ):
        earlier, order = changes_since(design, since)
        assert (earlier.name, len(order.changes)) == (name, n)


def test_what_cannot_be_compared_with_is_said_with_what_there_is(design, tmp_path):
    with pytest.raises(ExportError, match="the design has recorded no revision: record a hand-over before the changes"):
        issue(design)
    for name in ("C", "\0", "x" * 5000):
        with pytest.raises(ExportError, match=r"no file and no revision '.*': the design has recorded no revision"):
            issue(design, name)
    recorded(design, "A", plan="")
    with pytest.raises(ExportError, match="revision A of 2026-11-22 was recorded without its cables"):
        issue(design)
    with pytest.raises(ExportError, match="no file and no revision 'C': the design has recorded A"):
        issue(design, "C")
    (tmp_path / "old.fabric").write_text("{")
    with pytest.raises(ExportError, match=r"the earlier design cannot be read: old\.fabric"):
        issue(design, str(tmp_path / "old.fabric"))


# -- as files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def changed(design):
    recorded(design)
    design.apply(operations.delete(design, [server_link(design).id]))
    free = design.free_ports(design.links["l2"].b.device_id)[0].name
    change_link(design, design.links["l2"], b=replace(design.links["l2"].b, port=free))
    return design


def test_the_change_order_is_written_as_text_for_programs(changed, tmp_path):
    EXPORTER["change-order"].write(changed, tmp_path / "order.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "order.csv").read_text("utf-8"), newline="")))
    assert list(rows[0]) == [column.key for column in FULL_COLUMNS]
    assert [row["action"] for row in rows] == ["remove", "move"]
    assert rows[1]["before_z_port"] != rows[1]["after_z_port"]
    assert rows[0]["after_a_port"] == ""


def test_no_name_in_a_change_order_is_run_as_a_formula(changed, tmp_path):
    server = changed.device(changed.links["l2"].a.device_id)
    changed.apply(Edit("name", (Change(server, replace(server, name="=1+1")),)))
    for path in (tmp_path / "order.csv", tmp_path / "order.xlsx"):
        EXPORTER["change-order"].write(changed, path)
    text = (tmp_path / "order.csv").read_text(encoding="utf-8")
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert "'=1+1" in cells
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    book = openpyxl.load_workbook(tmp_path / "order.xlsx")
    assert not any(cell.data_type == "f" for sheet in book for row in sheet for cell in row)


def test_the_change_order_is_written_as_a_workbook_for_people(changed, tmp_path):
    EXPORTER["change-order"].write(changed, tmp_path / "order.xlsx", {"since": "A", "headings": "de"})
    book = openpyxl.load_workbook(tmp_path / "order.xlsx")
    assert book.sheetnames == ["Änderungsauftrag", "Alle Angaben"]
    assert [cell.value for cell in book.worksheets[0][1]] == [heading(column, GERMAN) for column in PAPER_COLUMNS]
    assert [row[1] for row in book.worksheets[0].iter_rows(values_only=True, min_row=2)] == ["entfernen", "umstecken"]
    assert "revision A of 2026-11-22" in book.properties.subject


def test_the_workbook_of_the_plan_has_the_changes_since_the_last_revision(changed, tmp_path):
    EXPORTER["cable-plan-xlsx"].write(changed, tmp_path / "plan.xlsx", {"sheets": "changes,cables"})
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert book.sheetnames == ["Cables", "Changes"]
    assert book["Changes"].max_row == 3


def test_a_change_order_without_a_change_is_its_headings(design, tmp_path):
    document.save(design, tmp_path / "same.fabric")
    EXPORTER["change-order"].write(design, tmp_path / "none.csv", {"since": str(tmp_path / "same.fabric")})
    assert (tmp_path / "none.csv").read_bytes().count(b"\r\n") == 1
    EXPORTER["change-order"].write(design, tmp_path / "none.xlsx", {"since": str(tmp_path / "same.fabric")})
    rows = list(openpyxl.load_workbook(tmp_path / "none.xlsx").active.iter_rows(values_only=True))
    assert rows[1][1] == "no cable has to be touched"

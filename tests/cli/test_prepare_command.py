"""`prepare` and the cables of `generate`: what is done, what is reported, what stays open."""

from designer.storage import document

TYPES = ("--switch", "nvidia-qm9700", "--server", "dgx-h100")
POD = ("generate", "rail-optimized", *TYPES, "--servers", "24", "--servers-per-su", "8")


def lengths(path):
    return {link.length_source for link in document.load(path).links.values()}


def media(path):
    return {link.medium_id for link in document.load(path).links.values()}


def test_a_generated_superpod_has_every_length_and_medium_and_reports_them(fabric_designer, tmp_path):
    made = fabric_designer(
        "generate",
        "rail-optimized",
        *TYPES,
        "--servers",
        "127",
        "--servers-per-su",
        "32",
        "--reserve-leaf-ports",
        "4",
        "-o",
        tmp_path / "pod.fabric",
    )
    assert "37 racks placed; the floor has 4 rows" in made.err
    assert "2,040 cables routed: 11,640 m, shortest 3.4 m, longest 8.5 m" in made.err
    assert "2,040 links over MMA4Z00-NS" in made.err
    assert "open:" not in made.err
    assert lengths(tmp_path / "pod.fabric") == {"routed"} and media(tmp_path / "pod.fabric") == {"tr-800-2sr4"}


def test_cables_can_be_left_out_or_left_at_their_lengths(fabric_designer, tmp_path):
    none, lengths_only = tmp_path / "none.fabric", tmp_path / "lengths.fabric"
    assert "routed" not in fabric_designer(*POD, "--cables", "none", "-o", none).err
    assert lengths(none) == {""} and media(none) == {""}
    assert all(rack.x_m is None for rack in document.load(none).racks.values())
    assert "cables routed" in fabric_designer(*POD, "--cables", "lengths", "-o", lengths_only).err
    assert lengths(lengths_only) == {"routed"} and media(lengths_only) == {""}


def test_prepare_makes_of_a_bare_design_what_generate_makes(fabric_designer, tmp_path):
    bare, made, ready = (tmp_path / f"{name}.fabric" for name in ("bare", "made", "ready"))
    fabric_designer(*POD, "--name", "pod", "--cables", "none", "-o", bare)
    fabric_designer(*POD, "--name", "pod", "-o", ready)
    stated = fabric_designer("prepare", bare, "-o", made)
    assert stated.code == 0 and stated.out == ""
    assert "racks placed" in stated.err and "cables routed: " in stated.err
    assert document.encode(document.load(made)) == document.encode(document.load(ready))


def test_prepare_takes_single_steps_and_says_what_stays_open_and_why(fabric_designer, tmp_path):
    bare, placed, routed = (tmp_path / f"{name}.fabric" for name in ("bare", "placed", "routed"))
    fabric_designer(*POD, "--cables", "none", "-o", bare)
    stated = fabric_designer("prepare", bare, "--place", "-o", placed)
    assert "no cables routed" in stated.err
    assert "links without a length: their routes are not calculated yet" in stated.err
    stated = fabric_designer("prepare", placed, "--route", "-o", routed)
    assert "racks placed" not in stated.err
    assert "links without a cable: none selected yet; MMA4Z00-NS would do" in stated.err
    assert lengths(routed) == {"routed"} and media(routed) == {""}


def test_networks_alongside_are_prepared_with_the_fabric(fabric_designer, tmp_path):
    path = tmp_path / "pod.fabric"
    fabric_designer(*POD, "--storage-switch", "nvidia-qm9700", "-o", path)
    design = document.load(path)
    assert all(rack.x_m is not None for rack in design.racks.values())
    mounted = {one.id for one in design.placements.values() if one.rack_id is not None}
    for link in design.links.values():
        if {link.a.device_id, link.b.device_id} <= mounted:
            assert link.length_source == "routed"


def test_prepare_refuses_what_is_there_already(fabric_designer, tmp_path):
    bare = tmp_path / "bare.fabric"
    fabric_designer(*POD, "-o", bare)
    fabric_designer("prepare", bare, "-o", bare).assert_refused("exists already", "--force")
    assert fabric_designer("prepare", bare, "-o", bare, "--force").code == 0


def test_exporting_a_plan_with_gaps_says_how_many_and_why_and_a_whole_one_nothing(fabric_designer, tmp_path):
    bare, ready = tmp_path / "bare.fabric", tmp_path / "ready.fabric"
    fabric_designer(*POD, "--cables", "none", "-o", bare)
    stated = fabric_designer("export", bare, "--to", "cable-plan", "-o", tmp_path / "plan.csv")
    first, *reasons = stated.err.splitlines()
    assert first.endswith(" links lack what ordering needs:") and first.split()[0] == first.split()[2]
    assert "  " + first.split()[0] + " links: no length: rack-1 and" in stated.err or "no length: rack-" in reasons[0]
    assert f"prepare {bare} fills in what can be" in reasons[-2]
    assert reasons[-1] == f"wrote {tmp_path / 'plan.csv'}"
    fabric_designer(*POD, "-o", ready)
    stated = fabric_designer("export", ready, "--to", "cable-plan", "-o", tmp_path / "whole.csv")
    assert stated.err == f"wrote {tmp_path / 'whole.csv'}\n"


def test_prepare_mounts_what_is_in_no_rack_before_it_places_racks(fabric_designer, tmp_path):
    bare, made, again = (tmp_path / f"{name}.fabric" for name in ("bare", "made", "again"))
    fabric_designer("generate", "fat-tree", *TYPES, "--servers", "8", "--racks", "none", "-o", bare)
    stated = fabric_designer("prepare", bare, "--mount", "-o", made)
    design = document.load(made)
    assert f"mounted {len(design.devices)} devices in {len(design.racks)} racks" in stated.err
    assert f"{len(design.racks)} racks placed" in stated.err and "open:" not in stated.err
    assert all(design.placements[one].rack_id for one in design.devices)
    assert "all devices are in racks" in fabric_designer("prepare", made, "--mount", "-o", again).err
    assert made.read_bytes() == again.read_bytes()


def test_part_numbers_are_stated_by_type_and_are_in_the_bill(fabric_designer, tmp_path):
    pod, made, bill = (tmp_path / name for name in ("pod.fabric", "made.fabric", "bill.csv"))
    fabric_designer(*POD, "-o", pod)
    stated = fabric_designer("prepare", pod, "--part-number", "dgx-h100=A-4711", "-o", made)
    assert "switches and" in stated.err and "24 servers" not in stated.err
    assert document.load(made).types["dgx-h100"].part_number == "A-4711"
    fabric_designer("export", made, "--to", "bill-of-materials", "-o", bill)
    (line,) = (one for one in bill.read_text("utf-8-sig").splitlines() if "DGX H100" in one)
    assert "A-4711" in line and "no part number" not in line
    for wrong, reason in (("dgx-h100", "TYPE=NUMBER"), ("dgx-b200=1", "no device, NIC or rack of type 'dgx-b200'")):
        refused = fabric_designer("prepare", pod, "--part-number", wrong, "-o", tmp_path / "no.fabric")
        assert refused.code and reason in refused.err and not (tmp_path / "no.fabric").exists()


def test_what_is_to_be_decided_is_named_with_what_to_do(fabric_designer, tmp_path):
    stated = fabric_designer(*POD, "-o", tmp_path / "pod.fabric").err
    assert "to be decided: port side of 52 devices: not stated " in stated
    assert "; select the devices in the elevation, then Room > Flip (once for rear, twice for front)" in stated

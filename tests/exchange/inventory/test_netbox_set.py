"""The files for NetBox: everything refers to what was loaded before, names and types are what the forms take."""

import csv
import io
import re
import zipfile
from dataclasses import replace

import pytest
import yaml

from designer.errors import ExportError
from designer.exchange.exporters import BUILT_IN
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.hardware.media import MediumType
from designer.paths import resources_dir
from designer.storage import document
from designer.topologies.families import FAMILIES
from designer.windows.files.examples import example_files

NETBOX = next(one for one in BUILT_IN if one.name == "netbox")
SLUG = re.compile(r"[-a-z0-9_]+")
CABLE_TYPES = {"", "cat6", "dac-passive", "dac-active", "aoc", "mmf", "smf"}


@pytest.fixture(scope="module")
def small(catalog):
    family = next(one for one in FAMILIES if one.name == "rail-optimized")
    design = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 4}
    design.apply(family.build(design, family.parameters(**wanted), catalog))
    return design


def files(design, tmp_path, **options):
    path = tmp_path / "netbox.zip"
    NETBOX.write(design, path, {key.replace("_", "-"): value for key, value in options.items()})
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def table(made, name):
    found = next((text for file, text in made.items() if file.endswith(f"{name}.csv")), "")
    return list(csv.DictReader(io.StringIO(found)))


def check_references(made):
    """Every row refers to rows of the files before it, by the names the forms look them up by."""
    vendors = {row["name"] for row in table(made, "manufacturers")}
    types = [yaml.safe_load(text) for name, text in made.items() if name.startswith("02-device-types/")]
    models = {(one["manufacturer"], one["model"]) for one in types}
    assert {vendor for vendor, _ in models} <= vendors
    assert all(SLUG.fullmatch(one["slug"]) for one in types) and len({one["slug"] for one in types}) == len(types)
    roles = {row["name"] for row in table(made, "device-roles")}
    (site,) = (row["name"] for row in table(made, "sites"))
    locations = {row["name"] for row in table(made, "locations")} | {""}
    racks = {(row["location"], row["name"]) for row in table(made, "racks")}
    assert all(location in locations for location, _ in racks)
    devices = table(made, "devices")
    names = {row["name"] for row in devices}
    assert len(names) == len(devices)
    for row in devices:
        assert row["role"] in roles and row["site"] == site
        assert (row["manufacturer"], row["device_type"]) in models
        assert not row["rack"] or (row["location"], row["rack"]) in racks
        assert bool(row["position"]) == bool(row["face"])
    ports = {(row["device"], row["name"]) for row in table(made, "interfaces")}
    assert len(ports) == len(table(made, "interfaces")) and {device for device, _ in ports} <= names
    used = [
        (row[f"side_{side}_device"], port)
        for row in table(made, "cables")
        for side in "ab"
        for port in row[f"side_{side}_name"].split(",")
    ]
    assert set(used) <= ports and len(set(used)) == len(used)
    return used


@pytest.mark.parametrize("path", [one for one in example_files() if one.stem != "faults"], ids=lambda path: path.stem)
@pytest.mark.parametrize("version", ["4.6", "4.7"])
def test_files_refer_to_what_was_loaded_before_and_every_link_is_there(path, version, tmp_path):
    design = document.load(path)
    made = files(design, tmp_path, version=version)
    used = check_references(made)
    assert len(used) == 2 * len(design.links)
    rows = table(made, "cables")
    assert {row["type"] for row in rows} <= CABLE_TYPES
    assert {row["length_unit"] for row in rows} == {"m"} and all(float(row["length"]) > 0 for row in rows)
    assert ("profile" in rows[0]) == (version == "4.7")


def test_a_faulty_design_is_refused_until_netbox_would_take_it(tmp_path):
    design = document.load(next(one for one in example_files() if one.stem == "faults"))
    with pytest.raises(ExportError, match="which NetBox takes once in a site: rename one of them"):
        files(design, tmp_path)
    for table_ in (design.devices, design.racks):
        names = [one.name for one in table_.values()]
        for number, one in enumerate([one for one in table_.values() if names.count(one.name) > 1]):
            design.apply(operations.rename(design, one.id, f"renamed-{number}"))
    with pytest.raises(ExportError, match=r"^a cable ends at .* port .*, which is not there: see the findings"):
        files(design, tmp_path)
    ends = [(link.id, end) for link in design.links.values() for end in (link.a, link.b)]
    lost = {link_id for link_id, end in ends if end.port not in design.port_map(end.device_id)}
    design.apply(operations.delete(design, lost))
    with pytest.raises(ExportError, match=r"^two cables end at .* port .*, where NetBox takes one: see the findings"):
        files(design, tmp_path)
    taken, twice = set(), set()
    for link in design.links.values():
        at = {(end.device_id, end.port) for end in (link.a, link.b)}
        twice |= {link.id} if at & taken else set()
        taken |= at
    design.apply(operations.delete(design, twice))
    made = files(design, tmp_path)
    assert len(check_references(made)) == 2 * len(design.links)
    assert "Unknown" in {row["name"] for row in table(made, "manufacturers")}


def test_types_of_interfaces_and_cables_are_words_of_netbox(small, tmp_path):
    made = files(small, tmp_path)
    known = yaml.safe_load((resources_dir() / "netbox" / "interface_types.yaml").read_text())["types"]
    interfaces = table(made, "interfaces")
    assert {row["type"] for row in interfaces} <= {*known, "other"}
    leaf = next(row for row in interfaces if row["device"].startswith("leaf"))
    assert (leaf["type"], leaf["speed"], leaf["mgmt_only"]) == ("infiniband-ndr", "400000000", "false")
    managing = [row for row in interfaces if row["mgmt_only"] == "true"]
    assert {row["type"] for row in managing} == {"1000base-t"}
    rail = next(row for row in interfaces if row["name"] == "rail1")
    assert (rail["label"], rail["type"]) == ("OSFP4P2", "infiniband-ndr")  # by what it is linked to
    one = table(made, "cables")[0]
    assert (one["side_a_type"], one["status"]) == ("dcim.interface", "planned")
    assert (one["length"], one["length_unit"]) == ("", "")
    assert "/" in one["label"]  # of both ends, as no number was given yet


def test_links_of_one_cable_between_two_devices_are_one_with_its_profile(small, tmp_path):
    design = small.snapshot()
    twin = MediumType("twin", "V", "Twin", "DAC", 2, 400, ("infiniband",), ("OSFP", "OSFP"), lengths_m=(3,))
    design.apply(Edit("type", (Change(None, twin),)))
    between = {}
    for link in design.links.values():
        ends = frozenset((link.a.device_id, link.b.device_id))
        if all(design.is_switch(one) for one in ends):
            between.setdefault(ends, []).append(link)
    links = next(iter(between.values()))[:2]
    changes = [Change(link, replace(link, medium_id="twin", length_m=3.0, cable=7001)) for link in links]
    design.apply(Edit("cable", tuple(changes)))
    row = next(one for one in table(files(design, tmp_path), "cables") if one["label"] == "C7001")
    assert row["profile"] == "trunk-2c1p"
    assert row["side_a_name"].count(",") == row["side_b_name"].count(",") == 1
    assert (row["type"], row["length"]) == ("dac-passive", "3")
    apart = [one for one in table(files(design, tmp_path, version="4.6"), "cables") if one["label"] == "C7001"]
    assert len(apart) == 2 and all("," not in one["side_a_name"] for one in apart)


def test_a_device_of_unknown_height_has_no_position(small, tmp_path):
    design = small.snapshot()
    type_ = next(one for one in design.types.values() if one.id == "dgx-h100")
    design.apply(Edit("forget", (Change(type_, replace(type_, rack_units=None)),)))
    made = files(design, tmp_path)
    check_references(made)
    server = next(row for row in table(made, "devices") if row["device_type"] == "DGX H100")
    assert server["rack"] and not server["position"]
    assert yaml.safe_load(made["02-device-types/nvidia-dgx-h100.yaml"])["u_height"] == 0
    assert "The height is not known and stands as 0 U: DGX H100." in made["README.txt"]


def test_names_that_netbox_does_not_take_are_refused_with_the_way_out(small, tmp_path):
    first, second = list(small.devices.values())[:2]
    twice, long = small.snapshot(), small.snapshot()
    twice.apply(operations.rename(twice, first.id, second.name.upper()))
    with pytest.raises(ExportError, match=f"two devices are called {second.name}, which NetBox takes once in a site"):
        files(twice, tmp_path)
    long.apply(operations.rename(long, first.id, "x" * 65))
    with pytest.raises(ExportError, match="has 65 characters, NetBox takes 64: rename it"):
        files(long, tmp_path)


def test_the_site_is_that_of_the_option_the_design_or_its_name(small, tmp_path):
    assert {row["site"] for row in table(files(small, tmp_path, site="DC 7"), "devices")} == {"DC 7"}
    design = small.snapshot()
    design.apply(operations.set_settings(design, name="Pod", site=""))
    assert table(files(design, tmp_path), "sites")[0] == {"name": "Pod", "slug": "pod", "status": "planned"}


def test_the_same_design_gives_the_same_bytes_and_names_run_as_no_formula(small, tmp_path):
    design = small.snapshot()
    first = next(iter(design.devices.values()))
    design.apply(operations.rename(design, first.id, "=cmd()"))
    made = files(design, tmp_path)
    check_references(made)
    assert all("\r\n=cmd()" not in text for text in made.values())
    again = tmp_path / "again.zip"
    NETBOX.write(design, again)
    assert again.read_bytes() == (tmp_path / "netbox.zip").read_bytes()

"""NetBox itself imports the whole set in order, and counts what the design has."""

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from exported_designs import CATALOG, EXPORTER, rails

from designer.placement.preparation import prepare

SCRIPT = Path(__file__).with_name("import_into_netbox.py")
NETBOX_PYTHON = os.environ.get("NETBOX_PYTHON", "")
"""The Python of an installation of NetBox, whose NETBOX_CONFIGURATION names an instance that nobody needs."""


@pytest.mark.slow
@pytest.mark.timeout(900)  # Django alone takes a while to start
@pytest.mark.skipif(not NETBOX_PYTHON, reason="no NetBox here: NETBOX_PYTHON names the Python of an installation")
def test_netbox_imports_the_set_and_counts_the_same_things(tmp_path):
    design = rails(servers=4)
    design.apply(prepare(design, CATALOG.types).edit)
    EXPORTER["netbox"].write(design, tmp_path / "set.zip", {})
    with zipfile.ZipFile(tmp_path / "set.zip") as archive:
        archive.extractall(tmp_path / "set")
    done = subprocess.run(
        [NETBOX_PYTHON, str(SCRIPT), str(tmp_path / "set")], capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr[-2000:]
    counted = json.loads(done.stdout.strip().splitlines()[-1])
    assert counted["refused"] == {}
    assert counted["Device"] == len(design.devices)
    assert counted["Rack"] == len(design.racks)
    assert counted["DeviceType"] == len({one.type_id for one in design.devices.values()})
    assert counted["Cable"] == len(design.links)
    assert counted["Interface"] == sum(len(design.port_map(one)) for one in design.devices)

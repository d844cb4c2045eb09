"""SimGrid itself loads our platforms, has our routes, and needs as long for an all-to-all as our simulation."""

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from exported_designs import family, rails, renamed, written

from designer.simulation.designs import simulate_design
from designer.simulation.scenario import Scenario

pytestmark = pytest.mark.slow
SOURCE = Path(__file__).with_name("all_to_all.cpp")
SIZE_BYTES = 1e9
PATIENCE_S = 120


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """The program that loads a platform."""
    compiler = shutil.which("g++")
    if compiler is None or not Path("/usr/include/simgrid/s4u.hpp").exists():
        pytest.skip("SimGrid or g++ is not installed")
    program = tmp_path_factory.mktemp("simgrid") / "all_to_all"
    subprocess.run([compiler, "-O1", "-o", program, SOURCE, "-lsimgrid"], check=True, timeout=PATIENCE_S)
    return program


DESIGNS = {
    "rails of 16 GPUs": lambda: rails(servers=2, servers_per_su=1),
    "rails of 64 GPUs": lambda: rails(servers=8, servers_per_su=4),
    "rails at 2:1": lambda: rails(servers=8, servers_per_su=4, oversubscription=2.0),
    "k-ary fat-tree": lambda: family("k-ary-fat-tree", k=4),
    "dragonfly": lambda: family("dragonfly", a=4, p=2, h=2, groups=5),
    "torus": lambda: family("torus", dims=(4, 4)),
    "names of all kinds": lambda: renamed(rails(), gpu_01='"/> <!--', gpu_02="a,b [1-3]", leaf_su1_r1="Zürich"),
}


@pytest.mark.parametrize("kind", DESIGNS)
def test_simgrid_has_our_routes_and_our_time(reader, kind, tmp_path):
    design = DESIGNS[kind]()
    text = written("simgrid", design, tmp_path, latency="no")
    done = subprocess.run(
        [reader, tmp_path / "written.xml", str(SIZE_BYTES)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    *rows, last = done.stdout.splitlines()
    found = {tuple(row.split(" ")[:2]): row.split(" ")[3:] for row in rows}
    zone = ET.fromstring(text).find("zone")
    assert found == {
        (one.get("src"), one.get("dst")): [link.get("id") for link in one.findall("link_ctn")]
        for one in zone.findall("route")
    }
    ours = simulate_design(
        design, Scenario(traffic="all-to-all", size_bytes=SIZE_BYTES, routing="destination", exact=True)
    )
    assert float(last.removeprefix("time ")) == pytest.approx(ours.time_s - ours.latency_s, rel=1e-6)
    assert len(rows) == len(zone.findall("route"))


def test_simgrid_adds_up_the_latencies_that_we_write(reader, tmp_path):
    text = written("simgrid", rails(), tmp_path)
    done = subprocess.run(
        [reader, tmp_path / "written.xml", "1"], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    zone = ET.fromstring(text).find("zone")
    latency = {one.get("id"): float(one.get("latency").removesuffix("s")) for one in zone.findall("link")}
    for row in done.stdout.splitlines()[:-1]:
        _, _, total, *links = row.split(" ")
        assert float(total) == pytest.approx(sum(latency[link] for link in links), abs=1e-14)

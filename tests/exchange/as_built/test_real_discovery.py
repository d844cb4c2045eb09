"""Faults in a fabric that real programs discover are reported as just these: ibnetdiscover over ibsim, and lldpd."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from built import Site
from neighbours import neighbours

sys.path.insert(0, str(Path(__file__).parents[1] / "infiniband"))
from fabric_tools import simulated

from designer.catalog.catalog import load
from designer.exchange.as_built.faults import compare_as_built
from designer.exchange.as_built.files import formats, read_found
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.topologies import rail_optimized

pytestmark = pytest.mark.slow
SEEN = ("swap", "cross_rails", "miss", "shift", "stray", "add", "unplug")
"""What a discovery of links that are up can tell."""


@pytest.fixture(scope="module")
def pod():
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=16, servers_per_su=8, reserve_leaf_ports=4
    )
    design.apply(rail_optimized.build(design, parameters, load()))
    return design


def built(site):
    """The design as the site was built."""
    design = site.design.snapshot()
    changes = [Change(link, site.links.get(one)) for one, link in site.design.links.items()]
    ids = design.new_ids("links", len(site.extra))
    changes += (Change(None, replace(link, id=one)) for one, link in zip(ids, site.extra, strict=True))
    design.apply(Edit("build", tuple(one for one in changes if one.before != one.after)))
    return design


def discovered(design, folder):
    """What ibnetdiscover prints of the design, run on one of its servers."""
    host = next(one.name for one in design.servers() if design.links_of(one.id))
    board = min(
        int(end.port.removeprefix("rail"))
        for link in design.links_of(design.find(host).id)
        for end in (link.a, link.b)
        if end.device_id == design.find(host).id
    )
    with simulated(design, folder, f"{host} mlx5_{board - 1}") as running:
        printed = running.run("ibnetdiscover")
    path = folder / "found.txt"
    path.write_text(printed)
    return path


def test_a_discovered_true_copy_has_no_difference(pod, tmp_path):
    found = compare_as_built(pod, read_found(discovered(pod, tmp_path / "sim")))
    assert found.faults == () and found.n_as_planned == len(pod.links)


@pytest.mark.parametrize("seed", range(12))
def test_discovered_faults_are_reported_as_exactly_these(pod, seed, tmp_path):
    dice = random.Random(seed)
    site = Site(pod, dice)
    for _ in range(dice.randint(2, 8)):
        getattr(site, dice.choice(SEEN))()
    found = compare_as_built(pod, read_found(discovered(built(site), tmp_path / "sim")))
    assert sorted((fault.kind, fault.link_id) for fault in found.faults) == sorted(site.expected)


@pytest.fixture
def two_switches():
    """Joined by two cables: ports 32/1 and 32/2 of the leaf to 1/1 and 1/2 of the spine."""
    design = Design()
    type_ = load().get("nvidia-qm9700")
    for name in ("leaf-01", "spine-01"):
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types={}, name=name))
    leaf, spine = (design.find(name).id for name in ("leaf-01", "spine-01"))
    links = (Link(f"l{n}", End(leaf, f"32/{n}"), End(spine, f"1/{n}")) for n in (1, 2))
    design.apply(Edit("join", tuple(Change(None, link) for link in links)))
    return design


CABLES = {
    "true": ({"swp32s0": "swp1s0", "swp32s1": "swp1s1"}, []),
    "swapped": ({"swp32s0": "swp1s1", "swp32s1": "swp1s0"}, [("swapped", "l1"), ("swapped", "l2")]),
    "missing": ({"swp32s0": "swp1s0"}, [("missing", "l2")]),
    "wrong port": ({"swp32s0": "swp1s0", "swp32s1": "swp9s0"}, [("wrong port", "l2")]),
    "extra": ({"swp32s0": "swp1s0", "swp32s1": "swp1s1", "swp7s0": "swp8s1"}, [("extra", "")]),
}


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """What is found in the output of two lldpd, by case: all at once, as a pair takes seconds to hear of each other."""
    if not any(one.name == "lldp" for one in formats()):
        pytest.skip("there is no reader of lldpctl's output")
    folder = tmp_path_factory.mktemp("lldp")

    def found(case):
        with neighbours(CABLES[case][0], ("leaf-01", "spine-01"), folder / case) as printed:
            return read_found(printed)

    with ThreadPoolExecutor(len(CABLES)) as pool:
        return dict(zip(CABLES, pool.map(found, CABLES), strict=True))


@pytest.mark.parametrize("case", CABLES)
def test_what_two_lldpd_tell_of_each_other_is_compared_by_port(two_switches, heard, case):
    found = compare_as_built(two_switches, heard[case])
    assert sorted((fault.kind, fault.link_id) for fault in found.faults) == CABLES[case][1]

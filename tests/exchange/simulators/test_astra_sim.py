"""Networks of ASTRA-sim: tori and servers under switches as dimensions, everything else refused with the reason."""

from dataclasses import replace

import pytest
import yaml
from exported_designs import family, outcome, rails, renamed, written

from designer.errors import ExportError
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.simulation.designs import simulate_design
from designer.simulation.scenario import Scenario

KEYS = ["topology", "npus_count", "bandwidth", "latency"]


def read(design, tmp_path, **options):
    found = yaml.safe_load(written("astra-sim", design, tmp_path, **options))
    assert list(found) == KEYS and len({len(row) for row in found.values()}) == 1
    assert all(count > 1 for count in found["npus_count"]) and all(rate > 0 for rate in found["bandwidth"])
    return list(zip(*found.values(), strict=True))


def test_a_torus_is_a_ring_for_each_dimension(tmp_path):
    torus = family("torus", dims=(4, 3, 2))
    assert read(torus, tmp_path) == [("Ring", 4, 50, 750), ("Ring", 3, 50, 750), ("FullyConnected", 2, 50, 750)]
    assert outcome("astra-sim", torus) == "Ring of 4, Ring of 3, FullyConnected of 2: 24 NPUs"


def test_dimensions_of_a_torus_keep_their_own_rates(tmp_path):
    torus = family("torus", dims=(4, 4), dimension_rates_gbps=(400.0, 200.0))
    assert [one[2] for one in read(torus, tmp_path)] == [50, 25]


def test_servers_under_common_leafs_are_two_switches(tmp_path):
    pod = rails(servers=4, servers_per_su=4)
    (inside, fabric) = read(pod, tmp_path)
    assert inside[:3] == ("Switch", 8, 450) and fabric[:2] == ("Switch", 4)
    assert fabric[2] == pytest.approx(50 * 0.9937)


def test_two_links_of_a_switch_have_the_latency_and_rate_of_the_simulation(tmp_path):
    pod = rails(servers=4, servers_per_su=4)
    _, (_, _, rate, latency_ns) = read(pod, tmp_path)
    ran = simulate_design(pod, Scenario(traffic="shift:8", size_bytes=1e9, exact=True))
    assert 1e9 / (rate * 1e9) + 2 * latency_ns * 1e-9 == pytest.approx(ran.time_s, rel=1e-9)


def test_gpus_joined_pairwise_are_a_full_mesh(tmp_path):
    found = read(rails(server="mi300x-8gpu", servers=4, servers_per_su=4), tmp_path)
    assert found[0][:3] == ("FullyConnected", 8, 64)


def test_tiers_are_one_switch_only_when_asked_and_without_oversubscription(tmp_path):
    tiers = rails(servers=4, servers_per_su=2)
    with pytest.raises(ExportError, match=r"^servers are on different leaf switches, .*flatten=yes\) writes it as one"):
        read(tiers, tmp_path)
    flat = read(tiers, tmp_path, flatten="yes")
    single = read(rails(servers=4, servers_per_su=4), tmp_path)
    assert flat[1][:3] == single[1][:3] and flat[1][3] > single[1][3]
    slim = rails(servers=16, servers_per_su=8, oversubscription=2.0)
    with pytest.raises(ExportError, match="the fabric is oversubscribed 2:1, and one switch is not"):
        read(slim, tmp_path, flatten="yes")


def cut(design):
    made = design.snapshot()
    made.apply(operations.delete(made, [made.links_of(made.servers()[0].id)[0].id]))
    return made


def slower(design):
    """A design whose first link is slower than the others: its leaf port is split further."""
    made = design.snapshot()
    link = made.links_of(made.servers()[0].id)[0]
    end = link.a if made.is_switch(link.a.device_id) else link.b
    type_ = made.device_type(end.device_id)
    after = replace(type_, modes=tuple(replace(one, rate_gbps=one.rate_gbps / 2) for one in type_.modes))
    other = replace(after, id="slower")
    made.apply(Edit("type", (Change(None, other),)))
    device = made.device(end.device_id)
    made.apply(Edit("slower", (Change(device, replace(device, type_id="slower")),)))
    return made


@pytest.mark.parametrize(
    ("design", "options", "sentence"),
    [
        (lambda: family("torus", dims=(3, 5), mesh=True), {}, "this is a mesh with open lines"),
        (lambda: family("dragonfly", a=4, p=2, h=2, groups=5), {"flatten": "yes"}, "switches of one tier are joined"),
        (Design, {}, "there is nothing to simulate"),
        (lambda: cut(rails(servers=4, servers_per_su=4)), {}, "gpu-01 GPU 0 has no link of its own to a switch"),
        (lambda: slower(rails(servers=4, servers_per_su=4)), {}, "GPUs have links of 200 to 400 Gb/s"),
    ],
    ids=["mesh", "dragonfly", "nothing", "cut", "slower"],
)
def test_what_is_not_regular_is_refused_with_the_reason(design, options, sentence, tmp_path):
    with pytest.raises(ExportError) as refused:
        read(design(), tmp_path, **options)
    assert str(refused.value).startswith(sentence)


def test_names_play_no_part_and_bytes_stay(tmp_path):
    pod = rails(servers=4, servers_per_su=4)
    text = written("astra-sim", pod, tmp_path)
    assert written("astra-sim", renamed(pod, gpu_01="topology: [ Ring ]"), tmp_path) == text
    assert build(pod).unknown and "# Latency assumed: latency of a NIC (32)" in text

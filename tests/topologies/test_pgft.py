"""Parallel generalized fat-trees: counts, wiring, and routing derived from port order alone against SimGrid's loads."""

import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.entities import End
from designer.topologies.pgft import PgftParameters, build, counts

PEER = json.loads((Path(__file__).parent / "data" / "simgrid_fat_trees.json").read_text(encoding="utf-8"))


def built(parameters: PgftParameters, catalog: Catalog) -> Design:
    design = Design()
    design.apply(build(design, parameters, catalog))
    return design


def parsed(spec: str) -> PgftParameters:
    """The parameters of a "fattree 2 8,8 1,4 1,1"."""
    _, levels, *rows = spec.split()
    children, parents, parallel = (tuple(int(number) for number in row.split(",")) for row in rows)
    assert len(children) == int(levels)
    return PgftParameters(children, parents, parallel)


class DModK:
    """Walks a design's ports as the module's docstring says they are ordered, knowing nothing else of its wiring."""

    def __init__(self, design: Design, parameters: PgftParameters) -> None:
        self.parameters = parameters
        self.hosts = [device.id for device in design.servers()]
        numbers = {
            End(device_id, port.name): number
            for device_id in design.devices
            for number, port in enumerate(design.ports(device_id))
        }
        self.beyond: dict[tuple[str, int], str] = {}
        for link in design.links.values():
            for near, far in ((link.a, link.b), (link.b, link.a)):
                self.beyond[near.device_id, numbers[near]] = far.device_id

    def path(self, source: int, target: int) -> list[tuple[str, int]]:
        """Directed links, each as device and port number, from host to host."""
        children, parents, parallel = self.parameters.children, self.parameters.parents, self.parameters.parallels
        stride = 1
        span = [1]
        for number in children:
            span.append(span[-1] * number)
        hops: list[tuple[str, int]] = []
        here = self.hosts[source]
        level = 0
        while source // span[level] != target // span[level]:
            q = target // stride % parents[level]
            first_up = children[level - 1] * parallel[level - 1] if level else 0
            hops.append((here, first_up + q * parallel[level]))
            here = self.beyond[hops[-1]]
            stride *= parents[level]
            level += 1
        while level:
            child = target // span[level - 1] % children[level - 1]
            hops.append((here, child * parallel[level - 1]))
            here = self.beyond[hops[-1]]
            level -= 1
        assert here == self.hosts[target]
        return hops


def flows(pattern: str, n: int) -> list[tuple[int, int]]:
    kind, _, number = pattern.partition(":")
    if kind == "shift":
        return [(i, (i + int(number)) % n) for i in range(n)]
    if kind == "perm":
        return [(i, target) for i, target in enumerate(PEER["permutations_seed1"][str(n)]) if i != target]
    if kind == "incast":
        m = int(number)
        return [((k + 1) * n // (m + 1), 0) for k in range(m)]
    assert kind == "alltoall"
    return list(permutations(range(n), 2))


@pytest.fixture(scope="module")
def routers(catalog: Catalog) -> dict[str, DModK]:
    specs = dict.fromkeys(run["simgrid_spec"] for run in PEER["runs"])
    return {spec: DModK(built(parsed(spec), catalog), parsed(spec)) for spec in specs}


@pytest.mark.parametrize("run", PEER["runs"], ids=lambda run: f"{run['topology']}-{run['pattern']}")
def test_d_mod_k_over_the_port_order_loads_links_as_simgrid_does(run, routers):
    router = routers[run["simgrid_spec"]]
    pairs = [(a, b) for a, b in flows(run["pattern"], len(router.hosts)) if a != b]
    paths = [router.path(a, b) for a, b in pairs]
    loads = Counter(hop for path in paths for hop in path)
    histogram = Counter(str(round(count * run["bytes_per_flow"])) for count in loads.values())
    assert histogram == run["link_bytes_histogram"]


def test_the_peers_trees_have_the_peers_counts(catalog):
    counted = counts(parsed("fattree 2 8,8 1,4 1,1"), catalog)
    assert counted.switches == {"leaf": 8, "spine": 4}
    assert counted.links == {"server-leaf": 64, "leaf-spine": 32}
    counted = counts(parsed("fattree 3 8,8,8 1,8,8 1,1,1"), catalog)
    assert counted.switches == {"leaf": 64, "spine": 64, "core": 64}
    assert counted.servers == counted.endpoints == 512


def test_host_i_is_on_leaf_i_over_m1(catalog):
    design = built(PgftParameters((8, 8), (1, 4)), catalog)
    for i, host in enumerate(design.servers()):
        (link,) = design.links_of(host.id)
        assert design.device(link.b.device_id).name == f"leaf-{i // 8 + 1:02d}"
        assert link.b.port == str(i % 8 + 1)


def test_ports_go_down_first_and_then_up_by_parent_with_parallel_links_side_by_side(catalog):
    design = built(PgftParameters((2, 3), (2, 2), (2, 3)), catalog)
    leaf = design.find("leaf-04")
    names = []
    for port in design.ports(leaf.id):
        (link_id,) = design.used_ports(leaf.id)[port.name]
        link = design.links[link_id]
        names.append(design.device((link.a if link.b.device_id == leaf.id else link.b).device_id).name)
    # Leaf 3 (from 0) has digits 1 of 2 parents and 1 of 3 children: hosts 2 and 3, spines 1 and 3.
    assert names == ["host-03"] * 2 + ["host-04"] * 2 + ["spine-02"] * 3 + ["spine-04"] * 3


def test_hosts_with_several_parents_have_a_nic_for_each_link(catalog):
    design = built(PgftParameters((4, 4), (2, 2), (2, 1)), catalog)
    host = design.find("host-01")
    assert len(design.modules_of(host.id)) == 4
    assert [design.device(link.b.device_id).name for link in design.links_of(host.id)] == [
        "leaf-01",
        "leaf-01",
        "leaf-02",
        "leaf-02",
    ]


def test_every_port_of_every_switch_is_used(catalog):
    design = built(PgftParameters((3, 2, 4), (1, 2, 3), (1, 2, 1)), catalog)
    for switch in design.switches():
        assert len(design.used_ports(switch.id)) == len(design.ports(switch.id))


def test_a_single_level_is_a_star(catalog):
    design = built(PgftParameters((5,), (1,)), catalog)
    assert [device.name for device in design.devices.values()] == [f"host-0{n}" for n in range(1, 6)] + ["leaf-01"]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (((8, 8), (1,), None), "equally long"),
        (((), (), None), "equally long, 1 to 8 numbers"),
        (((8, 0), (1, 4), None), "children should be 1 or more, not 0"),
        (((8, 8), (1, 4), (1, -1)), "parallel should be 1 or more, not -1"),
        (((2,) * 9, (1,) * 9, None), "equally long, 1 to 8 numbers"),
        (((8, 8), (300, 1), None), "a generic host has 256 NICs at most"),
    ],
)
def test_rows_that_make_no_sense_are_refused(rows, sentence):
    with pytest.raises(ParameterError, match=sentence):
        PgftParameters(*rows)


def test_a_tree_beyond_measure_is_refused_before_it_is_built(catalog):
    parameters = PgftParameters((1000, 1000, 1000), (1, 1, 1))
    for function in (lambda: counts(parameters, catalog), lambda: build(Design(), parameters, catalog)):
        with pytest.raises(ParameterError, match=r"1,001,001,001 devices.* are more than a design holds"):
            function()

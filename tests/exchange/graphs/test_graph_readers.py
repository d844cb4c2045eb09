"""Programs and libraries that are not ours read our graphs: igraph, pydot, N2G, and Graphviz without a warning."""

import importlib
import os
import re
import shutil
import subprocess
from collections import Counter

import pytest
from test_graph_files import HOSTILE, built, pod, renamed, wired, written  # noqa: F401  (pod is a fixture)

PATIENCE_S = 60


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def graphviz(name, path, *options):
    """What the program of Graphviz draws as SVG; it must have nothing to say. Skipped where it is not installed."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} of Graphviz is not installed")
    done = subprocess.run(
        [name, *options, "-Tsvg", path],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
        env={**os.environ},
    )
    assert done.stderr == ""
    return done.stdout


def test_igraph_reads_devices_and_links_with_ports(pod, tmp_path):  # noqa: F811
    igraph = library("igraph")
    for name in ("graphml", "graphml-yed"):
        graph = igraph.Graph.Read_GraphML(str(written(pod, name, tmp_path)))
        assert set(graph.vs["name"]) == {one.name for one in pod.devices.values()}
        found = Counter(
            (
                *sorted(
                    (
                        (graph.vs[edge.source]["name"], edge["a_port"]),
                        (graph.vs[edge.target]["name"], edge["z_port"]),
                    )
                ),
                edge["rate_gbps"],
            )
            for edge in graph.es
        )
        # igraph may turn undirected edges round, with the ports left where they are
        assert Counter(one[2] for one in found.elements()) == Counter(one[2] for one in wired(pod).elements())
        assert graph.ecount() == len(pod.links)
        assert sorted(graph.degree()) == sorted(
            sum(device_id in (link.a.device_id, link.b.device_id) for link in pod.links.values())
            for device_id in pod.devices
        )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pydot asks pyparsing by old names
@pytest.mark.parametrize(
    ("name", "options"), [("dot", {}), ("dot", {"links": "bundles"}), ("dot-ptm", {}), ("dot-cvt", {})]
)
def test_pydot_reads_every_edge(pod, name, options, tmp_path):  # noqa: F811
    pydot = library("pydot")
    (graph,) = pydot.graph_from_dot_file(written(pod, name, tmp_path, **options))
    wanted = len({(*sorted((a[0], z[0])),) for a, z, _ in wired(pod)}) if options else len(pod.links)
    assert len(graph.get_edges()) == wanted
    if name == "dot":
        assert len([one for one in graph.get_nodes() if one.get("pos")]) == len(pod.devices)
    if name == "dot" and not options:
        found = Counter(
            tuple(sorted(((one.get_source(), one.get("taillabel")), (one.get_destination(), one.get("headlabel")))))
            for one in graph.get_edges()
        )
        quoted = (tuple((f'"{device}"', f'"{port}"') for device, port in one[:2]) for one in wired(pod).elements())
        assert found == Counter(quoted)


@pytest.mark.parametrize("options", [{}, {"links": "bundles"}, {"port-labels": "none"}, {"theme": "dark"}])
def test_graphviz_draws_without_a_warning_where_the_design_has_it(pod, options, tmp_path):  # noqa: F811
    path = written(pod, "dot", tmp_path, **options)
    for layout in ("-n", "-n2"):
        svg = graphviz("neato", path, layout)
        at = {}
        for node in re.finditer(
            r'<g id="node\d+" class="node">\n<title>(.+?)</title>\n<polygon [^>]*points="(.+?)"', svg
        ):
            corners = [tuple(map(float, one.split(","))) for one in node[2].split()]
            at[node[1]] = tuple((min(axis) + max(axis)) / 2 for axis in zip(*corners, strict=True))
        named = {one.name.replace("-", "&#45;"): one.id for one in pod.devices.values()}
        assert at.keys() == named.keys()
        (first, corner), *others = at.items()
        origin = pod.placements[named[first]]
        for name, (x, y) in others:
            place = pod.placements[named[name]]
            assert (x - corner[0], y - corner[1]) == pytest.approx((place.x - origin.x, place.y - origin.y), abs=0.1)


def test_graphviz_lays_it_out_anew_without_a_warning(tmp_path):
    path = written(built(servers=2), "dot", tmp_path)
    assert graphviz("dot", path).count('class="edge"') == path.read_text().count(" -- ")


def test_graphviz_draws_hostile_names_as_they_are(pod, tmp_path):  # noqa: F811
    svg = graphviz("neato", written(renamed(pod, *HOSTILE), "dot", tmp_path), "-n2")
    assert svg.count('class="node"') == len(pod.devices)
    assert "&lt;b&gt;" in svg and "<b>" not in svg


@pytest.mark.parametrize("options", [{}, {"links": "all"}])
def test_n2g_takes_devices_for_nodes_and_links_for_edges(pod, options, tmp_path):  # noqa: F811
    library("N2G")
    diagram = importlib.import_module("N2G").drawio_diagram()
    path = written(pod, "drawio", tmp_path, **options)
    diagram.from_file(path)
    assert len(diagram.nodes_ids["fabric"]) == len(pod.devices)
    assert len(diagram.edges_ids["fabric"]) == path.read_text().count('edge="1"') > 0
    assert len(set(diagram.edges_ids["fabric"])) == len(diagram.edges_ids["fabric"])

"""Files show the paths that the canvas shows: the same links bright, all else dimmed."""

import pytest

from designer.cli.main import run
from designer.errors import ExportError
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters_diagram import lit_paths, overlay_of
from designer.graph.building.build import build
from designer.simulation.paths.between import paths_between
from designer.simulation.paths.place import place_named
from designer.simulation.scenario import Scenario
from designer.storage import document

EXAMPLE = "examples/fat-tree-16-2to1.fabric"


@pytest.fixture(scope="module")
def design(request):
    return document.load(request.config.rootpath / EXAMPLE)


@pytest.mark.parametrize(("routing", "traffic"), [("spray", ""), ("ecmp", ""), ("spray", "all-to-all")])
def test_the_links_are_those_of_the_paths(design, routing, traffic):
    options = DiagramOptions(paths=("gpu-01", "gpu-16:gpu3"), routing=routing, paths_of=traffic)
    links, ends = lit_paths(design, options)
    scenario = Scenario(collective=traffic or "all-reduce", routing=routing)
    places = place_named(design, "gpu-01"), place_named(design, "gpu-16:gpu3")
    found = paths_between(design, build(design), scenario, places, is_run=bool(traffic))
    assert links == set(found.links) and ends == tuple(one.device_id for one in places)
    assert overlay_of(design, options).lit_links == links


def test_a_file_has_them_over_a_veil_and_only_where_asked(request, tmp_path):
    source = str(request.config.rootpath / EXAMPLE)
    for name, more in (("plain.svg", ()), ("lit.svg", ("--option", "paths=gpu-01,gpu-16"))):
        assert run(["export", source, "--to", "svg", "-o", str(tmp_path / name), *more]) == 0
    plain, lit = ((tmp_path / name).read_text() for name in ("plain.svg", "lit.svg"))
    assert 'id="lit-links"' in lit and 'id="dimmed"' in lit and "lit-links" not in plain
    assert "gpu-01 – gpu-16: 48 links" in lit and ">Paths<" in lit and ">Paths<" not in plain
    assert lit.index('id="dimmed"') < lit.index('id="lit-links"') < lit.index('id="lit-ends"')


def test_other_than_two_ends_are_refused(design):
    with pytest.raises(ExportError, match="paths need two ends"):
        lit_paths(design, DiagramOptions(paths=("gpu-01",)))


def test_the_key_of_paths_names_the_gpus_that_were_asked_for(design):
    options = DiagramOptions(paths=("gpu-01:gpu1", "gpu-16:gpu3"))
    drawn = svg_of(design, overlay=overlay_of(design, options))
    assert "gpu-01 GPU 1 – gpu-16 GPU 3: " in drawn
    same = overlay_of(design, DiagramOptions(paths=("gpu-01:gpu1", "gpu-01:gpu3")))
    assert same.lit_names == ("gpu-01 GPU 1", "gpu-01 GPU 3") and len(same.lit_ends) == 1

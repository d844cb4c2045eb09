"""Jobs in drawings: feet shared where jobs share a server, names counted where there is no room."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from designer.canvas.export import render_png
from designer.catalog.catalog import load
from designer.drawing.job_feet import job_feet
from designer.drawing.job_names import GAP, INSET, job_names
from designer.drawing.overlay import Overlay
from designer.errors import ExportError
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters import EXPORTERS
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import PlacedJob
from designer.model.placed_jobs import servers_by_colour, whole
from designer.topologies import fat_tree

SVG = "{http://www.w3.org/2000/svg}"


def job(number):
    return PlacedJob(f"j{number}", f"job {number}", 1, "all-reduce", colour="#0072b2")


@pytest.fixture
def fabric():
    design = Design()
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-8x400g", server="generic-host", servers=16)
    design.apply(fat_tree.build(design, parameters, load()))
    servers = [server.id for server in design.servers()]
    for name, part in (("train <1>", servers[:4]), ("infer", servers[3:6])):
        edit = operations.add_job(design, name, servers=whole(part), size_bytes=1, collective="all-reduce")
        design.apply(edit)
    return design


def test_a_server_of_two_jobs_has_a_foot_that_they_share():
    feet = job_feet({"a": 0, "b": 1, "c": 2}.get, {"#111111": ("a", "b"), "#222222": ("b", "gone")})
    assert feet["#111111"].T.tolist() == [[0, 0, 1], [1, 0, 2]]
    assert feet["#222222"].T.tolist() == [[1, 1, 2]]


def test_names_that_find_no_room_are_counted():
    jobs = [job(number) for number in range(30)]
    line = job_names(jobs, 400.0, str, lambda text: 6.0 * len(text))
    assert 0 < len(line.entries) < 30 and line.tail == f"+{30 - len(line.entries)}"
    assert line.width <= 400.0
    everything = job_names(jobs[:2], 4000.0, str, lambda text: 6.0 * len(text))
    assert everything.tail == "" and everything.width == 2 * INSET + GAP + sum(one.width for one in everything.entries)
    assert job_names(jobs, 20.0, str, lambda text: 6.0 * len(text)).entries == ()


def test_an_svg_shows_the_jobs_where_asked_for(fabric):
    plain, marked = svg_of(fabric), svg_of(fabric, overlay=Overlay(jobs=True))
    assert 'id="jobs"' not in plain
    root = ET.fromstring(marked)
    feet = next(one for one in root.iter(f"{SVG}g") if one.get("id") == "jobs")
    drawn = {path.get("fill"): len(re.findall("z", path.get("d"))) for path in feet}
    assert drawn == {colour: len(servers) for colour, servers in servers_by_colour(fabric).items()}
    names = next(one for one in root.iter(f"{SVG}g") if one.get("id") == "job-names")
    assert [text.text for text in names.iter(f"{SVG}text")] == ["train <1>", "infer"]
    without = Design()
    without.apply(operations.add_device(without, load().get("nvidia-qm9700"), 0, 0, catalog_types=load().types))
    assert svg_of(without, overlay=Overlay(jobs=True)) == svg_of(without)


def test_a_png_shows_the_jobs_where_asked_for(fabric, qapp, tmp_path):
    counts = []
    for jobs in (False, True):
        render_png(fabric, tmp_path / "pod.png", width=900, overlay=Overlay(jobs=jobs))
        image = QImage(str(tmp_path / "pod.png")).convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1) & 0xFFFFFF
        counts.append([int((pixels == QColor(colour).rgb() & 0xFFFFFF).sum()) for colour in servers_by_colour(fabric)])
    assert counts[0] == [0, 0] and min(counts[1]) > 100


def test_the_export_takes_jobs_as_an_option(fabric, tmp_path):
    svg = next(exporter for exporter in EXPORTERS if exporter.name == "svg")
    svg.write(fabric, tmp_path / "pod.svg", {"jobs": "yes"})
    assert 'id="jobs"' in (tmp_path / "pod.svg").read_text("utf-8")
    with pytest.raises(ExportError, match=r"write jobs=yes\|no"):
        svg.write(fabric, tmp_path / "pod.svg", {"jobs": "perhaps"})

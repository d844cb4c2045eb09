"""A diagram of view=matrix: rows and columns by option, with heat, failures and findings."""

import xml.etree.ElementTree as ET

import pytest

from designer.canvas.formats import formats
from designer.drawing.display_list import FULL_BY_DESIGN, colour_of_class
from designer.drawing.theme import DARK
from designer.errors import ParameterError
from designer.storage import document

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def written(request, tmp_path):
    design = document.load(request.config.rootpath / "examples" / "fat-tree-16-2to1.fabric")
    exporter = next(one for one in formats() if one.name == "svg")

    def write(**options):
        exporter.write(design, tmp_path / "m.svg", exporter.read({"view": "matrix", **options}))
        root = ET.parse(tmp_path / "m.svg").getroot()
        return root, [one.text for one in root.iter(f"{SVG}text")]

    return write


def test_the_usual_matrix_has_leaf_switches_by_spines(written):
    _, texts = written()
    assert {"leaf-01", "leaf-04", "spine-01", "spine-02", "rows: leaf", "columns: spine"} <= set(texts)
    assert texts.count("8") == 8 + 1  # cells, and the key


def test_rows_columns_heat_and_failures_are_options(written):
    root, texts = written(rows="server", columns="leaf", heat="all-reduce:ring", theme="dark", fail="spine-01")
    assert "rows: server" in texts
    assert "100 %" in texts
    assert "Peak utilization, busier direction" in texts
    fills = {one.get("fill") for one in root.iter() if one.get("fill")}
    assert colour_of_class(FULL_BY_DESIGN, DARK) in fills
    _, bare = written(heat="all-reduce:ring", legend="no")
    assert "Peak utilization, busier direction" not in bare


def test_a_kind_that_the_design_has_none_of_is_refused(written):
    with pytest.raises(ParameterError, match="has no rails for a matrix"):
        written(rows="rail")

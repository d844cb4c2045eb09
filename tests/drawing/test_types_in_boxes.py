"""The type in a box is whole where a line has room for it: first the count of ports gives way."""

import numpy as np
import pytest

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import MODELS_FROM, detail_at
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.primitives import Group, Rects, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.text import model_forms
from designer.drawing.theme import LIGHT
from designer.model import operations
from designer.model.design import Design

RULER = EstimatedRuler()
SCALES = [round(float(scale), 3) for scale in np.geomspace(MODELS_FROM, 4.0, 40)]


def flat(parts):
    for part in parts:
        if isinstance(part, Group):
            yield from flat(part.parts)
        else:
            yield part


def in_box(composition, scale):
    """The box of the first device at a scale: its width and height, and its parts."""
    x, y, width, height = composition.boxes[0].tolist()
    sheet = Sheet(Camera(scale, x, y), (0.0, 0.0, width * scale, height * scale), LIGHT, RULER)
    parts = flat(boxes(composition.picture(LIGHT, detail_at(scale, 10, 10, 10)), sheet))
    return (width * scale, height * scale), list(parts)


def written(composition, scale):
    """The texts of the box, by what they are: name, type and count."""
    size, parts = in_box(composition, scale)
    texts = [part for part in parts if isinstance(part, Text)]
    count = next(one for one in texts if "/" in one.text and one.text.replace("/", "").isdigit())
    return size, texts[0], count, [one for one in texts[1:] if one is not count and len(one.text) > 3]


@pytest.fixture
def drawn(catalog):
    def of(type_id, name):
        design, types = Design(), catalog.types
        design.apply(operations.add_device(design, types[type_id], 0.0, 0.0, name=name, catalog_types=types))
        return design, Composition(design)

    return of


def of_catalog(catalog, word):
    return next(one.id for one in catalog.types.values() if one.model == word)


MODELS = [
    "DGX H100",
    "Storage server 2 x 400G",
    "DCS-7060X6-64PE-F",
    "QM9700",
    "Instinct MI300X 8-GPU platform",
    "Gaudi 3, 8-OAM server (HLS-3)",
]


@pytest.mark.parametrize("model", MODELS)
def test_a_larger_box_never_says_less_of_its_type(catalog, drawn, model):
    _, composition = drawn(of_catalog(catalog, model), "unit-01")
    said = 0
    for scale in SCALES:
        (width, height), _, count, types = written(composition, scale)
        assert types, f"nothing at {scale}"
        (type_,) = types[:1]
        assert len(type_.text) >= said, f"{type_.text!r} at {scale}"
        said = len(type_.text)
        assert type_.x + RULER.width(type_.text, type_.size) <= width
        assert count.y <= height and (
            abs(count.y - type_.y) >= 0.8 * count.size
            or type_.x + RULER.width(type_.text, type_.size) < count.x - RULER.width(count.text, count.size)
        ), "the count stands off the type"
    assert said == len(model)


def test_the_count_goes_to_the_line_of_the_bar_before_the_type_is_cut(catalog, drawn):
    _, composition = drawn(of_catalog(catalog, "DGX H100"), "gpu-a01")
    _, name, count, types = written(composition, 0.8)
    assert types[0].text == "DGX H100" and count.y == types[0].y > name.y
    _, composition = drawn(of_catalog(catalog, "DCS-7060X6-64PE-F"), "leaf-01")
    _, name, count, types = written(composition, 1.2)
    assert types[0].text == "DCS-7060X6-64PE-F" and count.y > types[0].y > name.y


def test_no_line_below_is_taken_from_the_free_ports_of_a_server(catalog, drawn):
    _, composition = drawn(of_catalog(catalog, "Storage server 2 x 400G"), "stor-01")
    for scale in (1.5, 1.6, 2.0):
        _, parts = in_box(composition, scale)
        lowest = max(part.y for part in parts if isinstance(part, Text))
        handles = np.vstack([part.xywh for part in parts if isinstance(part, Rects)])
        assert lowest <= handles[:, 1].min()


@pytest.mark.parametrize(
    ("model", "forms"),
    [
        ("DGX H100", ("H100",)),
        ("DCS-7060X6-64PE-F", ("7060X6-64PE-F", "7060X6-64PE…", "7060X6…")),
        ("Storage server 2 x 400G", ("server 2 x 400G", "2 x 400G")),
        ("Gaudi 3, 8-OAM server (HLS-3)", ("Gaudi 3, 8-OAM server…", "Gaudi 3, 8-OAM…", "Gaudi 3, 8…", "Gaudi 3…")),
        ("DGX A100 (640 GB)", ("A100 (640 GB)", "A100…")),
        ("QM9700", ()),
        ("Host", ()),
    ],
)
def test_a_model_keeps_what_tells_it_from_its_like(model, forms):
    assert model_forms(model) == forms

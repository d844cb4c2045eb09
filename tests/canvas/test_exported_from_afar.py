"""An image of a large design has room below its boxes for the line that says what is in each."""

import numpy as np
from PySide6.QtGui import QImage

from designer.canvas.export import render_png
from designer.catalog.catalog import load
from designer.model.design import Design
from designer.topologies.presets import family_of, parameters_of, preset_named

LINE_PX = 11
"""Height of the letters of that line."""


def test_below_a_row_of_narrow_boxes_a_line_of_text_is_whole(qapp, tmp_path):
    preset = preset_named("huawei-cloudmatrix384-ub")  # 48 groups in one row
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), load()))
    render_png(design, tmp_path / "a.png", width=1600)
    image = QImage(str(tmp_path / "a.png")).convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())[:, :1600]
    inked = np.flatnonzero((pixels < pixels[0, 0]).any(axis=1))
    rows = np.split(inked, np.flatnonzero(np.diff(inked) > 1) + 1)
    assert inked[-1] < image.height() - 4
    assert LINE_PX / 2 <= len(rows[-1]) <= 2 * LINE_PX  # not the boxes

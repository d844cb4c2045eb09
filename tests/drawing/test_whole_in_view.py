"""The view that shows all: however wide a fabric is, none of it is cut."""

import pytest

from designer.drawing.camera import LEAST_SCALE, fitting


@pytest.mark.parametrize("width", [1_000.0, 1e5, 1e6, 1e7])
def test_what_is_fitted_is_whole_in_a_small_picture(width):
    rect = -width / 2, 0.0, width / 2, 5_000.0
    assert fitting(rect, 264.0, 180.0).shows(rect, 264.0, 180.0)


def test_zooming_out_of_a_fitted_view_stays_where_it_is_and_zooming_in_goes_on_from_there():
    camera = fitting((0.0, 0.0, 1e7, 5_000.0), 264.0, 180.0)
    assert camera.scale < LEAST_SCALE
    assert camera.zoomed(0.5, 132.0, 90.0).scale == camera.scale
    assert camera.zoomed(2.0, 132.0, 90.0).scale == 2 * camera.scale

"""PNG diagrams: the painting code of the screen on an image of any width."""

import math
import os
import sys
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter

from designer.canvas.camera import fitting
from designer.canvas.job_legend import BETWEEN_LEGENDS_PX, paint_job_legend
from designer.canvas.job_marks import JobMarks
from designer.canvas.legend import HEIGHT_PX, MARGIN_PX, WIDTH_PX, paint_legend
from designer.canvas.marks import Frame
from designer.canvas.painting import PicturePainter, Viewport, paint_background
from designer.drawing import job_names
from designer.drawing.composition import Composition
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import detail_at
from designer.drawing.theme import Theme, themed
from designer.errors import ExportError
from designer.model.design import Design, ordered
from designer.model.placed_jobs import servers_by_colour

DEFAULT_WIDTH_PX = 2400
MARGIN_UNITS = 40.0
MOST_SCALE = 1.2
MOST_HEIGHT_PX = 16_384
LEAST_WIDTH = WIDTH_PX + 2 * MARGIN_PX
"""The legend fits beneath the smallest design."""
WINDOW_WIDTH = 1600.0
"""A wider picture is drawn as a window of this width would show it, only larger."""


TITLE_ROOM_PX = 24.0
"""Over the topmost group or rack, for its title."""


def render_png(
    design: Design,
    path: Path,
    *,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    width: int = DEFAULT_WIDTH_PX,
    hidden: frozenset[str] = frozenset(),
    jobs: bool = False,
) -> None:
    """Write the design without the hidden networks as a PNG of that width; with `jobs` servers bear their colours.

    Raises ExportError where there is nothing to draw, or OSError.
    """
    _need_application()
    composition = Composition(design, hidden)
    image = image_of(composition, themed(theme), heat, width, design if jobs and design.jobs else None)
    save(image, path)


def image_of(
    composition: Composition, theme: Theme, heat: Heat | None, width: int, with_jobs_of: Design | None = None
) -> QImage:
    """The whole design on an image of that width."""
    bounds = composition.bounds
    if bounds is None:
        raise ExportError("the design is empty: there is nothing to draw")
    left, top, right, bottom = bounds
    left, top, right, bottom = left - MARGIN_UNITS, top - MARGIN_UNITS, right + MARGIN_UNITS, bottom + MARGIN_UNITS
    # Laid out as a window of `pixels` shows it, and drawn `ratio` times as large, texts and pens included.
    pixels = min(float(width), WINDOW_WIDTH, max((right - left) * MOST_SCALE, LEAST_WIDTH))
    ratio = width / pixels
    scale = min(MOST_SCALE, pixels / (right - left))
    if composition.containers:  # titles keep their size on the screen, however small the scale
        top = min(top, bounds[1] - TITLE_ROOM_PX / scale)
    foot = HEIGHT_PX if heat is not None else job_names.HEIGHT if with_jobs_of is not None else 0.0
    legend_height = foot + MARGIN_PX if foot else 0.0
    height = min(MOST_HEIGHT_PX / ratio, (bottom - top) * scale + legend_height)
    camera = fitting((left, top, right, bottom), pixels, height - legend_height, most=MOST_SCALE, margin=0.0)
    return paint_image(composition, theme, heat, Viewport(camera, pixels, height), ratio, with_jobs_of=with_jobs_of)


def paint_image(
    composition: Composition, theme: Theme, heat: Heat | None, view: Viewport, ratio: float, font: QFont | None = None,
    *, with_jobs_of: Design | None = None,
) -> QImage:  # fmt: skip
    """What a viewport shows, on an image with `ratio` times as many pixels each way."""
    projection = composition.projection
    image = QImage(
        QSize(math.ceil(view.width * ratio), math.ceil(view.height * ratio)), QImage.Format.Format_ARGB32_Premultiplied
    )
    detail = detail_at(
        view.camera.scale, len(projection.device_ids), len(composition.bundles.pairs), len(projection.link_ids)
    )
    picture = composition.picture(theme, detail, heat)
    image.fill(QColor(theme.background))
    painter = QPainter(image)
    try:
        painter.scale(ratio, ratio)
        paint_background(painter, theme, view)
        used = font or QGuiApplication.font()
        PicturePainter(used).paint(painter, picture, view)
        if picture.legend is not None:
            paint_legend(painter, picture.legend, theme, used, MARGIN_PX, view.height - MARGIN_PX)
        if with_jobs_of is not None:
            frame = Frame(composition, view.camera, detail, theme)
            servers = servers_by_colour(with_jobs_of)
            JobMarks().paint(painter, frame, servers, with_jobs_of.revision, view.height)
            left = MARGIN_PX + (WIDTH_PX + BETWEEN_LEGENDS_PX if picture.legend is not None else 0.0)
            jobs, room_px = ordered(with_jobs_of.jobs), view.width - MARGIN_PX - left
            paint_job_legend(painter, jobs, theme, used, left, view.height - MARGIN_PX, room_px)
    finally:
        painter.end()
    return image


def save(image: QImage, path: Path) -> None:
    """Write an image as PNG. Raises ExportError naming the file."""
    if not image.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise ExportError(f"{path.name} could not be written: is the folder there and writable?")


def _need_application() -> None:
    """Fonts need an application; without a display it runs off screen."""
    if QGuiApplication.instance() is None:
        if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _application.append(QGuiApplication([]))


_application: list[QGuiApplication] = []
"""Kept alive: Qt crashes where its application is collected."""

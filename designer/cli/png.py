"""PNG diagrams, drawn by the canvas. The one format that needs PySide6, loaded when it is asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from designer.errors import ExportError
from designer.exchange.exporters import DIAGRAM_OPTIONS, Exporter, Option, flag
from designer.exchange.exporters_diagram import heat_of, hidden_of, theme_of
from designer.model.design import Design

DEFAULT_WIDTH_PX = 2400
WIDTH_RANGE_PX = (64, 16_384)


def _render(design: Design, path: Path, options: Mapping[str, Any]) -> None:
    width_px = _width_px(options.get("width", DEFAULT_WIDTH_PX))
    jobs = flag(options, "jobs")
    theme, hidden, heat = theme_of(options), hidden_of(options), heat_of(design, options)
    try:
        import PySide6.QtGui  # noqa: F401
    except ImportError as error:
        raise ExportError(
            f"PNG needs PySide6, which cannot be loaded here ({error}): export svg, or install PySide6-Essentials"
        ) from error
    from designer.canvas.export import render_png

    render_png(design, path, theme=theme, heat=heat, width=width_px, hidden=hidden, jobs=jobs)


def _width_px(value: object) -> int:
    low, high = WIDTH_RANGE_PX
    try:
        width_px = int(str(value))
    except ValueError:
        raise ExportError(f"width {value!r} is not a whole number of pixels") from None
    if not low <= width_px <= high:
        raise ExportError(f"width {width_px} is outside {low} to {high:,} pixels")
    return width_px


PNG = Exporter(
    "png",
    "Diagram as PNG",
    ".png",
    (*DIAGRAM_OPTIONS, Option("width", "PIXELS", f"width of the picture; {DEFAULT_WIDTH_PX} where not given")),
    _render,
)

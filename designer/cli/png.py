"""PNG and PDF diagrams, drawn by the canvas. The formats that need PySide6, loaded when they are asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from designer.errors import ExportError
from designer.exchange.exporters import DIAGRAM_OPTIONS, Exporter, Option
from designer.late import Late
from designer.model.design import Design

export = Late("designer.canvas.export")
diagrams = Late("designer.exchange.exporters_diagram")

DEFAULT_WIDTH_PX = 2400
WIDTH_RANGE_PX = (64, 16_384)


def _png(design: Design, path: Path, options: Mapping[str, Any]) -> None:
    width_px = _width_px(options.get("width", DEFAULT_WIDTH_PX))
    shown = _shown(design, options)
    _need_qt("PNG")
    export.render_png(design, path, width=width_px, **shown)


def _pdf(design: Design, path: Path, options: Mapping[str, Any]) -> None:
    shown = _shown(design, options)
    _need_qt("PDF")
    export.render_pdf(design, path, **shown)


def _shown(design: Design, options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "theme": diagrams.theme_of(options),
        "hidden": diagrams.hidden_of(options),
        "overlay": diagrams.overlay_of(design, options),
        "heat": diagrams.heat_of(design, options),
    }


def _need_qt(format_: str) -> None:
    try:
        import PySide6.QtGui  # noqa: F401
    except ImportError as error:
        raise ExportError(
            f"{format_} needs PySide6, which cannot be loaded here ({error}): export svg, or install PySide6-Essentials"
        ) from error


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
    _png,
)
PDF = Exporter("pdf", "Diagram as PDF", ".pdf", DIAGRAM_OPTIONS, _pdf)

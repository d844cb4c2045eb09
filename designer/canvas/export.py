"""PNG and PDF diagrams: an image of any width, and the page of the SVG on paper."""

import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QBuffer, QHashSeed, QIODevice, QMarginsF, QRectF, QSizeF, QUuid
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.canvas.pdf_links import Jump, with_links
from designer.drawing.heat import Heat
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.pages import DocumentPage, Page
from designer.drawing.parts.document import MOST_HEIGHT_PX, SCREEN_WIDTH, SLIDE, Document, Size, document
from designer.drawing.parts.ruler import Ruler
from designer.drawing.sheets.book import Page as NumberedPage
from designer.drawing.sheets.outline import bookmarks_of
from designer.drawing.theme import Theme
from designer.errors import ExportError
from designer.exchange.options import Progress, unheard
from designer.model.design import Design
from designer.storage.saving import replace_file

DEFAULT_WIDTH_PX = 2400
MOST_WIDTH_PX = 16_384
LEAST_NAME_PT = 5.0
"""Names that are all asked for are as large as this in print."""
DEFAULT_DPI, METRES_PER_INCH, POINTS_PER_INCH = 96, 0.0254, 72
POINTS_PER_PX, POINTS_PER_MM = 0.75, 72 / 25.4  # 72 points, 96 pixels and 25.4 mm an inch
CREATOR = "Fabric Designer"
PDF_ID = QUuid("{5f1c7d0e-6f0b-5d5a-9d0a-0b7f6d1f8a11}")
PDF_METADATA = (
    b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta><?xpacket end="w"?>'
)
"""Nothing that changes from file to file: the same design gives the same bytes."""
UNDATED, UNDATED_ZONED = b"D:20000101000000Z", b"D:20000101000000+00'00'"
PDF_HEAD = 4096
"""Where the dates of a PDF stand."""
_PDF_DATE = re.compile(rb"(/(?:CreationDate|ModDate) \()D:\d{14}(Z|[+-]\d\d'\d\d')")
EXACT = QPageSize.SizeMatchPolicy.ExactMatch
PDF_STEPS_PER_PX = 10
"""Texts are set in steps of these: in whole pixels letters would stand unevenly."""


def render_png(
    design: Design,
    path: Path,
    *,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    width: int = DEFAULT_WIDTH_PX,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
    dpi: int = DEFAULT_DPI,
) -> None:
    """Write the design without the hidden networks, and what lies over it, as a PNG of that width.

    Raises ExportError where there is nothing to draw, or OSError.
    """
    size = Size(float(width))
    draw_png(lambda ruler: document(design, theme, heat, hidden, overlay, ruler, size), path, width, dpi)


def render_pdf(
    design: Design,
    path: Path,
    *,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
    size: Size | None = SLIDE,
) -> None:
    """The page of the SVG as one of a PDF, in lines and letters that stay sharp. Raises ExportError or SaveError."""
    draw_pdf(lambda ruler: document(design, theme, heat, hidden, overlay, ruler, size), path)


def draw_pdf(drawing: Callable[[Ruler], Document], path: Path) -> None:
    """One page of its own size as a PDF, in lines and letters that stay sharp. Raises ExportError or SaveError."""
    _need_application()
    fonts = Fonts(QGuiApplication.font())
    page = DocumentPage(drawing(fonts))
    (left, top, width, height), scale = page.area, page.scale

    def draw(painter: QPainter) -> None:
        painter.scale(scale, scale)
        painter.translate(-left, -top)
        paint(painter, page.layers(), fonts, scale=scale)

    write_pdf(path, page.title, width * scale, height * scale, draw)


def draw_png(drawing: Callable[[Ruler], Document], path: Path, width_px: int | None, dpi: int = DEFAULT_DPI) -> None:
    """One page as a PNG of that width; without one of the usual width, or as wide as its names need.

    Raises ExportError, also where names could not be read, or SaveError.
    """
    _need_application()
    fonts = Fonts(QGuiApplication.font())
    page = drawing(fonts)
    left, top, width, height = page.area
    width_px = _readable_width(page, width_px, dpi)
    scale = min(width_px / width, MOST_HEIGHT_PX / height)
    finer = max(1.0, width_px / SCREEN_WIDTH)  # a larger picture is that of a window, only larger
    image = QImage(math.ceil(width * scale), math.ceil(height * scale), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    try:
        ground, *layers = page.layers
        painter.save()
        painter.scale(image.width() / width, image.height() / height)  # the last row and column of pixels too
        painter.translate(-left, -top)
        paint(painter, (ground,), fonts)
        painter.restore()
        painter.scale(scale, scale)
        painter.translate(-left, -top)
        paint(painter, layers, fonts, scale=page.unit_px or scale / finer)
    finally:
        painter.end()
    save(image, path, dpi)


def _readable_width(page: Document, width_px: int | None, dpi: int) -> int:
    """The width in pixels of a picture whose names are of the least size on paper; the one that is given, if it does.

    Raises ExportError where that is too small, or where no picture is large enough.
    """
    _, _, width, height = page.area
    least_px = LEAST_NAME_PT / POINTS_PER_INCH * dpi
    needed = math.ceil(width * least_px / page.least_letters) if page.least_letters else 0
    most = math.floor(min(MOST_WIDTH_PX, MOST_HEIGHT_PX * width / height))
    if width_px is None and needed <= most:
        return max(DEFAULT_WIDTH_PX, needed)
    if width_px is not None and needed <= min(width_px, most):
        return width_px
    shown = most if needed > most else min(most, width_px or DEFAULT_WIDTH_PX)
    found = LEAST_NAME_PT * shown / needed
    wider = f"use a width of {needed:,} or more" if needed <= most else "fewer dpi, a part of it (only=)"
    raise ExportError(
        f"names of devices would be {found:.1f} pt high in a picture of {shown:,} pixels at {dpi} dpi: {wider}, "
        "SVG or PDF to zoom in, or detail=screen"
    )


def page_of(drawing: Callable[[Ruler], Document]) -> DocumentPage:
    """The page that `draw_pdf` writes, to be shown or printed. Raises ExportError."""
    _need_application()
    return DocumentPage.of(drawing(Fonts(QGuiApplication.font())))


def write_pdf(path: Path, title: str, width: float, height: float, paint: Callable[[QPainter], None]) -> None:
    """One page of that many pixels of the screen, painted as the screen is. Raises ExportError or SaveError."""
    with _pdf(path, title, width * POINTS_PER_PX, height * POINTS_PER_PX, PDF_STEPS_PER_PX * 96) as (_, painter):
        painter.scale(PDF_STEPS_PER_PX, PDF_STEPS_PER_PX)
        paint(painter)


def write_pages(path: Path, title: str, pages: Sequence[Page], progress: Progress = unheard) -> None:
    """Pages of one size as a PDF, drawn one by one. Raises ExportError, SaveError or what `progress` raises.

    Those of a set have bookmarks, and lead to each other.
    """
    _need_application()
    numbered = {place: page for place, page in enumerate(pages) if isinstance(page, NumberedPage)}
    places = {page.number: place for place, page in numbered.items()}
    jumps: dict[int, list[Jump]] = {}
    fonts = Fonts(QGuiApplication.font())
    width_pt, height_pt = pages[0].width_mm * POINTS_PER_MM, pages[0].height_mm * POINTS_PER_MM

    def finished(data: bytes) -> bytes:
        return with_links(data, jumps, bookmarks_of(numbered))

    with _pdf(path, title, width_pt, height_pt, PDF_STEPS_PER_PX * 72, finished) as (writer, painter):
        for number, page in enumerate(pages):
            if number:
                writer.newPage()
            parts = page.layers()  # first: what cannot be drawn leaves no painter that was saved
            painter.save()
            left, top, width, _ = page.area
            scale = PDF_STEPS_PER_PX * width_pt / width
            painter.scale(scale, scale)
            painter.translate(-left, -top)
            found = jumps.setdefault(number, [])

            def led(place: QRectF, page: int, found: list[Jump] = found) -> None:
                if page in places:
                    left, right, top, bottom = (
                        one / PDF_STEPS_PER_PX for one in (place.left(), place.right(), place.top(), place.bottom())
                    )
                    found.append(Jump((left, height_pt - bottom, right, height_pt - top), places[page]))

            paint(painter, parts, fonts, jump=led)
            painter.restore()
            progress((number + 1) / len(pages))


@contextmanager
def _pdf(
    path: Path, title: str, width_pt: float, height_pt: float, dpi: int, finished: Callable[[bytes], bytes] = bytes
) -> Iterator[tuple[QPdfWriter, QPainter]]:
    """A writer with a painter on its first page, and the file when both are left. The same paint, the same bytes."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator(CREATOR)
    writer.setDocumentId(PDF_ID)
    writer.setDocumentXmpMetadata(PDF_METADATA)
    writer.setPageSize(QPageSize(QSizeF(width_pt, height_pt), QPageSize.Unit.Point, "", EXACT))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(dpi)
    painter = QPainter()
    if not painter.begin(writer):
        raise ExportError(
            f"{path.name} could not be written: a page of {width_pt:,.0f} x {height_pt:,.0f} pt is too large"
        )
    # Fonts stand in the file in the order of a hash table, which is another one in each process.
    QHashSeed.setDeterministicGlobalSeed()
    try:
        yield writer, painter
    finally:
        painter.end()
        QHashSeed.resetRandomGlobalSeed()
    replace_file(path, finished(_undated(bytes(buffer.data().data()))))


def _undated(data: bytes) -> bytes:
    """A PDF with no time of the clock in it, as long as it was: places of its parts are counted in bytes."""
    head, rest = data[:PDF_HEAD], data[PDF_HEAD:]
    return _PDF_DATE.sub(lambda found: found[1] + (UNDATED if found[2] == b"Z" else UNDATED_ZONED), head) + rest


def save(image: QImage, path: Path, dpi: int = DEFAULT_DPI) -> None:
    """Write an image as PNG, whole or not at all. Raises ExportError or SaveError naming the file."""
    image.setDotsPerMeterX(round(dpi / METRES_PER_INCH))
    image.setDotsPerMeterY(round(dpi / METRES_PER_INCH))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise ExportError(f"{path.name} could not be written: the picture is too large")
    replace_file(path, bytes(buffer.data().data()))


def _need_application() -> None:
    """Fonts need an application; without a display it runs off screen."""
    if QGuiApplication.instance() is None:
        if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _application.append(QGuiApplication([]))


_application: list[QGuiApplication] = []
"""Kept alive: Qt crashes where its application is collected."""

"""PNG and PDF diagrams: an image of any width of what a screen would show, and the page of the SVG on paper."""

import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QHashSeed, QIODevice, QMarginsF, QRectF, QSize, QSizeF, QUuid
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.canvas.pdf_links import Jump, with_links
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.heat import Heat
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.pages import MOST_HEIGHT_PX, MOST_SCALE, WINDOW_WIDTH_PX, DocumentPage, Page
from designer.drawing.parts.document import Document, document
from designer.drawing.parts.jobs import JobMarks
from designer.drawing.parts.legend import MARGIN_PX, WIDTH_PX
from designer.drawing.parts.lit import overlaid
from designer.drawing.parts.marks import badges
from designer.drawing.parts.paper import paper
from designer.drawing.parts.picture import as_asked, layers, legend_room, legends, states
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.sheets.book import Page as NumberedPage
from designer.drawing.sheets.outline import bookmarks_of
from designer.drawing.theme import Theme, themed
from designer.errors import ExportError
from designer.exchange.options import Progress, unheard
from designer.model.design import Design
from designer.model.placed_jobs import servers_by_colour
from designer.model.records import ordered
from designer.storage.saving import replace_file

DEFAULT_WIDTH_PX = 2400
DEFAULT_DPI, METRES_PER_INCH = 96, 0.0254
MARGIN_UNITS = 40.0
LEAST_WIDTH = WIDTH_PX + 2 * MARGIN_PX
"""The legend fits beneath the smallest design."""
TITLE_ROOM_PX = 24.0
"""Over the topmost group or rack, for its title."""
CAPTION_ROOM_PX, SIDE_PX = 34.0, 12.0
"""Below the lowest boxes that stand for many devices, for the line that explains them, and around these boxes."""
LEAST_NAME_PX = 5.0
"""Names are written as small before they are elided: a page or an image is read closer than a window."""
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
    _need_application()
    sheet = _laid_out(design, theme, heat, hidden, overlay, width)
    view = sheet.view
    size = QSize(math.ceil(view.width * sheet.ratio), math.ceil(view.height * sheet.ratio))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(sheet.theme.background))
    painter = QPainter(image)
    try:
        painter.scale(sheet.ratio, sheet.ratio)
        _paint(painter, sheet)
    finally:
        painter.end()
    save(image, path, dpi)


def render_pdf(
    design: Design,
    path: Path,
    *,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
) -> None:
    """The page of the SVG as one of a PDF, in lines and letters that stay sharp. Raises ExportError or SaveError."""
    draw_pdf(lambda ruler: document(design, theme, heat, hidden, overlay, ruler), path)


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


def draw_png(drawing: Callable[[Ruler], Document], path: Path, width_px: int, dpi: int = DEFAULT_DPI) -> None:
    """One page as a PNG of that width. Raises ExportError or SaveError."""
    _need_application()
    fonts = Fonts(QGuiApplication.font())
    page = drawing(fonts)
    left, top, width, height = page.area
    scale = min(width_px / width, MOST_HEIGHT_PX / height)
    image = QImage(math.ceil(width * scale), math.ceil(height * scale), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    try:
        painter.scale(scale, scale)
        painter.translate(-left, -top)
        finer = max(1.0, width_px / WINDOW_WIDTH_PX)  # a larger picture is that of a window, only larger
        paint(painter, page.layers, fonts, scale=scale / finer)
    finally:
        painter.end()
    save(image, path, dpi)


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


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A design laid out as a window shows it, to be drawn `ratio` times as large, texts and pens included."""

    design: Design
    composition: Composition
    theme: Theme
    heat: Heat | None
    overlay: Overlay
    view: Viewport
    ratio: float

    @property
    def least_name_px(self) -> float:
        """The smallest size of names, in pixels of the window the sheet is laid out for."""
        return max(1.0, LEAST_NAME_PX / self.ratio)

    @property
    def names_jobs(self) -> bool:
        return self.overlay.jobs and bool(self.design.jobs)


def _laid_out(
    design: Design, theme: Theme | str, heat: Heat | None, hidden: frozenset[str], overlay: Overlay, width: int
) -> _Sheet:
    composition = Composition(design, hidden)
    composition.notes.are_shown = overlay.annotations
    composition.colouring.choose(overlay.colours)
    composition.colouring.show_status(overlay.status)
    composition.colouring.show_marks(overlay.marks)
    bounds = composition.bounds
    if bounds is None:
        raise ExportError("the design is empty: there is nothing to draw")
    left, top, right, bottom = bounds
    left, top, right, bottom = left - MARGIN_UNITS, top - MARGIN_UNITS, right + MARGIN_UNITS, bottom + MARGIN_UNITS
    pixels = min(float(width), WINDOW_WIDTH_PX, max((right - left) * MOST_SCALE, LEAST_WIDTH))
    ratio = width / pixels
    scale = min(MOST_SCALE, pixels / (right - left))
    if (
        composition.containers or composition.tier_titles
    ):  # titles keep their size on the screen, however small the scale
        top = min(top, bounds[1] - TITLE_ROOM_PX / scale)
    if any(one.is_titled_below for one in composition.containers):
        bottom = max(bottom, bounds[3] + TITLE_ROOM_PX / scale)
    picture = as_asked(composition.picture(themed(theme), composition.detail_at(scale), heat), overlay)
    jobs, fonts = overlay.jobs and bool(design.jobs), Fonts(QGuiApplication.font())
    foot = legend_room(picture.legend, picture.keys, fonts, jobs=jobs)[1] if overlay.legend else 0.0
    legend_height = foot + MARGIN_PX if foot else 0.0
    height = min(MOST_HEIGHT_PX / ratio, (bottom - top) * scale + legend_height)
    camera = fitting((left, top, right, bottom), pixels, height - legend_height, most=MOST_SCALE, margin=0.0)
    seen = Levels(composition).at(camera.scale)
    if seen is not composition:
        around, side = seen.bounds or bounds, SIDE_PX / camera.scale  # links run past folded groups, lines stand below
        low = around[3] + CAPTION_ROOM_PX / camera.scale
        sides = min(left, around[0] - side), min(top, around[1] - side), max(right, around[2] + side), max(bottom, low)
        share = (sides[3] - sides[1]) / (sides[2] - sides[0])
        height = min(MOST_HEIGHT_PX / ratio, pixels * share + legend_height)
        camera = fitting(sides, pixels, height - legend_height, most=MOST_SCALE, margin=0.0)
    return _Sheet(design, seen, themed(theme), heat, overlay, Viewport(camera, pixels, height), ratio)


def _paint(painter: QPainter, sheet: _Sheet) -> None:
    """The picture, what lies over it, and the legends at its foot, in the order of the screen."""
    composition, overlay = sheet.composition, sheet.overlay
    detail = composition.detail_at(sheet.view.camera.scale)
    picture = composition.picture(sheet.theme, detail, sheet.heat)
    picture = as_asked(picture, overlay)
    names = sheet.names_jobs and overlay.legend
    fonts = Fonts(QGuiApplication.font())
    on = Sheet.of_view(sheet.view, sheet.theme, fonts, least_name=sheet.least_name_px)
    servers = servers_by_colour(sheet.design) if sheet.names_jobs else {}
    parts = (
        *paper(on),
        *layers(picture, on, has_titles=overlay.labels),
        *JobMarks().parts(composition, on, servers, detail.names),
        *overlaid(composition, picture, sheet.heat, on, overlay),
        *states(composition, on, detail, overlay),
        *badges(composition, on, detail, overlay.badges),
        *legends(
            picture.legend if overlay.legend else None,
            ordered(sheet.design.jobs) if names else (),
            on,
            picture.keys if overlay.legend else (),
        ),
    )
    paint(painter, parts, fonts)


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

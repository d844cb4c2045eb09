"""Printing: the pages of a drawing on a printer, one after the other, so that the window stays in use."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QMarginsF, QObject, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from designer.canvas.glyphs import Fonts
from designer.canvas.page_image import paint_page
from designer.drawing.pages import Page
from designer.units import format_counted
from designer.windows.desk import Desk

EDGE_MM = 5.0
"""What a page of another size than the paper leaves free at the edges: printers reach no further."""


class Printing(QObject):
    """Asks for a printer, then prints a page each time the window has nothing else to do."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._parent = desk, parent
        self._pages: Sequence[Page] = ()
        self._left: list[int] = []
        self._painter: QPainter | None = None
        self._printer: QPrinter | None = None
        self.make_printer: Callable[[], QPrinter] = lambda: QPrinter(QPrinter.PrinterMode.HighResolution)

    @property
    def is_busy(self) -> bool:
        """Whether pages are being printed."""
        return self._painter is not None

    def begin(self, pages: Sequence[Page], name: str) -> None:
        """Ask for the printer; a page is as large as its own size on paper that has it, else fitted to the paper."""
        if not pages or self._painter is not None:
            return
        printer = self._printer = self.make_printer()
        printer.setDocName(name)
        printer.setCreator("Fabric Designer")
        _lay_out(printer, pages[0])
        dialog = self.dialog = QPrintDialog(printer, self._parent)
        dialog.setMinMax(1, len(pages))
        dialog.setFromTo(1, len(pages))
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange, len(pages) > 1)
        dialog.accepted.connect(lambda: self.print_on(printer, pages))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.show()

    def print_on(self, printer: QPrinter, pages: Sequence[Page]) -> None:
        """Print the pages that the printer's range has."""
        first, last = printer.fromPage() or 1, printer.toPage() or len(pages)
        self._printer, self._pages = printer, pages
        self._left = list(range(first - 1, min(last, len(pages))))
        _lay_out(printer, pages[self._left[0]] if self._left else pages[0])
        self._painter = QPainter()
        if not self._painter.begin(printer):
            self._painter = None
            self._desk.notice.complain("Nothing was printed: the printer does not answer.")
            return
        self._fonts = Fonts(QFont(QGuiApplication.font()))
        self._is_first = True
        self._desk.notice.wait(f"Printing {format_counted(len(self._left), 'page')} …", self.stop)
        QTimer.singleShot(0, self, self._print_next)

    def stop(self) -> None:
        """Print no more pages."""
        self._left.clear()

    def _print_next(self) -> None:
        painter, printer = self._painter, self._printer
        if painter is None or printer is None:
            return
        if not self._left:
            painter.end()
            self._painter = self._printer = None
            self._desk.notice.done()
            return
        page = self._pages[self._left.pop(0)]
        if not self._is_first:
            _lay_out(printer, page)
            printer.newPage()
        self._is_first = False
        paint_on(painter, printer, page, self._fonts)
        QTimer.singleShot(0, self, self._print_next)


def _lay_out(printer: QPrinter, page: Page) -> None:
    """The way up that suits the page."""
    is_wide = page.width_mm > page.height_mm
    way = QPageLayout.Orientation.Landscape if is_wide else QPageLayout.Orientation.Portrait
    printer.setPageOrientation(way)
    standard = QPageSize(QSizeF(*sorted((page.width_mm, page.height_mm))), QPageSize.Unit.Millimeter)
    if standard.id() != QPageSize.PageSizeId.Custom:
        printer.setPageSize(standard)
    printer.setFullPage(True)
    printer.setPageMargins(QMarginsF(0, 0, 0, 0))


def paint_on(painter: QPainter, printer: QPrinter, page: Page, fonts: Fonts) -> None:
    """Paint a page: in its own size where the paper is as large, else within the edges of the paper."""
    paper = printer.paperRect(QPrinter.Unit.Millimeter)
    dots_per_mm = printer.resolution() / 25.4
    room = QRectF(paper)
    if abs(paper.width() - page.width_mm) > 1 or abs(paper.height() - page.height_mm) > 1:
        room.adjust(EDGE_MM, EDGE_MM, -EDGE_MM, -EDGE_MM)
    _, _, width, height = page.area
    scale = min(room.width() / width, room.height() / height) * dots_per_mm
    left = room.center().x() * dots_per_mm - width * scale / 2
    top = room.center().y() * dots_per_mm - height * scale / 2
    painter.save()
    painter.translate(left, top)
    paint_page(painter, page, scale, fonts)
    painter.restore()

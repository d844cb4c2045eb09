"""Printing: the pages of a drawing on a printer, one after the other, so that the window stays in use."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QMarginsF, QObject, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QGuiApplication, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from designer.canvas.glyphs import Fonts
from designer.canvas.page_image import paint_page
from designer.drawing.pages import Page
from designer.units import format_counted

EDGE_MM = 5.0
"""What a page of another size than the paper leaves free at the edges: printers reach no further."""


class Printing(QObject):
    """Asks for a printer, then prints a page each time the window has nothing else to do.

    `progressed` carries the share done, `ended` a sentence on how it went.
    """

    progressed = Signal(float)
    ended = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._pages: Sequence[Page] = ()
        self._left: list[int] = []
        self._n_wanted = 0
        self._is_stopped = False
        self._painter: QPainter | None = None
        self._printer: QPrinter | None = None
        self.make_printer: Callable[[], QPrinter] = lambda: QPrinter(QPrinter.PrinterMode.HighResolution)

    @property
    def is_busy(self) -> bool:
        """Whether pages are being printed."""
        return self._painter is not None

    def begin(self, pages: Sequence[Page], name: str) -> None:
        """Ask for the printer. The name of the job, and of a file that it is printed to, is safe as a file's.

        A page is as large as its own size on paper that has it, else fitted to the paper.
        """
        if not pages or self._painter is not None:
            return
        printer = self._printer = self.make_printer()
        printer.setDocName(name)
        printer.setCreator("Fabric Designer")
        lay_out(printer, pages[0])
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
        self._n_wanted, self._is_stopped = len(self._left), False
        lay_out(printer, pages[self._left[0]] if self._left else pages[0])
        self._painter = QPainter()
        if not self._painter.begin(printer):
            self._painter = None
            self.ended.emit("Nothing was printed: the printer does not answer.")
            return
        self._fonts = Fonts(QFont(QGuiApplication.font()))
        self._is_first = True
        self.progressed.emit(0.0)
        QTimer.singleShot(0, self, self._print_next)

    def stop(self) -> None:
        """Print no more pages."""
        self._is_stopped = True

    def end(self) -> None:
        """Hand the printer what was painted so far, where pages are being printed."""
        if self._painter is None:
            return
        self._painter.end()
        self._painter = self._printer = None
        all_of_them = format_counted(self._n_wanted, "page")
        n_done = self._n_wanted - len(self._left)
        self.ended.emit(f"Printed {n_done} of {all_of_them}." if self._left else f"Printed {all_of_them}.")

    def _print_next(self) -> None:
        painter, printer = self._painter, self._printer
        if painter is None or printer is None:
            return
        n_done = self._n_wanted - len(self._left)
        self.progressed.emit(n_done / self._n_wanted)
        if self._is_stopped or not self._left:
            self.end()
            return
        page = self._pages[self._left.pop(0)]
        if not self._is_first:
            lay_out(printer, page)
            printer.newPage()
        self._is_first = False
        scale, left, top = place_on(printer, page)
        painter.save()
        painter.translate(left, top)
        paint_page(painter, page, scale, self._fonts)
        painter.restore()
        QTimer.singleShot(0, self, self._print_next)


def lay_out(printer: QPrinter, page: Page) -> None:
    """Turn the paper the way up that suits the page, of its size where it is a usual one."""
    is_wide = page.width_mm > page.height_mm
    way = QPageLayout.Orientation.Landscape if is_wide else QPageLayout.Orientation.Portrait
    printer.setPageOrientation(way)
    standard = QPageSize(QSizeF(*sorted((page.width_mm, page.height_mm))), QPageSize.Unit.Millimeter)
    if standard.id() != QPageSize.PageSizeId.Custom:
        printer.setPageSize(standard)
    printer.setFullPage(True)
    printer.setPageMargins(QMarginsF(0, 0, 0, 0))


def place_on(printer: QPrinter, page: Page) -> tuple[float, float, float]:
    """Dots a unit of the page, and its corner in dots: its own size on its paper, else within the edges of other."""
    paper = printer.paperRect(QPrinter.Unit.Millimeter)
    dots_per_mm = printer.resolution() / 25.4
    room = QRectF(paper)
    if abs(paper.width() - page.width_mm) > 1 or abs(paper.height() - page.height_mm) > 1:
        room.adjust(EDGE_MM, EDGE_MM, -EDGE_MM, -EDGE_MM)
    _, _, width, height = page.area
    scale = min(room.width() / width, room.height() / height) * dots_per_mm
    left = room.center().x() * dots_per_mm - width * scale / 2
    top = room.center().y() * dots_per_mm - height * scale / 2
    return scale, left, top

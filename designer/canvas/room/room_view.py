"""What floor plan and rack elevation have in common: read from the design when next seen, written as they are seen."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QWidget

from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.legends import Legends
from designer.canvas.painting import paint
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.stage_view import StageView
from designer.canvas.subject import Plate, Subject
from designer.canvas.tooltips import tooltip_of
from designer.drawing.bundles import Floats
from designer.drawing.colour_by import Status
from designer.drawing.colouring import Colouring, DeviceColours
from designer.drawing.geometry import Rect
from designer.drawing.overlay import worst_by_subject
from designer.drawing.parts.marks import worst_of
from designer.drawing.parts.primitives import Part
from designer.drawing.parts.sheet import Sheet
from designer.drawing.projection import Projection
from designer.drawing.theme import Theme
from designer.errors import ExportError
from designer.late import Late
from designer.model.edit import Edit
from designer.session.session import Session
from designer.validation.findings import Finding, Report, Severity

export = Late("designer.canvas.export")

PNG_RATIO = 2.0

Drawn = TypeVar("Drawn")


def middle_in(rect: Rect, around: Rect) -> bool:
    """Whether the middle of a rectangle is in another."""
    x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
    return around[0] <= x <= around[2] and around[1] <= y <= around[3]


class RoomSubject(Subject, Generic[Drawn]):
    """Racks as something drawn of the design; what is drawn is read when it is next asked for."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._drawn: Drawn | None = None
        self._badged: Report | None = None
        self._worst: dict[str, Severity] = {}
        """Of that report."""
        self._in_racks: dict[str, Severity] | None = None
        self._colouring: Colouring | None = None
        self._classes: tuple[int, str, DeviceColours | None] | None = None
        """Those of a count of changes, for a theme."""
        self._legends = Legends(session)
        self._fonts = Fonts(QFont())
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.selection_changed.connect(self.changed)
        session.workbench.validation.state_changed.connect(self.changed)
        session.badges_changed.connect(self.changed)
        session.failed_changed.connect(self.changed)
        session.workbench.comparison.changed.connect(self.changed)

    def read(self) -> Drawn:
        """What is drawn of the design as it stands."""
        raise NotImplementedError

    def parts(self, sheet: Sheet) -> Iterable[Part]:
        """What it is made of, on an empty sheet."""
        raise NotImplementedError

    def boxes(self) -> Floats:
        """Left, top, width and height of what a legend should stand clear of, (n, 4)."""
        raise NotImplementedError

    @property
    def has_own_legend(self) -> bool:
        """Whether a legend is part of what is drawn: then none lies over it."""
        return False

    def coloured(self) -> Iterable[str]:
        """The devices whose colors a legend explains."""
        return self.session.design.placements

    def classes(self, theme: Theme) -> DeviceColours | None:
        """What devices are colored by, as on the canvas; None where kinds have colors of their own."""
        if self._colouring is None:
            self._colouring = Colouring(Projection(self.session.design))
        found = self.session.workbench.comparison.found
        self._colouring.show_marks(None if found is None else found.marked.marks)
        self._colouring.show_status(Status(self._found(), self.session.failed))
        key = self._colouring.version, theme.name
        if self._classes is None or self._classes[:2] != key:
            self._classes = *key, self._colouring.of_devices(theme, self.coloured())
        return self._classes[2]

    @property
    def worst(self) -> Mapping[str, Severity]:
        """The severities that badges show, by what bears them; none where badges are hidden."""
        found = self._found()
        return found if self.session.badges_shown else {}

    def _found(self) -> Mapping[str, Severity]:
        """The severities by what bears them. While a design is checked again, what was found last stands."""
        validation = self.session.workbench.validation
        if (report := validation.report_now) is not None and report is not self._badged:
            self._badged, self._in_racks = report, None
            self._worst = worst_by_subject(report.open, validation.waiting)
        return self._worst

    def worst_in_racks(self) -> Mapping[str, Severity]:
        """The worst of what each rack bears and of what stands in it."""
        design, worst = self.session.design, self.worst
        if self._in_racks is None:
            held: dict[str, list[Severity]] = {}
            for one, severity in worst.items():
                place = design.placements.get(one)
                rack_id = one if one in design.racks else place.rack_id if place is not None else None
                if rack_id is not None:
                    held.setdefault(rack_id, []).append(severity)
            self._in_racks = {rack_id: found for rack_id, all_ in held.items() if (found := worst_of(all_)) is not None}
        return self._in_racks if worst else {}

    def tooltip(self, target: Target) -> str:
        """Rich text about the device or rack under the mouse, with what is found wrong with it."""
        found = self.session.workbench.validation.about(target.ids)
        return tooltip_of(self.session.design, target, None, "", findings=found)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the design as it stands; none while they are looked for."""
        validation = self.session.workbench.validation
        return validation.report_now.open if validation.report_now is not None else ()

    def set_font(self, font: QFont) -> None:
        """Write in this font from now on."""
        self._fonts = Fonts(QFont(font))

    @property
    def drawn(self) -> Drawn:
        """What is drawn, up to date."""
        if self._drawn is None:
            self._drawn = self.read()
        return self._drawn

    def read_again(self) -> None:
        """What is drawn is no longer so."""
        self.ending.emit()
        self._drawn = self._in_racks = self._colouring = self._classes = None
        self.changed.emit()

    def _follow(self, _edit: Edit) -> None:
        self.read_again()

    def _reset(self) -> None:
        self._worst = {}
        self.read_again()
        self.replaced.emit()

    def paint(self, painter: QPainter, sight: Sight, hovered: Target, *, connectable: bool) -> bool:
        """Paint the racks, or what to do where there is none. False: it is never painted coarser first."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(sight.rect, QColor(sight.theme.background))
        if self.bounds() is None:
            painter.setPen(QColor(sight.theme.muted))
            painter.setFont(self._fonts.at(14))
            painter.drawText(sight.rect, Qt.AlignmentFlag.AlignCenter, "No racks yet: add one from the palette.")
        else:
            self._settle(sight)
            paint(painter, self.parts(sight.sheet(self._fonts)), self._fonts)
        return False

    # -- the legend -----------------------------------------------------------------------------------------------

    def _settle(self, sight: Sight) -> None:
        """Show the legend of the colors that are drawn, where it covers the fewest racks."""
        self._show_keys(sight)
        self._legends.key_plate.settle(self.boxes(), sight, self._fonts)

    def _show_keys(self, sight: Sight) -> None:
        classes = self.classes(sight.theme)
        self._legends.key_plate.show(() if classes is None or self.has_own_legend else classes.keys)

    def paint_legend(self, painter: QPainter, sight: Sight) -> None:
        """Paint the legend."""
        paint(painter, self._legends.key_plate.parts(sight, self._fonts), self._fonts)

    def paint_over(self, painter: QPainter, sight: Sight) -> None:
        """The legend."""
        self.paint_legend(painter, sight)

    def taken_px(self, sight: Sight, *, soon: bool = False) -> tuple[Rect, ...]:
        """What lies over the picture; where all is fitted again, the legend folds if it made racks much smaller."""
        if soon and (bounds := self.bounds()) is not None:
            boxes = self.boxes()
            self._show_keys(sight)
            self._legends.settle(bounds, lambda _: boxes, lambda _: None, sight, self._fonts)
        place = self._legends.key_plate.rect(sight, self._fonts)
        return sight.covered if place is None else (*sight.covered, place)

    def plate_at(self, at: Pointer, sight: Sight) -> Plate | None:
        """The legend, where the mouse is on it."""
        return self._legends.at(at, sight, self._fonts)


class RoomView(StageView):
    """A view of racks, which is written as it is seen."""

    def __init__(self, room: RoomSubject[Any], parent: QWidget | None = None) -> None:
        super().__init__(room, parent)
        self.room = room

    def render_png(self, path: Path) -> None:
        """Write what is seen as PNG. Raises ExportError."""
        self._need_racks()
        image = QImage(self.size() * PNG_RATIO, QImage.Format.Format_ARGB32_Premultiplied)
        ratio = PNG_RATIO * self.enlargement
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        try:
            self._paint_seen(painter, replace(self.sight, ratio=ratio))
        finally:
            painter.end()
        export.save(image, path)

    def render_pdf(self, path: Path) -> None:
        """Write what is seen as one page of a PDF. Raises ExportError or SaveError."""
        self._need_racks()
        name, sight = self.session.design.name, self.sight
        export.write_pdf(path, name, sight.width, sight.height, lambda painter: self._paint_seen(painter, sight))

    def _paint_seen(self, painter: QPainter, sight: Sight) -> None:
        self.paint_subject(painter, sight)
        self.room.paint_legend(painter, sight)

    def _need_racks(self) -> None:
        if self.subject.bounds() is None:
            raise ExportError("the design has no racks: there is nothing to draw")

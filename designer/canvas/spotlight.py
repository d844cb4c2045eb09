"""What is bright on the canvas while all else is dimmed: paths, the path of a flow, or what the mouse rests on."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QVariantAnimation
from PySide6.QtGui import QPainter

from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.painting import paint
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.heat import Heat
from designer.drawing.lit import Lit, lit_around, lit_over, lit_picture
from designer.drawing.parts.lit import lit_layers, lit_notes
from designer.drawing.parts.sheet import Sheet
from designer.session.session import Session

FADE_MS = 160
"""What the mouse rests on dims the rest in that time."""


class Spotlight:
    """Paths before the path of a flow, that before the links of a device. Bright pictures are kept for later frames."""

    def __init__(self, session: Session, parent: QObject, changed: Callable[[], None]) -> None:
        """`changed` is called when it is to be painted again."""
        self._paths, self._flows = session.workbench.paths, session.workbench.flows_on_link
        self._rested_on: str | None = None
        self._strength = 0.0
        """How far what the mouse rests on dims the rest."""
        self._changed = changed
        self._fade = QVariantAnimation(parent)
        self._fade.setDuration(FADE_MS)
        self._fade.setStartValue(0.0)
        self._fade.setEndValue(1.0)
        self._fade.valueChanged.connect(self._fade_to)
        self._fade.finished.connect(self._end_fade)
        self._lit_of: tuple[object, ...] = ()
        self._lit: Lit | None = None
        self._bright_of: tuple[object, ...] = ()
        self._bright: Picture | None = None

    def rest_on(self, target: Target | None) -> bool:
        """The mouse rests on that, None for nothing and at once; whether it is a device, which has its links lit.

        All else is dimmed little by little, and comes back so. A port of the device that is lit belongs to it.
        """
        if target is None:
            self._fade.stop()
            was_lit, self._rested_on, self._strength = self._rested_on is not None, None, 0.0
            if was_lit:
                self._changed()
            return False
        device_id = target.device_id if target.end is None or target.device_id == self._rested_on else None
        self._rested_on = device_id or self._rested_on
        way = QVariantAnimation.Direction
        self._fade.setDirection(way.Backward if device_id is None else way.Forward)
        if self._rested_on is not None and self._strength != (0.0 if device_id is None else 1.0):
            if self._fade.state() != QVariantAnimation.State.Running:  # else it turns round where it is
                self._fade.start()
        else:
            self._changed()
        return device_id is not None

    def _fade_to(self, strength: float) -> None:
        self._strength = strength
        self._changed()

    def _end_fade(self) -> None:
        if self._strength == 0.0:
            self._rested_on = None
            self._changed()

    @property
    def device_id(self) -> str | None:
        """What the mouse rests on, where that is what is bright."""
        is_asked = self._paths.asked is not None or self._flows.lit is not None
        return None if is_asked else self._rested_on

    @property
    def strength(self) -> float:
        """From 0 to 1, how far all else is dimmed."""
        is_asked = self._paths.asked is not None or self._flows.lit is not None
        return 1.0 if is_asked else self._strength

    def leave(self) -> bool:
        """End paths, or the path of a flow; whether there were any."""
        if self._paths.asked is not None:
            self._paths.end()
            return True
        if self._flows.lit is not None:
            self._flows.light(None)
            return True
        return False

    def lit(self, composition: Composition) -> Lit | None:
        """What is bright now; None while nothing is dimmed."""
        paths, flow, path = self._paths, self._flows.lit, self._flows.path
        key = (paths.found, paths.chosen, flow, path, self._rested_on, composition, composition.generation)
        if key != self._lit_of:
            self._lit_of, self._lit = key, self._made(composition)
        return self._lit

    def _made(self, composition: Composition) -> Lit | None:
        found, flow = self._paths.found, self._flows.lit
        if found is not None and self._paths.asked is not None:
            ends = tuple(dict.fromkeys(place.device_id for place in self._paths.asked))
            return lit_over(composition, found.links, ends, self._paths.chosen)
        if flow is not None and self._flows.path:
            return lit_over(composition, self._flows.path, (flow.source_id, flow.target_id))
        return lit_around(composition, self._rested_on) if self._rested_on is not None else None

    def paint(
        self,
        painter: QPainter,
        composition: Composition,
        picture: Picture,
        heat: Heat | None,
        sheet: Sheet,
        fonts: Fonts,
    ) -> None:
        """Paint a veil over what was drawn, and what is bright over it; nothing while nothing is dimmed."""
        lit = self.lit(composition)
        if lit is None:
            return
        key = (lit, heat, picture.theme.name, picture.detail, composition, composition.generation)
        if self._bright is None or key != self._bright_of:
            self._bright_of, self._bright = key, lit_picture(composition, picture, heat, lit)
        painter.setOpacity(self.strength)
        paint(painter, lit_layers(composition, picture, self._bright, sheet, lit), fonts)
        painter.setOpacity(1.0)
        paint(painter, lit_notes(picture, sheet), fonts)

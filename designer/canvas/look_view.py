"""A canvas to look at: another design, moved and zoomed by hand; a click asks for what it is on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from designer.canvas.fabric import Fabric
from designer.canvas.stage_view import StageView
from designer.canvas.tools.look import LookTool
from designer.drawing.colour_by import Marks
from designer.session.session import Session


class LookedAt(Fabric):
    """The fabric of a design that stands next to another one, whose legend may be for both."""

    def __init__(self, session: Session) -> None:
        drawn = session.drawn
        super().__init__(session)
        session.drawn = drawn  # which is what the design's own canvas shows

    def show_heat_legend(self, shown: bool) -> None:
        """Show the legend of the loads here, or leave it to another view with the same colors."""
        if shown != self.has_heat_legend:
            self.has_heat_legend = shown
            self._make_room()
            self.changed.emit()

    def show_differences(self, marks: Marks | None) -> None:
        """Show in which way this design is not the same as another, which is compared with it; None for no more."""
        if marks is not self._comparison.given:
            self._comparison.given = marks
            self._compare()


class LookView(StageView):
    """`wanted` carries the ids under a click, none from the background. It takes neither keys nor what is dropped."""

    wanted = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self.fabric = LookedAt(session)
        super().__init__(self.fabric, parent)
        self.add_tools(LookTool(self, self.wanted.emit))
        self.set_tool(LookTool.name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAcceptDrops(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

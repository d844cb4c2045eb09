"""The canvas, and a second one with a camera of its own, which is made when it is first wanted."""

from collections.abc import Iterator

from designer.canvas.view import CanvasView
from designer.session.session import Session


class Canvases:
    """Both show one design and one selection. `at_work` is the one that was used last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.first = self.at_work = CanvasView(session)
        self.second: CanvasView | None = None

    def __iter__(self) -> Iterator[CanvasView]:
        """The first, and the second where there is one."""
        yield self.first
        if self.second is not None:
            yield self.second

    def make_second(self) -> CanvasView:
        """The second canvas, which has just been made."""
        self.second = CanvasView(self._session)
        return self.second

    def fit(self) -> None:
        """Show everything in each."""
        for canvas in self:
            canvas.zoom_to_fit()

    def look_alike(self) -> None:
        """Let the second look where the first one does."""
        first, second = self.first, self.second
        if second is None:
            return
        if first.shows_all:
            second.zoom_to_fit()
        else:
            second.look_at(first.camera.seen(*first.extent))

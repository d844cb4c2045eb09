"""Keeps what each network of the design is built of, for whoever shows it."""

from designer.analysis.network_shape import NetworkShape
from designer.late import Late
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Work

summary = Late("designer.analysis.summary")

LANE = "shapes"
DELAY_MS, LARGE_DELAY_MS = 200, 1500
# Many links take half a second of a thread that the window shares.
LARGE_LINKS = 10_000


class ShapesJob(Computation[int, tuple[NetworkShape, ...]]):
    """The networks of the latest revision that was asked for: it computes nothing that nobody looks at."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: document.design.revision)
        self._document = document
        document.reset.connect(self.forget)

    def want(self) -> None:
        """Someone looks at the networks: work them out in a moment, unless they are known."""
        if self.is_of_now:
            return
        design = self._document.design
        if not design.devices:
            self.forget()
        else:
            self.ask(self._found, LARGE_DELAY_MS if len(design.links) > LARGE_LINKS else DELAY_MS)

    def _found(self) -> Work:
        design = self._document.snapshot()
        return lambda _progress: summary.network_shapes(design)

"""Keeps what each network of the design is built of, for whoever shows it."""

from typing import NamedTuple

from designer.analysis.network_shape import NetworkShape
from designer.late import Late
from designer.model.entities import FABRIC
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Progress, Work

summary = Late("designer.analysis.summary")
topology = Late("designer.analysis.topology_text")

summary_text = Late("designer.analysis.summary_text")

LANE = "shapes"
SHARE_OF_NETWORKS = 0.3
"""Of the time that it takes."""
DELAY_MS, LARGE_DELAY_MS = 200, 1500
# Many links take half a second of a thread that the window shares.
LARGE_LINKS = 10_000
MOST_FIGURES_LINKS = 50_000
"""Figures of more links take seconds, in which the next command would wait: `info` states them."""
LEFT_OUT = (
    f"Not computed here for more than {MOST_FIGURES_LINKS:,} links: run fabric-designer info on the file for "
    "bisection bandwidth, diameter, cables and power."
)


class Shapes(NamedTuple):
    """What a design is built of."""

    networks: tuple[NetworkShape, ...]
    topology: tuple[str, ...]
    """Lines about the families of its generated fabrics and their parameters; none of a design without any."""
    figures: tuple[str, ...]
    """Bisection bandwidth, cables, power and the like, a line for each."""


class ShapesJob(Computation[int, Shapes]):
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
        is_generated = any(one.kind == FABRIC and one.recipe is not None for one in design.groups.values())

        def work(progress: Progress) -> Shapes:
            lines = topology.topology_text(design).lines if is_generated else ()
            networks = summary.network_shapes(design)
            progress(SHARE_OF_NETWORKS)
            has_figures = len(design.links) <= MOST_FIGURES_LINKS
            return Shapes(networks, lines, summary_text.figures(design) if has_figures else (LEFT_OUT,))

        return work

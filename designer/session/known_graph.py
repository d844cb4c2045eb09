"""The graph last simulated on and the links that changed since, so that the next one is not built from nothing."""

from typing import TYPE_CHECKING

from designer.late import Late
from designer.model.annotation import Annotation
from designer.model.bookmark import Bookmark
from designer.model.edit import Edit
from designer.model.entities import Link, PlacedJob, Placement, Rack, Revision
from designer.model.fixture import Fixture
from designer.model.waiver import Waiver

if TYPE_CHECKING:
    from designer.graph.arrays import Graph
    from designer.graph.building.edited import Base

edited = Late("designer.graph.building.edited")

NOT_READ = (PlacedJob, Placement, Rack, Annotation, Bookmark, Fixture, Revision, Waiver)
"""Records the graph does not read. Groups it does: those of a dragonfly."""


class KnownGraph:
    """Follows a design edit by edit; only changes of links are followed, any other makes it forget."""

    def __init__(self) -> None:
        self._graph: Graph | None = None
        self._network = ""
        self._changed: dict[str, Link | None] = {}

    def keep(self, graph: "Graph", network: str) -> None:
        """`graph` is that of the network of the design as it stands, without failures."""
        self._graph, self._network, self._changed = graph, network, {}

    def forget(self) -> None:
        """Drop the graph: the next one is built from nothing."""
        self._graph, self._changed = None, {}

    def follow(self, edit: Edit) -> None:
        """The design changed by `edit`."""
        if self._graph is None:
            return
        if not edit.kinds <= {Link, *NOT_READ}:
            self.forget()
            return
        for change in edit.changes if Link in edit.kinds else ():
            if isinstance(change.subject, Link):
                before = change.before
                self._changed.setdefault(change.subject.id, before if isinstance(before, Link) else None)
        if len(self._changed) > edited.MOST_CHANGES:
            self.forget()

    def base(self) -> "Base | None":
        """What a worker may start from to bring the graph up to date with the design as it stands."""
        return None if self._graph is None else edited.Base(self._graph, self._network, dict(self._changed))

"""Keeps the cost of the design up to date while it is drawn, where the user chose price lists."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal

from designer.late import Late
from designer.model.edit import Edit
from designer.model.hardware.types import HardwareType
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Work

running_bills = Late("designer.analysis.billing.running")

LANE = "cost"
Prices = Any
"""A PriceList; what it is made of loads late, as the records below do."""
Terms = Any
"""CostTerms."""
DELAY_MS, LARGE_DELAY_MS = 150, 2000
# To count all of many links takes seconds of a thread that the window shares; an edit is followed without that.
LARGE_LINKS = 10_000


class CostJob(Computation[tuple[int, object, object], Any]):
    """The latest cost by the price lists and terms; none is made without a list.

    The bill is counted once, in a worker. Edits are followed at once, but those that touch too much for that.
    """

    priced_anew = Signal()
    """There are other prices, terms, or none."""

    def __init__(self, document: Document, jobs: Jobs, types: Callable[[], Mapping[str, HardwareType]]) -> None:
        self.prices: Prices | None = None
        self.terms: Terms | None = None
        super().__init__(document, jobs, LANE, lambda: (document.design.revision, self.prices, self.terms))
        self._document, self._types = document, types
        self._running: Any = None
        self._running_revision = -1
        document.settled.connect(self._follow_edit)
        document.reset.connect(self._start_over)

    @property
    def costing(self) -> Any:
        """The latest Costing, whatever revision it is of."""
        return self.value

    @property
    def bill(self) -> Any:
        """Its lines with their prices."""
        return self.value.priced if self.value is not None else None

    def use(self, prices: Prices | None, terms: Terms | None = None) -> None:
        """Show costs by these prices and terms from now on; none without prices."""
        self.prices, self.terms = prices, terms
        self.forget()
        self.priced_anew.emit()
        if self.prices is not None and self._is_running:
            self._put()
        else:
            self._start_over()

    @property
    def _is_running(self) -> bool:
        return self._running is not None and self._running_revision == self._document.design.revision

    def _start_over(self) -> None:
        self._running = None
        self.forget()
        self._schedule()

    def _follow_edit(self, edit: Edit) -> None:
        if self.prices is None:
            return
        design = self._document.design
        is_next = self._running_revision == design.revision - 1
        if self._running is not None and is_next and self._running.follow(design, edit):
            self._running_revision = design.revision
            self._put()
        else:
            self._running = None
            self._schedule()

    def _put(self) -> None:
        """The cost by the bill that runs along."""
        assert self._running is not None, "asked before"
        assert self.prices is not None, "asked before"
        self.put((self._running, running_bills.costing_of_running(self._running, self.prices, self.terms)))
        self.state_changed.emit()

    def _schedule(self) -> None:
        if self.prices is not None:
            is_large = len(self._document.design.links) > LARGE_LINKS
            self.ask(self._made, LARGE_DELAY_MS if is_large else DELAY_MS)

    def _made(self) -> Work:
        design, types, prices, terms = self._document.snapshot(), self._types(), self.prices, self.terms

        def work(_progress: Callable[[float], None]) -> object:
            running = running_bills.RunningBill(design, types)
            return running, running_bills.costing_of_running(running, prices, terms)

        return work

    def _keep(self, value: Any) -> None:
        self._running, self.value = value
        self._running_revision = self._of[0] if self._of is not None else -1

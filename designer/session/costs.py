"""Keeps the cost of the design up to date while it is drawn, where the user chose a price list."""

from collections.abc import Callable, Mapping

from designer.analysis.billing.bill import Bill, bill_of
from designer.analysis.billing.prices import NO_PRICES, PriceList
from designer.model.edit import Edit
from designer.model.hardware import HardwareType
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Work

LANE = "cost"
DELAY_MS, LARGE_DELAY_MS = 150, 2000
# A bill of many links takes a second of a thread that the window shares.
LARGE_LINKS = 10_000


class CostJob(Computation[tuple[int, PriceList | None], Bill]):
    """The latest bill by the price list; none is made without one."""

    def __init__(self, document: Document, jobs: Jobs, types: Callable[[], Mapping[str, HardwareType]]) -> None:
        self.prices: PriceList | None = None
        super().__init__(document, jobs, LANE, lambda: (document.design.revision, self.prices))
        self._document, self._types = document, types
        document.settled.connect(self._follow_edit)
        document.reset.connect(self._start_over)

    @property
    def bill(self) -> Bill | None:
        """The latest, whatever revision it is of."""
        return self.value

    def use(self, prices: PriceList | None) -> None:
        """Show costs by these prices from now on; none without any."""
        self.prices = prices
        self._start_over()

    def _start_over(self) -> None:
        self.forget()
        self._schedule()

    def _follow_edit(self, _edit: Edit) -> None:
        self._schedule()

    def _schedule(self) -> None:
        if self.prices is not None:
            is_large = len(self._document.design.links) > LARGE_LINKS
            self.ask(self._made, LARGE_DELAY_MS if is_large else DELAY_MS)

    def _made(self) -> Work:
        design, types, prices = self._document.snapshot(), self._types(), self.prices or NO_PRICES
        return lambda _progress: bill_of(design, types, prices)

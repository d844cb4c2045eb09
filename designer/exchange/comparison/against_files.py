"""The open design against a file of whatever tool: reading it, comparing, and the figures of both sides."""

from collections.abc import Callable
from pathlib import Path

from designer.analysis.billing.prices import NO_PRICES, PriceList
from designer.analysis.billing.terms import NO_TERMS, CostTerms
from designer.analysis.comparing import compare, swapped
from designer.catalog.catalog import Catalog
from designer.exchange.as_built.as_design import as_built_design
from designer.exchange.as_built.fault import AsBuilt
from designer.exchange.as_built.faults import compare_as_built
from designer.exchange.as_built.files import is_found_network, read_found
from designer.exchange.comparison.compared import NO_ORDER, Compared, Source, side_names
from designer.exchange.comparison.figure_rows import Figures
from designer.exchange.comparison.figures import figures_of
from designer.exchange.comparison.file_order import file_order
from designer.exchange.comparison.marking import marked_changes, marked_faults, places_of
from designer.exchange.comparison.report import Report, report_as_built, report_of_designs
from designer.exchange.reading.heard import hearing
from designer.model.design import Design
from designer.regeneration.as_generated import as_generated
from designer.storage import document
from designer.storage.shared import SharedRows

Progress = Callable[[float], None]


def read_source(
    path: Path,
    progress: Progress = lambda _share: None,
    near: Design | None = None,
    saved_at: float | None = None,
) -> Source:
    """The other side from its file; it shares its records with `near`, the design that was saved at that time.

    Raises DesignerError, or OSError.
    """
    if is_found_network(path):
        with hearing(lambda _count: progress(0.0)):
            return Source(path.stem, read_found(path))
    other = document.load(path, progress, SharedRows(near))
    order = NO_ORDER if near is None else file_order(near, saved_at, other, path.stat().st_mtime)
    return Source(path.stem, other, order=order)


def generated_source(design: Design, catalog: Catalog) -> Source:
    """The other side of what was changed by hand: the design as it was generated. Raises ParameterError."""
    return Source("as generated", as_generated(design, catalog), is_generated=True)


def compare_with(
    design: Design, source: Source, progress: Progress = lambda _share: None, *, is_swapped: bool | None = None
) -> Compared:
    """What both differ in; swapped, another design is the one before, as it always is as generated.

    None takes them in their order, as far as that is known; alternatives have none. `progress` may raise Cancelled.
    """
    if isinstance(source.other, Design):
        found = compare(design, source.other, lambda share: progress(0.6 * share), are_versions=source.is_generated)
        if is_swapped is None:
            is_swapped = source.order.is_other_first and not found.alternatives
        is_swapped = is_swapped or source.is_generated
        if is_swapped:
            found = swapped(found, design, lambda share: progress(0.6 + 0.2 * share))
        progress(0.8)
        sides = (source.other, design) if is_swapped else (design, source.other)
        names = side_names(*sides)
        if source.is_generated:
            names = source.name, design.name
        marked = marked_changes(design, found, None if source.is_generated else names)
        return Compared(names, source, found, marked, places_of(design, marked.marks), is_swapped)
    built = compare_as_built(design, source.other, progress=lambda share: progress(0.8 * share))
    progress(0.8)
    marked = marked_faults(design, built)
    return Compared((design.name, source.name), source, built, marked, places_of(design, marked.marks))


def other_side(design: Design, compared: Compared) -> Design:
    """The other design, or the design as it was built."""
    if isinstance(compared.source.other, Design):
        return compared.source.other
    assert isinstance(compared.found, AsBuilt)
    return as_built_design(design, compared.found)[0]


def compared_figures(
    design: Design,
    compared: Compared,
    progress: Progress,
    prices: PriceList | None = None,
    terms: CostTerms | None = None,
) -> Figures:
    """Bill, power, bisection and all-reduce time of both sides, those of the design first whichever came before.

    `progress` may raise Cancelled.
    """
    return figures_of(design, other_side(design, compared), progress, prices or NO_PRICES, terms or NO_TERMS)


def report_of(design: Design, compared: Compared, figures: Figures) -> Report:
    """The report to be written as page or workbook."""
    names = compared.names
    if isinstance(compared.found, AsBuilt):
        return report_as_built(design, names, compared.found, figures)
    return report_of_designs(design, names, compared.found, figures)

"""What an acceptance sheet is made with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.options import ExportOptions
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range
from designer.simulation import catalogue

USUAL_SIZES = "64MiB:8GiB"
USUAL_TOLERANCE = 0.1


@dataclass(frozen=True, slots=True)
class AcceptanceOptions(ExportOptions):
    """Those of the sheet."""

    collective: str = setting(
        "all-reduce",
        title="Collective",
        noun="collective",
        help="What is measured.",
        kind=kinds.CHOICE,
        choices=tuple(Word(row.name, row.title) for row in catalogue.COLLECTIVES),
    )
    model: str = setting(
        catalogue.IDEAL,
        title="Model",
        noun="model",
        help="What the expected times are of: the ideal model, or a library as it runs on measured machines.",
        kind=kinds.CHOICE,
        choices=tuple(Word(row.name, row.title) for row in catalogue.MODELS),
    )
    sizes: str = setting(
        USUAL_SIZES,
        title="Sizes",
        noun="sizes",
        help="From and to, and the factor between if not 2: 64MiB:8GiB, 1M:1G:4.",
        kind=kinds.TEXT,
        metavar="FROM:TO[:FACTOR]",
    )
    tolerance: float = setting(
        USUAL_TOLERANCE,
        title="Tolerance",
        noun="the tolerance",
        help="How far below the expected busbw a result may be and is accepted.",
        kind=kinds.SHARE,
        within=Range(0, 0.9),
    )

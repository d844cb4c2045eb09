"""A change that was tried: what the panel shows of it, and what doing it takes. Holds no result, only its heat."""

from dataclasses import dataclass, field
from typing import ClassVar

from designer.drawing.heat import Heat
from designer.model.edit import Edit
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, Columns


@dataclass(frozen=True, slots=True, eq=False)
class Tip:
    """`edit` is made for the design that it was tried on; `scenario` and `failed` are those it was run with."""

    title: str
    times: str
    gain: float | None
    gain_text: str
    sentence: str
    scenario: Scenario
    failed: frozenset[str]
    edit: Edit | None = None
    heat: Heat | None = field(default=None, repr=False)
    helps: bool = False
    adds: str = ""
    """ "4 switches, 256 links": the price of the gain."""
    refused: str = ""
    """Why it cannot be tried; "" where it was."""

    COLUMNS: ClassVar[Columns] = (
        Column(
            "what",
            "What would help",
            lambda tip: f"{tip.title}\n{tip.times}{f', adds {tip.adds}' if tip.adds else ''}",
        ),
        Column("gain_text", "Gain", right=True, order=lambda tip: tip.gain),
    )

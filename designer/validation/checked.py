"""A design with its findings, and the same after fixes: only what they touch is checked again."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from designer.catalog.catalog import delivered
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement.following import with_cables
from designer.validation.findings import Report
from designer.validation.judging import TriedFix
from designer.validation.live import Live, check_whole

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Checked:
    """A design with its findings, kept by what goes on with it."""

    design: Design
    live: Live
    report: Report

    @classmethod
    def of(cls, design: Design, live: Live | None, hear: Progress) -> "Checked":
        """A copy of a design with its findings, which `live` may know already."""
        made = design.snapshot()
        if live is None or live.revision != design.revision or live.pending:
            live = Live(made, hear)
        return cls(made, live, live.report(made))

    def after(self, design: Design, fixes: Collection[TriedFix], hear: Progress) -> "Checked":
        """The same of the design that these fixes made of this one: only what they touch is checked again."""
        live: Live | None = self.live.snapshot()
        assert live is not None
        step = self.design.snapshot()
        for one in fixes:
            step.apply(one.fix)
            if not live.follow(step, one.fix):
                live = Live(design, hear)
                break
        live.take(check_whole(design, live.pending, hear))
        return Checked(design, live, live.report(design))


def completed(design: Design, fix: Edit) -> Edit:
    """The fix with the lengths and media of the cables whose ends it moves, as when they are moved by hand."""
    return with_cables(design, fix, delivered().types)

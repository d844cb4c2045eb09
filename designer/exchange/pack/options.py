"""What a pack is made with, as a person sets it."""

from dataclasses import dataclass

from designer.analysis.billing.spares import SpareRule
from designer.analysis.billing.terms import CostTerms
from designer.exchange.bills.options import prices_setting, spares_setting
from designer.exchange.pack.contents import CONTENTS
from designer.exchange.revisions import RevisionOptions
from designer.fields import kinds
from designer.fields.field import Word, setting


@dataclass(frozen=True, slots=True)
class PackOptions(CostTerms, RevisionOptions):
    """The revision, the paper of the drawings, what goes in, and what it costs by."""

    paper: str = setting(
        "a4",
        title="Paper",
        help="Paper of the drawings.",
        kind=kinds.CHOICE,
        choices=(Word("a4", "A4"), Word("a3", "A3"), Word("a1", "A1"), Word("letter", "Letter")),
    )
    prices: str = prices_setting()
    spares: tuple[SpareRule, ...] = spares_setting()
    without: tuple[str, ...] = setting(
        (),
        title="Leave out",
        noun="file of a pack",
        help="Files to leave out: {names}.",
        kind=kinds.NAMES,
        choices=tuple(Word(one.key, one.title, one.about) for one in CONTENTS),
        metavar="NAME,...",
        empty="nothing",
    )
    redact: bool = setting(
        False,
        title="Redacted",
        help="Replace names by a pattern, leave out notes, labels, prices and sites; figures and results stay.",
        kind=kinds.FLAG,
    )

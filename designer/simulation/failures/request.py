"""What a sweep of failures is asked to try: one record that command line, panel and engine read."""

from dataclasses import dataclass

from designer.fields import kinds
from designer.fields.field import Field, Word, fields_of, setting
from designer.fields.ranges import Range

MOST_SAMPLES = 100_000
WAYS = (
    Word("single", "Each in turn"),
    Word("pairs", "Two at a time"),
    Word("monte-carlo", "At random"),
)
FAILING = (
    Word("link", "Links"),
    Word("optic", "Optics, ports"),
    Word("switch", "Switches"),
    Word("nic", "NICs"),
    Word("server", "Servers"),
    Word("rack", "Racks"),
    Word("plane", "Planes"),
)
"""What can fail."""


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What to fail: `kind` for each in turn and for pairs; the rest is for failures at random."""

    way: str = setting("single", title="Method", help="How failures are tried.", kind=kinds.CHOICE, choices=WAYS)
    kind: str = setting("link", title="What", help="What fails.", kind=kinds.CHOICE, choices=FAILING)
    rates: tuple[tuple[str, float], ...] = ()
    samples: int = setting(
        200,
        title="Samples",
        noun="the number of samples",
        help="How many failures at random are tried.",
        kind=kinds.COUNT,
        within=Range(1, MOST_SAMPLES),
    )
    seed: int = setting(0, title="Seed", help="Which failures are drawn.", kind=kinds.COUNT, within=Range(0))


REQUEST = fields_of(SweepRequest)
RATE_HINT = "such as 0.001 or 0.1 %"
RATES = {
    one.name: Field(
        name=one.name,
        title=one.title,
        noun=f"the failure rate of a {one.name}",
        help=f"Probability that one of these has failed, {RATE_HINT}",
        kind=kinds.SHARE,
        default=0.0,
        empty="0 %",
    )
    for one in FAILING
}
"""The chance that one of a kind has failed, by kind."""

"""What a search is asked: GPUs, workloads, families with the values to try, and limits. Needs no numpy."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from designer.analysis.billing.costing import years_text
from designer.analysis.billing.prices import NO_PRICES, USD, PriceList
from designer.analysis.billing.spares import SparesPolicy
from designer.analysis.billing.terms import NO_TERMS, CostTerms
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, setting
from designer.fields.ranges import ABOVE_0, Range
from designer.simulation.inference.request import Inference
from designer.simulation.scenario import Scenario
from designer.simulation.training.request import Training

MOST_CANDIDATES = 20_000
"""A list that multiplies to more is a slip: a day would not do for it."""

SIMPLEST, NO_COPPER, TRANSCEIVERS = "simplest", "no-copper", "transceivers"
PASSIVE, NO_AOC = "passive-copper", "no-aoc"
OPTICS = (
    Word(SIMPLEST, "Simplest that reaches", "Copper where it reaches, else active cables, else transceivers."),
    Word(PASSIVE, "Passive copper", "Passive copper where it reaches, else transceivers and fiber."),
    Word(NO_AOC, "No active optical cables", "Passive or active copper where it reaches, else transceivers and fiber."),
    Word(NO_COPPER, "No copper", "Active optical cables where they reach, else transceivers and fiber."),
    Word(TRANSCEIVERS, "Transceivers", "Transceivers and fiber for every link."),
)
"""What cables and optics a candidate may have."""

ANSWER, FIRST_TOKEN, TOKEN, REQUEST = "answer", "first-token", "token", "request"
MEASURES = (
    Word(ANSWER, "Whole answer", "From the request to the last token, of a request that waits for no other."),
    Word(FIRST_TOKEN, "First token", "The time to the first token."),
    Word(TOKEN, "Output token", "The time per output token."),
    Word(REQUEST, "Request", "One over the most requests per second that pools and fabric sustain."),
)
"""Which time of an inference counts."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What no candidate may exceed; None for no limit. Raises ParameterError for what makes no sense."""

    cost: float | None = setting(
        None,
        title="Budget",
        noun="the budget",
        help="Most that all parts may cost, in the currency: 80M.",
        kind=kinds.AMOUNT,
        within=ABOVE_0,
    )
    total_cost: float | None = setting(
        None,
        title="Budget with operation",
        noun="the budget with operation",
        help="Most that parts, power and cooling may cost together over the years of the terms: 95M.",
        kind=kinds.AMOUNT,
        within=ABOVE_0,
    )
    power_kw: float | None = setting(
        None,
        title="Power",
        noun="the power",
        help="Most power of servers and switches, in kW: the maximum, or the typical where the terms say so.",
        kind=kinds.AMOUNT,
        within=ABOVE_0,
        unit="kW",
    )
    facility_kw: float | None = setting(
        None,
        title="Power of the building",
        noun="the power of the building",
        help="Most power with what the building takes, in kW: that of devices at the average load, times the PUE.",
        kind=kinds.AMOUNT,
        within=ABOVE_0,
        unit="kW",
    )
    racks: int | None = setting(None, title="Racks", help="Most racks.", kind=kinds.COUNT)
    row_m: float | None = setting(
        None,
        title="Row length",
        noun="the row length",
        help="Longest row of racks, in meters.",
        kind=kinds.LENGTH,
        within=ABOVE_0,
        unit="m",
    )
    worst_failure: float | None = setting(
        None,
        title="Worst single failure",
        noun="the worst single failure",
        help="Most throughput that the failure of one switch, or of a cable or optic between switches, may cost any "
        "workload: 25%.",
        kind=kinds.SHARE,
        within=Range(0, 1),
    )
    worst_server_failure: float | None = setting(
        None,
        title="Worst failure at a server",
        noun="the worst failure at a server",
        help="Most throughput that the failure of one NIC, or of a cable or optic at a server, may cost any workload: "
        "50%.",
        kind=kinds.SHARE,
        within=Range(0, 1),
    )
    moved_links: int | None = setting(
        None,
        title="Links moved",
        noun="the number of links moved",
        help="Most links that may move or be removed when the fabric grows to the GPUs of `growth`.",
        kind=kinds.COUNT,
        within=Range(0),
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class Workload:
    """What the fabric is for, and how much it counts: a collective or pattern, a training step, or inference."""

    name: str
    weight: float
    run: Scenario | Training | Inference
    measure: str = ANSWER
    """Which time of an inference counts: one of MEASURES."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A family with the values to try for its parameters, as texts that its fields read; every combination counts."""

    family: str
    values: tuple[tuple[str, tuple[str, ...]], ...]
    optics: tuple[str, ...] = (SIMPLEST,)


@dataclass(frozen=True, slots=True)
class Exploration:
    """The whole of a search. Raises ParameterError for what makes no sense."""

    name: str = setting("search", title="Name", help="What reports call it.", kind=kinds.TEXT)
    gpus: tuple[int, int] = (1, 1)
    """Fewest and most GPUs of a candidate."""
    workloads: tuple[Workload, ...] = ()
    choices: tuple[Choice, ...] = ()
    limits: Limits = field(default_factory=Limits)
    growth: int | None = setting(
        None, title="Growth", help="GPUs that each candidate is to be able to grow to.", kind=kinds.LARGE_COUNT
    )
    tolerance: float = setting(
        0.01,
        title="Tolerance",
        help="Differences up to this share do not make a candidate better or worse: 0.02 or 2%.",
        kind=kinds.SHARE,
        within=Range(0, 0.5),
    )
    compare: tuple[str, ...] = ()
    """Names of the objectives that candidates are compared by; all that are known where none is named."""
    prices: PriceList = NO_PRICES
    terms: CostTerms = NO_TERMS
    """Rates, discounts and what operation costs; candidates are compared in the currency of its total."""
    spares: SparesPolicy = ()

    def __post_init__(self) -> None:
        check(self)
        least, most = self.gpus
        if not 1 <= least <= most:
            raise ParameterError(f"the GPUs wanted should be a number or a range such as 1024-2048, not {least}-{most}")
        if not self.workloads or not self.choices:
            raise ParameterError("a search needs workloads and families")
        if self.growth is not None and self.growth <= most:
            raise ParameterError(f"growth should be to more GPUs than the {most:,} wanted, not to {self.growth:,}")
        if self.limits.moved_links is not None and self.growth is None:
            raise ParameterError("a limit of moved links needs growth: the GPUs that the fabric grows to")
        if self.limits.total_cost is not None and (self.terms.energy_price is None or self.terms.pue is None):
            raise ParameterError("a budget with operation needs terms with energy_price and pue")
        if self.limits.facility_kw is not None and self.terms.pue is None:
            raise ParameterError("a limit of the power of the building needs terms with its pue")

    @property
    def currency(self) -> str:
        """That of the total, in which candidates are compared; USD where none is stated."""
        return self.terms.currency or USD

    @property
    def has_prices(self) -> bool:
        """Whether a price list says what parts cost."""
        return bool(self.prices.prices)

    @property
    def has_operation(self) -> bool:
        """Whether prices and terms say what power and cooling cost over the years."""
        return self.has_prices and self.terms.energy_price is not None and self.terms.pue is not None

    @property
    def basis(self) -> str:
        """What costs are calculated with: "costs by list.csv in USD, power and cooling over 5 years at ..."."""
        if not self.has_prices:
            return "no price list: costs are not compared"
        terms, price = self.terms, self.terms.energy_price
        stated = [f"costs by {self.prices.name} in {self.currency}"]
        stated += [terms.rates_text] if terms.rates else []
        if price is not None and terms.pue is not None:
            stated.append(
                f"power and cooling over {years_text(terms.years)} at {price.text} per kWh, PUE {terms.pue:g}"
            )
        return ", ".join(stated)

    @property
    def is_range(self) -> bool:
        """Whether candidates may differ in their number of GPUs."""
        return self.gpus[0] < self.gpus[1]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One fabric to try: its family, the values of parameters, as texts, and its optics; `number` from 1."""

    number: int
    family: str
    values: tuple[tuple[str, str], ...]
    optics: str
    title: str = ""
    """What people call it, without what all of its family have in common: "Fat-tree, QM9700, 2:1"."""

    @property
    def full_text(self) -> str:
        """All of its parameters, as a file states them: "fat-tree: server dgx-h100, switch nvidia-qm9700, ..."."""
        stated = [f"{name.replace('_', ' ')} {text}" for name, text in self.values]
        return f"{self.family}: {', '.join([*stated, f'optics {self.optics}'])}"

    @property
    def parameters(self) -> Mapping[str, str]:
        """The texts by the names of the parameters."""
        return dict(self.values)

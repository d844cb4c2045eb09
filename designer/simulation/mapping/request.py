"""What a search for a mapping may do, and how the jobs before it fill the fabric. Needs no numpy."""

from dataclasses import dataclass

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, setting
from designer.fields.ranges import Range

FREE, OWN, ALL = "free", "own", "all"
AMONG = (
    Word(FREE, "free servers and its own", "those that no other job runs on"),
    Word(OWN, "its own servers", "the order of its ranks alone is searched"),
    Word(ALL, "all servers", "as if no other job ran"),
)


@dataclass(frozen=True, slots=True)
class MappingSearch:
    """How far to look. With `earlier` jobs the fabric is filled first, by jobs of `sizes` GPUs; some of them leave."""

    among: str = setting(
        FREE,
        title="Among",
        help="Which servers may be taken: those that no other job of the design runs on, the job's own, or all.",
        kind=kinds.CHOICE,
        choices=AMONG,
    )
    runs: int = setting(
        200,
        title="Runs",
        noun="the number of runs",
        help="Runs of the job at most; each tries one mapping.",
        kind=kinds.COUNT,
        within=Range(1, 10**6),
    )
    draw: int = setting(
        0,
        title="Search seed",
        noun="the search seed",
        help="Another number tries other changes, and fills the fabric with other jobs.",
        option="--search-seed",
        kind=kinds.COUNT,
        within=Range(0),
    )
    walks: int = setting(
        1,
        title="Walks",
        noun="the number of walks",
        help="Searches from the same beginning, each with so many runs and changes of its own; processes share them.",
        kind=kinds.COUNT,
        within=Range(1, 10_000),
    )
    earlier: int = setting(
        0,
        title="Earlier jobs",
        noun="the number of earlier jobs",
        help="Jobs that come before it, each on the first free servers in the order of the design.",
        kind=kinds.COUNT,
        within=Range(0, 10_000),
    )
    sizes: tuple[int, ...] = setting(
        (),
        title="Their GPUs",
        noun="the GPUs of earlier jobs",
        help="How many GPUs the earlier jobs take, drawn from this list: 32,64,128; as many as the job if left out.",
        empty="as the job",
        kind=kinds.COUNTS,
        within=Range(1, 10**8),
        metavar="N,N,...",
    )
    leave: int = setting(
        0,
        title="Of them leave",
        noun="the number of jobs that leave",
        help="How many of the earlier jobs, drawn at random, end before the job comes.",
        kind=kinds.COUNT,
        within=Range(0, 10_000),
    )

    def __post_init__(self) -> None:
        check(self)
        if self.leave > self.earlier:
            raise ParameterError(f"{self.leave} jobs cannot leave of {self.earlier} that came before")

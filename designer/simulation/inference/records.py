"""What serving comes to: its pools, what they send, how fast requests are answered, and what bounds that."""

from dataclasses import dataclass, field
from typing import ClassVar

from designer.simulation.communication import Communication, Formula, Part
from designer.simulation.inference.costs import POOL_TITLES, Pass
from designer.simulation.inference.request import Degrees, Inference
from designer.simulation.result import LoadedLink, Result
from designer.tables.columns import Column, Columns, keys, percent, record
from designer.units import format_count, format_memory, format_time

PART_TITLES = {"tensor": "Tensor-parallel", "expert": "Dispatch and combine", "pipeline": "Between stages"}


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of units. `pass_s` is a pass from its start to its end; each stage takes an equal part."""

    name: str
    units: int
    cost: Pass
    communications: tuple[Communication, ...]
    pass_s: float
    bound_s: float
    """The pass if all communication were hidden behind computing, or the reverse: it cannot be faster."""
    capacity_per_s: float
    """Requests per second that the pool sustains."""
    rate_per_s: float
    """Requests per second that it is asked for."""
    gpu_memory_bytes: float | None

    COLUMNS: ClassVar[Columns] = (
        Column("name", "Pool", "title"),
        Column("units", "Units", right=True),
        Column("shape", "Degrees", tip="Tensor, pipeline and expert degree", right=True, is_json=False),
        *keys("tensor=cost.degrees.tensor pipeline=cost.degrees.pipeline expert=cost.degrees.expert"),
        Column("gpus", "Number of GPUs", right=True),
        Column("pass_s", "Pass", text=format_time, right=True),
        Column("bound_s", "At best", text=format_time, right=True),
        Column("tokens_per_s_per_gpu", "Tokens/s per GPU", text=lambda value: f"{value:,.1f}", right=True),
        Column("capacity_per_s", "Requests/s at most", text=lambda value: f"{value:,.4g}", right=True),
        Column("busy", "Busy", text=percent, right=True),
        Column("memory_bytes", "Memory per GPU", text=format_memory, right=True),
        *keys("weight_bytes=cost.weight_bytes cache_bytes=cost.cache_bytes gpu_memory_bytes fits_memory"),
        *keys("compute_s=cost.compute_s memory_s=cost.memory_s communications"),
    )

    @property
    def title(self) -> str:
        """Its name as tables show it."""
        return POOL_TITLES[self.name]

    @property
    def degrees(self) -> Degrees:
        """The degrees of its units."""
        return self.cost.degrees

    @property
    def shape(self) -> str:
        """ "8 x 1 x 32": tensor, pipeline and expert degree."""
        degrees = self.degrees
        return f"{degrees.tensor} x {degrees.pipeline} x {degrees.expert}"

    @property
    def gpus(self) -> int:
        """All of its GPUs."""
        return self.units * self.degrees.unit

    @property
    def busy(self) -> float:
        """The share of its time that it works at the rate asked for."""
        return self.rate_per_s / self.capacity_per_s

    @property
    def memory_bytes(self) -> float:
        """Weights and cache on a GPU."""
        return self.cost.weight_bytes + self.cost.cache_bytes

    @property
    def fits_memory(self) -> bool | None:
        """Whether a GPU holds both; None where its memory is not known."""
        return None if self.gpu_memory_bytes is None else self.memory_bytes <= self.gpu_memory_bytes

    @property
    def tokens_per_s_per_gpu(self) -> float:
        """At the most that the pool sustains: tokens computed in prefill, tokens given out in decoding."""
        degrees = self.degrees
        at_once = self.cost.tokens * degrees.replicas * degrees.pipeline
        return at_once / self.pass_s / degrees.unit

    @property
    def parts(self) -> tuple[Part, ...]:
        """Where the time of a pass goes."""
        cost = self.cost
        name, title = ("compute", "Compute") if cost.compute_s >= cost.memory_s else ("memory", "Read memory")
        found = [Part(name, title, cost.busy_s)]
        for kind, words in PART_TITLES.items():
            here = [one.exposed_s for one in self.communications if one.kind == kind]
            if here:
                found.append(Part(kind, words, sum(here)))
        return tuple(found)


MODEL = keys("name parameters=parameter_count active_parameters layers hidden experts top_k kv_bytes_per_token source")
ASSUMED = keys(
    "gpu_tflops memory_gbytes_per_s input_tokens cached output_tokens utilization memory_utilization overlap routing "
    "arrangement prefill_batch decode_batch prefill_dispatch decode_dispatch"
)


@dataclass(frozen=True, slots=True)
class Service:
    """Requests answered by two pools and the fabric between them.

    The times are those of a request that waits for no other: queues come on top, the longer the busier a pool is.
    """

    inference: Inference
    prefill: Pool
    decode: Pool
    transfer: Communication
    """The cache of one pass of every prefill replica, all at once; `total_s` is what a request waits for it."""
    rate_per_s: float
    """Requests per second: those asked for, or the most that all sustain."""
    fabric_per_s: float
    """Requests per second at which the first link is full all the time."""
    limit: str
    """What bounds the rate, in a sentence."""
    load: Result = field(repr=False, compare=False)
    """Mean loads at the rate, as a result to show: utilization is the share of the time that an arc is in use."""
    idle_gpus: int
    notes: tuple[str, ...]
    wall_s: float
    formulas: tuple[Formula, ...] = ()

    COLUMNS: ClassVar[Columns] = (
        Column("model", value=lambda service: record(service.inference.model, MODEL)),
        Column("assumed", value=lambda service: record(service.inference, ASSUMED)),
        *keys("ttft_s ttft_bound_s tpot_s tpot_bound_s transfer_s answer_s"),
        *keys("rate_per_s most_per_s limit prefill_per_s=prefill.capacity_per_s decode_per_s=decode.capacity_per_s"),
        *keys("fabric_per_s answers_under_way_per_replica=under_way output_tokens_per_s output_tokens_per_s_per_gpu"),
        *keys("gpus idle_gpus"),
        *keys("prefill decode transfer links=hottest_links formulas notes wall_s"),
    )

    @property
    def ttft_s(self) -> float:
        """Time to the first token: a pass of the prefill pool, which computes it."""
        return self.prefill.pass_s

    @property
    def ttft_bound_s(self) -> float:
        """The same with all communication hidden: no overlap makes it shorter."""
        return self.prefill.bound_s

    @property
    def tpot_s(self) -> float:
        """Time per output token: a pass of the decode pool."""
        return self.decode.pass_s

    @property
    def tpot_bound_s(self) -> float:
        """The same with all communication hidden."""
        return self.decode.bound_s

    @property
    def transfer_s(self) -> float:
        """Between the first token and the second, before the decode pool can begin."""
        return self.transfer.total_s

    @property
    def answer_s(self) -> float:
        """The whole answer."""
        return self.ttft_s + self.transfer_s + (self.inference.output_tokens - 1) * self.tpot_s

    @property
    def most_per_s(self) -> float:
        """The most requests per second that both pools and the fabric sustain."""
        return min(self.prefill.capacity_per_s, self.decode.capacity_per_s, self.fabric_per_s)

    @property
    def under_way(self) -> float:
        """Answers that are decoded at a time, on average, in a replica: Little's law. At most the batch."""
        decode, tokens = self.decode, self.inference.output_tokens
        replicas = decode.units * decode.degrees.replicas
        return min(self.rate_per_s, self.most_per_s) * tokens * self.tpot_s / replicas

    @property
    def is_sustained(self) -> bool:
        """Whether the rate is at most that."""
        return self.rate_per_s <= self.most_per_s * (1 + 1e-9)

    @property
    def output_tokens_per_s(self) -> float:
        """Tokens given out at the rate, or at the most that is sustained where that is less."""
        return min(self.rate_per_s, self.most_per_s) * self.inference.output_tokens

    @property
    def gpus(self) -> int:
        """GPUs of both pools."""
        return self.prefill.gpus + self.decode.gpus

    @property
    def output_tokens_per_s_per_gpu(self) -> float:
        """Of all GPUs of both pools."""
        return self.output_tokens_per_s / self.gpus

    @property
    def communications(self) -> tuple[Communication, ...]:
        """All that is sent, in the order of a request."""
        return (*self.prefill.communications, self.transfer, *self.decode.communications)

    @property
    def hottest_links(self) -> list[LoadedLink]:
        """The 20 hottest links at the rate, one for each direction."""
        return self.load.links()

    @property
    def faults(self) -> tuple[str, ...]:
        """Why it cannot be served as asked for, in sentences without a full stop."""
        found = []
        if not self.is_sustained:
            found.append(f"{self.rate_per_s:,.4g} requests/s are more than is sustained: {self.limit}")
        for pool in (self.prefill, self.decode):
            if pool.fits_memory is False:
                found.append(
                    f"{pool.name} needs {format_memory(pool.memory_bytes)} on a GPU for weights and cache, a GPU has "
                    f"{format_memory(pool.gpu_memory_bytes or 0)}"
                )
        return tuple(found)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the request, in sentences without a full stop."""
        gpus = format_count(self.gpus + self.idle_gpus)
        idle = [f"{format_count(self.idle_gpus)} of {gpus} GPUs idle"] if self.idle_gpus else []
        return (*self.faults, *idle)

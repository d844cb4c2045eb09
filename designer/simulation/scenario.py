"""A Scenario: what is asked of the simulation. Checked when made; needs no design and no numpy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, fields_of, setting
from designer.fields.ranges import ABOVE_0, ANY, Range
from designer.model.job_limits import CHANNELS_MOST
from designer.model.networks import COMPUTE, NETWORKS, TITLES
from designer.routing import given
from designer.routing.given import (
    FLOWLET_BYTES,
    HASH_FIELDS,
    IDEAL_HASH,
    PACKET_BYTES,
    PER_SWITCH,
    RANDOM,
    ForwardingTables,
)
from designer.simulation import catalogue
from designer.simulation.own_constants import OwnConstants
from designer.simulation.run_settings import failed_setting
from designer.simulation.traffic.texts import PATTERN_USAGES, RANKS, parts_of, require_one_of
from designer.units import SIZE_LIMIT_BYTES, format_size

MEMORY_LIMIT_BYTES = 8e9
"""What flows that are followed one by one may take of the computer's memory where nothing else is said."""

NO_TABLES = (
    "routing by forwarding tables needs the tables: write --routing tables:FILE with a dump of OpenSM, or choose "
    "Simulate > Routing from OpenSM"
)


@dataclass(frozen=True, slots=True)
class Traffic:
    """A collective or a traffic pattern, and the ranks that it is between: what one job of several has of its own.

    `size_bytes` is the buffer per rank of a collective as nccl-tests counts it (see catalogue.COLLECTIVES), or the
    bytes of each flow of a pattern. `ranks`: None for all GPUs, a number for the first so many, or some in rank order.
    """

    collective: str | None = setting(
        None,
        title="Traffic",
        noun="collective",
        help="One of {names}.",
        kind=kinds.NAME,
        choices=catalogue.COLLECTIVES,
        metavar="C",
        is_shown=False,
    )
    traffic: str | None = setting(
        None,
        title="Traffic",
        help=f"One of {', '.join(PATTERN_USAGES)}; A+B for several at once.",
        kind=kinds.TEXT,
        metavar="T",
        is_shown=False,
    )
    algorithm: str | None = setting(
        None,
        title="Algorithm",
        help="{names}; if left out, the default of the collective. If ranks fill no torus, add dimensions: "
        "bucket:16x16.",
        kind=kinds.TEXT,
        choices=catalogue.algorithms,
        metavar="A",
        is_shown=False,
    )
    size_bytes: float = setting(
        2**30,
        title="Size",
        noun="the size",
        help="Buffer per rank of a collective, as nccl-tests counts it, or bytes of each flow: 1GiB, 64M, 1000000.",
        kind=kinds.SIZE,
        option="--size",
        is_asked=True,
        first=True,
    )
    ranks: int | tuple[int, ...] | None = setting(
        None,
        title="Ranks",
        noun="the number of ranks",
        help="The first N GPUs, or a list: 0-7,16,18-20.",
        kind=RANKS,
        empty="all",
        first=True,
    )
    order: str = setting(
        "design",
        title="Rank order",
        noun="rank order",
        help="{names}.",
        kind=kinds.NAME,
        choices=catalogue.ORDERS,
        metavar="ORDER",
    )
    channels: int | None = setting(
        None,
        title="Channels",
        noun="the number of channels",
        help="Rings at once; default: one per NIC.",
        kind=kinds.COUNT,
        within=Range(1, CHANNELS_MOST),
        empty="one per NIC",
    )
    chunk_bytes: float | None = setting(
        None,
        title="Chunk",
        noun="a chunk",
        help=f"Bytes that {', '.join(catalogue.CHUNKED)} pass on at a time; if left out, "
        f"{format_size(catalogue.CHUNK_BYTES)}, and less in trees for small buffers.",
        kind=kinds.SIZE,
        within=Range(1, SIZE_LIMIT_BYTES, is_below=True),
        option="--chunk",
        tip_text="Bytes that chains and double binary trees forward at a time",
        empty="as NCCL",
    )
    in_network_reduction: bool = setting(
        False,
        title="Reduction",
        help=f"All-reduce by {', '.join(catalogue.IN_NETWORK)}: switches add up (SHARP, NVLS), and every rank sends "
        f"its buffer once.",
        kind=kinds.FLAG,
        choices=(Word("no", "by the GPUs"), Word("yes", "in the network")),
        tip_text="All-reduce: the switches add up the buffers (SHARP, NVLS); every rank sends its buffer once and "
        "receives the sum once.",
    )
    dims: tuple[int, ...] | None = None
    """Bucket only: ranks by these dimensions, the last one fastest; None for the torus the ranks stand on."""

    def __post_init__(self) -> None:
        if (self.collective is None) == (self.traffic is None):
            raise ParameterError("a simulation takes either a collective or a traffic pattern")
        check(self)
        if self.collective is not None:
            self._check_collective(self.collective)
        elif self.algorithm is not None:
            raise ParameterError("a traffic pattern takes no algorithm")
        elif self.in_network_reduction:
            raise ParameterError("a traffic pattern knows no in-network reduction")
        if self.traffic is not None:
            parts_of(self.traffic)
        if self.dims is not None and (self.algorithm != "bucket" or min(self.dims, default=0) < 1):
            raise ParameterError("dimensions are for the bucket algorithm, each at least 1: write bucket:16x16")

    def _check_collective(self, name: str) -> None:
        row = catalogue.collective(name)
        if self.in_network_reduction and name != "all-reduce":
            raise ParameterError(f"in-network reduction is for all-reduce, not for {name}")
        if row is not None and self.algorithm is not None and self.algorithm not in row.built_in:
            require_one_of(f"algorithm of {name}", self.algorithm, list(row.algorithms))
        if self.in_network_reduction and self.algorithm_used not in catalogue.IN_NETWORK:
            names = ", ".join(catalogue.IN_NETWORK)
            raise ParameterError(f"in-network reduction goes with {names}, not with {self.algorithm_used}")

    @property
    def title(self) -> str:
        """How a report names it: "all-reduce, ring" or "shift:1"."""
        return self.traffic or f"{self.collective}, {self.algorithm_used}"

    @property
    def algorithm_used(self) -> str:
        """The algorithm asked for, else the collective's default; "" for a traffic pattern."""
        row = catalogue.collective(self.collective or "")
        return self.algorithm or (row.built_in[0] if row is not None else "")


QUEUE_PAIRS_MOST = 128
"""Per connection: what NCCL allows."""


@dataclass(frozen=True, slots=True)
class Scenario(Traffic):
    """Traffic on a fabric, and the assumptions. Raises ParameterError for what makes no sense.

    `efficiency` None is taken from protocol and MTU. `exact` merges no ends of flows that are close together.
    `failed` names what the graph was built without. A run whose flows would take more than `memory_limit_bytes` is
    refused before it begins; results do not depend on it.
    """

    routing: str = setting(
        "spray",
        title="Routing",
        noun="routing",
        help="{names}; the last one as tables:FILE, with the forwarding tables that OpenSM dumped (opensm-lfts.dump).",
        kind=kinds.NAME,
        choices=catalogue.ROUTINGS,
        metavar="POLICY",
        first=True,
    )
    model: str = setting(
        catalogue.IDEAL,
        title="Model",
        noun="model",
        help="What times are: ideal for comparing fabrics; nccl or rccl as the library chooses algorithm, protocol and "
        "channels, with its start-up, on hardware as measured.",
        kind=kinds.NAME,
        choices=catalogue.MODELS,
        metavar="|".join(row.name for row in catalogue.MODELS),
        tip_text="Ideal compares fabrics; NCCL and RCCL choose algorithm, protocol and channels as the library does, "
        "and count its start-up",
        first=True,
    )
    seed: int = setting(0, title="Seed", help="For hashes and random orders.", kind=kinds.COUNT, within=ANY)
    queue_pairs: int = setting(
        1,
        title="Queue pairs",
        noun="the number of queue pairs",
        help="Under ecmp: queue pairs per connection, each hashed by itself, which share its bytes evenly "
        "(NCCL_IB_QPS_PER_CONNECTION).",
        kind=kinds.COUNT,
        within=Range(1, QUEUE_PAIRS_MOST),
        metavar="N",
        tip_text="Queue pairs per connection (NCCL_IB_QPS_PER_CONNECTION): each is hashed by itself",
    )
    hash_fields: tuple[str, ...] = setting(
        (),
        title="Hash fields",
        noun="hash fields",
        help=f"Under ecmp: fields of packets that switches hash, of {', '.join(HASH_FIELDS)}; all if left out. The "
        "destination port of RoCEv2 is always 4791 and its protocol UDP.",
        kind=given.FIELDS_OF_PACKETS,
        empty="all of the five tuple",
        tip_text=f"Fields of packets that switches hash: {', '.join(HASH_FIELDS)}",
    )
    hash_function: str = setting(
        IDEAL_HASH,
        title="Hash function",
        noun="hash function",
        help="Under ecmp: {names}.",
        kind=kinds.NAME,
        choices=given.HASH_FUNCTIONS,
        metavar="|".join(row.name for row in given.HASH_FUNCTIONS),
    )
    hash_seeds: str = setting(
        PER_SWITCH,
        title="Hash seeds",
        noun="hash seeds",
        help="Under ecmp: {names}, by which switches hash differently, or do not.",
        kind=kinds.NAME,
        choices=given.HASH_SEEDS,
        metavar="|".join(row.name for row in given.HASH_SEEDS),
    )
    flowlet_bytes: float = setting(
        FLOWLET_BYTES,
        title="Flowlet",
        noun="a flowlet",
        help="Under flowlet: bytes that a sender sends between two pauses that are longer than the inactivity interval "
        "of the switches.",
        kind=kinds.SIZE,
        within=Range(1, SIZE_LIMIT_BYTES, is_below=True),
        option="--flowlet",
        tip_text="Bytes between two pauses that are longer than the inactivity interval of the switches",
    )
    packet_bytes: float = setting(
        PACKET_BYTES,
        title="Packet",
        noun="a packet",
        help="Under packet-spray: payload of a packet, the MTU.",
        kind=kinds.SIZE,
        within=Range(1, SIZE_LIMIT_BYTES, is_below=True),
        option="--packet",
        tip_text="Payload of a packet: the MTU",
    )
    port_choice: str = setting(
        RANDOM,
        title="Port choice",
        noun="port choice",
        help="Under flowlet and packet-spray: {names}, by which a switch chooses a port for each of them.",
        kind=kinds.NAME,
        choices=given.PORT_CHOICES,
        metavar="|".join(row.name for row in given.PORT_CHOICES),
    )
    planes: str = setting(
        given.BY_ROUTING,
        title="Planes",
        noun="planes",
        help="Over which planes, or NICs, GPUs with several of them send a message: {names}.",
        kind=kinds.NAME,
        choices=given.PLANES,
        metavar="|".join(row.name for row in given.PLANES),
    )
    congestion: str = setting(
        "none",
        title="Congestion",
        noun="congestion",
        help="Whether a full port also slows flows that do not use it, over the cables that it pauses.",
        kind=kinds.NAME,
        choices=catalogue.CONGESTIONS,
        metavar="|".join(row.name for row in catalogue.CONGESTIONS),
    )
    efficiency: float | None = setting(
        None,
        title="Efficiency",
        noun="the efficiency",
        help="Payload share of the line rate.",
        kind=kinds.SHARE,
        within=Range(0, 1, is_above=True),
        word="auto",
        metavar="auto|NUMBER",
        empty="from protocol and MTU",
    )
    latency: bool = setting(
        True,
        title="Latency",
        help="none leaves latency out.",
        tip_text="Whether the delay of cables, switches and steps counts",
        kind=kinds.FLAG,
        choices=(Word("auto", "counted"), Word("none", "left out")),
    )
    memory_limit_bytes: float = setting(
        MEMORY_LIMIT_BYTES,
        title="Memory limit",
        noun="the memory limit",
        help="Refuse a run whose flows would take more memory, with the figure: 16GB.",
        kind=kinds.SIZE,
        within=ABOVE_0,
        option="--memory-limit",
        is_shown=False,
        compare=False,
    )
    exact: bool = setting(
        False,
        title="Exact",
        help="Do not merge flow ends that are close together.",
        kind=kinds.FLAG,
        is_shown=False,
    )
    largest_part: bool = setting(
        False,
        title="Parts",
        help="Run on the largest part of a design in several parts that no links join, without the GPUs of the others.",
        kind=kinds.FLAG,
        choices=(Word("no", "all must be connected"), Word("yes", "the largest only")),
        tip_text="Of a design in several parts that no links join, run on all, which is refused, or on the largest",
    )
    failed: tuple[str, ...] = failed_setting()
    tables: ForwardingTables | None = None
    """What routing `tables` goes by; kept under other routings too, and not written into any file."""
    constants: OwnConstants | None = None
    """What a library's model goes by in place of the delivered constants; not written into any file."""
    network: str = setting(
        COMPUTE,
        title="Network",
        help="Which network carries the traffic; a GPU uses its server's ports for that network.",
        kind=kinds.CHOICE,
        choices=tuple(Word(name, TITLES[name]) for name in NETWORKS),
        tip_text="Which network of the cluster carries the traffic; networks that the design does not have are gray",
    )

    def __post_init__(self) -> None:
        Traffic.__post_init__(self)
        if self.goes_by_tables and self.tables is None:
            raise ParameterError(NO_TABLES)
        if self.constants is not None and self.is_calibrated and self.constants.library != self.model:
            raise ParameterError(f"{self.constants.place} has constants of {self.constants.library}, not {self.model}")

    @property
    def is_calibrated(self) -> bool:
        """Whether a library's model gives the times, not the ideal one."""
        return self.model != catalogue.IDEAL

    @property
    def title(self) -> str:
        """How a report names it: "all-reduce, ring", "all-reduce, NCCL", "all-reduce, ring, NCCL"."""
        if not self.is_calibrated or self.collective is None:
            return self.traffic or f"{self.collective}, {self.algorithm_used}"
        return ", ".join(one for one in (self.collective, self.algorithm, catalogue.model_title(self.model)) if one)

    @property
    def goes_by_tables(self) -> bool:
        """Whether flows follow forwarding tables that were read from a file."""
        return catalogue.takes_tables(self.routing)

    @property
    def routing_text(self) -> str:
        """The routing, and by what: "ecmp", "ecmp (queue pairs 4)", "tables of ftree/opensm-lfts.dump"."""
        fields = fields_of(Scenario)
        own = [fields[name] for name in (*catalogue.routing_settings(self.routing), "planes")]
        unusual = [one for one in own if getattr(self, one.name) != one.default]
        if unusual:
            stated = ", ".join(f"{one.title.lower()} {one.show(getattr(self, one.name))}" for one in unusual)
            return f"{self.routing} ({stated})"
        return f"{self.routing} of {self.tables.place}" if self.goes_by_tables and self.tables else self.routing

    @property
    def summary(self) -> str:
        """With what tells one run from another: "all-to-all, direct · ecmp, 64 MiB"."""
        return f"{self.title} · {self.routing_text}, {format_size(self.size_bytes)}"


def require_used(values: Mapping[str, Any], routings: Iterable[str]) -> None:
    """Raises ParameterError for a value that is not as usual and means nothing to any of the routings."""
    fields, names = fields_of(Scenario), list(routings)
    used = {name for routing in names for name in catalogue.routing_settings(routing)}
    for name in catalogue.ROUTING_SETTINGS:
        field = fields[name]
        if name in values and name not in used and values[name] != field.default:
            able = [row.name for row in catalogue.BUILT_IN_ROUTINGS if name in row.settings]
            raise ParameterError(
                f"{field.option} means nothing to routing {', '.join(names)}: it is for {' and '.join(able)}"
            )

"""What results rest on: how traffic is modelled, and all that was assumed, in words fit to show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from designer.simulation.flows.relays import Relays
from designer.tables.columns import Columns, keys


@dataclass(frozen=True, slots=True)
class GpusWithoutNic:
    """How many there are, and by which NICs they leave: a line for each kind of server."""

    count: int
    leave_over: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationModel:
    """Of a scenario on its own. None stands for what does not apply."""

    assumed_latencies: tuple[str, ...] | None
    """What no source states, and the figure that stands in, with its source."""
    kind: str = "fluid flows, max-min fair shares, phases one after the other"
    traffic: str
    size_bytes_means: str
    routing: str
    routing_means: str
    seed: int
    rank_order: str
    algorithm: str | None = None
    dimensions: str | None = None
    """ "4x4"."""
    pipelined_in_chunks_of_bytes: int | None = None
    chunks_of_a_channel: int | None = None
    chunk_means: str | None = None
    pipeline_fill: str | None = None
    in_network_reduction: str | None = None
    in_scale_up_domains: tuple[str, ...] = ()
    in_network_reduction_means: str | None = None
    in_network_reduction_latency: str | None = None
    busbw_factor: str | None = None
    channels: int | None = None
    protocol: str | None = None
    """Of the library, like what follows; None under the ideal model."""
    chosen_because: str | None = None
    library_estimate_us: float | None = None
    counted: str | None = None
    measured_constants: tuple[str, ...] = ()
    unknown_to_the_library: tuple[str, ...] = ()
    efficiency: Mapping[str, float]
    """Payload as a share of the line rate, by kind of link."""
    latency: str
    congestion_spreads: str | None = None
    congestion_leaves_out: str | None = None
    ends_merged_within: float
    rate_solves: int
    not_modelled: tuple[str, ...]
    borrowed_nics: str | None = None
    gpus_without_nic: GpusWithoutNic | None = None
    failed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    relayed_flows: Relays | None = None
    servers_left_out: tuple[str, ...] = ()
    groups: str | None = None
    """How many groups of ranks run at once, in a training step."""
    ranks_lost: int | None = None
    lost_note: str | None = None
    """Which ranks are lost by what has failed, and on which servers, without a full stop."""

    COLUMNS: ClassVar[Columns] = keys(
        "assumed_latencies? kind traffic size_bytes_means routing routing_means seed rank_order algorithm? dimensions? "
        "pipelined_in_chunks_of_bytes? chunks_of_a_channel? chunk_means? pipeline_fill? in_network_reduction? "
        "in_scale_up_domains? in_network_reduction_means? in_network_reduction_latency? busbw_factor? channels? "
        "protocol? chosen_because? library_estimate_us? counted? measured_constants? unknown_to_the_library? "
        "efficiency latency congestion_spreads? congestion_leaves_out? ends_merged_within rate_solves not_modelled "
        "borrowed_nics? gpus_without_nic? failed? notes? relayed_flows? servers_left_out? groups? ranks_lost? "
        "lost_note?"
    )

    @property
    def unstated_note(self) -> str:
        """What the design does not state and a library would ask, without a full stop; "" where there is nothing."""
        unknown = self.unknown_to_the_library
        return f"The design does not state the {', the '.join(unknown)}" if unknown else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsModel:
    """Of several jobs at once. None stands for what does not apply."""

    assumed_latencies: tuple[str, ...] | None
    kind: str = (
        "fluid flows of all jobs at once, max-min fair shares by flow (a job with more flows on a link gets more of "
        "it); every job goes to its next phase or step when all flows of the one before have arrived, whatever the "
        "other jobs do"
    )
    time_means: str = "a job's first run, from its start, next to the same job alone on the fabric"
    jobs_that_loop: tuple[str, ...]
    looping_means: str = "begins again at once until every job has run once, so that nobody is left alone early"
    shares_no_links: tuple[str, ...]
    mean_loads: str = "over the time until the last of the jobs that share links has run once; peaks of all times"
    routing: str
    routing_means: str
    seed: int
    efficiency: Mapping[str, float]
    latency: str
    ends_merged_within: float
    not_modelled: tuple[str, ...]
    borrowed_nics: str | None
    gpus_without_nic: GpusWithoutNic | None
    failed: tuple[str, ...]
    rate_solves: int
    steps_followed: int
    notes: tuple[str, ...]

    COLUMNS: ClassVar[Columns] = keys(
        "assumed_latencies? kind time_means jobs_that_loop looping_means shares_no_links mean_loads routing "
        "routing_means seed efficiency latency ends_merged_within not_modelled borrowed_nics? gpus_without_nic? "
        "failed? rate_solves steps_followed notes?"
    )

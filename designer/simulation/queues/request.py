"""What a person can set about queues: parameters, thresholds, room in switches. Needs no numpy."""

from dataclasses import dataclass

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import ABOVE_0, Range
from designer.simulation.queues.parameters import sets
from designer.units import format_size

MARKING, ROOM, TIMES = "Marking", "Pauses", "Time"
FRAME_BYTES = 4178
"""4096 bytes of payload and 82 of headers: RoCEv2 over IPv4, with preamble and gap."""


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """Settings of DCQCN and PFC. Raises ParameterError for what makes no sense."""

    parameters: str = setting(
        "papers",
        title="DCQCN",
        noun="set of parameters",
        help="Parameters of DCQCN in the NICs: {names}.",
        kind=kinds.NAME,
        choices=sets,
        section=MARKING,
        tip_text="Timers, steps and thresholds of DCQCN; each set states its source",
    )
    rate_ai_gbps: float | None = setting(
        None,
        title="Rate step",
        noun="the rate step",
        help="What a sender adds to its rate at each step of additive increase; if left out, that of the set.",
        kind=kinds.RATE,
        option="--rate-step",
        empty="from the profile",
        section=MARKING,
    )
    k_min_bytes: float | None = setting(
        None,
        title="Kmin",
        help="Queue from which a switch marks packets; if left out, that of the set for the port's rate.",
        kind=kinds.SIZE,
        option="--kmin",
        empty="from the profile",
        section=MARKING,
    )
    k_max_bytes: float | None = setting(
        None,
        title="Kmax",
        help="Queue from which it marks every packet.",
        kind=kinds.SIZE,
        option="--kmax",
        empty="from the profile",
        section=MARKING,
    )
    p_max: float | None = setting(
        None,
        title="Pmax",
        help="Share of packets that it marks just below Kmax.",
        kind=kinds.SHARE,
        within=Range(0, 1, is_above=True),
        option="--pmax",
        empty="from the profile",
        section=MARKING,
    )
    buffer_bytes: float | None = setting(
        None,
        title="Buffer",
        noun="the buffer",
        help="Packet buffer of a switch, shared by its ports; if left out, the assumed one, which the report states.",
        kind=kinds.SIZE,
        option="--buffer",
        empty="assumed",
        section=ROOM,
    )
    xoff_bytes: float | None = setting(
        None,
        title="Xoff",
        help="Bytes of one ingress port in the buffer at which it asks for a pause; if left out, by the dynamic "
        "threshold of the buffer.",
        kind=kinds.SIZE,
        option="--xoff",
        empty="from the buffer",
        section=ROOM,
    )
    headroom_bytes: float | None = setting(
        None,
        title="Headroom",
        noun="the headroom",
        help="Bytes that a port may hold above Xoff; if left out, what rate, cable, MTU and response time need.",
        kind=kinds.SIZE,
        option="--headroom",
        empty="calculated",
        section=ROOM,
    )
    frame_bytes: int = setting(
        FRAME_BYTES,
        title="Frame, bytes",
        noun="the frame",
        help="Longest frame with its headers.",
        kind=kinds.COUNT,
        within=Range(64, 16_384),
        option="--frame",
        section=ROOM,
    )
    response_s: float | None = setting(
        None,
        title="Response time",
        noun="the response time",
        help="How long a port may go on after a pause frame; if left out, the time of IEEE 802.3 for its rate.",
        kind=kinds.SPAN,
        option="--response-time",
        empty="IEEE 802.3",
        section=ROOM,
    )
    feedback_s: float | None = setting(
        None,
        title="Feedback delay",
        noun="the feedback delay",
        help="From a mark to the slower sender; if left out, the drawn path there and back.",
        kind=kinds.SPAN,
        within=Range(0, 1),
        option="--feedback-delay",
        empty="the drawn path",
        section=TIMES,
    )
    duration_s: float | None = setting(
        None,
        title="Duration",
        noun="the duration",
        help="How long to follow the flows at most; if left out, until all have arrived where that is affordable.",
        kind=kinds.SPAN,
        within=ABOVE_0,
        option="--duration",
        empty="to the last flow",
        section=TIMES,
    )
    top: int = setting(
        20,
        title="Bottlenecks",
        noun="the number of bottlenecks",
        help="How many bottlenecks to compute, the most overloaded first.",
        kind=kinds.COUNT,
        within=Range(1, 1000),
        section=TIMES,
    )

    def __post_init__(self) -> None:
        check(self)
        low, high = self.k_min_bytes, self.k_max_bytes
        if low is not None and high is not None and low >= high:
            raise ParameterError(f"Kmax should be more than Kmin, not {format_size(high)} with {format_size(low)}")

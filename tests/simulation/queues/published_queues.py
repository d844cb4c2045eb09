"""What the papers show of DCQCN's queues, and what the equations here come to; run it to print the table.

Zhu et al., "ECN or Delay" (CoNEXT 2016): figures are read off the curves that the authors' repository holds
(github.com/jitupadhye-zz/rdma, conext2016/figures: stable_q_4, stable_q_85, pm_rai40_delay1 and pm_rai40_delay100).
Their curve of 64 flows lies above Kmax: there the ramp went on, which `ramp_goes_on` does here too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from designer.simulation.queues import fluid
from designer.simulation.queues.fixed_point import approximate, fixed_point
from designer.simulation.queues.fluid import Course
from designer.simulation.queues.parameters import set_named
from designer.simulation.queues.stability import phase_margin_deg

PAPERS = set_named("papers")
AT_40G = PAPERS.thresholds_at(40.0)
CAPACITY = 40e9 / 8
SMALL_S, LARGE_S = 4e-6, 85e-6
ENDLESS = 1e15


@dataclass(frozen=True)
class Row:
    """A figure of a paper: what it shows, what is computed, and how near the two have to be, as a share or in units."""

    name: str
    unit: str
    published: float
    compute: Callable[[], float]
    share: float = 0.0
    units: float = 0.0


def course(n_flows: int, feedback_s: float, duration_s: float = 0.1) -> Course:
    constants = fluid.control(PAPERS, AT_40G, ramp_goes_on=True)
    flows, ports = fluid.alike(n_flows, CAPACITY, ENDLESS, n_ports=1), fluid.without_pauses(1)
    return fluid.integrated(constants, flows, ports, CAPACITY, feedback_s, duration_s)


def late_kb(found: Course) -> tuple[float, float]:
    """The least and the most of the queue in the last quarter, in kB."""
    last = slice(found.n * 3 // 4, found.n)
    return float(found.trace.queue_low[last].min()) / 1e3, float(found.trace.queue_high[last].max()) / 1e3


def margin(n_flows: int, feedback_s: float) -> float:
    return phase_margin_deg(fluid.control(PAPERS, AT_40G), CAPACITY, n_flows, feedback_s)


def rows() -> Iterator[Row]:
    for n_flows, published_kb in ((2, 20.1), (10, 125.4), (64, 1182.0)):
        name = f"Fig. 4, 4 us, {n_flows} flows: queue at 100 ms"
        yield Row(name, "kB", published_kb, lambda n=n_flows: late_kb(course(n, SMALL_S))[1], share=0.03)
    for n_flows, published_kb in ((2, 20.6), (64, 1182.0)):
        name = f"Fig. 4, 85 us, {n_flows} flows: queue at 100 ms"
        yield Row(name, "kB", published_kb, lambda n=n_flows: sum(late_kb(course(n, LARGE_S))) / 2, share=0.03)
    yield Row("Fig. 4, 85 us, 10 flows: least of the swing", "kB", 0.0, lambda: late_kb(course(10, LARGE_S))[0])
    yield Row("Fig. 4, 85 us, 10 flows: most of the swing", "kB", 263.0, lambda: late_kb(course(10, LARGE_S))[1], 0.05)
    for delay_us, margins in (
        (1, {2: 26.3, 10: 4.5, 20: 9.4, 64: 43.2}),
        (100, {2: -10.1, 10: -17.9, 20: -11.5, 64: 15.6, 100: 23.1}),
    ):
        for n_flows, published_deg in margins.items():
            name = f"Fig. 3a, {delay_us} us, {n_flows} flows: phase margin"
            units = 20.0 if published_deg > 40 else 14.0
            compute = lambda n=n_flows, delay_s=delay_us * 1e-6: margin(n, delay_s)  # noqa: E731
            yield Row(name, "deg", published_deg, compute, units=units)
    for n_flows in (2, 10):
        constants = fluid.control(PAPERS, AT_40G)
        published_kb = approximate(constants, CAPACITY, n_flows)[1] / 1e3
        name = f"Eq. 14, {n_flows} flows: approximate stable queue, against the exact one"
        exact = lambda n=n_flows, of=constants: fixed_point(of, CAPACITY, n).queue_bytes / 1e3  # noqa: E731
        yield Row(name, "kB", published_kb, exact, share=0.25)


def main() -> None:
    print(f"{'figure':68} {'unit':4} {'published':>10} {'here':>10}")
    for row in rows():
        print(f"{row.name:68} {row.unit:4} {row.published:10.1f} {row.compute():10.1f}")


if __name__ == "__main__":
    main()

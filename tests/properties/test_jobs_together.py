"""Jobs that run once, from the same moment on, are one set of flows: both engines must agree on every job's end."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.routing.policies import POLICIES
from designer.simulation.flows import fluid
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job import Job
from designer.simulation.payload_rate import payload_rate
from designer.simulation.scenario import Scenario
from designer.topologies import pgft, rail_optimized


@pytest.fixture(scope="module", params=["narrow", "rails"])
def graph(request) -> Graph:
    design, catalog = Design(), load()
    if request.param == "narrow":
        parameters = pgft.PgftParameters(children=(4, 4), parents=(1, 2))
        design.apply(pgft.build(design, parameters, catalog))
    else:
        rails = rail_optimized.RailOptimizedParameters(servers=4, server="dgx-h100", switch="nvidia-qm9700")
        design.apply(rail_optimized.build(design, rails, catalog))
    return build(design)


PATTERNS = st.sampled_from(["shift:1", "shift:3", "permutation:2", "incast:2", "broadcast", "all-to-all"])


@st.composite
def jobs(draw: st.DrawFn) -> list[Job]:
    routing = draw(st.sampled_from(["spray", "destination", "ecmp"]))
    made = []
    for number in range(draw(st.integers(2, 3))):
        ranks = draw(st.lists(st.integers(0, 15), min_size=4, max_size=10, unique=True))
        size_bytes = draw(st.sampled_from([1e6, 2.5e6, 1e8]))
        scenario = Scenario(
            traffic=draw(PATTERNS),
            size_bytes=size_bytes,
            ranks=tuple(ranks),
            routing=routing,
            latency=False,
            exact=True,
        )
        made.append(Job(f"job {number}", scenario, loop=False))
    return made


@given(jobs())
@settings(max_examples=40)
def test_jobs_that_run_once_end_as_their_flows_do_in_one_run(graph, asked):
    from designer.simulation.engine import plan_of
    from designer.simulation.jobs.job_flows import written_out
    from designer.simulation.traffic.ranks import participants

    net = network(graph)
    sent = [written_out(plan_of(net, job.scenario, participants(net, job.scenario)).phases[0]) for job in asked]
    src, dst, size_bytes, channel = (
        np.concatenate([getattr(one, name) for one in sent]) for name in ("src", "dst", "size_bytes", "channel")
    )
    paths = POLICIES[asked[0].scenario.routing].route(net, src, dst, size_bytes, channel, 0)
    capacity = payload_rate(graph, None).capacity
    finish_s = fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes).finish_s
    job_of = np.repeat(np.arange(len(asked)), [len(one) for one in sent])

    result = simulate_jobs(graph, asked)

    for number, outcome in enumerate(result.jobs):
        assert outcome.time_s == pytest.approx(finish_s[job_of == number].max(), rel=1e-9)
    assert result.utilization_peak[np.isfinite(capacity)].max() <= 1 + 1e-9
    moved = sum(result.bytes_by_job)
    assert moved == pytest.approx(paths.bytes_on, rel=1e-9)

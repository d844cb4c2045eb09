"""Jobs of a design, whatever they are: their file, their jobs file and their ranks say the same, and undo is exact."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from designer.model import operations
from designer.model.design import Design, from_entities
from designer.model.entities import Device
from designer.model.hardware.servers import ServerType
from designer.simulation.jobs.design_jobs import jobs_of, with_jobs
from designer.simulation.jobs.job import Job
from designer.simulation.jobs.job_text import job_from, jobs_document
from designer.simulation.scenario import Scenario
from designer.storage import document

FABRIC = {"routing": "ecmp", "seed": 3}
TYPES = [ServerType(f"s{gpus}", "Acme", f"S{gpus}", gpus=gpus) for gpus in (1, 2, 8)]

names = st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
sent = st.sampled_from(
    [
        {"collective": "all-reduce"},
        {"collective": "all-reduce", "algorithm": "double-binary-tree"},
        {"collective": "all-reduce", "algorithm": "bucket", "dims": (2, 2)},
        {"traffic": "incast:2+shift:1"},
        {"collective": "all-reduce", "in_network_reduction": True},
        {"traffic": "shift:1", "order": "rail"},
        {"collective": "broadcast", "channels": 3, "chunk_bytes": 4096},
    ]
)


@st.composite
def designs(draw: st.DrawFn) -> Design:
    kinds = draw(st.lists(st.sampled_from(TYPES), min_size=2, max_size=12))
    devices = [Device(f"d{1 + n}", f"gpu-{n}", kind.id) for n, kind in enumerate(kinds)]
    return from_entities([*dict.fromkeys(kinds), *devices])


@st.composite
def jobs(draw: st.DrawFn, n_gpus: int) -> list[Job]:
    made = []
    for name in draw(st.lists(names, unique=True, min_size=1, max_size=5)):
        chosen = draw(st.permutations(range(n_gpus)))[: draw(st.integers(2, n_gpus))]
        ranks = draw(st.sampled_from([None, tuple(chosen), tuple(sorted(chosen))]))
        size = draw(st.integers(1, 2**50))
        start = draw(st.sampled_from([0.0, 0.25, 1e-6]))
        scenario = Scenario(**draw(sent), **FABRIC, ranks=ranks, size_bytes=size)
        made.append(Job(name, scenario, start, draw(st.booleans())))
    return made


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_jobs_taken_into_a_design_are_those_it_runs_saves_and_hands_over(data):
    design = data.draw(designs())
    n_gpus = sum(design.device_type(one).gpus for one in design.devices)
    given_jobs = data.draw(jobs(n_gpus))
    before = document.encode(design)

    edit = with_jobs(design, given_jobs, "test")
    design.apply(edit)

    assert jobs_of(design, FABRIC) == given_jobs
    again = document.decode(document.encode(design))
    assert again.jobs == design.jobs and jobs_of(again, FABRIC) == given_jobs
    rows = json.loads(jobs_document(given_jobs))["jobs"]
    assert [job_from(fields, 1, FABRIC) for fields in rows] == given_jobs
    assert not with_jobs(design, given_jobs, "test")
    design.apply(edit.inverted())
    assert document.encode(design) == before


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_jobs_keep_the_gpus_that_stay_in_their_order(data):
    design = data.draw(designs())
    n_gpus = sum(design.device_type(one).gpus for one in design.devices)
    design.apply(with_jobs(design, data.draw(jobs(n_gpus)), "test"))
    before, text = dict(design.jobs), document.encode(design)
    gone = data.draw(st.sets(st.sampled_from(list(design.devices)), max_size=len(design.devices) - 1))

    edit = operations.delete(design, sorted(gone))
    design.apply(edit)

    for job in before.values():
        left = tuple(one for one in job.servers if one.device_id not in gone)
        assert (job.id in design.jobs) == bool(left or not job.servers)
        if job.id in design.jobs:
            assert design.jobs[job.id].servers == left
    design.apply(edit.inverted())
    assert document.encode(design) == text

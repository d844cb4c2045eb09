"""Jobs in the design's file: one line each, whole again when read, and refused by name and place where faulty."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import FileFormatError
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import Allocation, PlacedJob
from designer.model.placed_jobs import whole
from designer.storage import allocations, document

SERVERS = [f"d{number}" for number in range(5, 9)]


def job_row(**changes):
    return {"id": "j1", "name": "train", "size_bytes": 1000, "collective": "all-reduce", **changes}


def sentence_of(pod, *rows):
    parsed = json.loads(document.encode(pod))
    with pytest.raises(FileFormatError) as caught:
        document.decode(json.dumps({**parsed, "jobs": list(rows)}).encode(), "pod.fabric")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_job_is_one_line_and_read_back_equal(pod):
    without = document.encode(pod)
    pod.apply(operations.add_job(pod, "train", servers=whole(SERVERS), size_bytes=2**30, collective="all-reduce"))
    text = document.encode(pod)

    assert text.decode().endswith(
        '],\n"jobs": [\n{"id": "j1", "name": "train", "size_bytes": 1073741824, "collective": "all-reduce", '
        '"servers": ["d5-8"]}\n]\n}\n'
    )
    assert text.startswith(without.removesuffix(b"\n}\n"))
    again = document.decode(text)
    assert again.jobs == pod.jobs and document.encode(again) == text


def test_a_job_keeps_its_gpus_in_rank_order(pod):
    placed = (Allocation("d6", (4, 5, 0)), Allocation("d5", (1,)), Allocation("d6", (1,)), Allocation("d8"))
    pod.apply(operations.add_job(pod, "some", servers=placed, size_bytes=1, traffic="shift:1"))

    text = document.encode(pod)

    assert b'"servers": ["d6:4-5,0", "d5-6:1", "d8"]' in text
    assert document.decode(text).jobs["j1"].servers == placed


ids = st.sampled_from(["d1", "d2", "d3", "d9", "d10", "d11", "d011", "d0", "odd-1", "d1-2", "x:0", "Ü", "d" + "9" * 30])
gpus = st.lists(st.integers(0, 4096), max_size=4).map(tuple)


@given(st.lists(st.builds(Allocation, ids, gpus), max_size=8).map(tuple))
def test_whatever_is_allocated_is_spelled_as_it_was(allocated):
    job = PlacedJob("j1", "any", 1, "all-reduce", servers=allocated)
    rows = json.loads(json.dumps(allocations.short(job.servers)))
    entries = [
        row if isinstance(row, str) else Allocation(row["device_id"], tuple(row.get("gpus", ()))) for row in rows
    ]
    assert allocations.spelled(entries) == allocated
    assert allocations.places_of(entries) == sum(1 + len(one.gpus) for one in allocated)


def test_ids_of_any_kind_are_kept(pod):
    renamed = json.loads(document.encode(pod).replace(b'"d8"', b'"d5-7:0"'))
    renamed["jobs"] = [job_row(servers=[{"device_id": "d5-7:0", "gpus": [3]}, "d5"])]
    design = document.decode(json.dumps(renamed).encode())
    assert design.jobs["j1"].servers == (Allocation("d5-7:0", (3,)), Allocation("d5"))
    assert document.decode(document.encode(design)).jobs == design.jobs


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"size_bytes": -1}, 'line 1, jobs "j1", field size_bytes: expected a number >= 0'),
        ({"size_bytes": 0}, 'line 1, jobs "j1", field size_bytes: the size should be above 0 and below 8 EiB, not 0'),
        ({"name": "x" * 61}, 'line 1, jobs "j1", field name: a job needs a name of 1 to 60 letters'),
        ({"name": "a\nb"}, 'line 1, jobs "j1", field name: holds a line break'),
        ({"colour": "url(x)"}, "field colour: a color is written like #0072b2, not 'url(x)'"),
        ({"traffic": "shift:1"}, "field traffic: a job takes either a collective or a traffic pattern"),
        ({"loop": 1}, 'jobs "j1", field loop: expected true or false, got a whole number'),
        ({"start_s": 1e12}, "field start_s: a job starts at 0 s or later"),
        ({"dims": [0]}, 'jobs "j1", field dims'),
        ({"servers": 5}, 'jobs "j1", field servers: expected a list'),
        ({"servers": [5]}, 'jobs "j1", field servers'),
        ({"servers": ["leaf-01"]}, """jobs "j1", field servers: 'leaf-01' names no servers: they are"""),
        ({"servers": ["d8-5"]}, "'d8-5' names no servers"),
        ({"servers": ["d5:"]}, "'d5:' names no servers"),
        ({"servers": ["d5", "d5:1"]}, "field servers: names GPUs of 'd5' twice"),
        ({"servers": ["d1-999999999999"]}, "field servers: more than 2,000,000 servers and GPUs are not read"),
        ({"servers": ["d1:0-999999", "d2:0-999999", "d3"]}, "more than 2,000,000"),
        ({"servers": ["d99"]}, "job 'train' refers to device 'd99', which is not in the design"),
        ({"servers": ["d1"]}, "job 'train' runs on 'leaf-01', which is no server"),
        ({"id": "d1"}, 'jobs "d1": the id is used twice and in devices'),
        ({"nice": 3}, 'jobs "j1", field nice: this version knows no such field'),
    ],
)
def test_a_job_that_cannot_be_is_refused_by_name_and_place(pod, changes, sentence):
    assert sentence in sentence_of(pod, job_row(**changes))


def test_too_many_jobs_are_refused(pod):
    rows = [job_row(id=f"j{number}", name=f"job {number}") for number in range(65)]
    assert sentence_of(pod, *rows) == "pod.fabric, jobs: there are 65, the most is 64"


def test_a_design_without_jobs_says_nothing_of_them():
    assert b"jobs" not in document.encode(Design())

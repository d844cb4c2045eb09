"""Jobs are part of the design: made, changed and removed by edits, and they follow their servers."""

import pytest

from designer.errors import DesignerError, EditError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Allocation, PlacedJob
from designer.model.job_limits import JOBS_MOST
from designer.model.placed_jobs import whole
from designer.storage import document


@pytest.fixture
def servers(pen):
    return [pen.add("dgx-h100") for _ in range(4)]


def job_on(pen, servers, name=None, **values):
    values = {"size_bytes": 1e9, "collective": "all-reduce", **values}
    edit = pen.do(operations.add_job(pen.design, name, servers=whole(servers), **values))
    return pen.added(PlacedJob, edit)[0].id


def test_a_job_is_made_changed_and_taken_back_like_anything_else(pen, servers):
    first = job_on(pen, servers[:2])
    second = job_on(pen, servers[2:], "infer", traffic="shift:1", collective="")
    jobs = pen.design.jobs
    assert [(job.name, job.colour) for job in jobs.values()] == [("job 1", "#0072b2"), ("infer", "#cc79a7")]

    edit = pen.do(operations.change_job(pen.design, first, size_bytes=2e9, colour="#009e73"))
    assert edit.label == "Change size and color of job 1"
    assert pen.do(operations.rename(pen.design, first, " train ")).label == "Rename job 1 to train"
    assert pen.do(operations.delete(pen.design, [second])).label == "Delete infer"
    assert list(jobs) == [first] and jobs[first].name == "train" and jobs[first].size_bytes == 2e9
    assert not operations.change_job(pen.design, first, size_bytes=2e9)


def test_a_job_loses_servers_that_are_deleted_and_goes_with_the_last(pen, servers):
    job_on(pen, servers[:2], "train")
    job_on(pen, servers[1:3], "infer")

    edit = pen.do(operations.delete(pen.design, servers[:2]))

    assert edit.label == "Delete 2 devices, with train, out of infer"
    (left,) = pen.design.jobs.values()
    assert (left.name, left.servers) == ("infer", (Allocation(servers[2]),))


def test_a_job_on_all_servers_stays_whatever_goes(pen, servers):
    job = job_on(pen, [], "everywhere")
    pen.do(operations.delete(pen.design, servers))
    assert pen.design.jobs[job].servers == ()


def test_copies_of_servers_bring_along_the_jobs_that_run_on_no_others(pen, servers):
    train = job_on(pen, servers[:2], "train")
    job_on(pen, servers[1:3], "infer")

    pen.do(operations.duplicate(pen.design, servers[:2], 0, 500))

    jobs = {job.name: job for job in pen.design.jobs.values()}
    assert set(jobs) == {"train", "infer", "train-2"}
    copies = {one.device_id for one in jobs["train-2"].servers}
    assert len(copies) == 2 and copies.isdisjoint(servers)
    assert jobs["train-2"].colour != pen.design.jobs[train].colour
    assert jobs["train-2"].size_bytes == 1e9


def test_parts_of_a_design_carry_their_jobs_through_the_clipboard(pen, servers):
    job_on(pen, servers, "train")
    text = document.encode_fragment(operations.copy_fragment(pen.design, servers))
    pen.do(operations.delete(pen.design, servers))
    assert not pen.design.jobs

    pen.do(operations.paste(pen.design, document.decode_fragment(text), 0, 0))

    (job,) = pen.design.jobs.values()
    assert job.name == "train" and {one.device_id for one in job.servers} == set(pen.design.devices)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "job 1"}, "another job is called job 1"),
        ({"name": " "}, "the name of a job cannot be empty"),
        ({"name": "x" * 61}, "1 to 60 letters"),
        ({"size_bytes": 0}, "above 0"),
        ({"size_bytes": float("nan")}, "above 0"),
        ({"traffic": "shift:1"}, "either a collective or a traffic pattern"),
        ({"start_s": -1.0}, "at 0 s or later"),
        ({"channels": 0}, "1 to 128"),
        ({"dims": (0, 2)}, "dimensions"),
        ({"colour": "red"}, "written like #0072b2, not 'red'"),
        ({"servers": (Allocation("d1"), Allocation("d1", (0,)))}, "twice"),
        ({"servers": (Allocation("d1", (1, 1)),)}, "twice"),
        ({"servers": (Allocation("d1", (8,)),)}, "has no GPU 8"),
        ({"servers": (Allocation("d99"),)}, "no device with id 'd99'"),
    ],
)
def test_a_job_that_cannot_be_is_refused_in_one_sentence(pen, servers, values, words):
    job_on(pen, servers)
    with pytest.raises(DesignerError) as caught:
        given = {"name": "x", "size_bytes": 1e9, "collective": "all-reduce", **values}
        operations.add_job(pen.design, **given)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_job_runs_on_no_switch_and_there_are_not_too_many(pen, servers):
    switch = pen.add("nvidia-qm9700")
    with pytest.raises(EditError, match="is a switch"):
        job_on(pen, [switch])
    for _ in range(JOBS_MOST):
        pen.design.apply(operations.add_job(pen.design, size_bytes=1e6, collective="all-reduce"))
    with pytest.raises(DesignerError, match="64 jobs at most"):
        job_on(pen, servers)


def test_a_design_refuses_to_lose_a_server_under_a_job(pen, servers):
    job_on(pen, servers[:1])
    switch = pen.add("nvidia-qm9700")
    edit = operations.delete(pen.design, servers[:1])
    without = tuple(change for change in edit.changes if not isinstance(change.subject, PlacedJob))
    with pytest.raises(EditError, match=r"job 'job 1' refers to device '.*', which is not in the design"):
        pen.design.apply(Edit("Careless", without))
    stray = PlacedJob("j9", "stray", 1.0, "all-reduce", servers=whole([switch]))
    with pytest.raises(EditError, match="which is no server"):
        pen.design.apply(Edit("Careless", (Change(None, stray),)))
    assert set(servers) <= set(pen.design.devices) and "j9" not in pen.design.jobs

"""Rules about jobs: those that cannot run, and those that share GPUs."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Allocation
from designer.model.placed_jobs import whole
from designer.validation.engine import validate


@pytest.fixture
def cluster(bare):
    """Four servers of eight GPUs."""
    bare.add("dgx-h100", "gpu-1", "gpu-2", "gpu-3", "gpu-4")
    return bare


def add(cluster, name, *servers):
    edit = operations.add_job(cluster.design, name, servers=servers, size_bytes=1e9, collective="all-reduce")
    cluster.design.apply(edit)


def messages(design, code):
    return [finding.message for finding in validate(design).findings if finding.code == code]


def test_jobs_that_can_run_side_by_side_are_no_finding(cluster):
    ids = [cluster.id(f"gpu-{n}") for n in (1, 2, 3, 4)]
    add(cluster, "a", *whole(ids[:2]))
    add(cluster, "b", Allocation(ids[2], (0, 1, 2)), Allocation(ids[3]))
    add(cluster, "c", Allocation(ids[2], (3, 7)))
    assert not messages(cluster.design, "JOB-001") and not messages(cluster.design, "JOB-002")


def test_a_job_on_one_gpu_is_found_and_the_fix_removes_it(cluster):
    add(cluster, "lonely", Allocation(cluster.id("gpu-1"), (5,)))
    (finding,) = (one for one in validate(cluster.design).findings if one.code == "JOB-001")
    assert finding.message == "lonely has 1 GPU; a job needs at least two"
    assert finding.subjects == (cluster.id("gpu-1"),)
    cluster.design.apply(finding.fix)
    assert not cluster.design.jobs


def test_a_job_that_lost_its_gpus_to_another_type_of_server_is_found(cluster, catalog):
    server = cluster.id("gpu-1")
    add(cluster, "a", Allocation(server, (6, 7)))
    edit = operations.set_type(cluster.design, server, catalog.get("generic-host"), catalog_types=catalog.types)
    cluster.design.apply(edit)
    assert messages(cluster.design, "JOB-001") == ["a: gpu-1 has no GPU 7: it has 1, numbered from 0"]


def test_two_jobs_of_one_name_as_a_merge_of_files_makes_them_are_found(cluster):
    add(cluster, "a")
    add(cluster, "b")
    job = cluster.design.jobs["j2"]
    cluster.design.apply(Edit("Merge", (Change(job, replace(job, name="a")),)))
    assert messages(cluster.design, "JOB-001") == ["2 jobs are called a"] * 2


def test_jobs_that_only_share_a_name_are_renamed_and_the_first_keeps_it(cluster):
    for name in ("a", "b", "c", "a-2"):
        add(cluster, name)
    jobs = [cluster.design.jobs[job_id] for job_id in ("j2", "j3")]
    cluster.design.apply(Edit("Merge", tuple(Change(job, replace(job, name="a")) for job in jobs)))
    findings = [finding for finding in validate(cluster.design).findings if finding.code == "JOB-001"]
    assert [finding.message for finding in findings] == ["3 jobs are called a"] * 3
    assert findings[0].fix is None
    for finding in findings[1:]:
        cluster.design.apply(finding.fix)
    assert [job.name for job in cluster.design.jobs.values()] == ["a", "a-3", "a-4", "a-2"]
    assert not messages(cluster.design, "JOB-001")


def test_jobs_that_share_gpus_are_found_once_for_each_job(cluster):
    ids = [cluster.id(f"gpu-{n}") for n in (1, 2, 3, 4)]
    add(cluster, "a", *whole(ids[:2]))
    add(cluster, "b", Allocation(ids[1], (0, 1)), Allocation(ids[2]))
    add(cluster, "everywhere")
    assert messages(cluster.design, "JOB-002") == [
        "24 GPUs are in everywhere and also in a or 1 other job",
        "2 GPUs are in both a and b",
    ]

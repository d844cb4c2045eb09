"""Jobs drawn in a design, on the command line: `simulate --design-jobs` runs them, `info` names them."""

import json

import pytest

from designer.model import operations
from designer.model.entities import Allocation
from designer.model.placed_jobs import whole
from designer.simulation.jobs.design_jobs import jobs_of, sent, with_jobs
from designer.simulation.jobs.job import Job
from designer.simulation.jobs.job_text import fields_of, job_from, jobs_document
from designer.simulation.scenario import Scenario
from designer.storage import document

A = "name=a,traffic=shift:2,ranks=0-1,4-5,size=100M"
B = "name=b,traffic=shift:2,ranks=2-3,6-7,size=100M,start=1ms,loop=no"


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Four leafs of four hosts with two uplinks each."""
    from designer.cli.main import run

    path = tmp_path_factory.mktemp("designs") / "plain.fabric"
    assert run(["generate", "pgft", "--children", "4,4", "--parents", "1,2", "-o", str(path)]) == 0
    return path


@pytest.fixture
def drawn(plain, tmp_path):
    """The same with the jobs a and b drawn in."""
    design = document.load(plain)
    design.apply(with_jobs(design, [_job(A), _job(B)], "test"))
    document.save(design, tmp_path / "drawn.fabric")
    return tmp_path / "drawn.fabric"


def _job(text):
    return job_from(fields_of(text), 1, {})


def test_the_designs_own_jobs_run_as_those_given_by_hand(fabric_designer, plain, drawn):
    own = fabric_designer("simulate", drawn, "--design-jobs", "--latency", "none", "--format", "json").json
    given = fabric_designer("simulate", plain, "--job", A, "--job", B, "--latency", "none", "--format", "json").json

    own.pop("wall_s"), given.pop("wall_s")
    assert own == given and [job["name"] for job in own["jobs"]] == ["a", "b"]


def test_other_jobs_may_run_beside_the_designs_own(fabric_designer, drawn):
    found = fabric_designer(
        "simulate", drawn, "--design-jobs", "--job", "name=c,traffic=shift:1,ranks=8-11,size=1M", "--format", "json"
    ).json
    assert [job["name"] for job in found["jobs"]] == ["a", "b", "c"]
    fabric_designer("simulate", drawn, "--design-jobs", "--job", A).assert_refused("two jobs are called a")


def test_servers_that_failed_are_left_out_of_their_jobs(fabric_designer, drawn):
    design = document.load(drawn)
    first = design.servers()[0].name

    found = fabric_designer("simulate", drawn, "--design-jobs", "--fail", first, "--format", "json").json

    assert [job["ranks"] for job in found["jobs"]] == [3, 4]


def test_info_names_the_jobs_and_says_nothing_of_them_where_there_are_none(fabric_designer, plain, drawn):
    assert "jobs" not in fabric_designer("info", plain).out
    assert "jobs" not in fabric_designer("info", plain, "--format", "json").json

    assert "a: shift:2 of 100 MB on 4 hosts" in fabric_designer("info", drawn).out
    first = fabric_designer("info", drawn, "--format", "json").json["jobs"][0]
    assert first == {
        "name": "a",
        "servers": 4,
        "endpoints": 4,
        "collective": "",
        "traffic": "shift:2",
        "algorithm": "",
        "size_bytes": 100e6,
    }


def test_what_cannot_run_is_refused_in_one_sentence(fabric_designer, plain, drawn, tmp_path):
    fabric_designer("simulate", plain, "--design-jobs").assert_refused("has no jobs")
    fabric_designer("simulate", drawn, "--design-jobs", "--sizes", "8:8GiB").assert_refused("--sizes")
    fabric_designer("simulate", drawn).assert_refused("--design-jobs")
    odd = json.loads(drawn.read_text("utf-8"))
    odd["jobs"][0]["traffic"] = "planets:3"
    (tmp_path / "odd.fabric").write_text(json.dumps(odd), "utf-8")
    fabric_designer("simulate", tmp_path / "odd.fabric", "--design-jobs").assert_refused("job a", "'planets'")
    assert "planets:3" in fabric_designer("info", tmp_path / "odd.fabric").out


def test_a_jobs_file_taken_into_a_design_and_written_again_says_the_same(plain, drawn):
    design = document.load(drawn)
    common = {"latency": False}
    before = jobs_of(design, common)
    rows = json.loads(jobs_document(before))["jobs"]
    again = [job_from(fields, 1, common) for fields in rows]
    assert again == before

    colours = [job.colour for job in design.jobs.values()]
    assert not with_jobs(design, again, "test"), "the same jobs again change nothing"
    elsewhere = document.load(plain)
    elsewhere.apply(with_jobs(elsewhere, again, "test"))
    assert jobs_of(elsewhere, common) == before
    assert [job.colour for job in elsewhere.jobs.values()] == colours


def test_ranks_in_any_order_come_back_as_they_were(superpod_file):
    design = document.load(superpod_file)
    ranks = (9, 8, 0, *range(16, 32), 1, 1015)
    scenario = Scenario(collective="all-reduce", ranks=ranks)
    design.apply(with_jobs(design, [Job("odd", scenario), Job("first", Scenario(traffic="shift:1", ranks=12))], "test"))

    odd, first = jobs_of(design, {})
    assert odd.scenario.ranks == ranks and first.scenario.ranks == tuple(range(12))
    servers = [server.id for server in design.servers()]
    assert design.jobs["j2"].servers == (Allocation(servers[0]), Allocation(servers[1], (0, 1, 2, 3)))
    assert document.decode(document.encode(design)).jobs == design.jobs


def test_a_job_on_all_servers_takes_those_that_come_later_too(plain):
    design = document.load(plain)
    edit = operations.add_job(design, "everywhere", **sent(Scenario(collective="all-reduce")))
    design.apply(edit)
    (job,) = jobs_of(design, {})
    assert job.scenario.ranks is None
    design.apply(operations.change_job(design, "j1", servers=whole([design.servers()[0].id])))
    with pytest.raises(ValueError, match="fewer than two GPUs"):
        jobs_of(design, {})

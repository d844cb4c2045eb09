"""Lists of hosts: in rank order, as launchers read them, of all GPUs or those of a job."""

import pytest
from exported_designs import family, renamed
from scheduler_files import rails

from designer.errors import ExportError
from designer.exchange.exporters import BUILT_IN
from designer.graph.building.build import build
from designer.model import operations
from designer.model.entities import Allocation

HOSTS = next(one for one in BUILT_IN if one.name == "hostnames")


@pytest.fixture(scope="module")
def pod():
    made = rails()
    second, first = made.servers()[1].id, made.servers()[0].id
    made.apply(
        operations.add_job(
            made,
            "train",
            size_bytes=1e9,
            collective="all-reduce",
            servers=(Allocation(second), Allocation(first, (7, 0))),
        )
    )
    made.apply(operations.add_job(made, "by rail", size_bytes=1e9, collective="all-reduce", order="rail"))
    return made


def lines(design, tmp_path, **options):
    path = tmp_path / "hosts.txt"
    HOSTS.write(design, path, {key: str(value) for key, value in options.items()})
    return path.read_text().splitlines()


def test_hosts_are_listed_with_their_gpus(pod, tmp_path):
    assert lines(pod, tmp_path)[:2] == ["gpu-01 slots=8", "gpu-02 slots=8"]
    assert lines(pod, tmp_path, content="machinefile")[-1] == "gpu-12:8"
    assert lines(pod, tmp_path, content="names")[2] == "gpu-03"
    assert lines(pod, tmp_path, content="hostlist") == ["gpu-[01-12]"]
    assert HOSTS.outcome(pod, HOSTS.read({})) == "12 hosts, 96 ranks"


def test_ranks_are_those_of_the_simulation(pod, tmp_path):
    graph = build(pod)
    rows = [line.split(",") for line in lines(pod, tmp_path, content="table")]
    assert rows[0] == ["rank", "host", "gpu"]
    assert [(int(rank), host, int(gpu)) for rank, host, gpu in rows[1:]] == [
        (rank, graph.device_name(rank), int(graph.local[rank])) for rank in range(graph.n_endpoints)
    ]


def test_a_rank_file_binds_each_rank_to_cores(pod, tmp_path):
    assert lines(pod, tmp_path, content="rankfile")[9] == "rank 9=gpu-02 slot=1"
    assert lines(pod, tmp_path, content="rankfile", cores=7)[9] == "rank 9=gpu-02 slot=7-13"
    assert lines(pod, tmp_path, content="rankfile", cores=1)[9] == "rank 9=gpu-02 slot=1"


def test_trays_of_a_rack_are_hosts(tmp_path):
    racks = rails(server="gb200-nvl72", servers=2, servers_per_su=1)
    table = lines(racks, tmp_path, content="table")
    assert len(table) == 1 + 144
    assert table[1 + 71 : 1 + 73] == ["71,gpu-01-t18,3", "72,gpu-02-t01,0"]


def test_a_job_has_its_hosts_in_its_own_order(pod, tmp_path):
    assert lines(pod, tmp_path, job="train") == ["gpu-02 slots=8", "gpu-01 slots=2"]
    assert lines(pod, tmp_path, job="train", content="table")[-2:] == ["8,gpu-01,7", "9,gpu-01,0"]


@pytest.mark.parametrize(
    ("job", "sentence"),
    [
        ("other", "there is no job 'other'; there is train, by rail"),
        ("by rail", "the ranks of by rail are in the order 'rail', which its fabric decides"),
    ],
)
def test_a_job_that_cannot_be_listed_is_a_sentence(pod, tmp_path, job, sentence):
    with pytest.raises(ExportError) as refused:
        lines(pod, tmp_path, job=job)
    assert str(refused.value).startswith(sentence)


def test_a_design_without_jobs_says_so(tmp_path):
    with pytest.raises(ExportError, match="there is no job 'train'; the design has none"):
        lines(family("k-ary-fat-tree", k=4), tmp_path, job="train")


def test_names_are_data(pod, tmp_path):
    hostile = renamed(pod, gpu_01="a slots=64 #evil", gpu_02="GPU-03", gpu_03="-x-")
    assert lines(hostile, tmp_path)[:3] == ["a-slots-64--evil slots=8", "GPU-03 slots=8", "x slots=8"]

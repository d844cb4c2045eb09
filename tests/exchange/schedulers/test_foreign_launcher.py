"""Open MPI places ranks on our hosts as our files say."""

import os
import re
import shutil
import subprocess

import pytest
from scheduler_files import rails

from designer.exchange.exporters import BUILT_IN

pytestmark = pytest.mark.slow
HOSTS = next(one for one in BUILT_IN if one.name == "hostnames")


def placed(folder, *options, ranks):
    """Ranks by node, as mpirun's map of the job has them; ended after it, as it may wait for ever."""
    command = shutil.which("mpirun")
    if command is None:
        pytest.skip("Open MPI is not installed")
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    found, edges = {}, 0
    with subprocess.Popen(
        ["stdbuf", "-oL", command, *as_root, *options, "--display-map", "-np", str(ranks), "true"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        for line in process.stdout:
            node, rank = re.search(r"Data for node: (\S+)", line), re.search(r"Process rank: (\d+)", line)
            if node:
                here = found[node[1]] = []
            elif rank:
                here.append(int(rank[1]))
            edges += "=====" in line
            if edges == 2:
                break
        process.kill()
    return found


def test_open_mpi_gives_every_host_its_ranks(tmp_path):
    HOSTS.write(rails(servers=4), tmp_path / "hosts.txt")  # it asks for the address of each, for half a second
    found = placed(tmp_path, "--hostfile", "hosts.txt", "--do-not-launch", ranks=32)
    assert found == {f"gpu-{n + 1:02}": list(range(8 * n, 8 * n + 8)) for n in range(4)}


def test_open_mpi_reads_a_rank_file(tmp_path):
    HOSTS.write(rails(), tmp_path / "ranks.txt", {"content": "rankfile"})
    first = (tmp_path / "ranks.txt").read_text().splitlines()[0]
    (tmp_path / "ranks.txt").write_text(first.replace("gpu-01", "localhost") + "\n")
    (tmp_path / "hosts.txt").write_text("localhost slots=1\n")
    (ranks,) = placed(tmp_path, "--hostfile", "hosts.txt", "--rankfile", "ranks.txt", ranks=1).values()
    assert ranks == [0]

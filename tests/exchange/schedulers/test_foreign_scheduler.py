"""Slurm's own controller reads our topology and shows the same tree."""

import os
import shutil
import socket
import subprocess
from contextlib import contextmanager, suppress

import pytest
from exported_designs import family, renamed
from scheduler_files import expanded, rails, stated, written

from designer.exchange.schedulers.hosts import hosts

pytestmark = pytest.mark.slow
PATIENCE_S = 30
TRIES, PAUSE_S = 60, 0.3


def program(name):
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def controller(design, folder):
    """What asks scontrol, with slurmctld running on the topology of the design in a folder of its own."""
    commands = program("slurmctld"), program("scontrol")
    folder.mkdir()
    (folder / "state").mkdir()
    text = written(design, folder)
    nodes = "\n".join(f"NodeName={host.name} NodeAddr=localhost" for host in hosts(design))
    settings = {
        "ClusterName": "test",
        "SlurmctldHost": "localhost",
        "SlurmctldPort": free_port(),
        "SlurmdPort": free_port(),
        "SlurmUser": "root" if os.geteuid() == 0 else os.environ.get("USER", "nobody"),
        "AuthType": "auth/none",
        "CredType": "cred/none",
        "TopologyPlugin": "topology/tree",
        "StateSaveLocation": folder / "state",
        "SlurmctldPidFile": folder / "slurmctld.pid",
        "ProctrackType": "proctrack/linuxproc",
        "SelectType": "select/linear",
        "MpiDefault": "none",
    }
    lines = "\n".join(f"{key}={value}" for key, value in settings.items())
    (folder / "slurm.conf").write_text(f"{lines}\n{nodes}\nPartitionName=all Nodes=ALL\n")
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [commands[0], "-D", "-f", folder / "slurm.conf"], env=environment, stdout=log, stderr=log
        )

    def shown():
        for _ in range(TRIES):
            with suppress(subprocess.TimeoutExpired):
                process.wait(PAUSE_S)  # not long if it does not run
            done = subprocess.run(
                [commands[1], "show", "topology"], env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode == 0 and done.stdout.startswith("SwitchName="):
                return [dict(part.split("=", 1) for part in line.split()) for line in done.stdout.splitlines() if line]
        pytest.fail(f"slurmctld did not answer: {(folder / 'log').read_text()[-500:]}")

    try:
        yield text, shown
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@pytest.mark.parametrize("kind", ["SuperPOD of 127 servers", "k-ary fat-tree", "dragonfly", "names of all kinds"])
def test_slurm_shows_the_tree_that_we_wrote(kind, tmp_path):
    design = {
        "SuperPOD of 127 servers": lambda: rails(servers=127, servers_per_su=32, reserve_leaf_ports=4),
        "k-ary fat-tree": lambda: family("k-ary-fat-tree", k=4),
        "dragonfly": lambda: family("dragonfly", a=4, p=2, h=2, groups=5),
        "names of all kinds": lambda: renamed(
            rails(), gpu_01="Zürich 1", gpu_02="DEFAULT", gpu_03="a[1-9]", gpu_05="10.0.0.1", leaf_su1_r1="x,y"
        ),
    }[kind]()
    with controller(design, tmp_path / "slurm") as (text, shown):
        found = shown()
    assert len(found) == len(stated(text))
    below = {one["SwitchName"]: set(expanded(one["Nodes"])) for one in found}
    for name, children in stated(text).items():
        what, _, listed = children.partition("=")
        inside = set(expanded(listed)) if what == "Nodes" else set().union(*(below[one] for one in expanded(listed)))
        assert below[name] == inside
    assert below[found[-1]["SwitchName"]] == {host.name for host in hosts(design)}
    if kind.startswith("SuperPOD"):
        assert len(below["spines"]) == 127 and [len(below[f"SU-{n}"]) for n in (1, 2, 3, 4)] == [32, 32, 32, 31]

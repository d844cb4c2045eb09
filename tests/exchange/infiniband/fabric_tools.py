"""The InfiniBand tools of Linux distributions, run on files of ours: ibdmchk, ibsim, OpenSM and ibnetdiscover."""

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from designer.exchange.exporters import BUILT_IN
from designer.model.design import Design

EXPORTER = {one.name: one for one in BUILT_IN}
UMAD2SIM = next(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"), None) if Path("/usr/lib").is_dir() else None
LIMITS = ("-N", "4096", "-S", "256", "-P", "16384")
PATIENCE_S = 60


def program(name: str) -> str:
    """The program's path; the test is skipped where it is not installed."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def checked(design: Design, folder: Path, node: str) -> str:
    """What ibdmchk prints of the design's topology, with the subnet manager at that node, such as gpu-001/mlx5_0."""
    command = program("ibdmchk")
    folder.mkdir()
    archive = folder / "fabric.zip"
    EXPORTER["topo"].write(design, archive)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    topology = next(folder.glob("*.topo"))
    environment = {**os.environ, "IBDM_IBNL_PATH": str(folder / "ibnl")}
    done = subprocess.run(  # its status is not read: it ends in a fault of its own after the report
        [command, "-t", topology, "-n", node, "-p", "1"],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    return done.stdout


def histogram(report: str, title: str) -> dict[int, int]:
    """The two columns of numbers under the first heading that has the title."""
    rows = report.partition(title)[2].partition("----\n")[2].partition("-------")[0].split("\n")
    pairs = (re.fullmatch(r"\s*(\d+)\s+(\d+)\s*", row) for row in rows)
    return {int(found[1]): int(found[2]) for found in pairs if found}


class Simulated:
    """A subnet that ibsim simulates, for programs that manage and discover it."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder = folder
        self._environment = {
            **os.environ,
            "LD_PRELOAD": str(UMAD2SIM),
            "IBSIM_SOCKNAME": socket_name(folder),
            "SIM_HOST": host,
            "OSM_TMP_DIR": str(folder),
            "OSM_CACHE_DIR": str(folder),
        }

    def run(self, name: str, *options: str) -> str:
        """What a program prints that thinks it is on the host."""
        command = [program(name), *options]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=True, timeout=PATIENCE_S
        )
        return done.stdout

    def managed(self, engine: str) -> str:
        """The log of OpenSM after it has set up the subnet once with that routing engine."""
        log = self.folder / "opensm.log"
        self.run("opensm", "-o", "-e", "-R", engine, "-D", "0x43", "-f", str(log), "--dump_files_dir", str(self.folder))
        return log.read_text(errors="replace")


def socket_name(folder: Path) -> str:
    """A name that no other simulation has at the time."""
    return f"designer-{os.getpid()}-{folder.name}"


@contextmanager
def simulated(design: Design, folder: Path, host: str) -> Iterator[Simulated]:
    """The design's InfiniBand links as ibsim has them; `host` is the node that programs run on."""
    command = program("ibsim")
    if UMAD2SIM is None:
        pytest.skip("libumad2sim.so is not installed")
    folder.mkdir()
    netlist = folder / "fabric.net"
    EXPORTER["ibsim"].write(design, netlist)
    environment = {**os.environ, "IBSIM_SOCKNAME": socket_name(folder)}
    with subprocess.Popen(
        [command, "-s", "-n", *LIMITS, netlist],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert any("MaxMcastCap" in line for line in process.stdout), "ibsim did not take the netlist"
            yield Simulated(folder, host)
        finally:
            process.terminate()

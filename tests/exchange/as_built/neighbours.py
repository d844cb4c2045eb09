"""Two real lldpd, each in a network of its own, over a pair of virtual cables."""

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

PATIENCE_S = 60
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/bin"


def program(name: str) -> str:
    """The program's path; the test is skipped where it is not installed."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command: str) -> str:
    """What a command prints."""
    asked = [program(command[0]), *command[1:]]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    return done.stdout


@contextmanager
def neighbours(cables: Mapping[str, str], names: tuple[str, str], folder: Path) -> Iterator[Path]:
    """A folder with what lldpctl prints on both hosts, NAME.json; `cables` leads from ports of one to the other's.

    The test is skipped where the machine lets nobody make networks.
    """
    for name in ("lldpd", "lldpcli", "lldpctl", "ip", "unshare"):
        program(name)
    spaces = tuple(f"designer{threading.get_native_id()}{side}" for side in "ab")
    folder.mkdir()
    with ExitStack() as stack:
        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="designer-lldp-")))
        sockets.chmod(0o777)  # lldpd gives up its rights before it makes its socket
        for space in spaces:
            try:
                run("ip", "netns", "add", space)
            except subprocess.CalledProcessError as error:
                pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
            stack.callback(run, "ip", "netns", "del", space)
        for near, far in cables.items():
            run("ip", "link", "add", near, "netns", spaces[0], "type", "veth", "peer", "name", far, "netns", spaces[1])
            run("ip", "-n", spaces[0], "link", "set", near, "up")
            run("ip", "-n", spaces[1], "link", "set", far, "up")
        for space, name in zip(spaces, names, strict=True):
            stack.enter_context(_daemon(space, name, sockets))
        for name in names:
            (folder / f"{name}.json").write_text(_seen(sockets / f"{name}.sock", len(cables)))
        yield folder


@contextmanager
def _daemon(space: str, name: str, folder: Path) -> Iterator[None]:
    socket, pid = folder / f"{name}.sock", folder / f"{name}.pid"
    script = f"hostname {name}; exec {program('lldpd')} -d -u {socket} -p {pid}"
    command = [program("ip"), "netns", "exec", space, program("unshare"), "-u", "sh", "-c", script]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _waited(lambda: socket.exists())
            run("lldpcli", "-u", str(socket), "configure", "lldp", "tx-interval", "1")
            yield
        finally:
            process.terminate()


def _seen(socket: Path, n_cables: int) -> str:
    """What lldpctl prints once every cable has been heard over."""
    printed = ""

    def is_whole() -> bool:
        nonlocal printed
        printed = run("lldpctl", "-u", str(socket), "-f", "json")
        return printed.count('"chassis"') >= n_cables

    _waited(is_whole)
    return printed


def _waited(is_so) -> None:
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < PATIENCE_S, "lldpd did not answer"
        time.sleep(0.2)

"""The program as a process of the system: streams that may be closed, and how it leaves when it is interrupted."""

import atexit
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells have it."""

_temporary: list[str] = []
"""Files and folders that are of no use once the process has ended."""

_held: list[bool] = []
"""While interrupts wait: whether there was one."""


def hold_streams() -> None:
    """Put nothing where stdin, stdout or stderr is closed: the next file opened would be taken for it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            stream = open(nowhere, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def leave_when_interrupted() -> None:
    """From now on Ctrl+C ends the process at once and without a traceback, wherever it is; temporary files go.

    An exception would be lost or turned into another in callbacks, in clean-up code and in imports of C extensions.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # ignored, as in the background of a script, or somebody else's affair
    try:
        signal.signal(signal.SIGINT, _leave)
    except ValueError:  # not the main thread
        return
    atexit.register(_stay)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    if _held:
        _held[0] = True
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    multiprocessing = sys.modules.get("multiprocessing")
    for child in multiprocessing.active_children() if multiprocessing is not None else ():
        child.kill()
    for path in tuple(_temporary):
        _remove(path)
    try:
        os.write(2, b"fabric-designer: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def _stay() -> None:
    """All is done: an interrupt that comes while Python itself ends changes nothing."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _remove(path: str) -> None:
    try:
        if os.path.isdir(path):
            for name in os.listdir(path):
                _remove(os.path.join(path, name))
            os.rmdir(path)
        else:
            os.unlink(path)
    except OSError:
        return


class Temporary:
    """While a file or folder is only on its way to become another: it goes where the process is interrupted."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)

    def __enter__(self) -> None:
        _temporary.append(self._path)

    def __exit__(self, *_error: object) -> None:
        _temporary.remove(self._path)


class InterruptsHeld:
    """An interrupt waits until the end. Processes started meanwhile hear of none: whoever started them ends them."""

    def __enter__(self) -> None:
        if hasattr(signal, "pthread_sigmask"):  # which processes take on from the thread that starts them
            self._before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        _held.append(False)  # other threads may hear of it

    def __exit__(self, *_error: object) -> None:
        was_interrupted = _held.pop()
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_SETMASK, self._before)
        if was_interrupted:
            signal.raise_signal(signal.SIGINT)

"""`fabric-designer [FILE ...]` opens the window; `fabric-designer COMMAND ...` is the command line."""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
    # python -m looks for libraries in the folder where the user stands, before all others.
    del sys.path[0]

import gc
from collections.abc import Sequence

from designer import process
from designer.errors import missing_package

FEW_COLLECTIONS = (200_000, 20, 20)
"""For commands: a large design is a million records without cycles; looking through them takes a third of the time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code: the command line for a command or a "-", the window for a file."""
    process.leave_when_interrupted()
    process.hold_streams()
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except ImportError as error:
        return _refuse_missing(error)


def _run(arguments: list[str]) -> int:
    if not arguments:
        return _open_window(arguments)
    from designer.cli import main as cli

    if arguments[0].startswith("-") or any(row.name == arguments[0] for row in cli.COMMANDS):
        gc.set_threshold(*FEW_COLLECTIONS)
        return cli.run(arguments)
    if not os.path.exists(arguments[0]):
        return cli.refuse_word(arguments[0])
    return _open_window(arguments)


def _open_window(arguments: list[str]) -> int:
    gc.disable()
    try:
        from designer.windows import before_qt, known_to_qt  # in this order: the second loads Qt

        del before_qt
        known_to_qt.tell()
        from designer.windows.application import run_application

        gc.freeze()  # modules are no garbage: nobody need look through them, while they load or later
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("PySide6", "shiboken6", "pyqtgraph", ""):
            raise
        print(
            f"fabric-designer: the window needs PySide6, which cannot be loaded here ({error}); "
            "the commands work without it: fabric-designer --help",
            file=sys.stderr,
        )
        return 2
    finally:
        gc.enable()
    if _display_missing():
        print(
            "fabric-designer: there is no display for the window (DISPLAY and WAYLAND_DISPLAY are not set); "
            "the commands work without one: fabric-designer --help",
            file=sys.stderr,
        )
        return 2
    return run_application([sys.argv[0], *arguments])


def _refuse_missing(error: ImportError) -> int:
    stated = missing_package(error)
    if not stated:
        raise error
    print(f"fabric-designer: {stated}", file=sys.stderr)
    return 2


def _display_missing() -> bool:
    """Whether Qt would find no display to open a window on, and so end the program."""
    chosen = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(os.environ.get(name) for name in chosen)


if __name__ == "__main__":
    sys.exit(main())

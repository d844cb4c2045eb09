"""Runs all commands in one process of the checkout that is first on the path, and keeps what each left behind.

Started by compare_commands.py:  python -P compared_recording.py FOLDER CHECKOUT
Kept for each command: its line, exit code, stdout, stderr, and every file it wrote.
"""

import contextlib
import io
import re
import shlex
import shutil
import sys
import time
import traceback
from pathlib import Path

from compared_commands import FILES, Command, commands

UNSTEADY = (
    (re.compile(r'("wall_s": *)[-+.e0-9]+'), r"\g<1>0"),
    (re.compile(r"^computed in .*$", re.MULTILINE), "computed in TIME"),
    (re.compile(r"\(commit [0-9a-f]+\)"), "(commit COMMIT)"),
)
"""What differs from run to run of one checkout, and what is kept in its place."""


def steady(text: str, places: dict[str, str]) -> str:
    """The text without times taken, commits, and `places`, which are folders and the names kept for them."""
    for place, name in places.items():
        text = text.replace(place, name)
    for pattern, instead in UNSTEADY:
        text = pattern.sub(instead, text)
    return text


def record(folder: Path, work: Path, places: dict[str, str]) -> list[tuple[float, str]]:
    """Run every command in `work`, keep each under `folder`. Returns the seconds that each took, the longest first."""
    for name, text in FILES.items():
        (work / name).write_text(text, encoding="utf-8")
    took_s = []
    before = _files(work)
    for command in commands():
        began = time.perf_counter()
        code, out, err = _run(command)
        took_s.append((time.perf_counter() - began, command.name))
        kept = folder / command.name
        kept.mkdir(parents=True)
        texts = {"command": shlex.join(command.arguments) + "\n", "code": f"{code}\n", "stdout": out, "stderr": err}
        for name, text in texts.items():
            (kept / name).write_text(steady(text, places), encoding="utf-8")
        after = _files(work)
        for path, state in after.items():
            if before.get(path) != state:
                copied = kept / "files" / path.relative_to(work)
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copied)
        removed = sorted(str(path.relative_to(work)) for path in before.keys() - after.keys())
        if removed:
            (kept / "removed").write_text("\n".join(removed) + "\n", encoding="utf-8")
        before = after
    return sorted(took_s, reverse=True)


def _run(command: Command) -> tuple[object, str, str]:
    from designer.__main__ import main

    out, err = io.StringIO(), io.StringIO()
    code: object
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(command.arguments))
        except SystemExit as leaving:
            code = f"SystemExit {leaving.code}"
        except Exception:
            code = traceback.format_exc()
    return code, out.getvalue(), err.getvalue()


def _files(work: Path) -> dict[Path, tuple[int, int, int]]:
    found = {}
    for path in sorted(work.rglob("*")):
        if path.is_file():
            state = path.stat()
            found[path] = (state.st_ino, state.st_mtime_ns, state.st_size)
    return found


if __name__ == "__main__":
    import designer

    checkout = Path(sys.argv[2])
    program = Path(designer.__file__).resolve().parent.parent
    if program != checkout:
        sys.exit(f"the program is {program}'s, not {checkout}'s")
    here = Path.cwd().resolve()
    taken = record(Path(sys.argv[1]), here, {str(here): "WORK", str(checkout): "CHECKOUT"})
    print(f"{len(taken)} commands in {sum(seconds for seconds, _ in taken):.0f} s; longest:", end=" ")
    print(", ".join(f"{name} {seconds:.1f} s" for seconds, name in taken[:4]))

"""Runs some hundred commands of two checkouts and lists where exit codes, texts, numbers or written files differ.

    python tests/architecture/compare_commands.py record FOLDER [--checkout PATH] [--inputs PATH]
    python tests/architecture/compare_commands.py compare BEFORE AFTER
    python tests/architecture/compare_commands.py against COMMIT [--checkout PATH]

`record` runs the program of a checkout, this one if not given, and keeps what each command left behind. The examples
that commands read are copied from that checkout, or from --inputs: another checkout, or the folder of an earlier
recording. `compare` lists differences by command; `against` does both for a commit and a checkout, with the examples
of the commit. Exit code 1 where there are differences that compared_allowed.py does not name with a reason.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from compared_allowed import ALLOWED, unused  # noqa: E402  (after the path is set)
from compared_files import Difference, differences  # noqa: E402

ROOT = HERE.parents[1]
INPUTS = {"examples": "examples", "golden": "tests/golden", "netbox": "tests/exchange/data/netbox"}
"""Folders that commands read, and where a checkout has them."""
LISTED = 8
"""Differences that are listed of each command."""
SHOWN = 240
"""Characters of a text that are shown."""


def record(folder: Path, checkout: Path, inputs: Path) -> None:
    """Keep what every command of the checkout leaves behind, in a folder that is empty or not there yet."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty: name another folder")
    folder, checkout = folder.resolve(), checkout.resolve()
    kept = folder / "inputs"
    for name, place in INPUTS.items():
        found = inputs / "inputs" / name
        shutil.copytree(found if found.is_dir() else inputs / place, kept / name)
    with tempfile.TemporaryDirectory(prefix="compared-") as work:
        shutil.copytree(kept, work, dirs_exist_ok=True)
        arguments = [str(HERE / "compared_recording.py"), str(folder / "commands"), str(checkout)]
        done = subprocess.run(
            [sys.executable, "-P", *arguments], cwd=work, env=_environment(checkout, Path(work)), check=False
        )
    if done.returncode:
        raise SystemExit(done.returncode)


def _environment(checkout: Path, work: Path) -> dict[str, str]:
    """No folder of the user is touched; compiled kernels stay with the checkout."""
    folders = {"CONFIG": "config", "STATE": "state", "DATA": "data", "RUNTIME": "runtime"}
    for name in folders.values():
        (work / "home" / name).mkdir(mode=0o700, parents=True)
    return {
        **os.environ,
        **{f"XDG_{name}_HOME": str(work / "home" / folder) for name, folder in folders.items()},
        "XDG_RUNTIME_DIR": str(work / "home" / "runtime"),
        "HOME": str(work / "home"),
        "XDG_CACHE_HOME": str(checkout / ".cache"),
        "PYTHONPATH": os.pathsep.join((str(checkout), str(HERE))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "QT_HASH_SEED": "0",  # the order of fonts in a PDF
        "COLUMNS": "110",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }


def compare(before: Path, after: Path) -> int:
    """Print the differences by command, and why others are allowed. Returns 1 where differences are left."""
    found = differences(before / "commands", after / "commands")
    reasons = {difference: reason for difference in found if (reason := ALLOWED.reason(difference))}
    left = [difference for difference in found if difference not in reasons]
    for command in dict.fromkeys(difference.command for difference in left):
        _print_command(command, [difference for difference in left if difference.command == command])
    for reason in dict.fromkeys(reasons.values()):
        print(f"allowed {list(reasons.values()).count(reason)} times: {reason}")
    for row in unused(found):
        print(f"allowed, and no longer seen: {row.reason}")
    n_commands = len(list((after / "commands").iterdir()))
    print(f"{n_commands} commands: {len(left)} differences, {len(reasons)} more with a reason")
    return 1 if left else 0


def _print_command(command: str, found: Sequence[Difference]) -> None:
    print(command)
    for difference in found[:LISTED]:
        print(f"  {difference.file}{', ' if difference.place else ''}{difference.place}")
        print(f"    - {_shown(difference.before)}\n    + {_shown(difference.after)}")
    if len(found) > LISTED:
        print(f"  and {len(found) - LISTED} more")


def _shown(text: str) -> str:
    one_line = " | ".join(text.splitlines())
    return one_line if len(one_line) <= SHOWN else one_line[:SHOWN] + "..."


def against(commit: str, checkout: Path) -> int:
    """Record the commit, in a work tree of its own, and the checkout; compare the two."""
    with tempfile.TemporaryDirectory(prefix="compared-") as place:
        tree, before, after = (Path(place) / name for name in ("tree", "before", "after"))
        git = ["git", "-C", str(checkout)]
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            record(before, tree, tree)
            record(after, checkout, before)
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)
        return compare(before, after)


def main(arguments: Sequence[str] | None = None) -> int:
    description, _, usage = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=description, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    recorded = verbs.add_parser("record")
    recorded.add_argument("folder", type=Path)
    recorded.add_argument("--inputs", type=Path)
    compared = verbs.add_parser("compare")
    compared.add_argument("before", type=Path)
    compared.add_argument("after", type=Path)
    set_against = verbs.add_parser("against")
    set_against.add_argument("commit")
    for verb in (recorded, set_against):
        verb.add_argument("--checkout", type=Path, default=ROOT)
    asked = parser.parse_args(arguments)
    if asked.verb == "compare":
        return compare(asked.before, asked.after)
    if asked.verb == "against":
        return against(asked.commit, asked.checkout)
    record(asked.folder, asked.checkout, asked.inputs or asked.checkout)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What is read back from the files for schedulers."""

import re
from functools import partial

import exported_designs
from exported_designs import EXPORTER

SLURM = EXPORTER["slurm"]
rails = partial(exported_designs.rails, servers=12, servers_per_su=4)


def written(design, tmp_path, suffix=".conf", **options):
    path = tmp_path / f"topology{suffix}"
    SLURM.write(design, path, options)
    return path.read_text()


def stated(text):
    """The lines of topology.conf that say something, as (name, children)."""
    lines = [line.split(" ") for line in text.splitlines() if not line.startswith("#")]
    return {first.partition("=")[2]: rest[0] for first, *rest in lines if rest}


def expanded(text):
    """The names of a host list, as Slurm reads it."""
    found = []
    for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        head, bracket, inside = part.partition("[")
        for piece in inside.removesuffix("]").split(",") if bracket else [""]:
            first, dash, last = piece.partition("-")
            numbers = range(int(first), int(last) + 1) if dash else [piece]
            found += [f"{head}{number:0{len(first)}}" if dash else f"{head}{number}" for number in numbers]
    return found

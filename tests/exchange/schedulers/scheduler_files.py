"""Designs, and what is read back from the files for schedulers."""

import re
from dataclasses import replace

from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import rail_optimized
from designer.topologies.families import FAMILIES

CATALOG = load()
SLURM = next(one for one in BUILT_IN if one.name == "slurm")


def rails(**more):
    made = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 12, "servers_per_su": 4, **more}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    return made


def family(name, **wanted):
    row = next(one for one in FAMILIES if one.name == name)
    made = Design()
    made.apply(row.build(made, row.parameters(**wanted), CATALOG))
    return made


def renamed(design, **names):
    made = design.snapshot()
    for device in design.devices.values():
        if device.name.replace("-", "_") in names:
            after = replace(device, name=names[device.name.replace("-", "_")])
            made.apply(Edit("rename", (Change(device, after),)))
    return made


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

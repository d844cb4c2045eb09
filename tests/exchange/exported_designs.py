"""Designs to export, and the exporters that write them."""

from dataclasses import replace

from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import rail_optimized
from designer.topologies.families import FAMILIES

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN}


def rails(**more):
    made = Design()
    wanted = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 4, "servers_per_su": 2, **more}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    return made


def family(name, **wanted):
    row = next(one for one in FAMILIES if one.name == name)
    made = Design()
    made.apply(row.build(made, row.parameters(**wanted), CATALOG))
    return made


def changed(design, before, after):
    """The design with one record in place of another."""
    made = design.snapshot()
    made.apply(Edit("change", (Change(before, after),)))
    return made


def renamed(design, **names):
    """The design with other names, by the name with "_" for "-"."""
    made = design
    for device in design.devices.values():
        name = names.get(device.name.replace("-", "_"))
        if name is not None:
            made = changed(made, device, replace(device, name=name))
    return made


def named(options):
    """Options as they are called: with "-" for "_"."""
    return {key.replace("_", "-"): str(value) for key, value in options.items()}


def written(name, design, tmp_path, suffix="", **options):
    """The text of the file."""
    path = tmp_path / f"written{suffix or EXPORTER[name].suffix}"
    EXPORTER[name].write(design, path, named(options))
    return path.read_text()


def outcome(name, design, **options):
    """What is said after writing."""
    row = EXPORTER[name]
    return row.outcome(design, row.read(named(options)))

"""Designs without a finding, or with known ones: the examples, one of every family, three tiers, all networks."""

import importlib.util
from dataclasses import replace
from pathlib import Path

from designer.catalog.catalog import load
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.equipping import free_unit, mount
from designer.placement.preparation import prepare
from designer.regeneration import recipes
from designer.topologies import networks
from designer.topologies.families import BUILT_IN
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.checked import completed
from designer.validation.engine import validate

EXAMPLES = Path(__file__).parents[2] / "examples" / "make_examples.py"
spec = importlib.util.spec_from_file_location("make_examples_to_break", EXAMPLES)
make_examples = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_examples)

CATALOG = load()
SMALL = RailOptimizedParameters(servers=12, servers_per_su=8, rails=2, reserve_leaf_ports=1)
THREE_TIERS = FatTreeParameters(servers=24, tiers="3", switch="nvidia-qm9700", server="dgx-h100", servers_per_leaf=2)
MANAGED = NetworkParameters(
    storage_switch="nvidia-qm9700",
    storage_leafs=2,
    storage_spines=2,
    in_band_switch="nvidia-sn4600c",
    in_band_leafs=2,
    in_band_spines=2,
    oob_switch="nvidia-sn2201",
    oob_leafs=2,
    oob_spines=1,
    oob_uplinks=2,
)
NORTH_SOUTH = NetworkParameters(north_south_switch="nvidia-qm9700", north_south_leafs=2, north_south_spines=2)


def _generated(name, parameters, others=None, types=()):
    design = Design()
    if types:
        design.apply(Edit("Add types", added(types)))
    design.apply(recipes.generated(design, recipes.family_named(name), parameters, CATALOG))
    if others is not None:
        design.apply(networks.build(design, others, CATALOG))
    design.apply(prepare(design, CATALOG.types).edit)
    return design


def _family(name):
    return lambda: _generated(name, recipes.family_named(name).parameters())


def _north_south():
    """No server of the catalog states ports to the outside: one of the user's own does."""
    type_ = CATALOG.get("dgx-h100")
    slots = [replace(slot, name="edge1", purpose="north-south") for slot in type_.slots if slot.name == "storage1"]
    own = replace(type_, id="own-server", model="Own server", slots=(*type_.slots, *slots))
    return _generated("rail-optimized", replace(SMALL, server=own.id), NORTH_SOUTH, [own])


def _spines_apart():
    """Each spine in a rack of servers of its own, so that the loss of one rack takes one spine."""
    design = _family("fat-tree")()
    racks = dict.fromkeys(design.placements[server.id].rack_id for server in design.servers())
    for spine, rack in zip((one for one in design.switches() if one.role == "spine"), racks, strict=False):
        moved = mount(design, spine.id, rack, free_unit(design, rack, 1, None, spine.name, spine.id))
        design.apply(completed(design, moved))
    return design


SMALL_RAILS = "rail-optimized, small"
DESIGNS = {
    **{family.name: _family(family.name) for family in BUILT_IN},
    SMALL_RAILS: lambda: _generated("rail-optimized", SMALL),
    "three tiers": lambda: _generated("fat-tree", THREE_TIERS),
    "storage and management": lambda: _generated("rail-optimized", SMALL, MANAGED),
    "north-south": _north_south,
    "spines apart": _spines_apart,
    "example at 2:1": lambda: make_examples.oversubscribed(CATALOG),
    "example of four units": lambda: make_examples.superpod(CATALOG),
}
KNOWN = {"example at 2:1": {"OVER-001"}}
"""By design, what is found in it as it is."""
_built = {}


def clean(name):
    """The design of that name, built once. Not to be changed."""
    if name not in _built:
        _built[name] = DESIGNS[name]()
        assert {one.code for one in validate(_built[name]).findings} == KNOWN.get(name, set()), name
    return _built[name]

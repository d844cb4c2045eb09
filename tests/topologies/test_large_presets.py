"""Presets of 900 to 6,000 devices: built, clean, with an all-reduce and an all-to-all.

Those of up to 2,100 devices have a plan of every cable, as smaller ones have in test_published_presets.py. Of larger
ones none is written, which took a quarter of the time: tests/benchmarks/large_presets.py writes it. It also runs still
larger ones, which take a minute or more each.
"""

import csv

import pytest

from designer import api
from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.model.hardware.media import is_built_in
from designer.topologies.presets import Preset, family_of, networks_of, parameters_of, presets, values_of
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()
SMALL, MOST_PLANNED, LARGE = 900, 2_100, 6_000
"""Devices."""

UNEVEN = {"dgx-superpod-rubin-nvl8-16su": {"SPREAD-001"}}
"""Warnings that the published figures themselves ask for."""


def devices(preset: Preset) -> int:
    counts = family_of(preset).counts(parameters_of(preset), CATALOG)
    return counts.servers + sum(counts.switches.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset", [one for one in presets() if SMALL < devices(one) <= LARGE], ids=lambda preset: preset.id
)
def test_a_large_preset_is_clean_carries_traffic_and_has_a_whole_plan(preset, tmp_path):
    values = {**values_of(preset), **networks_of(preset)}
    design = new_design(family_of(preset), values, CATALOG, preset.id, "auto").design
    findings = {one.code for one in validate(design).findings if one.severity is not Severity.INFO}
    assert findings <= UNEVEN.get(preset.id, set())
    for collective in ("all-reduce", "all-to-all"):
        assert api.simulate(design, collective=collective, size_bytes=2**26).time_s > 0
    if devices(preset) <= MOST_PLANNED:
        api.export(design, tmp_path / "plan.csv", "cable-plan")
        with (tmp_path / "plan.csv").open(encoding="utf-8-sig", newline="") as plan:
            built_in = sum(is_built_in(design.types, one.medium_id) for one in design.links.values())
            assert sum(1 for _ in csv.reader(plan)) == 1 + len(design.links) - built_in

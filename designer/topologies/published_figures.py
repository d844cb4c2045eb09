"""How the figures of a published design compare with what the generator makes of it: printed ones and derived ones."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.networks import COMPUTE, network_of_switch
from designer.topologies import networks
from designer.topologies.counted import BY_NAME, COUNTED
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.presets import Preset, family_of, networks_of, parameters_of
from designer.topologies.sizing import Counts
from designer.units import format_count


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of a published design and what the generator makes."""

    name: str
    title: str
    expected: int
    made: int
    printed: bool
    """Whether the source prints it; else it follows from what the source states."""
    contradicted: str = ""
    """Why the source's own other figures contradict it; "" where they do not."""

    @property
    def equal(self) -> bool:
        """Whether both are the same."""
        return self.expected == self.made


def compared(preset: Preset, catalog: Catalog, *, compute_alone: bool = False) -> tuple[Compared, ...]:
    """Every figure of a preset with what the generator makes of it, printed or derived. Raises ParameterError.

    With `compute_alone` those of other networks are left out: their switches are known once they are built.
    """
    parameters = parameters_of(preset)
    counts = family_of(preset).counts(parameters, catalog)
    expected = {**preset.published, **preset.derived}
    if compute_alone:
        expected = {name: number for name, number in expected.items() if not BY_NAME[name].is_of_other_network}
    elif preset.networks:
        counts = _with_networks(preset, parameters, counts, catalog)
    return tuple(
        Compared(
            row.name,
            row.title,
            expected[row.name],
            row.number(counts, parameters),
            row.name in preset.published,
            preset.contradicted.get(row.name, ""),
        )
        for row in COUNTED
        if row.name in expected
    )


def agreement(rows: Sequence[Compared]) -> str:
    """How many figures come out as expected: "6 of 6 printed figures match; 2 derived here match"."""
    printed, derived = [row for row in rows if row.printed], [row for row in rows if not row.printed]
    parts = []
    for several, kind in ((printed, "printed figure"), (derived, "figure derived here")):
        if several:
            n_equal = sum(row.equal for row in several)
            word = kind if len(several) == 1 else kind.replace("figure", "figures")
            verb = "matches" if len(several) == 1 else "match"
            parts.append(f"{format_count(n_equal)} of {format_count(len(several))} {word} {verb}")
    return "; ".join(parts)


def _with_networks(preset: Preset, parameters: Any, counts: Counts, catalog: Catalog) -> Counts:
    """The counts with the switches of networks other than compute as "storage leaf" and so on."""
    design = Design()
    design.apply(family_of(preset).build(design, parameters, catalog))
    design.apply(networks.build(design, NetworkParameters(**networks_of(preset)), catalog))
    others = [switch for switch in design.switches() if network_of_switch(switch) != COMPUTE]
    found = Counter(f"{network_of_switch(switch)} {switch.role}" for switch in others)
    return replace(counts, switches={**counts.switches, **found})

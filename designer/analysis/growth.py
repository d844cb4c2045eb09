"""Growth: a fabric at several sizes, and which links stay, move, come and go from one size to the next.

Devices of two sizes are taken for the same where they have the same role, plane, rail and number among those. Links
between the same two devices stay, as many as there are at both sizes; others of the lower device move, as many as it
has at both sizes. *Regenerate* keeps ports likewise.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.tables.columns import Column, Columns
from designer.tables.table import ResultTable
from designer.topologies.families import Family
from designer.topologies.presets import Preset
from designer.topologies.sizing import Counts
from designer.units import format_count, shortened

MOST_COMPARED = 250_000
"""Links; of a larger size only the counts are stated."""

Place = tuple[str, int, int, int]
"""Role of a device, its plane, its rail, and its number among those."""

Wiring = dict[tuple[Place, str], Counter[Place]]
"""For each device and role above it how many links lead to each device there."""


def _switches(role: str) -> Column:
    return Column(
        role, f"{role.capitalize()} switches", lambda stage: stage.counts.switches.get(role), right=True, empty="–"
    )


def _links(name: str) -> Column:
    return Column(name, f"Links {name}", lambda stage: stage.total(name), right=True, empty="–")


@dataclass(frozen=True, slots=True)
class Moves:
    """Links of one kind from one size to the next."""

    kind: str
    """As counts call it: "leaf-spine"."""
    kept: int
    moved: int
    added: int
    removed: int

    @property
    def sentence(self) -> str:
        """What becomes of what was there; "" where all of it stays."""
        before = self.kept + self.moved + self.removed
        if self.kept == before:
            return ""
        lost = [f"{format_count(n)} {verb}" for n, verb in ((self.moved, "move"), (self.removed, "are removed")) if n]
        what = f"of {format_count(before)} {self.kind} links {' and '.join(lost)}"
        return what if self.kept else f"{what}: this layer is rebuilt"


@dataclass(frozen=True, slots=True)
class Stage:
    """A fabric at one size, and what changed since the one before."""

    size: int
    counts: Counts
    moves: tuple[Moves, ...] | None
    """None for the first size, and where one of both is too large to be compared."""

    COLUMNS: ClassVar[Columns] = (
        Column("size", "Size", right=True),
        Column("servers", "Servers", "counts.servers", right=True),
        Column("endpoints", "Endpoints", "counts.endpoints", right=True),
        *map(_switches, ("leaf", "spine", "core", "router")),
        Column("links", "Links", lambda stage: sum(stage.counts.links.values()), right=True),
        *map(_links, ("kept", "moved", "added", "removed")),
    )

    def total(self, name: str) -> int | None:
        """Links of all kinds that were "kept", "moved", "added" or "removed"; None where nothing was compared."""
        return None if self.moves is None else sum(getattr(one, name) for one in self.moves)

    @property
    def sentence(self) -> str:
        """What has to be recabled since the size before; "" for nothing."""
        return "; ".join(filter(None, (one.sentence for one in self.moves or ())))


GROWING = {"servers": "servers", "groups": "groups"}
"""Fields that sizes are numbers of, and what they are called."""

LARGEST = 10_000_000


@dataclass(frozen=True, slots=True)
class Growing:
    """What sizes of a fabric are numbers of."""

    noun: str
    sets: Mapping[str, tuple[int, int]]
    """Parameters that follow: of size n, first * n + second."""

    def values(self, size: int) -> dict[str, int]:
        """What a size sets, by the names of parameters."""
        return {name: by * size + more for name, (by, more) in self.sets.items()}

    def at(self, parameters: Any, size: int) -> Any:
        """The parameters at another size. Raises ParameterError."""
        return replace(parameters, **self.values(size))

    def size_of(self, parameters: Any) -> int:
        """The size that parameters have, at least 1."""
        name, (by, more) = next(iter(self.sets.items()))
        return max(1, ((getattr(parameters, name) or 1) - more) // by)


def growing(family: Family, preset: Preset | None = None) -> Growing | None:
    """What sizes of a family, or of a published design, are numbers of; None where there is nothing to grow by."""
    if preset is not None and preset.scale is not None:
        return Growing(preset.scale.noun, preset.scale.sets)
    name = next((name for name in GROWING if name in fields_of(family.parameters)), None)
    return Growing(GROWING[name], {name: (1, 0)}) if name is not None else None


def sizes_in(text: str) -> tuple[int, ...]:
    """The numbers of a list such as "1,2,4". Raises ParameterError."""
    parts = text.replace(" ", "").split(",")
    if not all(
        part.isascii() and part.isdecimal() and 0 < int(part[:9]) <= LARGEST and len(part) < 9 for part in parts
    ):
        raise ParameterError(f"{shortened(text)!r} should be whole numbers from 1 up, such as 1,2,4")
    return tuple(map(int, parts))


def step_sentence(before: Stage, after: Stage, noun: str) -> str:
    """What has to be recabled from one size to the next."""
    step = f"{format_count(before.size)} to {format_count(after.size)} {noun}"
    if after.moves is None:
        return f"From {step}: too large to compare links."
    return f"From {step}: {after.sentence or 'every link stays where it is'}."


def table(stages: Sequence[Stage]) -> ResultTable:
    """The stages under the columns that say something of any of them."""
    said = (one for one in Stage.COLUMNS if any(one.of(stage) is not None for stage in stages))
    return ResultTable(tuple(said), stages)


def growth(family: Family, sizes: Sequence[tuple[int, Any]], catalog: Catalog) -> tuple[Stage, ...]:
    """A stage for each size and its parameters, in their order. Raises ParameterError for what cannot be built."""
    stages: list[Stage] = []
    before: Wiring | None = None
    for size, parameters in sizes:
        counts = family.counts(parameters, catalog)
        after = None if _is_large(counts) else _wiring(_built(family, parameters, catalog))
        moves = tuple(_moves(before, after)) if before is not None and after is not None else None
        stages.append(Stage(size, counts, moves))
        before = after
    return tuple(stages)


def _is_large(counts: Counts) -> bool:
    return bool(counts.too_large) or sum(counts.links.values()) > MOST_COMPARED


def _built(family: Family, parameters: Any, catalog: Catalog) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    return design


def _wiring(design: Design) -> Wiring:
    """The links of a design by the device they lead up from."""
    numbers: Counter[tuple[str, int, int]] = Counter()
    places: dict[str, Place] = {}
    for one in design.devices.values():
        like = (one.role or "server", one.plane or 0, one.rail or 0)
        numbers[like] += 1
        places[one.id] = (*like, numbers[like])
    found: Wiring = {}
    for link in design.links.values():
        low, high = places[link.a.device_id], places[link.b.device_id]
        found.setdefault((low, high[0]), Counter())[high] += 1
    return found


def _moves(before: Wiring, after: Wiring) -> list[Moves]:
    """What became of the links of each kind, in the order in which they are built."""
    found: dict[str, Counter[str]] = {}
    for low, upper in dict.fromkeys((*before, *after)):
        old, new = before.get((low, upper), Counter()), after.get((low, upper), Counter())
        kept = (old & new).total()
        moved = min(old.total(), new.total()) - kept
        numbers = found.setdefault(f"{low[0]}-{upper}", Counter())
        numbers.update(kept=kept, moved=moved, added=new.total() - kept - moved, removed=old.total() - kept - moved)
    return [Moves(kind, n["kept"], n["moved"], n["added"], n["removed"]) for kind, n in found.items()]

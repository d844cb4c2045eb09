"""Power: sums of what the catalog knows, and the names of what it does not."""

from dataclasses import dataclass

from designer.analysis.equipment import equipment
from designer.analysis.survey import Survey
from designer.model.hardware import HardwareType, MediumType, RackType


@dataclass(frozen=True, slots=True)
class Power:
    """Sums over devices; None when nothing is known. The ids name the types left out of a sum."""

    typical_w: float | None
    max_w: float | None
    unknown_typical: tuple[str, ...]
    unknown_max: tuple[str, ...]


def power(surveyed: Survey) -> Power:
    """Draw of all switches and servers, of line cards, and of NICs that did not come with their server.

    A server's figure includes the NICs it is stated with; a chassis's is that of the chassis without cards. Optics are
    not added.
    """
    drawing = [one for one in equipment(surveyed.design) if not isinstance(one.type, RackType) and one.ordered_apart]
    typical = {one.type.id: (power_w(one.type)[0], one.ordered_apart) for one in drawing}
    peak = {one.type.id: (power_w(one.type)[1], one.ordered_apart) for one in drawing}
    return Power(_sum(typical), _sum(peak), _unknown(typical), _unknown(peak))


def power_w(type_: HardwareType) -> tuple[float | None, float | None]:
    """What one draws, typical and at most; None where unknown. Of what draws nothing by itself both are unknown."""
    if isinstance(type_, RackType | MediumType):
        return None, None
    return type_.power_typical_w, type_.power_max_w


def _sum(figures: dict[str, tuple[float | None, int]]) -> float | None:
    known = [watts * count for watts, count in figures.values() if watts is not None]
    return sum(known) if known else None


def _unknown(figures: dict[str, tuple[float | None, int]]) -> tuple[str, ...]:
    return tuple(sorted(type_id for type_id, (watts, _) in figures.items() if watts is None))

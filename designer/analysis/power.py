"""Power: sums of what the catalog knows, and the names of what it does not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from designer.analysis.equipment import Equipment, equipment
from designer.analysis.survey import Survey
from designer.model.hardware.media import MediumType
from designer.model.hardware.racks import RackType
from designer.model.hardware.types import HardwareType
from designer.units import format_count, format_counted


@dataclass(frozen=True, slots=True)
class Power:
    """Sums over devices; None when nothing is known. The ids name the types left out of a sum."""

    typical_w: float | None
    max_w: float | None
    unknown_typical: tuple[str, ...]
    unknown_max: tuple[str, ...]
    n_devices: int = 0
    """Devices, line cards and NICs that draw power of their own."""
    n_unknown_typical: int = 0
    n_unknown_max: int = 0
    """How many of them are left out of a sum."""
    n_transceivers: int = 0
    """Transceivers in addition, which are in no sum."""

    @property
    def whole_max_w(self) -> float | None:
        """What all of it draws at most; None where that is not known of any."""
        return None if self.n_unknown_max else self.max_w

    @property
    def draws(self) -> tuple["Draw", ...]:
        """Typical and maximum power."""
        n, more = self.n_devices, self.n_transceivers
        return (
            Draw("typical", self.typical_w, self.n_unknown_typical, n, self.unknown_typical, more),
            Draw("maximum", self.max_w, self.n_unknown_max, n, self.unknown_max, more),
        )


@dataclass(frozen=True, slots=True)
class Draw:
    """A sum of power with what is not in it, so that a part never reads as the whole."""

    name: str
    """"typical" or "maximum"."""
    known_w: float | None
    n_unknown: int
    n_devices: int
    unknown: tuple[str, ...]
    """Ids of the types whose power is not known."""
    n_transceivers: int = 0
    """Transceivers that draw power in addition to the sum."""

    def sum_text(self, share: float = 1.0) -> str:
        """ "82.4 kW" for such a share of the sum, "at least 82.4 kW" where something draws more; "not known"."""
        if self.known_w is None:
            return "not known"
        least = "at least " if self.n_unknown or self.n_transceivers else ""
        return f"{least}{self.known_w * share / 1000:,.1f} kW"

    def text(self, types: Mapping[str, HardwareType]) -> str:
        """ "82.4 kW", "not known", or what is known of a part alone, which is stated after that it is a part.

        "not known for 127 of 217 devices (DGX H100); the other 90 draw 35.9 kW".
        """
        if self.known_w is None or not self.n_unknown:
            return self.sum_text()
        models = ", ".join(types[one].model for one in self.unknown)
        of = f"{format_count(self.n_unknown)} of {format_counted(self.n_devices, 'device')}"
        others = self.n_devices - self.n_unknown
        draw = f"the other {format_count(others)} draw" if others > 1 else "the other one draws"
        return f"not known for {of} ({models}); {draw} {self.known_w / 1000:,.1f} kW"


def power(surveyed: Survey) -> Power:
    """Draw of all switches and servers, of line cards, and of NICs that did not come with their server.

    A server's figure includes the NICs it is stated with; a chassis's is that of the chassis without cards. Optics are
    not added.
    """
    return power_of(equipment(surveyed.design))


def power_of(counted: Iterable[Equipment]) -> Power:
    """The same of equipment that was counted."""
    drawing = [one for one in counted if not isinstance(one.type, RackType) and one.ordered_apart]
    typical = {one.type.id: (power_w(one.type)[0], one.ordered_apart) for one in drawing}
    peak = {one.type.id: (power_w(one.type)[1], one.ordered_apart) for one in drawing}
    return Power(
        _sum(typical),
        _sum(peak),
        _unknown(typical),
        _unknown(peak),
        sum(one.ordered_apart for one in drawing),
        _n_unknown(typical),
        _n_unknown(peak),
    )


def power_w(type_: HardwareType) -> tuple[float | None, float | None]:
    """What one draws, typical and at most; None where unknown. Of what draws nothing by itself both are unknown."""
    if isinstance(type_, RackType | MediumType):
        return None, None
    return type_.power_typical_w, type_.power_max_w


def _sum(figures: dict[str, tuple[float | None, int]]) -> float | None:
    known = [watts * count for watts, count in figures.values() if watts is not None]
    return sum(known) if known else None


def _n_unknown(figures: dict[str, tuple[float | None, int]]) -> int:
    return sum(count for watts, count in figures.values() if watts is None)


def _unknown(figures: dict[str, tuple[float | None, int]]) -> tuple[str, ...]:
    return tuple(sorted(type_id for type_id, (watts, _) in figures.items() if watts is None))

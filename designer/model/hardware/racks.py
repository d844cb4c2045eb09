"""Rack models."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RackType:
    """A rack model."""

    id: str
    vendor: str
    model: str
    units: int
    power_w: float | None = None
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    depth_mm: float | None = None
    """How deep a device in it may be."""
    max_weight_kg: float | None = None
    """What it carries."""
    feeds_w: tuple[float, ...] = ()
    """What each power feed supplies."""
    part_number: str = ""

"""What one network of a design is built of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """What one network is built of, as the window shows it at a glance."""

    network: str
    servers: int
    """Servers with a link in it."""
    tiers: int
    """Of switches that a path joins to a server."""
    switches: dict[str, int]
    """By role, lowest tier first."""
    oversubscription: dict[str, float]
    """As in a summary."""
    shared_with: tuple[str, ...] = ()
    """Networks whose switches it is on."""
    links: tuple[tuple[str, float, int], ...] = ()
    """Of a network without tiers: links by kind, such as global, and rate in Gb/s, with how many there are."""
    diameter_hops: int | None = None
    """Of a network without tiers: switch to switch; None where it is not known."""

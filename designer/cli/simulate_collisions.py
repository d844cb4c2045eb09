"""Collisions of static hashing, for people: how flows fell on the equal-cost ports, and the worst places."""

from designer.simulation.explain.collisions import Collisions
from designer.units import format_count

SHOWN = 5


def collision_section(found: tuple[Collisions, ...]) -> str | None:
    """The section of a report, of the phase with the worst collisions; None where no flow had a choice."""
    chosen = [phase for phase in found if phase.choices]
    if not chosen:
        return None
    worst = max(chosen, key=lambda phase: phase.worst_factor)
    among = f" (phase {worst.phase}, the worst of {len(chosen)})" if len(chosen) > 1 else ""
    lines = [
        f"collisions of hashing{among}",
        f"  {format_count(worst.choices)} times a flow was hashed onto one of several ports of equal cost, in "
        f"{format_count(worst.n_groups)} groups of ports",
        f"  {format_count(worst.n_colliding)} groups have flows on one port while another is idle; at worst a port "
        f"carries {worst.worst_factor:.3g} times its share",
    ]
    lines += [f"  {group.story}" for group in worst.groups[:SHOWN] if group.collides]
    return "\n".join(lines)

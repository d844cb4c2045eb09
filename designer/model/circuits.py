"""Links that lead through an optical circuit switch: one link, as light passes from one port to the other unchanged.

Which switch, and which two of its ports, are fields of the link, so that whoever has them in a plan can change them.
"""

from designer.model.entities import Link

CIRCUIT_SWITCH, CIRCUIT_PORTS = "ocs", "ocs-ports"
"""Names of the fields."""


def circuit_fields(switch: str, first: int, second: int) -> tuple[tuple[str, str], ...]:
    """The fields of a link through two ports of a circuit switch."""
    return (CIRCUIT_SWITCH, switch), (CIRCUIT_PORTS, f"{first}/{second}")


def circuit_switch(link: Link) -> str:
    """The name of the optical circuit switch that a link leads through; "" where there is none."""
    return next((value for name, value in link.fields if name == CIRCUIT_SWITCH), "")

"""How a port is named to people: as the chassis is printed."""

from designer.model.design import Design
from designer.model.entities import End


def port_label(design: Design, end: End) -> str:
    """What the chassis prints at a port, as "OSFP4P2"; its name in the design where no source states that."""
    port = design.port(end)
    return end.port if port is None else port.label or end.port

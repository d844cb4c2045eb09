"""How a port is named to people: as the chassis is printed."""

from designer.model.design import Design
from designer.model.entities import Device, End
from designer.model.hardware.ports import Port


def port_label(design: Design, end: End) -> str:
    """What the chassis prints at a port, as "OSFP4P2"; its name in the design where no source states that."""
    port = design.port(end)
    return end.port if port is None else port.label or end.port


def both_names(port: Port) -> str:
    """ "rail1 (OSFP4P2)": its name in the design, which commands take, and what the chassis prints there."""
    return f"{port.name} ({port.label})" if port.label and port.label != port.name else port.name


def reserved_text(device: Device, port: str) -> str:
    """ "reserved for storage servers": what is shown for a port that is kept free; "" for one that is not."""
    purpose = dict(device.reserved_for).get(port, "")
    if purpose:
        return f"reserved for {purpose}"
    return "reserved" if port in device.reserved_ports else ""

"""Whether a design can be ordered from: which of its cables have lengths, kinds and ports that may still change."""

from designer.analysis.assumed_forms import OPTIC
from designer.analysis.optical_parts import OpticalParts, cage_facts
from designer.analysis.parts import ASSUMED_LENGTH, cabled_links
from designer.model.design import Design
from designer.model.hardware.media import MediumType
from designer.units import format_count, format_counted

PRELIMINARY = "Preliminary, not for purchase"
"""What a document says on top whose quantities or parts may still change."""


def preliminary(design: Design, parts: OpticalParts) -> str:
    """A sentence for the top of documents, "Preliminary, not for purchase: no link has a length."; "" for none.

    Parts and quantities change with lengths that are missing or assumed, cables or transceivers that are not selected,
    and form factors that are assumed. A missing part number, or price, changes neither.
    """
    no_length, assumed, no_cable, forms, no_module = 0, 0, 0, 0, 0
    seen: dict[tuple[object, ...], bool] = {}
    kinds: dict[int, object] = {}
    maps = {device_id: design.port_map(device_id) for device_id in design.devices}
    links = cabled_links(design)
    for link in links:
        no_length += link.length_m is None
        assumed += link.length_m is not None and link.length_source == ASSUMED_LENGTH
        medium = design.types.get(link.medium_id)
        if not isinstance(medium, MediumType):
            no_cable += 1
            continue
        ends = maps[link.a.device_id].get(link.a.port), maps[link.b.device_id].get(link.b.port)
        forms += bool(parts.assumed) and any(port is not None and parts.assumption(port) is not None for port in ends)
        if medium.kind == OPTIC:
            for port in ends:
                if id(port) not in kinds:  # devices of a kind share their ports
                    kinds[id(port)] = port and cage_facts(port)
            key = (medium.id, link.length_m, kinds[id(ends[0])], kinds[id(ends[1])])
            if key not in seen:
                known = (port is None or parts.at(port, medium, link.length_m) is not None for port in ends)
                seen[key] = not all(known)
            no_module += seen[key]
    counted = (
        (no_length, "no length"),
        (assumed, "an assumed length"),
        (no_cable, "no selected cable"),
        (forms, "a port whose form factor is assumed"),
        (no_module, "a transceiver that is not known"),
    )
    total = len(links)
    stated = [_have(n, total, what) for n, what in counted if n]
    return f"{PRELIMINARY}: of {format_counted(total, 'link')}, {', '.join(stated)}." if stated else ""


def _have(count: int, total: int, what: str) -> str:
    """ "all have no length", "254 have an assumed length", "1 has no selected cable"."""
    return f"{'all' if count == total > 1 else format_count(count)} {'has' if count == 1 else 'have'} {what}"

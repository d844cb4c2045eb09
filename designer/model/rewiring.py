"""Verbs that lead links elsewhere: one end goes to another port, and all else of the link stays."""

from collections.abc import Sequence
from dataclasses import replace

from designer.errors import ParameterError, PortError, PortMismatchError, UnknownEntityError
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.free_ports import FreePorts
from designer.model.naming import natural
from designer.model.several import repeated
from designer.model.wiring import check_free
from designer.units import format_counted

MOST_RECONNECTED = 512
"""Links that are led elsewhere at once: what one hand drags."""


def reconnect(design: Design, link_ids: Sequence[str], from_id: str, to_id: str, port: str = "") -> Edit:
    """The links with their ends at one device at another, or at another of its ports; cable, label and tags stay.

    They go on in the order of their far ends, by the names of devices and by port, and each takes the next free port
    that matches; `port` names the one for a single link. A device that they lead to already keeps their ports unless
    another is named. Raises PortError, PortInUseError,
    NoFreePortError or PortMismatchError naming the port, ParameterError for too many links.
    """
    if not 1 <= len(link_ids) <= MOST_RECONNECTED:
        raise ParameterError(f"select 1 to {MOST_RECONNECTED} links to reconnect, not {len(link_ids):,}")
    if port and len(link_ids) > 1:
        raise ParameterError(f"port {port} takes one link, and {len(link_ids)} are selected: choose a device")
    what = "link" if len(link_ids) == 1 else format_counted(len(link_ids), "link")
    label = f"Reconnect {what} to {design.device(to_id).name}"
    led = _by_far_end(design, link_ids, from_id)
    return repeated(
        design,
        len(led),
        lambda so_far, number: Edit(label, _led(so_far, led[number], from_id, to_id, port)),
        label,
    )


def _by_far_end(design: Design, link_ids: Sequence[str], from_id: str) -> list[str]:
    """The links in the order of their far ends, as people count: gpu-2 before gpu-10, and port by port."""
    places: dict[str, dict[str, int]] = {}

    def place(link_id: str) -> tuple[object, ...]:
        far = far_end(_known(design, link_id), from_id)
        if far.device_id not in places:
            places[far.device_id] = {name: number for number, name in enumerate(design.port_map(far.device_id))}
        return natural(design.device(far.device_id).name), far.device_id, places[far.device_id].get(far.port, -1)

    return sorted(link_ids, key=place)


def spread_links(design: Design, a_ids: Sequence[str], b_ids: Sequence[str]) -> Edit:
    """The links between two sides led elsewhere, so that each a has as many to each b as its links divide into.

    What is left over stays where it is, taking turns. Raises ParameterError where no link would move, and as
    `reconnect`.
    """
    moves = _to_spread(design, a_ids, b_ids)
    if not moves:
        raise ParameterError("the links there are spread evenly already")
    if len(moves) > MOST_RECONNECTED:
        raise ParameterError(f"{len(moves):,} links would move, and {MOST_RECONNECTED} can at once: select fewer")
    label = f"Spread links of {format_counted(len(a_ids), 'device')} evenly"
    return repeated(design, len(moves), lambda so_far, number: Edit(label, _led(so_far, *moves[number], "")), label)


def _to_spread(design: Design, a_ids: Sequence[str], b_ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """Links with the b that they leave and the one that they go to."""
    moves: list[tuple[str, str, str]] = []
    extra = dict.fromkeys(b_ids, 0)
    for a_id in a_ids:
        own: dict[str, list[str]] = {b_id: [] for b_id in b_ids}
        for link in design.links_of(a_id):
            other = far_end(link, a_id).device_id
            if other in own:
                own[other].append(link.id)
        share, more = divmod(sum(map(len, own.values())), len(b_ids))
        wanted = dict.fromkeys(b_ids, share)
        rank = {b_id: (-min(len(its), share + 1), extra[b_id]) for b_id, its in own.items()}
        for b_id in sorted(b_ids, key=rank.__getitem__)[:more]:
            wanted[b_id] += 1
            extra[b_id] += 1
        leaving = [(link_id, b_id) for b_id in b_ids for link_id in own[b_id][wanted[b_id] :]]
        coming = [b_id for b_id in b_ids for _ in range(wanted[b_id] - len(own[b_id]))]
        moves += [(link_id, b_id, to_id) for (link_id, b_id), to_id in zip(leaving, coming, strict=True)]
    return moves


def ports_to_choose(design: Design, link: Link, end: End) -> list[str]:
    """The port of a link's end, and the free ones of the same device and purpose that match its far end, in port order.

    The end alone where a port does not exist.
    """
    near, far = design.port(end), design.port(link.b if end == link.a else link.a)
    if near is None or far is None:
        return [end.port]
    free = design.free_ports(end.device_id, near.purpose)
    fitting = {one.name for one in free if matching.port_compatibility(one, far) is None}
    every = design.ports_for(end.device_id, near.purpose)
    return [one.name for one in every if one.name in fitting or one.name == end.port]


def far_end(link: Link, device_id: str) -> End:
    """The end of a link that is not at the device. Raises PortError where neither is at it."""
    if device_id not in (link.a.device_id, link.b.device_id):
        raise PortError(f"link {link.label or link.id} does not lead to that device")
    return link.b if link.a.device_id == device_id else link.a


def _known(design: Design, link_id: str) -> Link:
    link = design.links.get(link_id)
    if link is None:
        raise UnknownEntityError(f"there is no link with id {link_id!r}")
    return link


def _led(design: Design, link_id: str, from_id: str, to_id: str, port: str) -> tuple[Change, ...]:
    link = _known(design, link_id)
    far = far_end(link, from_id)
    near = link.a if far is link.b else link.b
    if to_id == far.device_id:
        raise PortError(f"{design.device(to_id).name} cannot be linked to itself")
    if to_id == near.device_id and port in ("", near.port):
        return ()
    new = _named_port(design, far, End(to_id, port)) if port else _next_port(design, far, to_id)
    bends = link.bends if to_id == near.device_id else ()  # of a line to elsewhere
    return (Change(link, replace(link, a=new, bends=bends) if near is link.a else replace(link, b=new, bends=bends)),)


def _named_port(design: Design, far: End, new: End) -> End:
    check_free(design, new)
    reason = matching.why_not(design, new, far) if design.port(far) is not None else None
    if reason is not None:
        raise PortMismatchError(reason)
    return new


def _next_port(design: Design, far: End, to_id: str) -> End:
    port = design.port(far)
    if port is None:
        raise PortError(f"{design.device(far.device_id).name} has no port {far.port!r}: delete the link instead")
    return End(to_id, FreePorts(design).next_for(to_id, far.device_id, port).name)

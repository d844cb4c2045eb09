"""Hand edits of links, made again on the new fabric."""

from dataclasses import dataclass, replace

from designer.model.annotation_styles import LINE_FIELDS
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.regeneration.ground import Ground, attached_links
from designer.units import format_count

CABLE = (
    "medium_id",
    "medium_source",
    "length_m",
    "length_source",
    "label",
    "cable",
    "colour",
    "notes",
    "tags",
    "fields",
    *LINE_FIELDS,
)


@dataclass(frozen=True, slots=True)
class _Wish:
    """A link as the hand edit wants it; `instead` is the new fabric's own where it has one."""

    link: Link
    instead: Link | None
    by_hand: bool
    """An end was moved on purpose, and not along with its device's ports."""


def replay_links(ground: Ground) -> None:
    """Links that were removed, moved, cabled or drawn by hand."""
    removed = _removed_again(ground)
    wishes: list[_Wish] = []
    bare: list[Link] = []
    for one, stands in ground.ours("links").items():
        base = ground.base.tables["links"][one]
        if stands != base:
            wish = _wish(ground, base, stands, bare)
            if wish is not None:
                wishes.append(wish)
    if bare:
        many = "1 link that was" if len(bare) == 1 else f"{format_count(len(bare))} links that were"
        ends = dict.fromkeys(end for link in bare for end in _devices(link))
        ground.conflict(f"{many} given a cable by hand {_are(len(bare))} not part of the new fabric", *ends)
    wishes += [_Wish(link, None, True) for link in attached_links(ground)]
    _seat(ground, removed, wishes)


def _removed_again(ground: Ground) -> list[Link]:
    """Links of the new fabric that were removed by hand."""
    found = []
    for one, base in ground.base.tables["links"].items():
        if one in ground.before.links:
            continue
        if one in ground.target.links:
            found.append(ground.target.links[one])
        elif one not in ground.fabric.tables["links"] and all(_stood(ground, end) for end in (base.a, base.b)):
            ground.conflict(
                f"The link {_named(ground, base)} was removed by hand; the new fabric has no such link",
                base.a.device_id,
                base.b.device_id,
            )
    return found


def _stood(ground: Ground, end: End) -> bool:
    """The port is there before and after, so that a link missing on it was removed as a link."""
    device = end.device_id
    if device not in ground.before.devices or device not in ground.target.devices or device in ground.retyped:
        return False
    return ground.before.port(end) is not None


def _wish(ground: Ground, base: Link, stands: Link, bare: list[Link]) -> _Wish | None:
    """What becomes of a link that was changed by hand; one that only got a cable and goes is put to `bare`."""
    moved = base.a != stands.a or base.b != stands.b
    by_hand = any(
        was != now and not (was.device_id == now.device_id and now.device_id in ground.retyped)
        for was, now in ((base.a, stands.a), (base.b, stands.b))
    )
    now = ground.target.links.get(base.id)
    if now is None:
        if by_hand:
            return _Wish(stands, None, True)
        if stands.length_source == "typed" or stands.label != base.label or stands.tags or stands.fields:
            ground.conflict(
                f"The cable {_named(ground, base)} was labelled, tagged or measured by hand; the new fabric lacks it",
                base.a.device_id,
                base.b.device_id,
            )
        elif stands.medium_id != base.medium_id and stands.id not in ground.media_by_program:
            bare.append(stands)
        return None
    cable = {name: getattr(stands, name) for name in CABLE if getattr(base, name) != getattr(stands, name)}
    if {"length_m", "length_source"} & set(cable):
        cable |= {"length_m": stands.length_m, "length_source": stands.length_source}
    if {"medium_id", "medium_source"} & set(cable):
        cable |= {"medium_id": stands.medium_id, "medium_source": stands.medium_source}
    instead = replace(now, **cable)
    if not moved:
        ground.target.apply(Edit("Cable", (Change(now, instead),) if instead != now else ()))
        return None
    ends = {name: getattr(stands, name) for name in ("a", "b") if getattr(base, name) != getattr(stands, name)}
    return _Wish(replace(instead, **ends), instead, by_hand)


def _seat(ground: Ground, removed: list[Link], wishes: list[_Wish]) -> None:
    """Removed links off, then every wish on its ports where these are free: moved links may trade places."""
    links = ground.target.links
    off = {link.id: link for link in removed}
    off |= {wish.link.id: links[wish.link.id] for wish in wishes if wish.link.id in links}
    ground.target.apply(Edit("Take off", tuple(Change(link, None) for link in off.values())))
    seated: list[Change] = []
    taken: dict[End, str] = {}
    for wish in wishes:
        reason = _problem(ground, wish.link, taken)
        link: Link | None = wish.link
        if reason is not None:
            own = wish.instead
            link = own if own is not None and _problem(ground, own, taken) is None else None
            if wish.by_hand or link is None:
                stated = _named(ground, wish.link)
                ground.conflict(f"The link {stated} was drawn by hand: {reason}", *_devices(wish.link))
        if link is not None:
            seated.append(Change(None, link))
            taken[link.a] = taken[link.b] = link.id
    ground.target.apply(Edit("Put on", tuple(seated)))


def _problem(ground: Ground, link: Link, taken: dict[End, str]) -> str | None:
    """Why a link cannot be there; a fault that it had before is none."""
    target, before = ground.target, ground.before
    for end in (link.a, link.b):
        if end.device_id not in target.devices:
            return f"{before.device(end.device_id).name} is not part of the new fabric"
        name = target.device(end.device_id).name
        if target.port(end) is None:
            if end.device_id in before.devices and before.port(end) is None:
                continue
            return f"{name} has no port {end.port} any more"
        there = [taken[end]] if end in taken else list(target.links_at(end))
        shared = before.links_at(end) if end.device_id in before.devices else ()
        if any(one not in shared for one in there):
            return f"{name} port {end.port} is taken in the new fabric"
    return None


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _devices(link: Link) -> tuple[str, str]:
    return link.a.device_id, link.b.device_id


def _named(ground: Ground, link: Link) -> str:
    """ "leaf-07 port 12 to spine-02 port 7", by the names in the design as it stands."""
    names = []
    for end in (link.a, link.b):
        design = ground.before if end.device_id in ground.before.devices else ground.target
        names.append(design.end_name(end) if end.device_id in design.devices else f"port {end.port}")
    return " to ".join(names)

"""A design under the ids of another one: every record has the id of its counterpart there."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from designer.analysis.alternatives import why_alternatives
from designer.analysis.counterparts.aligned import Alignment
from designer.analysis.counterparts.devices import DeviceMatch, match_devices
from designer.analysis.counterparts.links import match_links, match_links_by_devices
from designer.analysis.counterparts.names import unique
from designer.analysis.counterparts.pairs import Pairs
from designer.analysis.counterparts.titles import title_of
from designer.model.design import Design
from designer.model.entities import ID_PREFIX, Group, Rack, in_order
from designer.model.renumbering import renumbered


def align(
    before: Design,
    after: Design,
    progress: Callable[[float], None] = lambda _share: None,
    *,
    are_versions: bool = True,
) -> Alignment:
    """The later design, its records matched to those of the earlier one by id, name and structure.

    The design itself where all ids mean the same already. Where they may be no versions of one design but alternatives
    that were made apart, links of such are matched by the devices that they join. `progress` may raise Cancelled.
    """
    found = match_devices(before, after, lambda share: progress(0.4 * share))
    tables: dict[str, Pairs] = {"devices": found.pairs}
    for table in ("racks", "groups"):
        tables[table] = _match_homes(before, after, table, found)
    progress(0.5)
    tables["modules"] = _match_modules(before, after, found.pairs)
    tables["links"] = match_links(before, after, found.pairs, related=found.is_related)
    alternatives = ""
    if not are_versions:
        by_devices = match_links_by_devices(before, after, found.pairs)
        alternatives = why_alternatives(before, after, found.pairs, tables["links"], by_devices)
        tables["links"] = by_devices if alternatives else tables["links"]
    progress(0.8)
    for table in ("jobs", "revisions", "annotations", "bookmarks", "annotation_styles", "fixtures", "waivers"):
        tables[table] = _match_titles(before, after, table, related=found.is_related)
    progress(0.9)
    ids = {table: _new_ids(before, after, table, pairs) for table, pairs in tables.items()}
    changed = {table: new for table, new in ids.items() if new}
    made = renumbered(after, changed) if changed else after
    back = {table: {now: was for was, now in new.items()} for table, new in changed.items()}
    return Alignment(made, found.by_id, found.by_name, found.by_structure, back, alternatives)


def _new_ids(before: Design, after: Design, table: str, pairs: Pairs) -> dict[str, str]:
    """Ids that change: of pairs to the earlier design's, and of others whose id is another record's there."""
    ids = {other: one for one, other in pairs.later.items() if one != other}
    olds, news = _table(before, table), _table(after, table)
    taken = [one for one in in_order(news) if one not in pairs.earlier and one in olds]
    if taken:
        prefix = ID_PREFIX[table]
        first = max(int(design.new_ids(table, 1)[0][len(prefix) :]) for design in (before, after))
        ids.update((one, f"{prefix}{number}") for number, one in enumerate(taken, start=first))
    return ids


def _table(design: Design, table: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = getattr(design, table)
    return found


def _match_homes(before: Design, after: Design, table: str, found: DeviceMatch) -> Pairs:
    """Racks or groups: by id where ids mean the same, by name, then by what most of their devices are in."""
    olds, news, pairs = _table(before, table), _table(after, table), Pairs()
    for one, old in olds.items():
        new = news.get(one)
        if new is not None and (old.name == new.name or (found.is_related and not _is_elsewhere(old, new, olds, news))):
            pairs.join(one, one)
    pairs.join_equal(
        unique((_home_key(olds[one]), one) for one in pairs.left_before(olds)),
        unique((_home_key(news[one]), one) for one in pairs.left_after(news)),
    )
    homes = _rack_of if table == "racks" else _group_of
    votes = Counter((homes(before, one), homes(after, other)) for one, other in found.pairs.later.items())
    for (home, there), _ in sorted(votes.items(), key=lambda vote: (-vote[1], str(vote[0]))):
        if home is not None and there is not None:
            pairs.join(home, there)
    return pairs


def _is_elsewhere(old: Rack | Group, new: Rack | Group, olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Whether the name of either is that of another record in the other design."""
    return any(one.name == old.name for one in news.values()) or any(one.name == new.name for one in olds.values())


def _home_key(one: Rack | Group) -> Hashable:
    return (one.name, one.kind) if isinstance(one, Group) else one.name


def _rack_of(design: Design, device_id: str) -> str | None:
    placement = design.placements.get(device_id)
    return None if placement is None else placement.rack_id


def _group_of(design: Design, device_id: str) -> str | None:
    return design.devices[device_id].group_id


def _match_modules(before: Design, after: Design, devices: Pairs) -> Pairs:
    """NICs and line cards by their device and slot."""
    pairs, there = Pairs(), {(one.device_id, one.slot): one.id for one in after.modules.values()}
    for one in before.modules.values():
        partner = devices.later.get(one.device_id)
        other = there.get((partner, one.slot)) if partner is not None else None
        if other is not None:
            pairs.join(one.id, other)
    return pairs


def _match_titles(before: Design, after: Design, table: str, *, related: bool) -> Pairs:
    """Other records: by id where ids mean the same, else those that are called the same, in order."""
    olds, news, pairs = _table(before, table), _table(after, table), Pairs()
    for one, old in olds.items():
        if one in news and (related or _called(before, old) == _called(after, news[one])):
            pairs.join(one, one)
    waiting: dict[Hashable, list[str]] = defaultdict(list)
    for other in in_order(list(pairs.left_after(news))):
        waiting[_called(after, news[other])].append(other)
    for one in in_order(list(pairs.left_before(olds))):
        same = waiting.get(_called(before, olds[one]))
        if same:
            pairs.join(one, same.pop(0))
    return pairs


def _called(design: Design, one: Any) -> Hashable:
    return getattr(one, "kind", ""), title_of(design, one)

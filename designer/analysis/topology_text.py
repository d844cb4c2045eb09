"""What the topology of a design is, in sentences: family, parameters and sizes, as documents state them first."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from designer.analysis.tiers import role_names, server_word, tier_of
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.entities import FABRIC, Group
from designer.model.hardware.media import MediumType
from designer.model.hardware.servers import ServerType, word_for_servers
from designer.model.id_runs import spelled
from designer.model.networks import COMPUTE, TITLES, network_of_switch, networks_of, networks_of_switch
from designer.model.records import ordered
from designer.model.shown_text import visible_line
from designer.regeneration.recipes import family_of, parameters_of
from designer.topologies import statements
from designer.topologies.networks import slow_uplinks
from designer.topologies.sizing import MOST_DEVICES, MOST_LINKS
from designer.topologies.statements import Built
from designer.units import format_counted


@dataclass(frozen=True, slots=True)
class TopologyText:
    """What is stated of a topology."""

    sentences: tuple[str, ...]
    """What the networks are, one for each that was generated, or one for a design without any; then what is inside
    racks and nodes."""
    cautions: tuple[str, ...] = ()
    """What their builders should know: global links that crowd on few routers, say."""

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it in lines for a table: a line for each part of a sentence, then the cautions."""
        return tuple(line for sentence in (*self.sentences, *self.cautions) for line in sentence.split("; "))

    @property
    def text(self) -> str:
        """All sentences as one text, without the cautions."""
        return " ".join(self.sentences)


def topology_text(design: Design) -> TopologyText:
    """What the topology of a design is.

    Figures are of what is in the design; parameters are those it was generated with, and where devices or links were
    added or removed since, the sentence ends with that. How many is for who compares it with what was generated: a
    link that was led to another port, or made again, is no other one there.
    """
    fabrics = [one for one in ordered(design.groups) if one.kind == FABRIC and one.recipe is not None]
    prefix = f"{TITLES[COMPUTE]}: " if len(networks_of(design)) > 1 else ""
    sentences: list[str] = []
    cautions: list[str] = []
    for one in fabrics:
        members = _members(design, one)
        called = f"{visible_line(one.name)}: " if len(fabrics) > 1 else ""
        try:
            given, family = parameters_of(one), family_of(one)
            built = _built(design, one, members)
            said = family.statement(given, built) if family.statement else statements.plain(family.title, given, built)
            caution = family.caution(given)
        except DesignerError:
            continue  # by a family that this program lacks, or from a file that somebody wrote by hand
        sentences.append(f"{prefix}{called}{said}{_changed(design, one, members)}")
        if caution:
            cautions.append(f"{called}{caution}")
    sentences = sentences or [_drawn(design, prefix)]
    slow = slow_uplinks(design)
    return TopologyText((*sentences, *_inside(design)), (*cautions, slow) if slow else tuple(cautions))


def _inside(design: Design) -> Iterator[str]:
    """How many links are no cables, because their racks or nodes come with them."""
    media = Counter(link.medium_id for link in design.links.values())
    inside: Counter[str] = Counter()
    for one, count in media.items():
        medium = design.types.get(one)
        if isinstance(medium, MediumType) and medium.is_built_in:
            inside[medium.comes_with] += count
    for what, count in inside.items():
        are, come = ("is", "comes") if count == 1 else ("are", "come")
        yield (
            f"{format_counted(count, 'link')} {are} inside {what}s and {come} with them: nothing is ordered, numbered "
            "or labeled for these."
        )


def _drawn(design: Design, prefix: str) -> str:
    """Of a design that no family has generated."""
    if not design.devices:
        return "The design has no devices."
    tier = tier_of(design)
    names = role_names(design, tier)
    # A sentence that is of one network counts its switches alone.
    shown = (one for one in design.switches() if not prefix or COMPUTE in networks_of_switch(one))
    counts = Counter(names[one.id] for one in shown)
    order = sorted(counts, key=lambda role: min(tier.get(one, 99) for one, name in names.items() if name == role))
    servers = len(design.servers())
    built = Built(servers, {role: counts[role] for role in order}, word=server_word(design))
    return f"{prefix}Drawn or imported, not generated from a topology family: {built.text}."


def _members(design: Design, fabric: Group) -> set[str]:
    """The ids of the devices in the fabric's group and the groups in it."""
    inside = {fabric.id}
    more = True
    while more:
        found = {one.id for one in design.groups.values() if one.parent_id in inside} - inside
        inside |= found
        more = bool(found)
    return {one.id for one in design.devices.values() if one.group_id in inside}


def _built(design: Design, fabric: Group, members: set[str]) -> Built:
    tier = tier_of(design)
    names = role_names(design, tier)
    switches = [one for one in members if design.is_switch(one)]
    counts = Counter(names[one] for one in switches)
    low = {role: min(tier.get(one, 99) for one in switches if names[one] == role) for role in counts}
    units = sum(one.parent_id == fabric.id for one in design.groups.values())
    by_tier = {role: counts[role] for role in sorted(counts, key=lambda role: (low[role], role))}
    servers = [design.device_type(one) for one in members if design.is_server(one)]
    is_racks = 0 < units == len(servers) and all(isinstance(one, ServerType) and one.fills_rack for one in servers)
    unit = "rack" if is_racks else "scalable unit"
    per_rack = _servers_per_rack(design, members)
    return Built(len(servers), by_tier, units, unit, per_rack, word_for_servers(servers))


def _servers_per_rack(design: Design, members: set[str]) -> int:
    """How many servers each rack of them holds; 0 where these are not alike, or servers stand in none."""
    places = (design.placements.get(one) for one in members if design.is_server(one))
    counts = Counter(None if place is None else place.rack_id for place in places)
    sizes = set(counts.values())
    return sizes.pop() if len(sizes) == 1 and None not in counts else 0


def _changed(design: Design, fabric: Group, members: set[str]) -> str:
    """ " Changed by hand since it was generated."; "" where all of it is there and nothing else."""
    recipe = fabric.recipe
    assert recipe is not None
    try:
        devices = set(spelled(recipe.devices, MOST_DEVICES))
        links = set(spelled(recipe.links, MOST_LINKS))
        members = members | _linked_by_hand(design, members)
    except DesignerError:
        return ""
    own = {one.id for one in design.links.values() if one.a.device_id in members and one.b.device_id in members}
    is_changed = devices != members or not links <= design.links.keys() or not own <= links
    return " Changed by hand since it was generated." if is_changed else ""


def _linked_by_hand(design: Design, members: set[str]) -> set[str]:
    """Devices of the compute network that are linked to these and that no fabric of the design was generated with."""
    ends = ((link.a.device_id, link.b.device_id) for link in design.links.values())
    beside = {one for pair in ends if not members.isdisjoint(pair) for one in pair} - members
    recipes = [one.recipe for one in design.groups.values() if one.recipe is not None]
    generated = {one for recipe in recipes for one in spelled(recipe.devices, MOST_DEVICES)} if beside else set()
    return {
        one for one in beside - generated if design.is_server(one) or network_of_switch(design.devices[one]) == COMPUTE
    }

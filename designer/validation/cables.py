"""Rules about what links are built of: the power of modules, the lengths sold, where each kind of cable may lead."""

from collections.abc import Iterator, Mapping, Sequence

from designer.analysis.optical_parts import sold_as, takes_optic
from designer.analysis.parts import OPTICAL, cable_ids, medium_of
from designer.model.entities import Device, Link, order_key
from designer.model.hardware.media import TWINAX_KINDS, MediumType
from designer.model.hardware.ports import Port
from designer.model.matching import port_takes
from designer.model.policy import WITHIN_RACK
from designer.units import format_count, format_counted, format_power
from designer.validation.findings import Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Counts, Rule, Stated, rule
from designer.validation.scope import CABLING, PLACEMENTS, RACKS, SETTINGS, Scope, Tally
from designer.validation.sources import CABLE_SHEETS, DATA_SHEETS, OSFP, TIA_942

PASSIVE = ("DAC", "DAC splitter", "copper")
"""Kinds of cable without electronics: what they draw is no matter for a cage."""

MOULDED = frozenset((*TWINAX_KINDS, "AOC", "AOC splitter"))
"""Kinds of cable whose ends are moulded on."""

NO_LIMIT = Tally(None)


def _power_unknown(counts: Counts) -> Iterator[str]:
    if models := sorted(key for key, count in counts.items() if isinstance(key, str) and count):
        yield f"the power of {', '.join(models)} is not known"
    if counts[NO_LIMIT.key]:
        yield "what the cages of some switches and NICs supply to a module is not known"


@rule(
    "MEDIA-004",
    Severity.ERROR,
    "Module draws more than its cage supplies",
    "A switch shuts down a module that draws more than the power class of its cage, or does not start it.",
    example="A transceiver of 20 W in a cage that supplies 17 W.",
    remedy="Select a cable or optic of less power, or a switch whose cages supply more.",
    source=f"{OSFP}: power classes of modules. {DATA_SHEETS}: what a cage supplies.",
    scope=Scope.DEVICE,
    reads=CABLING,
    unchecked=_power_unknown,
)
def module_power(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds transceivers and active cables that draw more than the cage supplies; one finding a device and product."""
    for device in seen.devices():
        beyond: dict[tuple[str, float, float], dict[int, str]] = {}
        unknown: dict[Tally, None] = {}
        for port, medium, link in _active(seen, device):
            if port.max_module_w is None:
                unknown[NO_LIMIT] = None
            elif medium.end_power_w is None:
                unknown[Tally(medium.model)] = None
            elif medium.end_power_w > port.max_module_w:
                key = (medium.model, medium.end_power_w, port.max_module_w)
                beyond.setdefault(key, {}).setdefault(port.cage, link.id)
        yield from unknown
        for (model, draws_w, limit_w), links in beyond.items():
            its = "its cage supplies" if len(links) == 1 else f"its {format_count(len(links))} cages supply"
            yield this.finding(
                f"{device.name}: {model} draws {format_power(draws_w)}, {its} {format_power(limit_w)} at most",
                (device.id, *links.values()),
                value=draws_w,
                limit=limit_w,
                aspect=model,
            )


def _active(seen: Inspection, device: Device) -> Iterator[tuple[Port, MediumType, Link]]:
    """The ports of a device with a transceiver or active cable whose figures are those of that end, in link order."""
    design, links = seen.design, seen.design.links
    media = {links[one].medium_id for ids in design.used_ports(device.id).values() for one in ids}
    types = (design.types[one] for one in media if one)
    if all(isinstance(one, MediumType) and one.kind in PASSIVE for one in types):
        return
    ports = design.port_map(device.id)
    for link in design.links_of(device.id):
        medium = medium_of(design, link)
        if medium is None or medium.kind in PASSIVE:
            continue
        for end in (link.a, link.b):
            port = ports.get(end.port) if end.device_id == device.id else None
            if port is not None and _is_its_end(medium, port):
                yield port, medium, link


def _is_its_end(medium: MediumType, port: Port) -> bool:
    """Whether the figure of a product is that of the module in a port's cage: of a splitter, its wide end's."""
    if medium.kind in OPTICAL:
        return takes_optic(port, medium)
    if "splitter" in medium.kind:
        return port.ports_per_cage == medium.links and any(port_takes(port, shell) for shell in medium.ends[:1])
    return True


@rule(
    "MEDIA-005",
    Severity.ERROR,
    "No stock length is long enough",
    "The cable cannot be ordered: it is not sold as long as the link needs it.",
    example="A link of 4 m on a cable that is sold as 1, 2 and 3 m and would carry 5 m.",
    remedy="Select another cable, or place the racks closer together.",
    fix="Selects the simplest cable that joins the cages and reaches.",
    source=f"{CABLE_SHEETS}: lengths that are sold.",
    reads=CABLING,
)
def no_stock_length(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds links longer than the longest piece of their cable that is sold, one finding for each cable."""
    cable_of, stated = cable_ids(seen.survey.runs, seen.design.types), set[str]()
    unknown: set[str] = set()
    for run in seen.survey.runs:
        medium, length_m = medium_of(seen.design, run.link), run.link.length_m
        if medium is None or length_m is None or medium.kind in OPTICAL or medium.kind == "copper":
            continue
        if not medium.lengths_m or "lengths_m" in medium.unverified:
            unknown.add(medium.model)
            continue
        is_within_reach = medium.max_length_m is None or length_m <= medium.max_length_m
        if is_within_reach and sold_as(medium, length_m)[1] is None and cable_of[run.link.id] not in stated:
            stated.add(cable_of[run.link.id])
            longest_m = max(medium.lengths_m)
            yield this.finding(
                f"{seen.link_name(run.link)}: {length_m:g} m of {medium.model}, which is sold up to {longest_m:g} m",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=length_m,
                limit=longest_m,
                fix=seen.recabling.chosen([run.link]),
            )
    if unknown:
        yield this.not_checked(f"the lengths in which {', '.join(sorted(unknown))} is sold are not all known")


@rule(
    "MEDIA-006",
    Severity.WARNING,
    "Molded cable where fiber is wanted",
    "A cable whose ends are molded on has to be pulled again with each change of equipment; structured fiber stays.",
    example="An AOC from row A to row C, where the policy keeps molded cables within a row.",
    remedy="Select transceivers and fiber for the link, or change how far molded cables may lead in the policy.",
    policy=("moulded_within",),
    source=f"{TIA_942}: structured cabling between rows. How far is for the policy of the design to say.",
    reads=(*CABLING, RACKS, PLACEMENTS, SETTINGS),
)
def moulded_too_far(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds DAC, ACC, LACC, AEC and AOC cables that lead out of the rack or row that the policy keeps them within."""
    within = seen.design.policy.moulded_within
    if not within:
        return
    cable_of, stated = cable_ids(seen.survey.runs, seen.design.types), set[str]()
    homeless = 0
    for run in seen.survey.runs:
        medium = medium_of(seen.design, run.link)
        if medium is None or medium.kind not in MOULDED or cable_of[run.link.id] in stated:
            continue
        stated.add(cable_of[run.link.id])
        low, high = (_home(seen, end.device_id, within) for end in (run.low, run.high))
        if low is None or high is None:
            homeless += 1
        elif low != high:
            yield this.finding(
                f"{seen.link_name(run.link)}: {medium.model} ({medium.kind}) leads from {within} {low} to {high}",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=medium.kind,
                limit=f"within a {within}",
            )
    if homeless:
        where = "in no rack" if within == WITHIN_RACK else "in no rack with a place on the floor"
        yield this.not_checked(f"an end of {format_counted(homeless, 'cable')} stands {where}")


def _home(seen: Inspection, device_id: str, within: str) -> str | None:
    """The name of the rack, or of the row, that a device stands in."""
    rack_id = seen.rack_of(device_id)
    if rack_id is None:
        return None
    return seen.design.racks[rack_id].name if within == WITHIN_RACK else seen.row_of.get(rack_id)


@rule(
    "MEDIA-007",
    Severity.INFO,
    "Unlike cables in one bundle",
    "Parallel links that are built alike are ordered, pulled and replaced alike, and delay alike.",
    example="Eight links from a leaf to a spine, seven over fiber and one over a copper cable.",
    remedy="Select the same kind of cable for all links of the bundle.",
    source="Practice of cable plans and spare parts; no standard asks for it.",
    reads=CABLING,
)
def unlike_bundle(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds pairs of switches whose parallel links are partly copper, partly active optical cables or fiber.

    A link that shares a cage with one to another switch takes what that takes, and is not compared.
    """
    bundles: dict[tuple[str, str], dict[str, list[Link]]] = {}
    for run in seen.survey.runs:
        medium = medium_of(seen.design, run.link)
        if medium is not None and not run.managing and seen.design.is_switch(run.low.device_id):
            kinds = bundles.setdefault((run.low.device_id, run.high.device_id), {})
            kinds.setdefault(_build(medium), []).append(run.link)
    for (low, high), kinds in bundles.items():
        if len(kinds) > 1 and _are_comparable(seen, kinds):
            words = ", ".join(f"{format_count(len(links))} {word}" for word, links in sorted(kinds.items()))
            links = sorted((one.id for its in kinds.values() for one in its), key=order_key)
            yield this.finding(
                f"{seen.pair_name(low, high)}: {format_counted(len(links), 'parallel link')} of "
                f"{len(kinds)} kinds: {words}",
                (low, high, *links),
                value=len(kinds),
                limit=1,
            )


def _are_comparable(seen: Inspection, kinds: Mapping[str, Sequence[Link]]) -> bool:
    """Whether links of two kinds leave through cages that are alike, and so could be one kind."""
    owner: dict[int, str] = {}
    return any(
        owner.setdefault(seen.recabling.kind_of(link), word) != word for word, links in kinds.items() for link in links
    )


def _build(medium: MediumType) -> str:
    """What a link is built as: "fiber", "AOC" or "copper"."""
    if medium.kind in OPTICAL:
        return "fiber"
    return "AOC" if medium.kind.startswith("AOC") else "copper"


@rule(
    "MEDIA-008",
    Severity.WARNING,
    "Link without a cable",
    "What has no cable is missing from the order and from the cable plan.",
    example="A design whose links all have a cable but for those to one switch, which nothing in the catalog joins.",
    remedy="Select a cable for the link, or use ports that a cable joins.",
    how="Cables that the catalog lacks can be added to your own types.",
    fix="Selects the simplest cable that joins the cages and reaches.",
    source=f"{CABLE_SHEETS}: the ends that each one has.",
    reads=CABLING,
)
def without_cable(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds links without a cable while others have one: one finding for each kind of port pair, with the reason."""
    runs = seen.survey.runs
    bare = [run.link for run in runs if run.low_port and run.high_port and not run.link.medium_id]
    if not bare or len(bare) == len(runs):
        return
    measured = [link for link in bare if link.length_m is not None]
    if n_bare := len(bare) - len(measured):
        verb = "has" if n_bare == 1 else "have"
        yield this.not_checked(f"{format_counted(n_bare, 'link')} without a cable {verb} no length to select one by")
    without = [link for link in measured if seen.recabling.is_known(link)]
    if n_unknown := len(measured) - len(without):
        yield this.not_checked(f"the reach of cables that {format_counted(n_unknown, 'link')} could have is not known")
    alike: dict[tuple[str, str], list[Link]] = {}
    for link in without:
        alike.setdefault((seen.recabling.cage_words(link), seen.recabling.why_none(link)), []).append(link)
    for (cages, reason), links in alike.items():
        verb = "has" if len(links) == 1 else "have"
        fix = seen.recabling.chosen(links) if not reason else None
        yield this.finding(
            f"{format_counted(len(links), 'link')} ({cages}) {verb} no cable: {reason or 'none is selected yet'}",
            tuple(link.id for link in links),
            value=len(links),
            limit=0,
            fix=fix,
            aspect=cages,
        )

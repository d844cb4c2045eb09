"""The summary of a design in words: what `info` prints and documents show."""

from designer.analysis.network_shape import NetworkShape
from designer.analysis.parts import Parts
from designer.analysis.summary import JobSummary, NetworkSummary, Summary, summarize
from designer.analysis.tiers import SWITCH, server_word, switch_word
from designer.errors import sentence
from designer.model.design import Design
from designer.model.hardware.modules import LineCardType
from designer.model.hardware.servers import HOST, SERVER
from designer.model.networks import TITLES, WORDS
from designer.model.shown_text import visible_line
from designer.units import format_capacity, format_count, format_counted, format_rate, format_ratio, format_size

UNDEFINED = "not defined here"


def summary_facts(summary: Summary, design: Design, cost_text: str = "") -> list[tuple[str, str]]:
    """Each figure by name as text, which may have several lines.

    `cost_text` is what the design costs by a price list; without one, prices of the design's own types are added up.
    """
    parts = summary.parts_to_order
    word, switch = server_word(design), switch_word(design)
    of = "compute " if summary.networks else ""  # the figures of the others stand by their names
    ratios = ", ".join(f"{role} {format_ratio(ratio)}" for role, ratio in summary.oversubscription.items())
    hops = summary.diameter_hops
    rows = [
        (f"{word}s", _with_endpoints(format_count(summary.servers), word, summary.servers, summary.endpoints)),
        (f"{of}NICs", format_count(summary.nics)),
        (f"{of}switches", _devices(summary.switches) or "none"),
        *((("line cards", _line_cards(summary, design)),) if summary.line_cards else ()),
        ("racks", _racks(summary, design)),
        (f"{of}links", _counts(summary.links) or "none"),
        *((TITLES[name].lower(), network_text(one, word)) for name, one in summary.networks.items()),
        (f"{of}components", _components(summary.components)),
        (f"{of}oversubscription", ratios),
        (f"{of}diameter", f"{format_counted(hops, 'hop')} {switch} to {switch}" if hops is not None else ""),
        (f"{of}bisection", _bisection(summary)),
        (
            "parts",
            f"{format_counted(parts.cables, 'cable')} ({format_counted(parts.fibres, 'fiber cable')}), "
            f"{format_counted(parts.cages, 'cage')} in use\n"
            f"{format_counted(parts.transceivers, 'transceiver')}: "
            f"{format_count(parts.switch_transceivers)} in switches, "
            f"{format_count(parts.server_transceivers)} in {word}s"
            + "".join(f"\n{one}" for one in (_circuits(parts),) if one)
            + _assumption(summary),
        ),
        ("power", _power(summary, design)),
        *((("jobs", "\n".join(_job(one, word) for one in summary.jobs)),) if summary.jobs else ()),
        *((("bookmarks", ", ".join(map(visible_line, summary.bookmarks))),) if summary.bookmarks else ()),
        ("cost", cost_text or _own_cost(summary)),
    ]
    return [(name, value or UNDEFINED) for name, value in rows]


def figures(design: Design) -> tuple[str, ...]:
    """What a window states of a design at a glance, next to what each network is built of: a line for each figure."""
    summary, switch = summarize(design), switch_word(design)
    found, hops, ordered = summary.bisection, summary.diameter_hops, summary.parts_to_order
    known = [one for one in summary.power.draws if one.known_w is not None]
    are_all = ordered.fibres == ordered.cables
    fibres = "all fiber" if are_all else f"{format_count(ordered.fibres)} fiber" if ordered.fibres else "no fiber"
    in_switches, in_servers = map(format_count, (ordered.switch_transceivers, ordered.server_transceivers))
    optics = f"{in_switches} in switches, {in_servers} in {server_word(design)}s"
    through = format_counted(ordered.circuit_links, "link") if ordered.circuit_switches else ""
    lines = (
        f"Bisection bandwidth: {'' if found.exact else 'at most '}{format_capacity(found.gbps)}" if found else "",
        f"Diameter: {format_counted(hops, 'hop')} from {switch} to {switch}" if hops is not None else "",
        f"Cables: {format_count(ordered.cables)} ({fibres})" if ordered.cables else "",
        f"Transceivers: {format_count(ordered.transceivers)} ({optics})" if ordered.transceivers else "",
        f"Cages in use: {format_count(ordered.cages)}" if ordered.cages else "",
        f"Optical circuit switches: {format_count(ordered.circuit_switches)}, for {through}" if through else "",
        *(sentence(one) for one in _assumed(summary)),
        *(f"{one.name.capitalize()} power: {one.text(design.types)}" for one in known),
        "Power of optics is not included." if known else "Power: not known for any device",
    )
    return tuple(filter(None, lines))


def _racks(summary: Summary, design: Design) -> str:
    """ "12", or "12; 4 devices are in no rack"."""
    racked = sum(one in design.devices and at.rack_id is not None for one, at in design.placements.items())
    loose, count = len(design.devices) - racked, format_count(summary.racks)
    if not loose or not summary.racks:
        return count
    return f"{count}; {format_counted(loose, 'device')} {'is' if loose == 1 else 'are'} in no rack"


def _own_cost(summary: Summary) -> str:
    return "not known: no price list" if summary.cost_usd is None else f"{summary.cost_usd:,.0f} USD"


def shape_lines(shape: NetworkShape, word: str = SERVER, switch: str = SWITCH) -> tuple[str, ...]:
    """ "32 servers linked", "2 tiers: 8 leaf switches, 4 spines" and "Oversubscription: leaf 1:1", as far as known.

    `word` is what the servers are called, `switch` what the switches are.
    """
    ratios = ", ".join(f"{visible_line(role)} {format_ratio(ratio)}" for role, ratio in shape.oversubscription.items())
    switches = ", ".join(format_counted(count, visible_line(role)) for role, count in shape.switches.items())
    tiers = f"{format_counted(shape.tiers, 'tier')}: " if shape.tiers > 1 else ""
    others = " and ".join(TITLES[one].lower() for one in shape.shared_with)
    lines = (
        f"{format_counted(shape.servers, word)} linked",
        f"{tiers}{switches}",
        others and f"On switches of: {others}",
        ratios and f"Oversubscription: {ratios}",
        *(f"{format_counted(count, f'{kind} link')} at {format_rate(gbps)}" for kind, gbps, count in shape.links),
        f"Diameter: {format_counted(shape.diameter_hops, 'hop')} {switch} to {switch}" if shape.diameter_hops else "",
    )
    return tuple(filter(None, lines))


def _line_cards(summary: Summary, design: Design) -> str:
    lines = []
    for type_id, count in summary.line_cards.items():
        card = design.types[type_id]
        number = f", {card.part_number}" if isinstance(card, LineCardType) and card.part_number else ""
        lines.append(f"{format_count(count)} x {card.vendor} {card.model}{number}")
    return "\n".join(lines)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{format_count(count)} {name}" for name, count in counts.items())


def _devices(counts: dict[str, int]) -> str:
    return ", ".join(format_counted(count, role) for role, count in counts.items())


def network_text(network: NetworkSummary, word: str = SERVER) -> str:
    """ "127 servers on 8 leafs, 4 spines; 254 server-leaf, 256 leaf-spine links; oversubscription leaf 2:1".

    `word` is what the servers are called.
    """
    ratios = ", ".join(f"{role} {format_ratio(ratio)}" for role, ratio in network.oversubscription.items())
    rest = f"; oversubscription {ratios}" if ratios else ""
    shared = (
        f"{format_counted(count, 'switch')} of the {WORDS.get(one, one)}" for one, count in network.shared.items()
    )
    switches = ", ".join(filter(None, (_devices(network.switches), *shared)))
    who = f"{format_counted(network.servers, word)} on {switches}"
    links = f"; {_counts(network.links)} links" if network.links else ""
    return f"{who}{links}{rest}"


def _job(job: JobSummary, word: str) -> str:
    what = job.traffic or ", ".join(filter(None, (job.collective, job.algorithm)))
    where = _with_endpoints(format_counted(job.servers, word), word, job.servers, job.endpoints)
    return f"{job.name}: {what} of {format_size(job.size_bytes)} on {where}"


def _with_endpoints(text: str, word: str, servers: int, count: int) -> str:
    """ "64 with 512 GPUs", "64" of hosts that are an endpoint each, "96: 64 hosts and 32 without GPUs".

    Of servers with no more endpoints than there are servers, as files of others have them, GPUs are not known.
    """
    if word == SERVER or count > servers:
        return f"{text} with {format_counted(count, 'GPU' if count > servers else 'endpoint')}"
    if not count:
        return f"{text} without GPUs"
    return text if count == servers else f"{text}: {format_counted(count, HOST)} and {servers - count:,} without GPUs"


def _components(count: int) -> str:
    return "1 (everything is connected)" if count == 1 else format_count(count)


def _bisection(summary: Summary) -> str:
    if summary.bisection is None:
        return ""
    certainty = "(exact)" if summary.bisection.exact else "at most (upper bound)"
    return f"{format_capacity(summary.bisection.gbps)} {certainty}"


def _circuits(parts: Parts) -> str:
    """ "48 optical circuit switches for 3,072 links"; "" for none."""
    if not parts.circuit_switches:
        return ""
    switches = format_counted(parts.circuit_switches, "optical circuit switch")
    return f"{switches} for {format_counted(parts.circuit_links, 'link')}"


def _assumption(summary: Summary) -> str:
    """The same in one line."""
    assumed = "; ".join(_assumed(summary))
    return f"\n{assumed}" if assumed else ""


def _assumed(summary: Summary) -> tuple[str, ...]:
    """How links without a cable are counted, and what they would take if they were built with optics."""
    ordered, built = summary.parts_to_order, summary.parts
    without = ordered.links_without_medium
    if not without:
        return ()
    which = "no link has a cable selected yet" if without == ordered.links else _unselected(without)
    copper = f", {format_count(ordered.copper_without_medium)} of them copper" if ordered.copper_without_medium else ""
    fibres, optics = built.fibres - ordered.fibres, built.transceivers - ordered.transceivers
    would = (
        f"built with optics, they would add {format_counted(fibres, 'fiber cable')} "
        f"and {format_counted(optics, 'transceiver')}"
        if optics
        else ""
    )
    but = ""
    if ordered.circuit_links:
        take = "takes" if ordered.circuit_links == 1 else "take"
        but = f"; {format_counted(ordered.circuit_links, 'link')} through circuit switches {take} two fiber cables and "
        but += "two transceivers each"
    return tuple(filter(None, (f"{which}, and each counts as one cable{copper}{but}", would)))


def _unselected(count: int) -> str:
    return f"{format_counted(count, 'link')} {'has' if count == 1 else 'have'} no cable selected yet"


def _power(summary: Summary, design: Design) -> str:
    known = [one for one in summary.power.draws if one.known_w is not None]
    lines = [f"{one.name} {one.text(design.types)}" for one in known]
    return "\n".join(lines) + "\noptics not included" if lines else "not known for any device"

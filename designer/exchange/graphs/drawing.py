"""A design as the canvas shows it, for files of other programs: boxes, lines with their looks, titles and notes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from designer.analysis.survey import Run, survey
from designer.drawing.composition import Composition
from designer.drawing.display_list import LineLook, Picture
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.projection import Projection
from designer.drawing.theme import Theme, themed
from designer.errors import ExportError
from designer.exchange.graphs import closed
from designer.exchange.graphs.drawn import Drawn, Edge, edge_of
from designer.exchange.graphs.link_ways import ways_of
from designer.exchange.graphs.placed_boxes import boxes_of, unique_names
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import Placement, in_order
from designer.model.networks import NETWORKS
from designer.placement.metrics import BOX_HEIGHT, GAP, SWITCH_WIDTH, rows_around


def drawn(
    design: Design, networks: Collection[str] = (), theme: Theme | str = "light", *, at_fit: bool = False
) -> Drawn:
    """The design as the canvas shows it with nothing collapsed, or these networks of it.

    `at_fit` is with the boxes that stand for many devices where all of it is seen. Raises ExportError where there is
    nothing to draw.
    """
    placed = _all_placed(design)
    hidden = frozenset(NETWORKS) - frozenset(networks) if networks else frozenset()
    projection = Projection(placed, hidden)
    if not projection.device_ids:
        raise ExportError("there is nothing to draw: the design, or these networks of it, has no device")
    composition = closed.seen(placed, hidden, projection) if at_fit else Composition(placed, hidden, projection)
    picture = composition.picture(themed(theme), Detail(LinkDetail.SINGLES))
    tiers, names = picture.tiers(), unique_names(design, projection.device_ids)
    runs = {run.link.id: run for run in survey(placed).runs}
    is_closed = picture.stacks is not None
    if is_closed:
        boxes = closed.closed_boxes(design, composition, picture, runs, names, networks)
    else:
        boxes = tuple(boxes_of(design, picture, names))
    return Drawn(
        design.name,
        picture.theme,
        boxes,
        tuple(_edges(placed, composition, picture, runs, networks, names if is_closed else {})),
        composition.containers,
        design,
        composition,
        composition.tier_titles,
        picture.notes,
        tuple(picture.title_rows),
        tiers.notes if tiers is not None else (),
    )


def _all_placed(design: Design) -> Design:
    """The design with a place for every device: those that have none stand in rows below the others."""
    waiting = in_order(one for one in design.devices if one not in design.placements)
    if not waiting:
        return design
    there = [design.placements[one] for one in design.devices if one in design.placements]
    left, top = min((one.x for one in there), default=0.0), max((one.y for one in there), default=0.0)
    places = rows_around(len(waiting), 0.0, 0.0, SWITCH_WIDTH, BOX_HEIGHT)
    right, down = left - places[0][0], top + 2 * (BOX_HEIGHT + GAP) - places[0][1]
    found = design.snapshot()
    new = [Placement(one, x + right, y + down) for one, (x, y) in zip(waiting, places, strict=True)]
    found.apply(Edit("Place", added(new)))
    return found


# -- edges ------------------------------------------------------------------------------------------------------------


def _edges(
    design: Design,
    composition: Composition,
    picture: Picture,
    runs: Mapping[str, Run],
    networks: Collection[str],
    names: Mapping[str, str],
) -> Iterator[Edge]:
    """The links of these networks, of all for none; `names` of devices, where some are in boxes for many."""
    projection = composition.projection
    looks, ways, tiers = _looks(picture), ways_of(composition), picture.tiers()
    for row, link_id in enumerate(projection.link_ids):
        run = runs[link_id]
        if networks and run.network not in networks:
            continue
        a, z = projection.ends[row].tolist()
        both = ((run.link.a.device_id, a), (run.link.b.device_id, z))
        a_device, z_device = (names[one] if at >= projection.n_own else "" for one, at in both)
        yield replace(
            edge_of(design, run, (a, z), (a_device, z_device)),
            colour=looks[row].colour,
            width=looks[row].width,
            points=ways[row] if a <= z else tuple(reversed(ways[row])),
            tier=int(tiers.of_link[row]) if tiers is not None else -1,
            line=looks[row].line,
            is_own=looks[row].is_own,
        )


def _looks(picture: Picture) -> list[LineLook]:
    """The look of each link by row, as its lines have it."""
    lines, theme, coloured = picture.lines, picture.theme, picture.coloured
    found = [LineLook(theme.link)] * (int(lines.links.max()) + 1 if len(lines.links) else 0)
    codes = coloured.lines.tolist() if coloured.lines is not None else None
    servers, begins = lines.of_server.tolist(), [*lines.starts.tolist(), len(lines.links)]
    links = lines.links.tolist()
    for number, (begin, end) in enumerate(pairwise(begins)):
        look = LineLook() if codes is None else coloured.look_of_line(codes[number])
        look = look if look.colour else look._replace(colour=theme.server_link if servers[number] else theme.link)
        for link in links[begin:end]:
            found[link] = look
    return found

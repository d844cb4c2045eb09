"""Boxes that stand for many devices in a drawing for other programs, with what is in each of them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from designer.analysis.survey import Run
from designer.drawing.composition import Composition
from designer.drawing.display_list import CONGESTED_CLASS, Picture, class_of, colour_of_class
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.folding.levels import Levels
from designer.drawing.folding.stacks import Stacks
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.parts.document import SCREEN_WIDTH
from designer.drawing.projection import Projection
from designer.exchange.graphs.drawn import GROUP, RACK, ROLE, Box, Closed, Drawn, Edge, edge_of
from designer.exchange.graphs.placed_boxes import boxes_of
from designer.model.design import Design

EVERYWHERE = 1e9
"""Side of a square with the whole drawing in it: no link leads out of it."""


def seen(design: Design, hidden: frozenset[str], projection: Projection) -> Composition:
    """The drawing as the canvas has it where all of it is seen, as a window or a slide is wide."""
    whole = Composition(design, hidden, base=projection)
    bounds = whole.bounds
    assert bounds is not None
    return Levels(whole).at(min(1.0, SCREEN_WIDTH / max(bounds[2] - bounds[0], 1.0)))


def closed_boxes(
    design: Design,
    composition: Composition,
    picture: Picture,
    runs: Mapping[str, Run],
    names: Mapping[str, str],
    networks: Collection[str] = (),
) -> tuple[Box, ...]:
    """The boxes of a picture in which some stand for many devices; of the links in these, those of the networks.

    `names` are those of devices by id.
    """
    projection = composition.projection
    assert isinstance(projection, FoldedProjection)
    base = projection.base
    whole = Composition(base.design, base.hidden, base)
    whole.colouring = composition.colouring
    every = tuple(boxes_of(design, whole.picture(picture.theme, Detail(LinkDetail.REGIONS, EVERYWHERE)), names))
    inside = _inside(projection, runs, networks)
    stacks = Stacks(projection, None)
    own = (every[base.row_of[device_id]] for device_id in projection.device_ids[: projection.n_own])
    folds = (
        _box(picture, projection, row, every, stacks, list(_edges(design, projection, row, inside, names)))
        for row in range(projection.n_own, len(projection.device_ids))
    )
    return (*own, *folds)


Inside = Mapping[int, list[tuple[Run, int, int]]]
"""Links by the row of the box that they are inside of, with the rows of their ends in the base."""


def _inside(projection: FoldedProjection, runs: Mapping[str, Run], networks: Collection[str]) -> Inside:
    found: dict[int, list[tuple[Run, int, int]]] = {}
    base, box_of = projection.base, projection.box_of_inner_link
    for link in projection.inner_links.tolist():
        run = runs[base.link_ids[link]]
        if not networks or run.network in networks:
            found.setdefault(int(box_of[link]), []).append((run, *base.ends[link].tolist()))
    return found


def _edges(
    design: Design, projection: FoldedProjection, row: int, inside: Inside, names: Mapping[str, str]
) -> Iterator[Edge]:
    place = {one: at for at, one in enumerate(projection.folds[row - projection.n_own].rows.tolist())}
    for run, a, z in inside.get(row, ()):
        ends = names[run.link.a.device_id], names[run.link.b.device_id]
        yield edge_of(design, run, (place[a], place[z]), ends)


def _box(
    picture: Picture,
    projection: FoldedProjection,
    row: int,
    every: tuple[Box, ...],
    stacks: Stacks,
    edges: list[Edge],
) -> Box:
    fold, stack = projection.folds[row - projection.n_own], stacks.at(row)
    kind = ROLE if fold.key.role else RACK if fold.key.id in projection.design.racks else GROUP
    lines = (stack.name, stack.devices, stack.models, stacks.ports(row))
    left, top, width, height = picture.boxes[row].tolist()
    stripe = picture.theme.boxes[stack.kind].stripe if stack.kind >= 0 else picture.theme.muted
    return Box(
        str(fold.key),
        stack.name,
        kind,
        "",
        "",
        stack.models,
        "",
        "",
        "",
        None,
        None,
        None,
        None,
        left + width / 2,
        top + height / 2,
        width,
        height,
        True,
        picture.theme.plate,
        picture.theme.link,
        stripe,
        Closed(
            kind,
            tuple(filter(None, lines)),
            projection.devices_at(row),
            tuple(every[one] for one in fold.rows.tolist()),
            tuple(edges),
        ),
    )


def with_loads(made: Drawn, heat: Heat) -> tuple[Box, ...]:
    """The boxes of a drawing, those that stand for many devices with the load of the busiest link inside."""
    projection = made.composition.projection
    if not isinstance(projection, FoldedProjection):
        return made.boxes
    stacks, found = Stacks(projection, heat), list(made.boxes)
    for row in range(projection.n_own, len(found)):
        box, stack = found[row], stacks.at(row)
        if box.closed is not None and stack.load >= 0:
            name, *others = box.closed.lines
            lines = (name, f"busiest link inside: {stack.load_in_full}", *others)
            colour = colour_of_class(min(class_of(stack.load), CONGESTED_CLASS), made.theme)
            found[row] = replace(box, stripe=colour, closed=replace(box.closed, lines=lines))
    return tuple(found)

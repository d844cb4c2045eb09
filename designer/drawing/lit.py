"""What of a drawing stays bright while all else is dimmed: some links with the devices that they join."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from designer.drawing.bundles import Flags, Ints
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.heat import Heat
from designer.drawing.lines import Lines, lines_of_bundles


@dataclass(frozen=True, slots=True)
class Lit:
    """Ids of links and devices; `chosen` are links that are brought out most, `ends` devices that are outlined."""

    links: frozenset[str]
    devices: frozenset[str]
    chosen: frozenset[str] = frozenset()
    ends: tuple[str, ...] = ()


def lit_around(composition: Composition, device_id: str) -> Lit | None:
    """The links of a device and what is at their far ends; None where it is not drawn or has no link."""
    projection = composition.projection
    row = projection.row_of.get(device_id)
    if row is None or not len(projection.ends):
        return None
    rows = np.flatnonzero((projection.ends == row).any(axis=1))
    if not len(rows):
        return None
    links = frozenset(projection.link_ids[one] for one in rows.tolist())
    devices = frozenset(projection.device_ids[one] for one in np.unique(projection.ends[rows]).tolist())
    return Lit(links, devices)


def lit_picture(composition: Composition, picture: Picture, heat: Heat | None, lit: Lit) -> Picture:
    """The picture of the lit links and devices alone, from box to box where the picture gathers links."""
    flags = composition.chosen_links(lit.links)
    lines = lit_lines(composition, picture, flags)
    row_of = composition.projection.row_of
    rows = np.array(sorted(row_of[one] for one in lit.devices if one in row_of), dtype=np.int64)
    loads = None if heat is None else composition.loads(heat)
    bright = with_lines(composition, replace(picture, loads=loads), lines)
    codes, inside = picture.coloured.boxes, picture.coloured.stacks
    return replace(
        bright,
        boxes=picture.boxes[rows],
        kinds=picture.kinds[rows],
        device_ids=tuple(picture.device_ids[row] for row in rows.tolist()),
        caption=lambda row: picture.caption(int(rows[row])),
        ports=lambda row: picture.ports(int(rows[row])),
        internals=lambda row: picture.internals(int(rows[row])),
        coloured=replace(
            bright.coloured,
            boxes=None if codes is None else codes[rows],
            stacks=None if inside is None else inside[rows],
        ),
        stacks=None if picture.stacks is None else picture.stacks.taken(rows),
        failed_in={},
        tiers=lambda: None,
    )


def are_coloured(picture: Picture) -> bool:
    """Whether the colors of lines say something: their loads, or what links are colored by."""
    return picture.loads is not None or picture.coloured.lines is not None


def with_lines(composition: Composition, picture: Picture, lines: Lines) -> Picture:
    """The picture with these lines alone, in the colors that links have in it."""
    found = composition.coloured(picture.theme, lines, are_links_hot=picture.loads is not None)
    coloured = replace(
        picture.coloured,
        lines=found.lines,
        line_colours=found.line_colours,
        line_widths=found.line_widths,
        line_styles=found.line_styles,
        own_from=found.own_from,
    )
    return replace(picture, lines=lines, hot=None, coloured=coloured)


def lit_lines(composition: Composition, picture: Picture, flags: Flags) -> Lines:
    """The lines of the flagged links, none gathered with links of other devices."""
    bundles = composition.bundles
    chosen: Flags = np.zeros(len(bundles.pairs), np.bool_)
    chosen[bundles.of_link[np.flatnonzero(flags)]] = True
    lines = lines_of_bundles(
        picture.detail,
        composition.projection,
        composition.centres,
        bundles,
        composition.anchors,
        composition.link_paths,
        chosen,
    )
    return _only(lines, flags)


def _only(lines: Lines, flags: Flags) -> Lines:
    """The lines that hold a flagged link, with those links alone."""
    kept = lines.holding(flags)
    of_line = np.repeat(np.arange(len(lines.starts)), lines.counts)
    links = np.flatnonzero(flags[lines.links])
    counts: Ints = np.bincount(of_line[links], minlength=len(lines.starts))[kept]
    return replace(
        lines,
        xy=lines.xy[kept],
        starts=np.cumsum(counts) - counts,
        links=lines.links[links],
        flipped=lines.flipped[links],
        of_server=np.zeros(len(counts), np.bool_),  # as plain as those between switches
        direct=lines.direct[kept],
    )


def lit_over(
    composition: Composition, links: Iterable[str], ends: tuple[str, ...], chosen: frozenset[str] = frozenset()
) -> Lit:
    """These links with the devices that they join, and the ends outlined."""
    kept, projection = frozenset(links), composition.projection
    rows = list(projection.link_rows(kept).values())
    joined = set(np.unique(projection.ends[rows]).tolist()) if rows else set()
    joined.update(_boxes_around(composition, kept, ends))
    return Lit(kept, frozenset(projection.device_ids[one] for one in joined).union(ends), chosen & kept, ends)


def _boxes_around(composition: Composition, links: frozenset[str], ends: Iterable[str]) -> Iterator[int]:
    """The rows of the boxes that stand for many devices, an end or one of the links among them."""
    projection = composition.projection
    if isinstance(projection, FoldedProjection):
        found = (*map(projection.box_of, ends), *map(projection.box_of_link, links))
        yield from (row for row in found if row is not None)

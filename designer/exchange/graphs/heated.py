"""A drawing for other programs whose links have the colors and widths of a heat, and what has failed."""

from dataclasses import replace

from designer.drawing.calm import calm
from designer.drawing.display_list import SLIM, classes_of, look_of_class
from designer.drawing.heat import Heat
from designer.drawing.load_legend import legend_of
from designer.exchange.graphs.closed import with_loads
from designer.exchange.graphs.drawn import Drawn
from designer.model.annotation import SOLID


def heated(made: Drawn, heat: Heat, n_lines: int) -> Drawn:
    """The drawing with links as the canvas shows them with this heat, in a picture of so many lines."""
    loads = heat.drawn.taken_for([one.id for one in made.edges], -1.0).max(axis=1)
    used = heat.loads.taken_for([one.id for one in made.edges], -1.0).max(axis=1)
    slim = max(SLIM, calm(n_lines))
    edges = []
    for edge, number, share in zip(made.edges, classes_of(loads).tolist(), used.tolist(), strict=True):
        colour, width = look_of_class(number, made.theme, slim, n_lines)
        known = round(share, 4) if share >= 0 else None
        edges.append(replace(edge, colour=colour, width=width, heat=number, utilization=known, line=SOLID))
    rows = made.composition.hot_links(heat).marked.tolist() if heat.measure != "bytes" else []
    marked = frozenset(made.composition.projection.link_ids[row] for row in rows)
    legend = legend_of(heat, are_marked=bool(marked))
    return replace(made, boxes=with_loads(made, heat), edges=tuple(edges), legend=legend, marked=marked)

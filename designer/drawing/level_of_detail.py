"""What is drawn at which scale, so that a picture holds about as much as an eye takes in.

Scale is pixels per canvas unit. From far to near: links between regions, combs of servers, combs of crowds alone,
bundles, single links.
"""

from dataclasses import dataclass
from enum import StrEnum

from designer.placement.metrics import BOX_HEIGHT


class LinkDetail(StrEnum):
    """How links are drawn."""

    REGIONS = "regions"
    """One line between two squares of the canvas that any links join."""
    TRUNKS = "trunks"
    """Bundles; servers that share their leafs hang on trunks."""
    CROWDS = "crowds"
    """Bundles; servers hang on trunks where so many share their leafs that nobody could tell their lines apart."""
    BUNDLES = "bundles"
    """One line for all links between two devices."""
    SINGLES = "singles"
    """Every link."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What a picture shows. Equal details make equal pictures, whatever the exact scale."""

    links: LinkDetail
    region: float = 0.0
    """Side of the squares, canvas units, when links are drawn by region."""
    round_boxes: bool = True
    """Boxes with borders, round corners and a stripe; else plain rectangles."""
    names: bool = True
    models: bool = True
    """The second line of a box, and the bar of used ports."""
    counts: bool = True
    """How many links a bundle holds, beside it."""
    ports: bool = False
    """Handles for every port."""
    faceplates: bool = False
    """The fronts of switches: cages, and ports used and free."""
    internals: bool = False
    """What is inside a server: GPUs, NICs, scale-up domain."""
    both_ways: bool = False
    """Heat of either direction beside each other; else of the busier one."""
    every_label: bool = False
    """A line for each link with a label, however many of a comb have one."""


SINGLES_FROM = 2.4
BUNDLES_FROM = 0.85
PORTS_FROM = 1.5
INTERNALS_FROM = 4.5
BOTH_WAYS_FROM = 1.25
MODELS_FROM = 0.8
COUNTS_FROM = 0.55
NAMES_FROM_PX = 12.0
"""Height of a box that may hold a name."""
ROUND_FROM_PX = 12.0
MANY_BUNDLES = 5000
"""With more than this to draw, far-away links are drawn by region."""
REGION_PX = 22.0
NEAR_SCALES = 0.2, 0.26, 0.5, 1.0, 1.6
"""At each of them links are drawn another way, where there are very many: those at which devices are boxes."""
COMBS_FROM_DEVICES = 24
"""A smaller fabric is drawn link by link at any scale: there is nothing to tidy."""


def detail_at(scale: float, n_linked: int, n_bundles: int, n_links: int) -> Detail:
    """The detail for a scale on the screen, given how much there is to draw; `n_linked` is of devices with links."""
    box_px = scale * BOX_HEIGHT
    return Detail(
        links=_links_at(scale, n_linked, n_bundles, n_links),
        region=_region_at(scale) if _by_region(scale, n_bundles) else 0.0,
        round_boxes=box_px >= ROUND_FROM_PX,
        names=box_px >= NAMES_FROM_PX,
        models=scale >= MODELS_FROM,
        counts=scale >= COUNTS_FROM,
        ports=scale >= PORTS_FROM,
        faceplates=scale >= PORTS_FROM,
        internals=scale >= INTERNALS_FROM,
        both_ways=scale >= BOTH_WAYS_FROM,
    )


def detail_of_document(n_linked: int, n_bundles: int) -> Detail:
    """The detail for a drawing that a reader zooms as he likes: all texts, and links tidied where there are many."""
    far = n_linked >= COMBS_FROM_DEVICES
    links = LinkDetail.TRUNKS if far else LinkDetail.BUNDLES
    return Detail(links=links, counts=n_bundles <= MANY_BUNDLES, every_label=True)


def _links_at(scale: float, n_linked: int, n_bundles: int, n_links: int) -> LinkDetail:
    if _by_region(scale, n_bundles):
        return LinkDetail.REGIONS
    if scale >= SINGLES_FROM and n_links > n_bundles:
        return LinkDetail.SINGLES
    if n_linked < COMBS_FROM_DEVICES or scale >= PORTS_FROM:
        return LinkDetail.BUNDLES
    if scale < BUNDLES_FROM:
        return LinkDetail.TRUNKS
    return LinkDetail.CROWDS if n_bundles <= MANY_BUNDLES else LinkDetail.BUNDLES


def _by_region(scale: float, n_bundles: int) -> bool:
    return n_bundles > MANY_BUNDLES and scale * BOX_HEIGHT < ROUND_FROM_PX


def _region_at(scale: float) -> float:
    """A power of two times the box height, so that pictures stay while the wheel turns."""
    side = BOX_HEIGHT
    while side * scale < REGION_PX:
        side *= 2
    return side

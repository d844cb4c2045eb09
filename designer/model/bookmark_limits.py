"""What a bookmark can be."""

from collections.abc import Iterator

from designer.model.bookmark import CORNERS, FRONT, REAR, VIEWS, Bookmark
from designer.model.colour_keys import DEVICE_KEYS, LINK_KEYS
from designer.units import shortened

BOOKMARKS_MOST = 500
NAME_LONGEST = 100
RUN_MOST, RUN_TEXT_LONGEST, FAILED_MOST, OPENED_MOST = 40, 20_000, 10_000, 10_000


def bookmark_faults(one: Bookmark) -> Iterator[tuple[str, str]]:
    """Why a bookmark leads nowhere: fields, and what is wrong with them."""
    if not one.name.strip() or len(one.name) > NAME_LONGEST:
        yield "name", f"a bookmark needs a name of 1 to {NAME_LONGEST} characters"
    left, top, right, bottom = one.seen if len(one.seen) == CORNERS else (0.0, 0.0, 1.0, 1.0)
    if len(one.seen) not in (0, CORNERS) or not (left < right and top < bottom):
        yield "seen", "must be left, top, right and bottom, each end above its start"
    if len(one.run) > RUN_MOST or any(len(text) > RUN_TEXT_LONGEST for pair in one.run for text in pair):
        yield "run", f"can have {RUN_MOST} settings of {RUN_TEXT_LONGEST:,} characters at most"
    if len(one.failed) > FAILED_MOST:
        yield "failed", f"can name {FAILED_MOST:,} devices and links at most"
    if len(one.opened) > OPENED_MOST:
        yield "opened", f"can name {OPENED_MOST:,} boxes at most"
    if one.failed and not one.run:
        yield "failed", "belongs to a run, and none is given"
    words = {
        "view": (one.view, VIEWS),
        "side": (one.side, (FRONT, REAR)),
        "color_devices_by": (one.color_devices_by, ("", *(word.name for word in DEVICE_KEYS))),
        "color_links_by": (one.color_links_by, ("", *(word.name for word in LINK_KEYS))),
    }
    for field, (value, known) in words.items():
        if value not in known:
            yield field, f"{shortened(value)!r} is none of {', '.join(filter(None, known))}"

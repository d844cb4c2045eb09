"""What a legend among the annotations explains: the colors of devices and of links, and of loads."""

import numpy as np
from numpy.typing import NDArray

from designer.drawing.display_list import Coloured, Key, Legend, Picture, Swatch
from designer.drawing.folding.stacks import Stacks
from designer.drawing.heat import bucket_colours, bucket_of, hex_of
from designer.drawing.theme import KINDS, Theme


def keys_on(picture: Picture) -> tuple[Key, ...]:
    """The keys of what a picture shows."""
    return legend_keys_of(picture.theme, picture.coloured, picture.kinds, picture.stacks, picture.legend)


def legend_keys_of(
    theme: Theme, coloured: Coloured, kinds: NDArray[np.int8], stacks: Stacks | None, legend: Legend | None
) -> tuple[Key, ...]:
    """The keys of what is colored, also of loads, and of kinds of devices where boxes have colors of those."""
    by_load = () if legend is None else (_key_of_loads(legend, theme),)
    if not coloured.is_by_kind:
        return (*coloured.keys, *by_load)
    own = set(np.unique(kinds).tolist()) & set(range(len(KINDS)))
    present = sorted(own | (stacks.kinds if stacks is not None else set()))
    swatches = tuple(Swatch(theme.boxes[one].stripe, coloured.word_of_kind(one).capitalize()) for one in present)
    by_kind = (Key("Devices by kind", swatches, is_of_links=False),) if swatches else ()
    return (*by_kind, *coloured.keys, *by_load)


def _key_of_loads(shown: Legend, theme: Theme) -> Key:
    """A heat as a key: what run of what that is, what came of it, and its scale in few swatches."""
    colours = bucket_colours(theme)
    swatches = [
        Swatch(hex_of(colours[bucket_of(stop.utilization)]), f"{stop.text}{' %' if stop.text.isdigit() else ''}")
        for stop in shown.stops
    ]
    swatches += [Swatch(one.colour_in(theme), one.text.capitalize(), sample=one) for one in shown.keys]
    said = (shown.title,), (shown.label,), shown.outcome, (shown.note, *shown.brief_notes)
    return Key("Links by load", tuple(swatches), is_of_links=True, said=tuple(forms for forms in said if any(forms)))

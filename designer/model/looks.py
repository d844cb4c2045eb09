"""Verbs about how things look: colors of their own."""

from collections.abc import Iterable
from dataclasses import replace

from designer.errors import ParameterError
from designer.model.colour_keys import DEVICE_LABELS, LINK_LABELS
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import order_key
from designer.model.job_colours import is_colour
from designer.units import shortened


def colour_devices(design: Design, ids: Iterable[str], colour: str) -> Edit:
    """The devices with a color of their own, "" for none, which lies over what devices are colored by.

    Raises ParameterError.
    """
    if colour and not is_colour(colour):
        raise ParameterError(f"{shortened(colour)!r} is no color: write it as #rrggbb, such as #1f6fd1")
    devices = (design.device(one) for one in sorted(ids, key=order_key))
    changes = [Change(one, replace(one, colour=colour)) for one in devices if one.colour != colour]
    if not changes:
        return Edit("Color devices", ())
    noun = "device" if len(changes) == 1 else "devices"
    return Edit(f"Color {noun}", tuple(changes))


def toggle_label(design: Design, label: str) -> Edit:
    """The drawing with or without that label in boxes, against what it was."""
    settings = design.settings
    chosen = set(settings.device_labels) ^ {label}
    after = replace(settings, device_labels=tuple(one.name for one in DEVICE_LABELS if one.name in chosen))
    return Edit("Change labels", (Change(settings, after),))


def toggle_link_label(design: Design, label: str) -> Edit:
    """The drawing with or without that label on the lines of links, against what it was."""
    return label_links(design, set(design.settings.link_labels) ^ {label})


def label_links(design: Design, labels: Iterable[str]) -> Edit:
    """The drawing with just these labels on the lines of links."""
    settings, chosen = design.settings, set(labels)
    after = replace(settings, link_labels=tuple(one.name for one in LINK_LABELS if one.name in chosen))
    return Edit("Change labels of links", (Change(settings, after),) if after != settings else ())

"""Commands about colors, labels and lines of links on the canvas; the design remembers them."""

from collections.abc import Callable, Collection, Iterable
from functools import partial

from designer.fields.field import Word
from designer.fields.kinds import NAMED_COLOURS
from designer.late import Late
from designer.model import operations
from designer.model.annotation_styles import change_lines
from designer.model.bookmark import CANVAS, ELEVATION, FLOOR
from designer.model.colour_keys import DEVICE_KEYS, DEVICE_LABELS, LINK_KEYS, LINK_LABELS, LINK_LINES
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.looks import colour_devices, label_links, toggle_label, toggle_link_label
from designer.model.settings import Settings
from designer.windows.commands.actions import ActionRow, needs
from designer.windows.desk import Desk
from designer.windows.picker.quick_picker import Choice

bending = Late("designer.model.bending")
colour_field = Late("designer.panels.widgets.colour_field")

LINKS = "color_links_by"
IsShown = Callable[[str], Callable[[Desk], bool]]
Toggle = Callable[[str], Callable[[Desk], None]]

DEVICES_BY, LINKS_BY = "Color Devices By", "Color Links By"
SHOWN_IN = {"color_devices_by": (CANVAS, FLOOR, ELEVATION), LINKS: (CANVAS,)}
"""The views that show each choice of colors: in any other, the canvas comes to the front."""


def _colour_by(setting: str, key: str) -> Callable[[Desk], None]:
    def choose(desk: Desk) -> None:
        desk.session.attempt(lambda: operations.set_settings(desk.session.design, **{setting: key}))
        if desk.views.on_welcome() or desk.views.name not in SHOWN_IN[setting]:
            desk.views.show_canvas()
        heat = desk.session.workbench.heat_view
        if setting == LINKS and heat.heat is not None and not heat.is_hidden:
            heat.hide(True)
            desk.notice.say("Heat is hidden, to show the colors of links. Shift+H shows it again.")

    return choose


def _is_coloured_by(setting: str, key: str) -> Callable[[Desk], bool]:
    return lambda desk: bool(getattr(desk.session.design.settings, setting) == key)


def _rows(setting: str, menu: str, keys: Iterable[Word]) -> Iterable[ActionRow]:
    noun = menu.removesuffix(" By")
    for key in keys:
        yield ActionRow(
            f"{setting.removesuffix('_by').replace('_', '.')}.{key.name}",
            f"{noun} by {key.title.title().replace(' Or ', ' or ').replace(' And ', ' and ')}",
            "",
            "",
            run=_colour_by(setting, key.name),
            menu=menu,
            checked=_is_coloured_by(setting, key.name),
            hint=key.explanation,
        )


def _run_lines(how: str) -> Callable[[Desk], None]:
    def choose(desk: Desk) -> None:
        desk.session.attempt(lambda: operations.set_settings(desk.session.design, link_lines=how))
        desk.views.show_canvas()

    return choose


def _do_lines_run(how: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.session.design.settings.link_lines == how


def _toggle_label(label: str) -> Callable[[Desk], None]:
    def toggle(desk: Desk) -> None:
        desk.session.attempt(lambda: toggle_label(desk.session.design, label))

    return toggle


def _is_label_shown(label: str) -> Callable[[Desk], bool]:
    return lambda desk: label in desk.session.design.settings.device_labels


def _toggle_link_label(label: str) -> Callable[[Desk], None]:
    def toggle(desk: Desk) -> None:
        desk.session.attempt(lambda: toggle_link_label(desk.session.design, label))

    return toggle


def _is_link_label_shown(label: str) -> Callable[[Desk], bool]:
    return lambda desk: label in desk.session.design.settings.link_labels


def _label_rows(
    prefix: str, verb: str, labels: Iterable[Word], is_shown: IsShown, toggle: Toggle, where: str
) -> Iterable[ActionRow]:
    for label in labels:
        yield ActionRow(
            f"{prefix}{label.name}",
            f"{verb} {label.title}",
            "",
            "",
            run=toggle(label.name),
            menu="Labels",
            checked=is_shown(label.name),
            hint=f"{label.explanation}, {where}",
        )


def hide_link_labels(desk: Desk) -> None:
    """Write nothing on the lines of links, or what is written without a choice again."""
    shown = () if desk.session.design.settings.link_labels else Settings().link_labels
    desk.session.attempt(lambda: label_links(desk.session.design, shown))


def are_link_labels_hidden(desk: Desk) -> bool:
    """Whether nothing is written on the lines of links."""
    return not desk.session.design.settings.link_labels


@needs("Select devices or links.")
def has_coloured(desk: Desk) -> bool:
    """Whether a device or a link is selected."""
    return bool(desk.session.selected.devices or desk.session.selected.links)


def choose_colour(desk: Desk) -> None:
    """Offer colors for the selected devices and links, over what the canvas colors by."""
    devices, links = tuple(desk.session.selected.devices), tuple(desk.session.selected.links)
    what = " and ".join(noun for noun, ids in (("devices", devices), ("links", links)) if ids)

    def give(colour: str) -> None:
        desk.session.attempt(lambda: _coloured(desk.session.design, devices, links, colour))
        heat = desk.session.workbench.heat_view
        if links and heat.heat is not None and not heat.is_hidden:
            desk.notice.say("Links show heat. Press Shift+H to hide it and to see their own colors.")

    choices = [
        Choice(name.capitalize(), colour, partial(give, colour), colour_field.swatch(colour))
        for name, colour in NAMED_COLOURS
    ]
    choices.append(Choice("No color of its own", "", partial(give, "")))
    desk.picker.ask(f"Color of the selected {what}", choices)


def _coloured(design: Design, devices: Collection[str], links: Collection[str], colour: str) -> Edit:
    of_devices, of_links = colour_devices(design, devices, colour), change_lines(design, links, line_colour=colour)
    if not (devices and links):
        return of_devices if devices else of_links
    return joined("Color devices and links", (of_devices, of_links))


@needs("Select links with bends.")
def has_bends(desk: Desk) -> bool:
    """Whether a link with bends is selected."""
    led = desk.views.canvas.fabric.composition.base.led_links()  # known, where a hundred thousand would be asked
    return not led.isdisjoint(desk.session.selected.links)


def remove_bends(desk: Desk) -> None:
    """Let the lines of the selected links find their own way again."""
    ids = desk.session.selected.links
    desk.session.attempt(lambda: bending.remove_bends(desk.session.design, ids))


ROWS: tuple[ActionRow, ...] = (
    *_rows("color_devices_by", DEVICES_BY, DEVICE_KEYS),
    *_rows(LINKS, LINKS_BY, LINK_KEYS),
    *_label_rows("label.", "Label", DEVICE_LABELS, _is_label_shown, _toggle_label, "in the boxes of devices"),
    *_label_rows(
        "label.link-",
        "Label Links with",
        LINK_LABELS,
        _is_link_label_shown,
        _toggle_link_label,
        "on the lines of links and cables",
    ),
    ActionRow(
        "label.no-link",
        "Hide Labels of Links",
        "",
        "",
        run=hide_link_labels,
        menu="Labels",
        checked=are_link_labels_hidden,
        hint="Write nothing on the lines of links, or their counts, rates and own labels again",
    ),
    *(
        ActionRow(
            f"lines.{one.name}",
            f"{one.title} Link Lines",
            "",
            "",
            run=_run_lines(one.name),
            menu="Link Lines",
            checked=_do_lines_run(one.name),
            hint=one.explanation,
        )
        for one in LINK_LINES
    ),
    ActionRow(
        "lines.remove_bends",
        "Remove Bends",
        "",
        "",
        has_bends,
        remove_bends,
        "Arrange",
        hint="Let the lines of the selected links find their own way again",
    ),
    ActionRow(
        "look.color",
        "Set Color…",
        "",
        "",
        has_coloured,
        choose_colour,
        "Arrange",
        hint="Give the selected devices and links a color of their own",
    ),
)

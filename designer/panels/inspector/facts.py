"""Facts of a hardware type as short rows of text: known ones with their value, unknown ones as unknown."""

import re
from collections import Counter

from designer.catalog.headline import headline
from designer.model.hardware.media import MediumPart, MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.ports import PortMode
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.shown_text import escaped
from designer.units import format_capacity, format_rate

Fact = tuple[str, str | None]
"""What the fact is, and its value; None where no public source states it."""


def facts(type_: HardwareType) -> list[Fact]:
    """Everything worth telling about a type, unknown figures included."""
    if isinstance(type_, SwitchType):
        return _switch_facts(type_)
    if isinstance(type_, LineCardType):
        return _card_facts(type_)
    if isinstance(type_, ServerType):
        return _server_facts(type_)
    if isinstance(type_, NicType):
        return [
            ("Ports", headline(type_)),
            *([("Modes", ", ".join(map(_mode, type_.modes)))] if type_.modes else []),
            ("Protocols", _protocols(type_.protocols)),
            ("Form factors", ", ".join(type_.form_factors) or None),
            ("Host interface", type_.host_interface or None),
            ("Latency", _number(type_.latency_ns, "ns")),
            ("Power", _number(type_.power_typical_w, "W")),
            ("Part number", type_.part_number or None),
            ("Price", _price(type_.price_usd)),
        ]
    if isinstance(type_, RackType):
        return _rack_facts(type_)
    return _medium_facts(type_)


def tooltip(type_: HardwareType) -> str:
    """Markup for a tooltip, all texts in it escaped: the facts, then what is not known."""
    rows = facts(type_)
    shown = [(escaped(name), escaped(value)) for name, value in rows if value]
    known = "".join(f"<tr><td>{name}&nbsp;&nbsp;</td><td>{value}</td></tr>" for name, value in shown)
    unknown = [name.lower() for name, value in rows if value is None]
    tail = f"<p>Not published: {escaped(', '.join(unknown))}.</p>" if unknown else ""
    unverified = unverified_facts(type_)
    doubt = f"<p>Not verified: {escaped(', '.join(unverified))}.</p>" if unverified else ""
    return f"<b>{escaped(f'{type_.vendor} {type_.model}')}</b><table>{known}</table>{tail}{doubt}"


def unverified_facts(type_: HardwareType) -> list[str]:
    """What no second source confirms, in words: "latency", "maximum power"."""
    fields: tuple[str, ...] = getattr(type_, "unverified", ())
    return [_NAMED.get(one) or _UNIT.sub("", one).replace(".", " ").replace("_", " ") for one in fields]


_UNIT = re.compile(r"_(?:ns|mm|m|kg|w|gbps|tbps)$")
_NAMED = {
    "power_max_w": "maximum power",
    "power_typical_w": "typical power",
    "max_length_m": "longest length",
    "lengths_m": "stock lengths",
    "end_power_w": "power of an end",
    "scale_up.gbytes_per_s_per_gpu": "rate of the scale-up domain",
    "scale_up.gbytes_per_s_per_pair": "rate between two GPUs",
    "slots.gpu": "GPUs of the slots",
    "slots.cage": "cages of the slots",
    "slots.heat_sink": "heat sinks of the slots",
    "slots.form_factor": "form factors of the slots",
    "slots.port_purposes": "purposes of the ports",
    "cages.form_factor": "form factors of the cages",
}
"""Fields whose names do not read as what they are."""


def _rack_facts(type_: RackType) -> list[Fact]:
    return [
        ("Height", f"{type_.units} U"),
        ("Depth", _number(type_.depth_mm, "mm")),
        ("Weight limit", _number(type_.max_weight_kg, "kg")),
        ("Power", _number(type_.power_w, "W")),
        ("Power feeds", ", ".join(f"{watts:,g} W" for watts in type_.feeds_w) or None),
        ("Part number", type_.part_number or None),
    ]


def _body_facts(type_: SwitchType | ServerType) -> list[Fact]:
    return [
        ("Height", _number(type_.rack_units, "U")),
        ("Depth", _number(type_.depth_mm, "mm")),
        ("Weight", _number(type_.weight_kg, "kg")),
        ("Airflow", type_.airflow.replace("-", " ") or None),
        ("Power", _power(type_.power_typical_w, type_.power_max_w)),
    ]


def _switch_facts(type_: SwitchType) -> list[Fact]:
    cages = ", ".join(_cages(type_))
    every = (*type_.modes, *(mode for group in type_.own_groups for mode in group.modes))
    modes = ", ".join(dict.fromkeys(mode.name for mode in every))
    return [
        ("Ports", headline(type_)),
        *([("Slots", f"{len(type_.slots)} for line cards")] if type_.slots else []),
        ("Cages", cages),
        ("Port modes", modes),
        ("Protocols", _protocols(type_.protocols)),
        ("Management ports", ", ".join(port.name for port in type_.management_ports) or None),
        ("Capacity", format_capacity(type_.capacity_tbps * 1000) if type_.capacity_tbps is not None else None),
        ("Latency", _number(type_.latency_ns, "ns")),
        *_body_facts(type_),
        ("Part number", type_.part_number or None),
        ("Price", _price(type_.price_usd)),
    ]


def _card_facts(type_: LineCardType) -> list[Fact]:
    return [
        ("Ports", headline(type_)),
        ("Cages", ", ".join(_cages(type_))),
        ("Port modes", ", ".join(mode.name for mode in type_.modes)),
        ("Protocols", _protocols(type_.protocols)),
        ("Slots", ", ".join(type_.form_factors) or None),
        ("Part number", type_.part_number or None),
        ("Power", _power(type_.power_typical_w, type_.power_max_w)),
        ("Price", _price(type_.price_usd)),
    ]


def _server_facts(type_: ServerType) -> list[Fact]:
    scale_up = type_.scale_up
    slots = sum(1 for slot in type_.slots if slot.purpose == "fabric")
    gpus = f"{type_.gpus} × {type_.gpu_model}" if type_.gpu_model else str(type_.gpus)
    return [
        ("GPUs", "not stated" if type_.is_host else gpus),
        ("Fabric slots", str(slots)),
        ("Other slots", str(len(type_.slots) - slots)),
        ("Scale-up", _scale_up_text(scale_up) if scale_up else "none"),
        *_body_facts(type_),
        ("Part number", type_.part_number or None),
        ("Price", _price(type_.price_usd)),
    ]


def _medium_facts(type_: MediumType) -> list[Fact]:
    lengths = ", ".join(f"{length:g}" for length in type_.lengths_m)
    return [
        ("Kind", type_.kind),
        ("Links", str(type_.links)),
        ("Rate", format_rate(type_.link_gbps) if type_.link_gbps else None),
        ("Ends", " – ".join(type_.ends) or None),
        ("Lengths", f"{lengths} m" if lengths else None),
        ("Reach", _number(type_.max_length_m, "m")),
        ("Diameter", _number(type_.diameter_mm, "mm")),
        ("Bend radius", _number(type_.bend_radius_mm, "mm")),
        ("Power per end", _number(type_.end_power_w, "W")),
        ("Part numbers", ";\n".join(map(part_text, type_.parts)) or None),
        ("Price", _price(type_.price_usd)),
    ]


def part_text(part: MediumPart) -> str:
    """ "2 m: MCP7Y00-N002, 980-9I924-00N002"."""
    what = ", ".join(one for one in (f"{part.length_m:g} m" if part.length_m is not None else "", part.shell) if one)
    names = ", ".join(one for one in (part.model, part.number) if one)
    note = f" ({part.note})" if part.note else ""
    return f"{what}: {names}{note}" if what else f"{names}{note}"


def _protocols(names: tuple[str, ...]) -> str:
    words = {"infiniband": "InfiniBand", "ethernet": "Ethernet"}
    return ", ".join(words.get(name, name) for name in names)


def _number(value: float | None, unit: str) -> str | None:
    return None if value is None else f"{value:,g} {unit}"


def _price(value: float | None) -> str | None:
    return None if value is None else f"${value:,.0f}"


def _power(typical_w: float | None, max_w: float | None) -> str | None:
    parts = [
        f"{value:,g} W {word}" for value, word in ((typical_w, "typical"), (max_w, "at most")) if value is not None
    ]
    return ", ".join(parts) or None


def _cages(type_: SwitchType | LineCardType) -> list[str]:
    """ "36 × OSFP", or of a chassis "16 × 7800R4-36PE with 36 × OSFP", like line cards together."""
    kinds = Counter((one.card, f"{one.count} × {one.form_factor or 'any form factor'}") for one in type_.cages)
    return [
        f"{number} × {card} with {each}" if card else f"{number} × ({each})" if number > 1 else each
        for (card, each), number in kinds.items()
    ]


def _mode(mode: PortMode) -> str:
    return f"{mode.name} ({_protocols(mode.protocols)})" if mode.protocols else mode.name


def _scale_up_text(scale_up: ScaleUp) -> str:
    text = f"{scale_up.name}, {scale_up.gbytes_per_s_per_gpu:g} GB/s per GPU"
    pair = scale_up.gbytes_per_s_per_pair
    return text if pair is None else f"{text}, {pair:g} GB/s per pair"

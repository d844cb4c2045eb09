"""Form factors that nobody states: one assumption for each type of switch, as the cables selected for it need it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from designer.analysis.part_names import model_name
from designer.analysis.parts import PortKind, form_is_assumed, port_kind
from designer.model.design import Design
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import Port
from designer.model.matching import port_takes
from designer.model.records import ordered
from designer.units import format_rate

OPTIC = "transceiver"


@dataclass(frozen=True, slots=True)
class AssumedForm:
    """What the ports of a type are taken to be, and the cable or optic that was selected as if they were."""

    owner: str
    """The model of the type: "Switch 48 x 400G"."""
    rate_gbps: float
    shell: str
    """"QSFP-DD"."""
    model: str
    """Of the cable."""
    unlike: tuple[str, ...] = ()
    """Models of cables that were selected for such ports and do not fit the assumption."""

    @property
    def ports(self) -> str:
        """ "400G ports of Switch 48 x 400G"."""
        return f"{format_rate(self.rate_gbps)} ports of {self.owner}"

    @property
    def text(self) -> str:
        """ "400G ports of Switch 48 x 400G, assumed to be QSFP-DD"."""
        return f"{self.ports}, assumed to be {self.shell}"

    @property
    def reason(self) -> str:
        """ "400G ports of Switch 48 x 400G have no known form factor: QSFP-DD is assumed, as of the AOC"."""
        but = f"; {' and '.join(self.unlike)} would not fit" if self.unlike else ""
        return f"{self.ports} have no known form factor: {self.shell} is assumed, as of the {self.model}{but}"


AssumedForms = Mapping[PortKind, AssumedForm]


def assumed_forms(design: Design) -> AssumedForms:
    """An assumption for each kind of port whose form factor nobody states, where what was selected for it says one.

    What most of its links need, a whole cable before an optic: a cable ends in the port itself. Kinds of ports that
    nothing is selected for, or only what leaves the form open, have none.
    """
    open_devices = _open_devices(design)
    votes: dict[PortKind, Counter[_Vote]] = {}
    seen: dict[tuple[object, ...], list[tuple[PortKind, _Vote]]] = {}
    for link in ordered(design.links) if open_devices else ():
        medium = design.types.get(link.medium_id)
        if not isinstance(medium, MediumType) or medium.is_built_in:
            continue
        if open_devices.isdisjoint((link.a.device_id, link.b.device_id)):
            continue
        one, other = design.port(link.a), design.port(link.b)
        if one is None or other is None:
            continue
        key = (medium.id, *_facts(one), *_facts(other))
        if key not in seen:
            seen[key] = [*_needed(medium, one, other), *_needed(medium, other, one)]
        for kind, vote in seen[key]:
            votes.setdefault(kind, Counter())[vote] += 1
    found = {}
    for kind, counted in votes.items():
        # Of as many, the first by name: the same design makes the same assumption.
        (_, shell, model), _ = min(counted.items(), key=lambda one: (not one[0][0], -one[1], one[0][1:]))
        unlike = tuple(sorted({other for (is_cable, form, other) in counted if is_cable and form != shell}))
        found[kind] = AssumedForm(design.types[kind[0]].model, kind[1], shell, model, unlike)
    return found


def _facts(port: Port) -> tuple[object, ...]:
    """What of a port decides which end of a cable it takes."""
    return *port_kind(port), port.form_factor, port.heat_sink


_Vote = tuple[bool, str, str]
"""Whether a whole cable needs it, the shell, and the model of what needs it."""


def _open_devices(design: Design) -> set[str]:
    """The devices with a port whose form factor nobody states."""
    is_open: dict[int, bool] = {}
    found = set()
    for device_id in design.devices:
        ports = design.port_map(device_id)  # devices of a kind share one map of ports
        if id(ports) not in is_open:
            is_open[id(ports)] = any(map(form_is_assumed, ports.values()))
        if is_open[id(ports)]:
            found.add(device_id)
    return found


def _needed(medium: MediumType, port: Port, far: Port) -> list[tuple[PortKind, _Vote]]:
    """What a medium needs of an open port, opposite another one; nothing where it leaves that open."""
    if not form_is_assumed(port):
        return []
    is_cable = medium.kind != OPTIC and len(medium.ends) == 2
    shell = _cable_end(medium, port, far) if is_cable else _optic_shell(medium, port)
    return [(port_kind(port), (is_cable, shell, model_name(medium)))] if shell else []


def _cable_end(cable: MediumType, port: Port, far: Port) -> str:
    """The end of a cable that is in the port: the one that the far port does not take."""
    first, second = cable.ends
    if first == second:
        return first
    if "splitter" in cable.kind:
        return first if port.ports_per_cage > 1 else second
    fits_first, fits_second = port_takes(far, first), port_takes(far, second)
    return "" if fits_first == fits_second else second if fits_first else first


def _optic_shell(optic: MediumType, port: Port) -> str:
    """The form factor of an optic that goes into the port itself, where all of its shells have the same."""
    forms = {shell.partition(" ")[0] for shell in optic.ends}
    return forms.pop() if optic.kind == OPTIC and len(forms) == 1 and port.ports_per_cage >= optic.links else ""

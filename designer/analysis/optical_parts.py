"""What links are bought as: stock lengths, and what else an optical link takes, the fiber and the far end's module."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, inf

from designer.analysis.assumed_forms import AssumedForm, AssumedForms, assumed_forms
from designer.analysis.part_names import PartName, model_name
from designer.analysis.parts import form_is_assumed, port_kind
from designer.model.design import Design
from designer.model.hardware.media import LENGTH_TOLERANCE_M, MediumPart, MediumType
from designer.model.hardware.ports import Port
from designer.model.hardware.types import HardwareType
from designer.model.matching import port_takes, shell_of


@dataclass(frozen=True, slots=True)
class OpticalParts:
    """The fibers and optics of a catalog, and the form factors that a design takes ports to have."""

    fibres: tuple[MediumType, ...]
    optics: tuple[MediumType, ...]
    assumed: AssumedForms = field(default_factory=dict)

    def assumption(self, port: Port) -> AssumedForm | None:
        """What is assumed of a port's form factor; None where it is known, or nothing is assumed."""
        return self.assumed.get(port_kind(port)) if self.assumed and form_is_assumed(port) else None

    def fitted(self, port: Port) -> Port:
        """The port as cables and modules are chosen for it: with the form factor that is assumed for its type."""
        assumed = self.assumption(port)
        if assumed is None:
            return port
        form_factor, _, heat_sink = assumed.shell.partition(" ")
        return replace(port, form_factor=form_factor, heat_sink=port.heat_sink or heat_sink)

    def fibre(self, optic: MediumType, length_m: float | None) -> MediumType | None:
        """The fiber cable that fits the optic's socket and is sold as long as that; None where none is known.

        Of several, that of the optic's own vendor, then the one that reaches the least far.
        """
        socket = optic.socket
        fitting = [
            one
            for one in self.fibres
            if socket and one.connector.startswith(socket) and one.fibre == optic.fibre and _reaches(one, length_m)
        ]
        return min(_of_vendor(fitting, optic.vendor), key=lambda one: (one.max_length_m or 0.0, one.id), default=None)

    def at(self, port: Port, optic: MediumType, length_m: float | None) -> MediumType | None:
        """What goes into the port's cage: the optic where the cage takes it, else the module that goes with it."""
        return optic if takes_optic(self.fitted(port), optic) else self.module(port, optic, length_m)

    def part_in(self, port: Port, module: MediumType) -> MediumPart | None:
        """The part of a module that goes into the port's cage; None where none is known."""
        return module.part(None, shell_of(self.fitted(port)))

    def no_module(self, port: Port, optic: MediumType, far: Port | None = None) -> str:
        """Why it is not known what goes into a port's cage opposite an optic, which is in the port `far`."""
        shell, model = shell_of(self.fitted(port)), self.opposite(optic, far)
        if not shell:
            return f"the form factor of the port opposite {model} is not known"
        of_form = f"{shell} port (assumed)" if self.assumption(port) else f"{shell} port"
        return f"the catalog has no module, or several, for the {of_form} opposite {model}"

    def opposite(self, optic: MediumType, far: Port | None) -> str:
        """The model of an optic that is in the port at the far end, as it is ordered for that."""
        is_there = far is not None and takes_optic(self.fitted(far), optic)
        return model_name(optic, self.part_in(far, optic) if is_there and far is not None else None)

    def module(self, port: Port | None, optic: MediumType, length_m: float | None) -> MediumType | None:
        """The optic for that port that speaks with `optic` over that length, of its vendor where that has one.

        None where none or several do.
        """
        if port is None:
            return None
        port = self.fitted(port)
        fitting = [
            one
            for one in self.optics
            if one.links == port.ports_per_cage
            and one.link_gbps == optic.link_gbps == port.rate_gbps
            and (one.socket, one.fibre) == (optic.socket, optic.fibre)
            and set(one.protocols) & set(optic.protocols) & set(port.protocols)
            and any(port_takes(port, shell) for shell in one.ends)
            and _reaches(one, length_m)
        ]
        return _only(_of_vendor(fitting, optic.vendor))


def sold_as(medium: MediumType, length_m: float | None) -> tuple[MediumPart | None, float | None]:
    """The part that a cable or fiber of that length is ordered by, and the length that is sold; None where unknown.

    Where the catalog numbers only longer pieces than the shortest that is sold, that of the number.
    """
    if length_m is None:
        return None, None
    part = medium.part(length_m)
    if part is not None and part.length_m is not None:
        return part, part.length_m
    return part, min((one for one in medium.lengths_m if one >= length_m - LENGTH_TOLERANCE_M), default=None)


ORDER_STEPS_M = ((20, 1), (100, 5), (inf, 10))
"""Up to which length what is sold in no known lengths is ordered in which steps."""
ORDER_STEPS = "in steps of 1 m up to 20 m, of 5 m up to 100 m, and of 10 m beyond"
"""The same in words."""


def order_step_m(length_m: float) -> int:
    """The step that a length is rounded up to where no stock length is known."""
    return next(step_m for most_m, step_m in ORDER_STEPS_M if length_m <= most_m + LENGTH_TOLERANCE_M)


def has_stock_lengths(medium: MediumType) -> bool:
    """Whether it is known which lengths a cable or fiber is sold in."""
    return bool(medium.lengths_m) or any(part.length_m is not None for part in medium.parts)


def order_length_m(medium: MediumType, length_m: float | None) -> float | None:
    """The length to order a cable or fiber in: the stock length; where none is known the length needed, rounded up.

    None where the link has no length, or is longer than any that is sold.
    """
    if length_m is None:
        return None
    stock_m = sold_as(medium, length_m)[1]
    if stock_m is not None or has_stock_lengths(medium):
        return stock_m
    step_m = order_step_m(length_m)
    return float(step_m * max(1, ceil((length_m - LENGTH_TOLERANCE_M) / step_m)))


NO_PARTS = OpticalParts((), ())


def optical_parts(types: Iterable[HardwareType]) -> OpticalParts:
    """The fibers and transceivers among these types."""
    media = [one for one in types if isinstance(one, MediumType)]
    return OpticalParts(
        tuple(one for one in media if one.kind == "fiber"), tuple(one for one in media if one.kind == "transceiver")
    )


def parts_known(design: Design, types: Mapping[str, HardwareType]) -> OpticalParts:
    """Those of a catalog's types and of the design's own, which come first where both have one."""
    return replace(optical_parts({**types, **design.types}.values()), assumed=assumed_forms(design))


def cable_names(piece: MediumType, length_m: float | None) -> PartName:
    """What a cable or fiber of that length is called; its type's model alone where no number of it is known."""
    return _names(piece, sold_as(piece, length_m)[0])


def module_names(parts: OpticalParts, module: MediumType, port: Port) -> PartName:
    """What a transceiver is called that goes into a port's cage."""
    return _names(module, parts.part_in(port, module))


def _names(medium: MediumType, part: MediumPart | None) -> PartName:
    return PartName(part.number if part is not None else "", model_name(medium, part))


def cable_borne(piece: MediumType, length_m: float | None) -> str:
    """What is printed on a cable or fiber of that length."""
    return _borne(piece, sold_as(piece, length_m)[0])


def module_borne(parts: OpticalParts, module: MediumType, port: Port) -> str:
    """What is printed on a transceiver that goes into a port's cage."""
    return _borne(module, parts.part_in(port, module))


def _borne(medium: MediumType, part: MediumPart | None) -> str:
    """A piece bears its older name where it has one, else the number it is ordered by, else its model."""
    return model_name(medium) if part is None else part.model or part.number


def cage_facts(port: Port) -> tuple[object, ...]:
    """What of a port decides which module goes into its cage: where these are equal, so is `OpticalParts.at`."""
    of_type = port.type_id if form_is_assumed(port) else ""
    return of_type, port.form_factor, port.heat_sink, port.ports_per_cage, port.rate_gbps, port.protocols


def takes_optic(port: Port, optic: MediumType) -> bool:
    """Whether the optic itself goes into the port's cage; a narrower cage takes the module that goes with it."""
    fits = not optic.ends or any(port_takes(port, shell) for shell in optic.ends)
    return fits and port.ports_per_cage >= optic.links


def _reaches(medium: MediumType, length_m: float | None) -> bool:
    """Whether it is known to: where length or reach is not, another part might be the right one."""
    return length_m is not None and medium.max_length_m is not None and length_m <= medium.max_length_m


def _of_vendor(media: list[MediumType], vendor: str) -> list[MediumType]:
    """Those of a vendor, or all where it has none."""
    return [one for one in media if one.vendor == vendor] or media


def _only(found: Iterable[MediumType]) -> MediumType | None:
    every = list(found)
    return every[0] if len(every) == 1 else None

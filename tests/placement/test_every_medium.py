"""Every cable and optic of the catalog is chosen where its ends fit, and every fiber goes with an optic."""

import pytest

from designer.analysis.optical_parts import optical_parts
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import End
from designer.model.hardware.media import MediumPart, MediumType
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType
from designer.placement.media import PLAINNESS, pick_media

CATALOG = load()
MEDIA = {type_.id: type_ for type_ in CATALOG.media()}
FIBRES = [one for one in MEDIA.values() if one.kind.startswith("fiber")]
CHOSEN = [one for one in MEDIA.values() if one not in FIBRES and one.max_length_m is not None]


def box(name: str, shell: str, cages: int, ports_per_cage: int, medium: MediumType) -> SwitchType:
    """A switch whose cages take one end of a medium."""
    form_factor, _, heat_sink = shell.partition(" ")
    mode = PortMode("all", ports_per_cage, medium.link_gbps, "{cage}/{lane}")
    return SwitchType(name, "", name, medium.protocols, (CageGroup(cages, form_factor, heat_sink),), (mode,))


def joined(medium: MediumType, length_m: float) -> Design:
    """Two switches that the medium joins, with all the links it carries."""
    splits = "splitter" in medium.kind
    near = box("near", medium.ends[0], 1, medium.links, medium)
    far = box("far", medium.ends[-1], *((medium.links, 1) if splits else (1, medium.links)), medium)
    design = Design()
    for type_ in (near, far):
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types={}, name=type_.id))
    ids = {device.name: device.id for device in design.devices.values()}
    for lane in range(1, medium.links + 1):
        port = f"{lane}/1" if splits else f"1/{lane}"
        design.apply(operations.connect(design, End(ids["near"], f"1/{lane}"), End(ids["far"], port)))
    design.apply(operations.set_cable(design, list(design.links), None, length_m))
    return design


def longest_m(medium: MediumType) -> float:
    assert medium.max_length_m is not None
    return min([medium.max_length_m, *medium.lengths_m[-1:]])


def test_every_kind_of_medium_is_one_the_choice_knows():
    assert {one.kind for one in CHOSEN} <= set(PLAINNESS)


@pytest.mark.parametrize("medium", CHOSEN, ids=lambda one: one.id)
def test_a_medium_is_chosen_where_its_ends_fit_up_to_its_reach(medium):
    design = joined(medium, longest_m(medium))
    design.apply(pick_media(design, {medium.id: medium}))
    assert {link.medium_id for link in design.links.values()} == {medium.id}
    assert not pick_media(joined(medium, longest_m(medium) + 0.1), {medium.id: medium}), "longer than it reaches"


@pytest.mark.parametrize("medium", CHOSEN, ids=lambda one: one.id)
def test_something_is_chosen_from_the_whole_catalog_wherever_a_medium_fits(medium):
    design = joined(medium, longest_m(medium))
    design.apply(pick_media(design, CATALOG.types))
    assert "" not in {link.medium_id for link in design.links.values()}


@pytest.mark.parametrize("fibre", [one for one in FIBRES if one.kind == "fiber"], ids=lambda one: one.id)
def test_a_fibre_goes_with_an_optic(fibre):
    parts = optical_parts([fibre, *CHOSEN])
    length_m = longest_m(fibre)
    assert any(parts.fibre(one, length_m) == fibre for one in parts.optics if one.max_length_m >= min(length_m, 100))


@pytest.mark.parametrize(
    ("optic", "length_m", "fibre"),
    [
        ("tr-800-2dr4-500", 30, "fiber-sm-straight"),
        ("tr-800-2dr4-500", 450, "gen-mpo12-sm-long"),
        ("tr-800-2fr4", 1900, "gen-lc-sm"),
        ("tr-800-2sr4", 50, "fiber-mm-straight"),
        ("tr-100-sr4", 20, "gen-mpo12-mm"),
        ("gen-tr-400-fr4-qsfpdd", 2000, "gen-lc-sm"),
        ("gen-tr-400-edr4-qsfpdd", 20, "gen-mpo12-sm"),
    ],
)
def test_fibre_is_known_from_a_few_metres_to_the_2_km_of_an_fr4(optic, length_m, fibre):
    assert optical_parts(CATALOG.types.values()).fibre(MEDIA[optic], length_m) == MEDIA[fibre]


def test_cages_that_say_nothing_of_their_modules_get_finned_ones_with_a_part_number():
    twin = MEDIA["dac-ndr-split2"]
    design = Design()
    near, far = box("near", "OSFP", 1, 2, twin), box("far", "OSFP", 2, 1, twin)
    for type_ in (near, far):
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types={}, name=type_.id))
    a, b = design.devices
    for lane in (1, 2):
        design.apply(operations.connect(design, End(a, f"1/{lane}"), End(b, f"{lane}/1")))
    design.apply(operations.set_cable(design, list(design.links), None, 1.4))
    design.apply(pick_media(design, CATALOG.types))
    assert {link.medium_id for link in design.links.values()} == {"dac-ndr-split2"}


@pytest.mark.parametrize(
    ("medium", "length_m", "shell", "number"),
    [
        ("dac-ndr-split2", 1.2, "", "980-9I926-00N01A"),
        ("dac-ndr-split2", 3, "", "980-9I92N-00N003"),
        ("dac-ndr-split2", 3.5, "", None),
        ("dac-ndr-split2", None, "", None),
        ("tr-800-2sr4", None, "OSFP finned", "980-9I510-00NS00"),
        ("tr-800-2sr4", None, "OSFP flat-top", "980-9I51A-00NS00"),
        ("gen-cat6", 2, "", None),
    ],
)
def test_a_part_is_the_shortest_that_is_long_enough_with_the_shell_asked_for(medium, length_m, shell, number):
    part = MEDIA[medium].part(length_m, shell)
    assert (part.number if part is not None else None) == number
    assert part is None or isinstance(part, MediumPart)

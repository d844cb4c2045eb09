"""Cables of a link whose cages run over lanes of different speeds: optics at both ends, and no copper."""

import pytest

from designer import api
from designer.model import operations
from designer.model.design import Design
from designer.model.drawn_tiers import network_nics
from designer.placement.media import pick_media


@pytest.fixture
def storage(catalog):
    """A GPU server with QSFP112 NICs for storage, linked to a switch with QSFP-DD cages."""
    design, made = Design(), []
    for number, type_id in enumerate(("dgx-h100", "nvidia-sn4700")):
        type_ = catalog.get(type_id)
        design.apply(operations.add_device(design, type_, 0.0, 300.0 * number, catalog_types=catalog.types))
        made.append(list(design.devices)[-1])
    server, switch = made
    design.apply(operations.set_network(design, [switch], "storage"))
    design.apply(network_nics(design, [server], [switch], catalog.types.get))
    return design, server, switch


def test_a_gpu_server_is_linked_to_a_storage_switch_with_slower_lanes(storage, catalog):
    design, server, switch = storage
    design.apply(operations.connect_evenly(design, [server], [switch], 2))
    design.apply(operations.set_cable(design, list(design.links), None, 20.0))
    design.apply(pick_media(design, catalog.types))
    media = {design.types[one.medium_id] for one in design.links.values()}
    assert {one.kind for one in media} == {"transceiver"}
    text = str(api.bill(design).lines)
    assert "980-9I16Y-00W000" in text and "980-9I068-00NM00" in text, "DR4 for each end"
    assert not [one for one in api.validate(design).findings if one.code.startswith("MEDIA")]


def test_no_optics_are_chosen_that_have_none_to_meet(storage, catalog):
    design, server, switch = storage
    design.apply(operations.connect_evenly(design, [server], [switch], 1))
    design.apply(operations.set_cable(design, list(design.links), None, 20.0))
    types = {name: one for name, one in catalog.types.items() if getattr(one, "ends", ()) != ("QSFP-DD",)}
    assert not pick_media(design, types).changes

"""The catalog's facts, and how it answers."""

import dataclasses
import re
from pathlib import Path

import pytest

from designer.catalog.catalog import Catalog, delivered, load
from designer.catalog.generic import generic_host, generic_node, generic_switch
from designer.catalog.headline import headline
from designer.errors import UnknownEntityError
from designer.model.hardware.device_ports import server_ports, switch_ports
from designer.model.hardware.modules import NicType
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.limits import type_faults
from designer.panels.inspector.facts import facts, unverified_facts
from designer.paths import resources_dir


def switch(catalog: Catalog, type_id: str) -> SwitchType:
    type_ = catalog.get(type_id)
    assert isinstance(type_, SwitchType)
    return type_


def server(catalog: Catalog, type_id: str) -> ServerType:
    type_ = catalog.get(type_id)
    assert isinstance(type_, ServerType)
    return type_


def fabric_ports(catalog: Catalog, type_id: str):
    type_ = server(catalog, type_id)
    installed = tuple((slot.name, catalog.get(slot.nic_type_id)) for slot in type_.slots if slot.nic_type_id)
    return [port for port in server_ports(type_, installed) if port.purpose == "fabric"]


@pytest.mark.parametrize(
    "type_id",
    [
        "nvidia-qm9700",
        "nvidia-qm8790",
        "nvidia-sn5600",
        "dgx-h100",
        "dgx-a100",
        "dgx-b200",
        "hgx-h100-oem",
        "connectx-7-ndr",
        "connectx-6-hdr",
        "generic-switch",
        "generic-host",
        "rack-42u",
        "rack-48u",
        "dac-ndr-twin",
        "tr-800-2dr4-100",
        "fiber-sm-straight",
    ],
)
def test_the_catalog_has_what_the_first_designs_need(catalog, type_id):
    assert catalog.get(type_id).id == type_id


def test_a_qm9700_has_32_twin_port_cages_and_64_logical_ports(catalog):
    qm9700 = switch(catalog, "nvidia-qm9700")
    assert qm9700.cages == (CageGroup(32, "OSFP", "finned", 17),)
    ports = switch_ports(qm9700)
    assert len(ports) == 64
    assert {port.rate_gbps for port in ports} == {400}
    assert (ports[0].name, ports[1].name, ports[-1].name) == ("1/1", "1/2", "32/2")
    assert (ports[63].cage, ports[63].lane, ports[63].ports_per_cage) == (32, 2, 2)
    assert [len(switch_ports(qm9700, mode.name)) for mode in qm9700.modes] == [64, 128]


def test_an_sn5600_splits_its_ports_as_the_manual_says(catalog):
    sn5600 = switch(catalog, "nvidia-sn5600")
    assert [(mode.name, len(switch_ports(sn5600, mode.name))) for mode in sn5600.modes] == [
        ("64x800G", 64),
        ("128x400G", 128),
        ("256x200G", 256),
        ("256x100G", 256),
    ]
    assert switch_ports(sn5600)[0].name == "swp1"
    assert [port.name for port in switch_ports(sn5600, "128x400G")[:3]] == ["swp1s0", "swp1s1", "swp2s0"]


def test_a_qm8790_has_40_ports_named_by_number(catalog):
    names = [port.name for port in switch_ports(switch(catalog, "nvidia-qm8790"))]
    assert names == [str(number) for number in range(1, 41)]


@pytest.mark.parametrize(
    ("type_id", "rate_gbps", "scale_up_gbytes_per_s"),
    [("dgx-h100", 400, 450), ("dgx-a100", 200, 300), ("dgx-b200", 400, 900)],
)
def test_a_dgx_has_a_rail_a_gpu_and_one_direction_of_nvlink(catalog, type_id, rate_gbps, scale_up_gbytes_per_s):
    ports = fabric_ports(catalog, type_id)
    assert [port.name for port in ports] == [f"rail{number}" for number in range(1, 9)]
    assert [port.gpu for port in ports] == list(range(8))
    assert {port.rate_gbps for port in ports} == {rate_gbps}
    assert server(catalog, type_id).scale_up.gbytes_per_s_per_gpu == scale_up_gbytes_per_s


def test_two_nics_of_a_dgx_h100_share_each_of_its_four_cages(catalog):
    ports = fabric_ports(catalog, "dgx-h100")
    assert [(port.cage, port.lane) for port in ports] == [
        (4, 2),
        (3, 2),
        (3, 1),
        (4, 1),
        (1, 2),
        (2, 2),
        (2, 1),
        (1, 1),
    ]
    assert [port.label for port in ports] == [f"OSFP{port.cage}P{port.lane}" for port in ports]
    assert {(port.form_factor, port.heat_sink, port.ports_per_cage) for port in ports} == {("OSFP", "flat-top", 2)}


def test_storage_slots_are_there_but_empty(catalog):
    storage = [slot for slot in server(catalog, "dgx-h100").slots if slot.purpose == "storage"]
    assert [(slot.name, slot.nic_type_id) for slot in storage] == [("storage1", ""), ("storage2", "")]


def test_every_split_of_a_switch_carries_no_more_than_its_capacity(catalog):
    for type_ in catalog.switches():
        totals = [sum(port.rate_gbps for port in switch_ports(type_, mode.name)) / 1000 for mode in type_.modes]
        assert totals[0] == pytest.approx(type_.capacity_tbps)
        assert max(totals) <= type_.capacity_tbps * (1 + 1e-9)


def test_every_bought_type_names_its_sources_and_the_day_they_were_read(catalog):
    for type_id, type_ in catalog.types.items():
        if type_.vendor == "Generic":
            continue
        assert type_.sources, f"{type_id} has no source"
        assert all(catalog.source(source_id).title for source_id in type_.sources)
        assert catalog.dates[type_id] >= "2026-11-20"


def test_what_no_public_source_states_is_none(catalog):
    assert switch(catalog, "nvidia-qm8790").power_max_w is None
    assert switch(catalog, "nvidia-sn5600").latency_ns is None
    assert all(getattr(type_, "price_usd", None) is None for type_ in catalog.types.values())


def test_every_source_can_be_checked_at_an_address_or_by_its_document_number_and_has_a_date(catalog):
    for source in catalog.sources.values():
        assert re.fullmatch(r"https?://[a-zA-Z0-9.-]+\.[a-z]+(:\d+)?(/\S*)?", source.url) or source.document, source
        assert re.search(r"\b(19|20)\d\d(-\d\d){0,2}\b", source.date), source
        assert source.kind in ("official", "secondary"), source


def test_every_source_is_cited_by_a_type(catalog):
    cited = {source_id for type_ in catalog.types.values() for source_id in type_.sources}
    assert set(catalog.sources) == cited


def test_a_figure_that_one_secondary_text_states_is_marked(catalog):
    assert "host_interface" in catalog.get("connectx-6-hdr").unverified
    assert "power_max_w" in catalog.get("cisco-n9364e-sg2-o").unverified


def test_types_are_listed_by_kind(catalog):
    kinds = [catalog.switches(), catalog.servers(), catalog.nics(), catalog.line_cards(), catalog.racks()]
    kinds.append(catalog.media())
    assert sum(len(kind) for kind in kinds) == len(catalog.types)
    assert {rack.units for rack in catalog.racks()} == {42, 48}


@pytest.mark.parametrize(
    ("wanted", "near"),
    [("nvidia-qm970", "nvidia-qm9700"), ("QM9700", "nvidia-qm9700"), ("h100", "dgx-h100"), ("dgx-h10", "dgx-h100")],
)
def test_a_misspelt_type_gets_a_suggestion(catalog, wanted, near):
    with pytest.raises(UnknownEntityError, match=near) as caught:
        catalog.get(wanted)
    assert repr(wanted) in str(caught.value)


def test_nonsense_gets_no_suggestion(catalog):
    with pytest.raises(UnknownEntityError) as caught:
        catalog.get("%%%")
    assert str(caught.value) == "the catalog has no '%%%'"


def test_an_unknown_source_is_named(catalog):
    with pytest.raises(UnknownEntityError, match="no source 'rackulo'; did you mean rackula"):
        catalog.source("rackulo")


def test_generic_types_of_any_radix_and_rate_can_be_spelt_out(catalog):
    assert catalog.get("generic-switch-36x200g") == generic_switch(36, 200)
    assert catalog.get("generic-node-2x12.5g") == generic_node(12.5, 2)[0]
    assert catalog.get("generic-host-2x12.5g") == generic_host(12.5, 2)[0]
    assert catalog.get("generic-nic-12.5g") == generic_host(12.5, 2)[1]


@pytest.mark.parametrize(
    "type_id",
    [
        "generic-switch-0x400g",
        "generic-switch-8x0g",
        "generic-host-0g",
        "generic-node-0g",
        "generic-node-9999x1g",
        "generic-host-9999x1g",
        "generic-server-8x1x400g-up0",
        "generic-server-1x1x400g-up200",
    ],
)
def test_generic_types_of_nothing_are_refused(catalog, type_id):
    with pytest.raises(UnknownEntityError):
        catalog.get(type_id)


def test_a_generic_host_has_one_endpoint_and_no_scale_up():
    host, nic = generic_host(400)
    assert (host.gpus, host.scale_up, host.id, nic.id) == (1, None, "generic-host-400g", "generic-nic-400g")
    assert server_ports(host, (("nic1", nic),))[0].rate_gbps == 400


def test_a_generic_node_is_on_the_compute_network_and_has_no_gpu(catalog):
    node, nic = generic_node(200, 2)
    assert (node.gpus, node.stated_gpus, node.id, node.model) == (
        0,
        0,
        "generic-node-2x200g",
        "Host without GPU 2 x 200G",
    )
    assert [port.purpose for port in server_ports(node, (("nic1", nic), ("nic2", nic)))] == ["fabric", "fabric"]
    assert not node.is_host and not node.is_storage


def test_no_gpus_are_stated_of_a_generic_host(catalog):
    host, server = catalog.get("generic-host-8x200g"), catalog.get("polaris-a100-node")
    assert (host.gpus, host.stated_gpus, server.stated_gpus) == (1, 0, 4)
    assert [headline(one) for one in (host, server, catalog.get("generic-node"))] == [
        "8 host ports",
        "4 GPUs",
        "no GPU",
    ]


def test_a_generic_server_has_the_scale_up_rate_that_its_id_spells(catalog):
    server = catalog.get("generic-server-8x2x200g-up12.5")
    assert server.scale_up.gbytes_per_s_per_gpu == 12.5
    assert catalog.get("generic-server-8x2x200g").scale_up is None
    assert catalog.get("generic-server-8x2x200g-2x25g-up200").model.endswith("in-band 2 x 25G, scale-up 200 GB/s")


def test_a_generic_switch_has_as_many_ports_as_asked():
    ports = switch_ports(generic_switch(12, 100))
    assert [port.name for port in ports] == [str(number) for number in range(1, 13)]
    assert ports[0].protocols == ("infiniband", "ethernet")


def test_a_generic_switch_has_cages_that_split_into_fewer_and_faster_ports(catalog):
    switch = catalog.get("generic-switch-64x8x100g")
    modes = [(mode.name, mode.ports_per_cage, mode.rate_gbps) for mode in switch.modes]
    assert modes == [("512x100G", 8, 100), ("256x200G", 4, 200), ("128x400G", 2, 400), ("64x800G", 1, 800)]
    assert [port.name for port in switch_ports(switch)][7:9] == ["1/8", "2/1"]
    assert [port.name for port in switch_ports(switch, "64x800G")][:2] == ["1", "2"]
    assert switch.capacity_tbps == 51.2
    assert [mode.name for mode in catalog.get("generic-switch-32x2x400g").modes] == ["64x400G", "32x800G"]
    with pytest.raises(UnknownEntityError):
        catalog.get("generic-switch-64x3x100g")


def test_the_catalog_is_read_only(catalog):
    with pytest.raises(TypeError):
        catalog.types["mine"] = SwitchType("mine", "", "", (), (), (PortMode("1x1G", 1, 1),))
    with pytest.raises(dataclasses.FrozenInstanceError):
        catalog.get("connectx-7-ndr").rate_gbps = 800
    assert isinstance(catalog.get("connectx-7-ndr"), NicType)


NOT_CARRIED = {
    "arista-7800r4": "arista-7804r4 to arista-7816lr4 are it with its line cards",
    "gb200-nvl72-tray": "stands in gb200-nvl72: its scale-up domain is the rack",
    "tpu-v4-host": "has no NICs: its chips are the nodes of a torus",
}
"""Entries of the collected facts that the catalog does not have by that name, and why."""


def test_all_collected_facts_are_in_the_catalog_or_named_as_left_out(catalog):
    """data/collected.txt lists the entries of the collection of 2026-11-20."""
    collected = (Path(__file__).parent / "data" / "collected.txt").read_text(encoding="utf-8").split()
    assert len(collected) == len(set(collected)) > 50
    assert sorted(one for one in collected if one not in catalog.types) == sorted(NOT_CARRIED)


def test_every_switch_can_be_put_into_each_of_its_modes(catalog):
    for type_ in catalog.switches():
        for mode in type_.modes:
            ports = switch_ports(type_, mode.name)
            assert len({port.name for port in ports}) == len(ports), (type_.id, mode.name)
            if type_.capacity_tbps is not None:
                assert len(ports) * mode.rate_gbps <= type_.capacity_tbps * 1000 * (1 + 1e-9), (type_.id, mode.name)


def test_every_server_is_delivered_with_nics_that_are_in_the_catalog(catalog):
    for type_ in catalog.servers():
        for slot in type_.slots:
            assert not slot.nic_type_id or isinstance(catalog.get(slot.nic_type_id), NicType)


CORRECTED = [
    ("hpe-slingshot-200", "power_max_w", None),
    ("hpe-slingshot-200", "rack_units", 1),
    ("arista-7060dx5-64s", "weight_kg", 21.95),
    ("juniper-qfx5240-64od", "latency_ns", 750),
    ("nvidia-q3400-ra", "latency_ns", None),
    ("amd-pollara-400", "power_max_w", None),
    ("hgx-h100-oem", "rack_units", None),
    ("generic-tomahawk5-64x800", "latency_ns", 700),
]
"""Figures that once stood otherwise: those of a chip taken for its box, estimates, names of a series."""


@pytest.mark.parametrize(("type_id", "field", "value"), CORRECTED)
def test_a_corrected_figure_stays_corrected(catalog, type_id, field, value):
    assert getattr(catalog.get(type_id), field) == value


def test_the_250_w_of_a_slingshot_chip_are_in_a_note(catalog):
    assert any("250 W" in note for note in catalog.get("hpe-slingshot-200").notes)


def test_ports_of_a_q3400_are_named_as_on_its_front(catalog):
    q3400 = switch(catalog, "nvidia-q3400-ra")
    assert [port.name for port in switch_ports(q3400)[:3]] == ["sw1p1", "sw1p2", "sw2p1"]
    assert switch_ports(q3400)[-1].name == "sw72p2"


@pytest.mark.parametrize("type_id", ["dgx-h100", "dgx-h200"])
def test_a_hopper_dgx_has_ports_for_storage_and_both_managements(catalog, type_id):
    slots = [slot for slot in server(catalog, type_id).slots if slot.purpose != "fabric"]
    assert [(slot.name, slot.purpose, slot.network_nic_type_id) for slot in slots] == [
        ("storage1", "storage", "connectx-7-ndr-2p"),
        ("storage2", "storage", "connectx-7-ndr-2p"),
        ("slot3", "in-band", "generic-nic-2x100g"),
        ("bmc", "management", "generic-nic-1g"),
    ]


@pytest.mark.parametrize(
    ("type_id", "cards", "ports", "first", "last"),
    [
        ("arista-7816lr4", 16, 576, "Ethernet3/1/1", "Ethernet18/36/1"),
        ("arista-7808r4", 8, 288, "Ethernet3/1/1", "Ethernet10/36/1"),
        ("arista-7804r3", 4, 144, "Ethernet3/1/1", "Ethernet6/36/1"),
        ("nvidia-cs8500", 20, 800, "L1/1", "L20/40"),
    ],
)
def test_a_chassis_has_the_ports_of_its_line_cards_named_by_slot_and_socket(
    catalog, type_id, cards, ports, first, last
):
    chassis = catalog.get(type_id)
    assert len({group.slot for group in chassis.cages}) == len(chassis.cages) == cards
    found = switch_ports(chassis)
    assert (len(found), found[0].name, found[-1].name) == (ports, first, last)
    assert len({port.name for port in found}) == ports
    for mode in chassis.modes:
        assert len({port.name for port in switch_ports(chassis, mode.name)}) == ports * mode.ports_per_cage


@pytest.mark.parametrize(
    ("port_name", "fault"),
    [
        ("{slot}/{socket}", False),
        ("{slot}/{socket:02}", False),
        ("{cage}", False),
        ("{socket}", True),
        ("{slot}", True),
        ("{slot}/{card}", True),
        ("{slot:02}/{socket}", True),
    ],
)
def test_ports_of_a_chassis_are_told_apart_by_slot_and_socket_together(port_name, fault):
    cages = (CageGroup(4, "OSFP", slot="1"), CageGroup(4, "OSFP", slot="2"))
    chassis = SwitchType("c", "Acme", "C", ("ethernet",), cages, (PortMode("8x800G", 1, 800.0, port_name),))
    assert bool(list(type_faults(chassis))) is fault


def test_like_line_cards_are_told_together(catalog):
    facts_of = dict(facts(catalog.get("arista-7816lr4")))
    assert facts_of["Cages"] == "16 × 7800R4C-36PE with 36 × OSFP"
    assert dict(facts(catalog.get("nvidia-sn5600")))["Cages"] == "64 × OSFP"


def test_what_is_not_verified_is_named_in_words(catalog):
    assert unverified_facts(catalog.get("nvidia-qm9700")) == ["latency", "management ports"]
    named = {one for type_ in catalog.types.values() for one in unverified_facts(type_)}
    assert not [one for one in named if "_" in one or "." in one]


def test_the_figures_that_come_with_the_program_are_true():
    """The program takes them as they are when it starts: a folder that is named is checked."""
    checked = load(resources_dir() / "catalog")
    assert checked.types == delivered().types and checked.sources == delivered().sources

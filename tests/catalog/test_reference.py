"""The catalog against facts collected apart from it (data/reference.json): every difference is one that is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import NicType, nic_port_count
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType

FACTS: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "reference.json").read_text(encoding="utf-8"))

LEFT_OUT = {
    "arista-7800r4": "a chassis; arista-7804r4 to arista-7816lr4 are it with its line cards",
    "cisco-n9364e-sg2x": "stated only by a text that has no address",
    "cisco-n9364e-sp2r": "stated only by a text that has no address",
    "hpe-slingshot-400": "how many ports it has is not stated",
    "hpe-slingshot-200-rack": "it is hpe-slingshot-200",
    "bluefield-3-b3240": "it is bluefield-3-dpu-2p",
    "aws-p6e-gb200": "how many EFA it has and at what rate is not stated",
    "gen-tr-800-dsp": "a class of modules whose shell and reach are not stated",
}
"""Entries of the collected facts that the catalog does not have, and why."""

SWITCHES_DIFFER = {
    ("nvidia-q3200-ra", "cages"): "a box holds two switches that are not joined; the type is one of them",
    ("nvidia-q3200-ra", "ports"): "as its cages",
    ("nvidia-q3200-ra", "rack_units"): "as its cages",
    ("nvidia-q3200-ra", "capacity_tbps"): "as its cages",
    ("drivenets-5300r", "ports"): "18 ports for servers and 20 to the spine",
    ("drivenets-5300r", "capacity_tbps"): "the facts count the ports for servers alone",
    ("arista-7700r4c-38pe", "ports"): "18 ports for servers and 20 to the spine",
    ("juniper-qfx5250-64oe-l", "power_typical_w"): "stated only by a text that has no address",
    ("juniper-qfx5250-64oe-l", "power_max_w"): "stated only by a text that has no address",
}

CALLED = {
    "dac-ndr-twin-finned": "dac-ndr-twin",
    "dac-ndr-split2-finned": "dac-ndr-split2",
    "acc-ndr-twin-finned": "acc-ndr-twin",
    "aoc-400-split2-finned": "aoc-400-split2",
    "tr-800-2sr4-finned": "tr-800-2sr4",
    "tr-800-2sr4-flat": "tr-800-2sr4",
    "tr-1600-2dr4-xdr-finned": "tr-1600-2dr4",
    "tr-1600-2dr4-xdr-flat": "tr-1600-2dr4",
    "lacc-1600-rhs": "lacc-1600-flat",
}
"""Ids that the catalog has for collected ones: an optic of two shells is one type, with a part number for each."""


def entries(kind: str) -> list[str]:
    return [type_id for type_id in FACTS.get(kind, {}) if type_id not in LEFT_OUT]


def differences(facts: dict[str, Any], found: dict[str, Any]) -> set[str]:
    return {name for name, value in facts.items() if name != "sources" and found.get(name) != value}


def test_every_collected_type_is_in_the_catalog_or_named_as_left_out(catalog):
    collected = [type_id for kind in FACTS if kind != "collected" for type_id in FACTS[kind]]
    missing = {type_id for type_id in collected if CALLED.get(type_id, type_id) not in catalog.types}
    assert missing == set(LEFT_OUT) & set(collected)


@pytest.mark.parametrize("type_id", entries("switches"))
def test_a_switch_is_as_collected(catalog, type_id):
    type_, facts = catalog.get(type_id), FACTS["switches"][type_id]
    assert isinstance(type_, SwitchType)
    splits = [[type_.n_ports(mode), mode.rate_gbps] for mode in type_.modes]
    found = {
        **{name: getattr(type_, name) for name in facts if hasattr(type_, name)},
        "cages": sum(group.count for group in type_.cages),
        "ports": splits[0][0],
        "rate_gbps": splits[0][1],
        "splits": splits[1:],
    }
    assert differences(facts, found) == {field for one, field in SWITCHES_DIFFER if one == type_id}
    assert set(type_.sources) & set(facts["sources"])


@pytest.mark.parametrize("type_id", entries("nics"))
def test_a_nic_is_as_collected(catalog, type_id):
    type_, facts = catalog.get(type_id), FACTS["nics"][type_id]
    assert isinstance(type_, NicType)
    for mode in facts["modes"]:
        counted = [
            (nic_port_count(type_, one.name), one.rate_gbps)
            for one in type_.port_modes
            if mode.get("protocol") in (None, *(one.protocols or type_.protocols))
        ]
        if "ports" in mode:
            assert counted == [(mode["ports"], mode["rate_gbps"])], mode
        else:
            assert [ports * rate for ports, rate in counted] == [mode["rate_gbps"]], mode
    assert type_.power_typical_w == facts.get("power_typical_w") and type_.power_max_w == facts.get("power_max_w")
    assert set(type_.sources) & set(facts["sources"])


@pytest.mark.parametrize("type_id", entries("servers"))
def test_a_server_is_as_collected(catalog, type_id):
    type_, facts = catalog.get(type_id), FACTS["servers"][type_id]
    assert isinstance(type_, ServerType)
    nics = [catalog.get(slot.nic_type_id) for slot in type_.slots if slot.purpose == "fabric"]
    scale_up = type_.scale_up.gbytes_per_s_per_gpu * 2 if type_.scale_up is not None else None
    found = {
        "gpus": type_.gpus,
        "fabric_nics": len(nics),
        "nic_gbps": nics[0].rate_gbps,
        "scale_up_gbytes_per_s_both_ways": scale_up,
        "ici_gbytes_per_s_both_ways": nics[0].rate_gbps * 2 / 8,
        "power_max_w": type_.power_max_w,
        "rack_units": type_.rack_units,
    }
    assert differences(facts, found) == set()
    addressed = set(facts["sources"]) & set(catalog.sources)
    assert not addressed or addressed & set(type_.sources)


@pytest.mark.parametrize("type_id", entries("media"))
def test_a_medium_is_as_collected_with_the_part_numbers_that_were_seen(catalog, type_id):
    type_, facts = catalog.get(CALLED.get(type_id, type_id)), FACTS["media"][type_id]
    assert isinstance(type_, MediumType)
    found = {**{name: getattr(type_, name) for name in facts if hasattr(type_, name)}, "lengths_m": [*type_.lengths_m]}
    assert differences({name: value for name, value in facts.items() if name != "parts"}, found) == set()
    numbers = {part.number: part.length_m for part in type_.parts}
    for older, number, length_m in facts.get("parts", ()):
        assert numbers[number or older] == length_m
    addressed = set(facts["sources"]) & set(catalog.sources)
    assert not addressed or addressed & set(type_.sources)


SEEN_ELSEWHERE = {"980-9I17Q-00CM00"}  # RA-11333-001 V11 of 2023-09-22, table 8


def test_no_part_number_is_there_that_was_not_collected(catalog):
    seen = {one for facts in FACTS["media"].values() for part in facts.get("parts", ()) for one in part if one}
    for type_ in catalog.media():
        if type_.vendor != "Generic":
            assert {part.number for part in type_.parts} <= seen | SEEN_ELSEWHERE, type_.id

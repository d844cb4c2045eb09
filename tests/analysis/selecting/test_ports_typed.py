"""Ports of devices by what somebody types."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.analysis.selecting.ports_typed import port_text, port_use, ports_typed
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.storage import document

SUPERPOD = Path(__file__).parents[3] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture
def pod():
    return document.load(SUPERPOD)


def found(pod, text, most=8):
    return [pod.end_name(one) for one in ports_typed(pod, text, most)]


@pytest.mark.parametrize(
    "text", ["spine-16 port 17", "spine-16/17", "spine-16 17", "SPINE-16:17", "spine-16  Port17", "spine16 port 17"]
)
def test_a_port_is_found_by_its_device_and_its_cage(pod, text):
    assert found(pod, text) == ["spine-16 port 17/1", "spine-16 port 17/2"]


def test_the_name_itself_comes_first_then_its_cage_then_those_that_begin_so(pod):
    assert found(pod, "spine-16 port 1/2") == ["spine-16 port 1/2"]
    assert found(pod, "spine-16 port 1", 4) == [
        *("spine-16 port 1/1", "spine-16 port 1/2"),
        *("spine-16 port 10/1", "spine-16 port 10/2"),
    ]


def test_all_ports_of_a_device_are_listed_where_none_follows(pod):
    assert found(pod, "gpu-001 port") == [f"gpu-001 port rail{n}" for n in range(1, 9)]
    assert found(pod, "gpu-001/", 2) == ["gpu-001 port rail1", "gpu-001 port rail2"]


def test_what_the_chassis_prints_finds_a_port_too(pod):
    assert found(pod, "gpu-001 osfp4p2") == ["gpu-001 port rail1"]
    device = next(one for one in pod.devices.values() if one.name == "gpu-001")
    assert port_text(pod, End(device.id, "rail1")) == "gpu-001 port rail1 (OSFP4P2)"


def test_the_ports_of_a_few_devices_are_listed_where_many_names_are_alike(pod):
    assert len({one.device_id for one in ports_typed(pod, "gpu port rail1", 100)}) == 8


@pytest.mark.parametrize("text", ["", "gpu-001", "gpu-0011", "nobody port 1", "spine-16 port x", "port 17"])
def test_what_names_no_port_finds_none(pod, text):
    assert found(pod, text) == []


def test_the_use_of_a_port_is_where_its_link_leads_or_that_it_is_free_or_reserved(pod):
    device = next(one for one in pod.devices.values() if one.name == "gpu-001")
    assert port_use(pod, End(device.id, "rail1")) == "to leaf-su1-r1 port 1/1"
    (link_id,) = pod.links_at(End(device.id, "rail1"))
    leaf = pod.links[link_id].b if pod.links[link_id].a.device_id == device.id else pod.links[link_id].a
    pod.apply(Edit("", (Change(pod.links[link_id], None),)))
    assert port_use(pod, leaf) == "free"
    kept = replace(pod.device(leaf.device_id), reserved_ports=(leaf.port,), reserved_for=((leaf.port, "storage"),))
    pod.apply(Edit("", (Change(pod.device(leaf.device_id), kept),)))
    assert port_use(pod, leaf) == "reserved for storage"

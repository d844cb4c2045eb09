"""Files open and are saved fast, and what is no design is refused without the time of a reading.

Run with: pytest tests/benchmarks/test_file_speed.py
"""

import json
import os
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from designer.catalog.generic import generic_host, generic_switch
from designer.errors import FileFormatError
from designer.model.design import from_entities
from designer.model.entities import Device, End, Link, Module, Placement
from designer.storage import document

SUPERPOD = Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric"
HEAD = {"format": "fabric-design", "version": 1}
SWITCH = {
    "id": "s1",
    "vendor": "Acme",
    "model": "S1",
    "protocols": ["ethernet"],
    "cages": [{"count": 2, "form_factor": "osfp"}],
    "modes": [{"name": "400G", "ports_per_cage": 1, "rate_gbps": 400}],
}


@contextmanager
def at_most(seconds):
    start = time.process_time()
    yield
    spent = time.process_time() - start
    assert spent < seconds, f"{spent:.2f} s of processor time, the limit is {seconds} s"


def test_a_superpod_opens_and_saves_in_far_under_half_a_second():
    data = SUPERPOD.read_bytes()
    with at_most(0.5):
        design = document.decode(data)
    assert len(design.links) == 2040
    with at_most(0.5):
        document.encode(design)


def test_a_hundred_thousand_records_take_seconds_not_minutes():
    switch, (host, nic) = generic_switch(64, 400), generic_host(400)
    entities = [switch, host, nic]
    for n in range(1, 20_001):
        entities += [Device(f"d{n}", f"host-{n:05d}", host.id), Module(f"m{n}", f"d{n}", "nic1", nic.id)]
        entities += [Placement(f"d{n}", n * 1.5, 0.0)]
    for n in range(20_001, 21_001):
        entities += [Device(f"d{n}", f"leaf-{n}", switch.id, "leaf"), Placement(f"d{n}", n * 1.5, 100.0)]
    for n in range(1, 40_001):
        host_end = End(f"d{(n - 1) % 20_000 + 1}", "nic1" if n <= 20_000 else "spare")
        entities.append(Link(f"l{n}", host_end, End(f"d{20_001 + n % 1000}", str(1 + n // 1000))))
    data = document.encode(from_entities(entities))
    with at_most(6.0):  # measured 1.5 s
        design = document.decode(data)
    assert sum(1 for _ in design.entities()) > 100_000


def test_groups_nested_without_end_are_refused_quickly():
    groups = [{"id": f"g{n}", "name": "g", "parent_id": f"g{n + 1}"} for n in range(1, 50_000)]
    groups.append({"id": "g50000", "name": "g"})
    data = json.dumps({**HEAD, "groups": groups}).encode()
    with at_most(3.0), pytest.raises(FileFormatError, match="groups deep"):
        document.decode(data)


def test_a_hundred_thousand_links_on_one_port_are_refused_quickly():
    devices = [{"id": f"d{n}", "name": "x", "type_id": "s1"} for n in (1, 2)]
    links = [{"id": f"l{n}", "a": ["d1", "1"], "b": ["d2", "1"]} for n in range(1, 100_001)]
    data = json.dumps({**HEAD, "switch_types": [SWITCH], "devices": devices, "links": links}).encode()
    with at_most(5.0), pytest.raises(FileFormatError, match="carries 100,000 links, the most is 256"):
        document.decode(data)


@pytest.mark.parametrize("start", [b"", b"\x89PNG\r\n", b'{"format": "fabric-design", '])
def test_a_gigabyte_of_nonsense_is_refused_unread(tmp_path, start):
    path = tmp_path / "big.fabric"
    path.write_bytes(start)
    os.truncate(path, 1 << 30)
    with at_most(0.5), pytest.raises(FileFormatError):
        document.load(path)

"""Verbs, generators and validation stay fast: bounds are several times what is measured, far below a quadratic step.

Run with: pytest tests/benchmarks/test_design_speed.py
"""

import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Link
from designer.topologies.rail_optimized import RailOptimizedParameters, build, counts
from designer.validation.engine import validate

SUPERPOD = RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4)
FAULTS_AT_A_PORT = 250
"""Links at one port: below the most that a design takes."""


@contextmanager
def at_most(seconds):
    start = time.process_time()
    yield
    spent = time.process_time() - start
    assert spent < seconds, f"{spent:.2f} s of processor time, the limit is {seconds} s"


@pytest.fixture(scope="module")
def catalog():
    return load()


@pytest.fixture
def design():
    return Design()


@pytest.fixture
def pod(design, catalog):
    """64 leaf switches and 32 spines, not joined."""
    ids = []
    for number in range(96):
        role = "leaf" if number < 64 else "spine"
        type_ = catalog.get("nvidia-qm9700")
        edit = operations.add_device(design, type_, number, 0, catalog_types=catalog.types, role=role)
        design.apply(edit)
        ids += [change.after.id for change in edit.changes[-2:-1]]
    return ids[:64], ids[64:]


def test_64_leafs_are_spread_over_32_spines_in_a_blink(design, pod):
    with at_most(0.6):
        edit = operations.connect_evenly(design, *pod)
    assert len(edit.changes) == 2048


def test_a_thousand_devices_with_their_links_are_deleted_in_a_blink(design, pod):
    design.apply(operations.connect_evenly(design, *pod))
    while len(design.devices) < 1000:
        design.apply(operations.duplicate(design, list(design.devices)[:96], 0, 0))
    with at_most(0.6):
        edit = operations.delete(design, list(design.devices))
    assert len(edit.changes) == len(design.devices) * 2 + len(design.links)


def test_asking_whether_a_link_is_possible_is_cheap_enough_for_every_mouse_move(design, pod):
    with at_most(0.5):
        for leaf in pod[0]:
            assert operations.connectable(design, leaf, pod[1][0]) is None


def test_a_superpod_is_built_counted_and_validated(catalog):
    design = Design()
    with at_most(1.0):
        design.apply(build(design, SUPERPOD, catalog))
    with at_most(0.1):
        counts(SUPERPOD, catalog)
    validate(design)
    with at_most(0.15):
        validate(design)


def test_validation_grows_with_the_design_and_not_with_its_square(catalog):
    """Thousands of faults of every cheap kind: a quadratic rule would take minutes."""
    host, switch = catalog.get("generic-host-400g"), catalog.get("generic-switch")
    devices = [Device(f"d{number}", "same name", host.id) for number in range(10, 4010)]
    leaves = [Device(f"x{number}", f"leaf-{number}", switch.id) for number in range(len(devices) // FAULTS_AT_A_PORT)]
    links = [
        Link(f"l{number}", End(one.id, "nic9"), End(leaves[number // FAULTS_AT_A_PORT].id, "1"))
        for number, one in enumerate(devices)
    ]
    design = from_entities([host, switch, *leaves, *devices, *links])
    with at_most(10.0):
        report = validate(design)
    assert len(report.findings) > 8000


def test_help_answers_at_once():
    command = [sys.executable, "-m", "designer", "--help"]
    subprocess.run(command, check=True, capture_output=True)
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    assert time.perf_counter() - started < 0.5

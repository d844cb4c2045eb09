"""Verbs stay fast on large designs: the bounds are several times what is measured, and far below a quadratic step."""

import time
from contextlib import contextmanager

import pytest

from designer.model import operations


@contextmanager
def at_most(seconds):
    start = time.process_time()
    yield
    spent = time.process_time() - start
    assert spent < seconds, f"{spent:.2f} s of processor time, the limit is {seconds} s"


@pytest.fixture
def pod(design, catalog):
    """64 leafs and 32 spines, not joined."""
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

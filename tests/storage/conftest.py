"""Designs to save: one drawn by hand, with every kind of record in it."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from designer.model import operations, policies
from designer.model.design import Design
from designer.model.entities import Device, Rack

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534


@pytest.fixture
def folder_of_a_user() -> Iterator[Path]:
    """A folder of a user who is held to what files allow: root, who is not, does the test as another user."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        if is_root:
            os.chown(name, NOBODY, -1)
            os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield Path(name)
        finally:
            if is_root:
                os.setresuid(0, 0, 0)


@pytest.fixture
def pod(catalog):
    """Two leafs, two spines and four servers, joined, in a rack, in a group."""
    design = Design()
    ids = []
    for type_id, role, count in (("nvidia-qm9700", "leaf", 2), ("nvidia-qm9700", "spine", 2), ("dgx-h100", "", 4)):
        for number in range(count):
            type_ = catalog.get(type_id)
            edit = operations.add_device(design, type_, number * 150, 0.5, catalog_types=catalog.types, role=role)
            design.apply(edit)
            ids += [change.after.id for change in edit.changes if isinstance(change.after, Device)]
    leafs, spines, servers = ids[:2], ids[2:4], ids[4:]
    design.apply(operations.connect_evenly(design, servers, leafs))
    design.apply(operations.connect_evenly(design, leafs, spines, 8))
    edit = operations.add_rack(design, catalog.get("rack-48u"), 0, 900, "rack-01")
    design.apply(edit)
    rack = next(change.after.id for change in edit.changes if isinstance(change.after, Rack))
    for server in servers:
        design.apply(operations.mount(design, server, rack))
    design.apply(operations.group(design, [*leafs, rack], "SU 1", "scalable unit"))
    design.apply(operations.set_cable(design, list(design.links)[:4], catalog.get("dac-ndr-split2"), 2.5))
    design.apply(operations.set_settings(design, name="Pod 1"))
    design.apply(policies.set_limits(design, leaf_oversubscription=2))
    return design


@pytest.fixture(scope="session")
def superpod_bytes():
    return (ROOT / "examples" / "superpod-h100-4su.fabric").read_bytes()

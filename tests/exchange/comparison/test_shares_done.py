"""Comparing says how far it is after reading too, and stops wherever it says so."""

import pytest

from designer.catalog.catalog import load
from designer.errors import Cancelled
from designer.exchange.as_built import cables
from designer.exchange.comparison.against_files import compare_with, read_source
from designer.exchange.infiniband.files import ibsim_text
from designer.exchange.infiniband.subnet import subnet
from designer.exchange.reading.building import propose
from designer.model import operations
from designer.model.design import Design
from designer.session.prepared import prepared
from designer.storage import document
from designer.topologies import rail_optimized

CATALOG = load()


@pytest.fixture(scope="module")
def pod():
    design = Design()
    wanted = rail_optimized.RailOptimizedParameters(switch="nvidia-qm9700", server="dgx-h100", servers=8)
    design.apply(rail_optimized.build(design, wanted, CATALOG))
    return design


@pytest.fixture(scope="module", params=["a design drawn anew", "what was built"])
def source(request, pod, tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    if request.param == "what was built":
        path = folder / "built.net"
        path.write_text(ibsim_text(subnet(pod)), encoding="utf-8")
        return read_source(path)
    other = pod.snapshot()
    names = {one: f"x{number}" for number, one in enumerate(other.devices)}
    for one, name in names.items():
        other.apply(operations.rename(other, one, name))
    other.apply(operations.delete(other, list(other.devices)[-1:]))
    document.save(other, folder / "other.fabric")
    return read_source(folder / "other.fabric", near=pod)


def shares_of(act):
    shares = []
    act(shares.append)
    return shares


def assert_rises_and_stops(act, least):
    shares = shares_of(act)
    assert shares == sorted(shares) and 0 <= shares[0] < 0.5 < shares[-1] <= 1 and len(set(shares)) >= least
    for last in range(len(shares)):
        left = iter(range(last))

        def stop(_share, left=left):
            if next(left, None) is None:
                raise Cancelled("stopped")

        with pytest.raises(Cancelled):
            act(stop)


def test_comparing_rises_and_stops_anywhere(pod, source, monkeypatch):
    monkeypatch.setattr(cables, "EACH", 40)
    assert_rises_and_stops(lambda progress: compare_with(pod, source, progress), 6)


def test_importing_rises_and_stops_anywhere(pod, tmp_path):
    path = tmp_path / "built.net"
    path.write_text(ibsim_text(subnet(pod)), encoding="utf-8")
    network = read_source(path).other
    assert_rises_and_stops(lambda progress: propose(network, Design(), CATALOG, progress=progress), 5)


def test_taking_over_a_large_edit_rises_and_stops_anywhere(pod, monkeypatch):
    monkeypatch.setattr("designer.session.prepared.LARGE_EDIT", 1)
    edit = operations.delete(pod, list(pod.devices)[:3])
    assert_rises_and_stops(lambda progress: prepared(pod, edit, frozenset(), progress), 3)

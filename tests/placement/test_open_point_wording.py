"""Open points are said in the singular of one link and in the plural of several."""

from dataclasses import replace

import pytest

from designer.analysis.cable_numbers import number_cables
from designer.catalog.catalog import load
from designer.cli import prepare as command
from designer.exchange.exporter import plan_gaps_of
from designer.exchange.plan_gaps import SHOWN, Gap, PlanGaps
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.hardware.media import TWINAX_KINDS, MediumType
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.preparation import open_points, prepare
from designer.topologies import rail_optimized
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate

CATALOG = load()


@pytest.fixture(scope="module")
def prepared_pod():
    made = Design()
    made.apply(rail_optimized.build(made, RailOptimizedParameters(servers=8, servers_per_su=4), CATALOG))
    made.apply(prepare(made, CATALOG.types).edit)
    return made


@pytest.fixture
def pod(prepared_pod):
    return prepared_pod.snapshot()


def bare(design, count, **fields):
    """Takes these facts from so many links of one cage, and then of others."""
    links = [link for link in ordered(design.links) if design.is_server(link.a.device_id)]
    links.sort(key=lambda link: (link.b.device_id, design.port(link.b).cage))
    changes = [Change(link, replace(link, **fields)) for link in links[:count]]
    design.apply(Edit("Bare", tuple(changes)))


def stated(design, types=CATALOG.types):
    return [point.sentence for point in open_points(design, types)]


NO_LENGTH, NO_CABLE = {"length_m": None, "length_source": ""}, {"medium_id": ""}


@pytest.mark.parametrize(
    ("count", "fields", "sentence"),
    [
        (1, NO_LENGTH, "1 link without a length: its route is not calculated yet"),
        (2, NO_LENGTH, "2 links without a length: their routes are not calculated yet"),
        (
            1,
            NO_CABLE,
            "1 link without a cable: another link of the same cage has a cable that was chosen without this one",
        ),
    ],
)
def test_links_that_lack_one_thing(pod, count, fields, sentence):
    bare(pod, count, **fields)
    assert sentence in stated(pod)


def test_links_of_several_cages_that_were_left_out(pod):
    owners = [pod.find(name).id for name in ("gpu-01", "gpu-05")]
    first, second = (next(link for link in ordered(pod.links) if link.a.device_id == one) for one in owners)
    pod.apply(Edit("Bare", tuple(Change(one, replace(one, medium_id="")) for one in (first, second))))
    assert stated(pod) == [
        "2 links without a cable: other links of the same cages have cables that were chosen without these"
    ]
    pod.apply(number_cables(pod))
    notes = plan_gaps_of(pod).by_link()
    assert set(notes.values()) == {
        "preliminary: no cable: another link of the same cage has a cable that was chosen without this one"
    }


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (1, "1 link without a cable: its length is not known"),
        (2, "2 links without a cable: their lengths are not known"),
    ],
)
def test_links_whose_length_is_not_known(pod, count, sentence):
    lone = [link for link in ordered(pod.links) if link.a.device_id == pod.find("gpu-01").id][:count]
    pod.apply(Edit("Drop", tuple(Change(link, None) for link in ordered(pod.links) if link not in lone)))
    pod.apply(Edit("Bare", tuple(Change(one, replace(one, **NO_LENGTH, **NO_CABLE)) for one in lone)))
    assert sentence in stated(pod)


@pytest.mark.parametrize(
    ("count", "port", "copper", "sentence"),
    [
        (1, "none", False, "1 link without a cable: an end names a port that does not exist"),
        (2, "none", False, "2 links without a cable: their ends name ports that do not exist"),
        (1, "", True, "and the link leaves its rack"),
        (2, "", True, "and the links leave their racks"),
    ],
)
def test_links_that_nothing_joins(pod, count, port, copper, sentence):
    owners = [pod.find(name).id for name in ("gpu-01", "gpu-05")[:count]]
    lone = [next(link for link in ordered(pod.links) if link.a.device_id == one) for one in owners]
    pod.apply(Edit("Drop", tuple(Change(link, None) for link in ordered(pod.links) if link not in lone)))
    ends = [replace(one, medium_id="", length_m=1.0) for one in lone]
    ends = [replace(one, b=End(one.b.device_id, f"{port}{i}")) for i, one in enumerate(ends)] if port else ends
    pod.apply(Edit("Bare", tuple(Change(one, end) for one, end in zip(lone, ends, strict=True))))
    types = dict(CATALOG.types)
    if copper:
        optics = [one for one in pod.types.values() if isinstance(one, MediumType)]
        pod.apply(Edit("Copper", tuple(Change(one, None) for one in optics)))
        types = {key: one for key, one in types.items() if getattr(one, "kind", "DAC") in TWINAX_KINDS}
    assert any(one.startswith(f"{count} link") and one.endswith(sentence) for one in stated(pod, types))


def test_one_device_is_named_in_the_singular_whatever_the_number_of_its_links(pod):
    pod.apply(operations.mount(pod, pod.find("gpu-01").id, None))
    bare(pod, len(pod.links), **NO_LENGTH)
    assert "8 links without a length: gpu-01 stands in no rack" in stated(pod)
    pod.apply(operations.mount(pod, pod.find("gpu-02").id, None))
    assert "16 links without a length: gpu-01 and 1 more stand in no rack" in stated(pod)


@pytest.mark.parametrize(
    ("shown", "line"), [(1, "open: 1 more reason for 8 links"), (0, "open: 2 more reasons for 16 links")]
)
def test_what_is_not_listed_is_counted(pod, monkeypatch, capsys, shown, line):
    lone = pod.find("gpu-01").id
    pod.apply(operations.mount(pod, lone, None))
    pod.apply(operations.delete(pod, [link.id for link in ordered(pod.links) if link.a.device_id != lone]))
    bare(pod, 8, **NO_LENGTH, **NO_CABLE)
    monkeypatch.setattr(command, "OPEN_SHOWN", shown)
    command.report(pod, prepare(pod, {}), CATALOG.types)
    *_, counted, total, decide = capsys.readouterr().err.splitlines()
    assert counted == line and total == f"in total {plan_gaps_of(pod).summary}"
    assert decide.startswith("to be decided: port side of 24 devices")


def test_gaps_are_counted_in_a_headline_and_a_last_line():
    gaps = [Gap("no cable", f"reason {number}", (f"l{number}",)) for number in range(SHOWN + 2)]
    assert PlanGaps(tuple(gaps), 20).lines()[-1] == "2 more reasons"
    assert PlanGaps(tuple(gaps[:-1]), 20).lines()[-1] == "1 more reason"
    assert PlanGaps(tuple(gaps[:2]), 20).lines() == ["1 link: no cable: reason 0", "1 link: no cable: reason 1"]
    assert PlanGaps(tuple(gaps[:1]), 1).headline == "1 of 1 link lacks what ordering needs"
    assert PlanGaps(tuple(gaps[:2]), 3).headline == "2 of 3 links lack what ordering needs"


def test_what_is_open_is_summed_up_by_what_is_missing(pod):
    bare(pod, 1, **NO_LENGTH)
    assert plan_gaps_of(pod).summary.startswith("1 link without a length")


def test_one_rack_is_counted_in_the_singular(pod):
    one, *others = pod.racks
    pod.apply(floor.set_power_budget(pod, others, 50_000))
    reasons = [entry.reason for entry in validate(pod).not_checked if entry.code == "RACK-002"]
    assert reasons == ["1 rack has no power budget"]
    assert floor.auto_place(pod, [one]).label == "Place 1 rack on the floor"

"""Constants fitted to times: those that made the times are found again, and one record alone moves nothing."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from designer.errors import CatalogError
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.libraries.constants import read
from designer.simulation.libraries.execution import SHARES, Fitted, Measured, checked, measured, time_us
from designer.simulation.libraries.fitting import Sample, errors, fitted
from designer.simulation.libraries.runs import Setup, prepare
from designer.simulation.libraries.writing import constants_text
from designer.simulation.scenario import Scenario

SIZES = [2**power for power in range(10, 34)]
TRUE = Measured(
    library="nccl",
    date="",
    source="",
    inside={"Hopper": Fitted(values={"share": 0.72, "nvls": 0.8, "hop_ll": 1.5})},
    between={"verbs": Fitted(values={"share": 0.7, "hop_simple": 0.6})},
)


@pytest.fixture(scope="module")
def samples(ten_h100: Design) -> list[Sample]:
    graph, made = build(ten_h100), []
    for record, (collective, gpus) in enumerate(
        [("all-reduce", 8), ("all-gather", 8), ("all-reduce", 80), ("all-gather", 80), ("reduce-scatter", 80)]
    ):
        run = prepare(ten_h100, graph, Scenario(collective=collective, ranks=gpus), Setup())
        terms = tuple(run.terms(size) for size in SIZES)
        times = tuple(float(time_us(one, lambda place, one=one: TRUE.value(one.keys[place]))) for one in terms)
        made.append(Sample(f"record-{record}", "machine", terms, times))
    return made


def off(samples: list[Sample], constants: Measured) -> Mapping[str, float]:
    found = errors(samples, constants)
    return {record: float(abs(rows[:, 1] / rows[:, 2] - 1).max()) for record, rows in found.items()}


def test_the_constants_that_made_the_times_are_found(samples: list[Sample]) -> None:
    rules = Measured(library="nccl", date="", source="", inside={}, between={})
    found = fitted(samples, "nccl", "2026-11-23", "made up")
    assert max(off(samples, rules).values()) > 0.1
    assert max(off(samples, found).values()) < 0.08
    assert found.inside["Hopper"].values["share"] == pytest.approx(0.72, rel=0.04)
    assert found.value(("to:verbs@Hopper", "share")) == pytest.approx(0.7, rel=0.04)
    assert "record-2" in found.between["verbs"].records


def test_no_constant_is_fitted_to_a_single_record(samples: list[Sample]) -> None:
    found = fitted(samples[:1], "nccl", "", "")
    assert not found.inside and not found.between
    two = fitted([samples[0], replace(samples[0], record="another")], "nccl", "", "")
    assert two.inside["Hopper"].values


def test_a_record_of_which_another_has_but_one_row_stays_a_single_one(samples: list[Sample]) -> None:
    """Two rows at the small end tell nothing of the large one: the share of a port would rest on one record."""
    whole = samples[0]
    one_row = replace(whole, record="another", terms=whole.terms[:2], times_us=whole.times_us[:2])
    found = fitted([whole, one_row], "nccl", "", "").inside
    named = {name for fitted_to in found.values() for name in fitted_to.values}
    assert "hop_ll" in named and "nvls" not in named and "share" not in named


def test_a_share_of_a_port_never_passes_one(samples: list[Sample]) -> None:
    quick = [replace(one, times_us=tuple(time / 3 for time in one.times_us)) for one in samples]
    found = fitted(quick, "nccl", "", "")
    assert 0.9 < found.between["verbs"].values["share"] <= 1
    assert (
        max(value for fitted_to in found.inside.values() for name, value in fitted_to.values.items() if name in SHARES)
        == 1
    )
    assert checked(found) is found


def test_a_file_of_constants_reads_back_as_what_was_written(samples: list[Sample], tmp_path: Path) -> None:
    path = tmp_path / "own-measured.yaml"
    delivered = measured("nccl")
    path.write_text(constants_text(delivered), "utf-8")
    assert checked(read(path, Measured)) == delivered
    path.write_text(constants_text(delivered).replace("share: ", "shore: ", 1), "utf-8")
    with pytest.raises(CatalogError, match="there is no constant 'shore': did you mean 'share'"):
        checked(read(path, Measured))
    path.write_text(constants_text(delivered).replace("nvls: 0.", "nvls: 7.", 1), "utf-8")
    with pytest.raises(CatalogError, match=r"nvls: 7.* is not above 0 and up to 1"):
        checked(read(path, Measured))


@pytest.mark.parametrize("name", ["nccl", "rccl"])
def test_delivered_constants_name_several_records_for_each(name: str) -> None:
    delivered = measured(name)
    for room in (delivered.inside, delivered.between):
        for fitted_to in room.values():
            assert len(fitted_to.records) >= 2
    assert delivered.date and delivered.source


def test_runs_on_more_nodes_spread_further() -> None:
    delivered = measured("nccl")
    one, many = delivered.spread_at(1), delivered.spread_at(1000)
    assert one is not None and many is not None
    assert 1 <= one.median <= many.median <= many.worst
    assert one.worst < 1.1 < many.worst
    assert measured("rccl").spread_at(8) is None

"""calibrate: constants fitted to synthetic logs of a slower machine, read back, and what is refused."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from designer.graph.building.build import build
from designer.simulation.acceptance.parts import parts_of
from designer.simulation.curve import sizes_from
from designer.simulation.libraries.execution import Fitted, measured
from designer.simulation.libraries.runs import Setup, predict_on
from designer.simulation.scenario import Scenario
from designer.storage.document import load

sys.path.insert(0, str(Path(__file__).parents[1] / "measurements"))
import logs

NCCL = Scenario(collective="all-reduce", model="nccl", size_bytes=1.0)
SLOWER = 0.85
"""Of what a port carries."""


@pytest.fixture
def pod(tmp_path, fabric_designer):
    path = tmp_path / "pod.fabric"
    server = ("--server", "dgx-h100", "--servers", "4", "--servers-per-su", "2", "--name", 'a "b": [c]')
    assert fabric_designer("generate", "rail-optimized", *server, "-o", path).code == 0
    return path


@pytest.fixture
def log(pod, tmp_path):
    """The whole and its units by two collectives, on ports that carry SLOWER of what is delivered."""
    design = load(pod)
    graph = build(design)
    base = measured("nccl")
    between = {
        place: Fitted(values={**one.values, "share": SLOWER}) if place.startswith("verbs") else one
        for place, one in base.between.items()
    }
    slower = Setup(model="nccl", constants=replace(base, between=between))
    texts = []
    for part in parts_of(design, graph, NCCL)[:3]:
        for name in ("all_reduce", "all_gather"):
            asked = replace(NCCL, collective=name.replace("_", "-"), ranks=part.ranks)
            found = predict_on(design, graph, asked, sizes_from("1KiB:8GiB:4"), slower)
            rows = [(round(one.size_bytes), one.time_us, one.algbw_gbs, one.busbw_gbs) for one in found.rows]
            texts.append(logs.nccl_log(rows, part.name).replace("all_reduce", name))
    path = tmp_path / "x [1], y: z.log"
    path.write_text("\n".join(texts))
    return path


def test_constants_are_fitted_shown_written_and_used(fabric_designer, pod, log, tmp_path) -> None:
    own = tmp_path / "own.yaml"
    done = fabric_designer("calibrate", log, "--design", pod, "-o", own, "--format", "json")
    assert done.code == 0, done.err
    shares = [one["fitted"] for one in done.json["fitted"] if one["name"] == "share" and "verbs" in one["place"]]
    assert min(abs(share / SLOWER - 1) for share in shares) < 0.05
    large = [row for row in done.json["rows"] if row["size_bytes"] >= 2**30]
    assert max(abs(row["after"] - 1) for row in large) < 0.05
    assert max(row["before"] - 1 for row in large) > 0.05
    assert "off with the delivered constants" in done.err
    given = ("simulate", pod, "--collective", "all-reduce", "--size", "8GiB", "--model", "nccl", "--format", "json")
    delivered, fitted = fabric_designer(*given).json, fabric_designer(*given, "--constants", own).json
    assert fitted["busbw_gbytes_per_s"] < 0.92 * delivered["busbw_gbytes_per_s"]
    sheet = ("accept", pod, "--model", "nccl", "--sizes", "8GiB:8GiB", "--format", "json")
    expected = fabric_designer(*sheet, "--constants", own).json["parts"][0]["rows"][0]["busbw_gbytes_per_s"]
    assert expected == pytest.approx(fitted["busbw_gbytes_per_s"], rel=1e-6)
    assert fabric_designer("calibrate", log, "--design", pod, "-o", own).code == 2
    text = fabric_designer("calibrate", log, "--design", pod, "-o", own, "--force").out
    assert text.startswith("# constants")


def test_what_cannot_be_fitted_or_read_is_refused_in_a_sentence(fabric_designer, pod, tmp_path) -> None:
    single = tmp_path / "one.log"
    single.write_text(logs.nccl_log([(2**30, 9000.0, 120.0, 230.0)], "whole"))
    fabric_designer("calibrate", single, "--design", pod, "-o", tmp_path / "x.yaml").assert_refused(
        "2 runs", "one run of 1 size: add"
    )
    bad = tmp_path / "bad.yaml"
    given = ("simulate", pod, "--collective", "all-reduce", "--size", "1GiB", "--model", "nccl", "--constants", bad)
    for text, words in (
        ("library: nccl", "bad.yaml"),
        ('library: other\ndate: ""\nsource: ""\ninside: {}\nbetween: {}\n', "nccl or rccl"),
        ('library: rccl\ndate: ""\nsource: ""\ninside: {}\nbetween: {}\n', "constants of rccl, not nccl"),
        ('library: nccl\ndate: ""\nsource: ""\ninside: {any: {values: {speed: 2}}}\nbetween: {}\n', "no constant"),
    ):
        bad.write_text(text)
        fabric_designer(*given).assert_refused(words)


def test_records_of_failures_are_never_fitted(fabric_designer, pod, tmp_path) -> None:
    row = [2**30, 9000.0, 119.3, 231.1]
    record = {
        "id": "slow",
        "collective": "all_reduce",
        "part": "whole",
        "rows": [row],
        "notes": "outlier only: no RDMA",
    }
    path = tmp_path / "records.json"
    path.write_text(json.dumps([record, record | {"id": "fine", "notes": ""}]))
    done = fabric_designer("calibrate", path, "--design", pod, "-o", tmp_path / "x.yaml")
    done.assert_refused("at least 2 runs", "one run of 1 size", "add a second run", "slow is left out", "outlier only")


def test_a_single_run_is_one_however_many_sizes_it_has_and_twice_is_enough(fabric_designer, pod, tmp_path) -> None:
    rows = [(2**n, 2**n / 2e5, 200.0, 375.0) for n in (26, 28, 30, 32)]
    path = tmp_path / "one.log"
    path.write_text(logs.nccl_log(rows, "whole"))
    own = tmp_path / "own.yaml"
    done = fabric_designer("calibrate", path, "--design", pod, "-o", own)
    done.assert_refused("at least 2 runs", "this is one run of 4 sizes, which count together", "add a second run")
    path.write_text(2 * f"{logs.nccl_log(rows, 'whole')}\n")
    done = fabric_designer("calibrate", path, "--design", pod, "-o", own)
    assert done.code == 0 and own.is_file(), done.err

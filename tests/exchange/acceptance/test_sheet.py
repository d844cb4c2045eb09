"""The acceptance sheet: its JSON against its schema, its scripts run by a shell, its page, and logs that come back."""

import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.exchange.acceptance.commands import MPIRUN, SRUN, command_of, script
from designer.exchange.acceptance.files import files_of, summary
from designer.exchange.acceptance.json_file import json_of, schema_text
from designer.exchange.acceptance.matching import matched
from designer.exchange.acceptance.page import acceptance_page, chart_of
from designer.exchange.acceptance.sheet import acceptance_sheet
from designer.exchange.exporters import EXPORTERS
from designer.exchange.issue import issue_stated
from designer.graph.building.build import build
from designer.measurements.reading import measurements_in
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.simulation.acceptance.explain import diagnose
from designer.simulation.acceptance.faults import HALF, Fault, Faults, degraded
from designer.simulation.curve import curve
from designer.simulation.scenario import Scenario
from designer.topologies.families import FAMILIES

sys.path.insert(0, str(Path(__file__).parents[2] / "measurements"))
import logs

ALL_REDUCE = Scenario(collective="all-reduce", size_bytes=1.0)


def generated(family_name: str, **parameters) -> Design:
    family = next(one for one in FAMILIES if one.name == family_name)
    design = Design()
    design.apply(family.build(design, family.parameters(**parameters), load()))
    return design


@pytest.fixture(scope="module")
def pod() -> Design:
    return generated("rail-optimized", servers=6, servers_per_su=2)


@pytest.fixture(scope="module")
def sheet(pod):
    return acceptance_sheet(pod, ALL_REDUCE, "256MiB:4GiB:4", 0.1)


@pytest.fixture(scope="module")
def measured(pod, sheet):
    """Logs of the whole, each unit and each rail with a third of rail 5's cables at half rate, as runs write them."""
    graph = build(pod)
    faults = Faults(pod, graph, ALL_REDUCE, np.zeros((1, len(graph.link_ids))))
    slow = degraded(graph, Fault("seeded", "", 1.0, tuple(faults.rail_links()[5][::3]), HALF))
    texts = []
    for run in sheet.parts:
        if run.part.kind != "pair":
            found = curve(slow, replace(ALL_REDUCE, ranks=run.part.ranks), sheet.sizes, lambda _share: None)
            rows = [
                (round(one.size_bytes), one.time_us, one.algbw_gbytes_per_s, one.busbw_gbytes_per_s)
                for one in found.points
            ]
            texts.append(logs.nccl_log(rows, run.part.name))
    return "\n".join(texts)


def test_the_json_is_as_its_schema_says_and_holds_what_is_accepted(sheet) -> None:
    record, schema = json.loads(json_of(sheet)), json.loads(schema_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(record, schema)
    assert json_of(sheet) == json_of(sheet)
    whole, unit, rail = record["parts"][0], record["parts"][1], record["parts"][4]
    assert (whole["gpus"], unit["hosts"], rail["name"], rail["gpus_of_host"]) == (
        48,
        ["gpu-01", "gpu-02"],
        "rail 1",
        [0],
    )
    for part in record["parts"]:
        for row in part["rows"]:
            assert row["least_busbw_gbytes_per_s"] == pytest.approx(0.9 * row["expected_busbw_gbytes_per_s"], abs=2e-3)
    broken = record | {"parts": [whole | {"rows": []}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_expectations_of_a_librarys_model_are_judged_where_bandwidth_decides(pod) -> None:
    made = acceptance_sheet(pod, replace(ALL_REDUCE, model="nccl"), "64KiB:4GiB:16", 0.1)
    assert [row.is_judged for row in made.whole.expected.rows] == [False, False, False, True, True]
    assert "NCCL" in acceptance_page(made)


def test_commands_name_the_hosts_and_gpus_of_a_part(sheet) -> None:
    whole, unit, rail = sheet.parts[0], sheet.parts[1], sheet.parts[5]
    test = '"$TESTS"/all_reduce_perf -b 268435456 -e 4294967296 -f 4 -g 1'
    assert command_of(sheet, whole, MPIRUN) == f"mpirun -np 48 --hostfile hosts/whole.txt --map-by slot $OPTIONS {test}"
    assert "--nodelist 'gpu-[01-02]'" in command_of(sheet, unit, SRUN)
    assert "-n 6 --ntasks-per-node=1" in command_of(sheet, rail, SRUN)
    assert "CUDA_VISIBLE_DEVICES=1 " in command_of(sheet, rail, SRUN)
    assert "-x CUDA_VISIBLE_DEVICES=1 " in command_of(sheet, rail, MPIRUN)
    texts = files_of(sheet)
    assert texts["hosts/rail-2.txt"].splitlines() == [f"gpu-0{n} slots=1" for n in range(1, 7)]
    assert texts["hosts/unit-1.txt"].splitlines() == ["gpu-01 slots=8", "gpu-02 slots=8"]


def test_the_script_keeps_a_log_of_each_part_that_is_read_back(pod, sheet, tmp_path) -> None:
    for name, text in files_of(sheet).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    launcher = tmp_path / "mpirun"
    launcher.write_text("#!/bin/bash\ncat <<'END'\n" + logs.NEW + "END\n[ $2 != 6 ]\n")
    launcher.chmod(0o755)
    done = subprocess.run(
        ["bash", "run-mpirun.sh", "unit 2", "rail 3"],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1  # the run on six ranks failed
    assert done.stderr == ""
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["rail-3.log", "unit-2.log"]
    (found,) = measurements_in((tmp_path / "logs/unit-2.log").read_text(), "unit-2.log")
    assert found.part == "unit 2"
    parts = [run.part for run in sheet.parts]
    assert matched(pod, parts, [found], "all-reduce").tests[0].part is parts[2]


def test_names_of_strangers_stay_words_in_scripts_and_pages(pod) -> None:
    design = pod.snapshot()
    design.apply(design_named(design, "<b>$(touch x)</b> `id`"))
    made = acceptance_sheet(design, ALL_REDUCE, "1GiB:1GiB", 0.1)
    assert script(made, MPIRUN).splitlines()[1].startswith("# Measures every part of <b>$(touch x)")
    assert "<b>$(touch" not in acceptance_page(made)


def design_named(design: Design, name: str) -> Edit:
    return Edit("Rename", (Change(design.settings, replace(design.settings, name=name)),))


def test_measurements_are_placed_by_mark_by_hosts_and_by_number(pod, sheet) -> None:
    parts = [run.part for run in sheet.parts]
    rows = [(2**30, 5000.0, 214.7, 400.0)]

    def placed(text: str):
        return matched(pod, parts, measurements_in(text, "x.log"), "all-reduce")

    by_mark = placed(logs.nccl_log(rows, "pair 1 3"))
    assert by_mark.tests[0].part.title == "Units 1 and 3"
    by_hosts = placed(logs.nccl_log(rows, n_ranks=16, hosts=("gpu-03.cluster.local", "GPU-04")))
    assert by_hosts.tests[0].part.name == "unit 2"
    others = placed(logs.nccl_log(rows, n_ranks=16, hosts=("gpu-01", "gpu-04")))
    assert others.tests[0].part.title == "gpu-01, gpu-04, 16 GPUs"
    named = placed(logs.nccl_log(rows, "hosts gpu-01 gpu-04 rail 2"))
    assert named.tests[0].part.ranks == (1, 25)
    everything = placed(logs.nccl_log(rows, n_ranks=48, hosts=tuple(f"node{n}" for n in range(6))))
    assert everything.tests[0].part is parts[0]
    assert "treated as the whole" in everything.notes[0]
    for text, words in (
        (logs.nccl_log(rows, "rail 99"), "no part 'rail 99'"),
        (logs.nccl_log(rows, n_ranks=8, hosts=("elsewhere",)), "no host elsewhere"),
        (logs.nccl_log(rows), "the number of its GPUs"),
    ):
        refused = placed(text)
        assert refused.tests == ()
        assert words in refused.notes[0]


def test_logs_that_come_back_name_the_rail_with_slow_cables(pod, sheet, measured) -> None:
    parts = [run.part for run in sheet.parts]
    found = matched(pod, parts, measurements_in(measured, "all.log"), "all-reduce")
    assert len(found.tests) == len(parts) - 3
    diagnosis = diagnose(pod, build(pod), ALL_REDUCE, found.tests, 0.1, lambda _share: None)
    named = " ".join((diagnosis.best.title, *diagnosis.best.alike))
    assert "rail5" in named or "Rail 5" in named
    short = [one.part.name for one in diagnosis.evidence if one.is_accepted(0.1) is False]
    assert "whole" in short
    assert "rail 5" in short
    assert "rail 4" not in short
    page = acceptance_page(sheet, diagnosis)
    assert "falls short" in page
    assert "What would explain it" in page
    assert [one.is_dots for one in chart_of(sheet, diagnosis).series].count(True) >= 1


def test_the_page_shows_how_runs_on_a_machine_in_use_spread_below_a_quiet_one(pod, sheet) -> None:
    """CSCS Alps: nearly the same up to 32 nodes, the worst half of it; the ideal model knows of no runs."""
    nccl = acceptance_sheet(pod, replace(ALL_REDUCE, model="nccl"), "256MiB:4GiB:4", 0.1)
    for row in nccl.whole.expected.rows:
        assert 0 < row.worst_gbytes_per_s < row.median_gbytes_per_s < row.busbw_gbytes_per_s
    (band,) = (one for one in chart_of(nccl).series if one.title.startswith("runs on a machine in use"))
    assert band.values == tuple(row.median_gbytes_per_s for row in nccl.whole.expected.rows)
    assert band.least == tuple(row.worst_gbytes_per_s for row in nccl.whole.expected.rows)
    page = acceptance_page(nccl)
    assert "Worst run" in page and "dashed are runs on a machine in use" in page
    assert "CPU vendor (Intel is assumed)" in page and "verbs on Hopper, fitted to" in page
    ideal = acceptance_page(sheet)
    assert "Worst run" not in ideal and "runs on a machine in use" not in ideal


def test_the_page_says_of_which_issue_of_the_design_it_is(pod, sheet) -> None:
    assert sheet.issue == issue_stated(pod).line and "design digest " in sheet.issue
    assert f'<p class="muted">R{sheet.issue[1:]}.</p>' in acceptance_page(sheet)


def test_only_the_page_of_a_folder_speaks_of_scripts_next_to_it(sheet) -> None:
    page = files_of(sheet)["acceptance.html"]
    assert "run-mpirun.sh or run-srun.sh of this folder" in page and "Judged are sizes" in page
    alone = acceptance_page(sheet, is_alone=True)
    assert "of this folder" not in alone and "The hand-over package has these commands as scripts" in alone
    assert all("OPTIONS is what your launcher needs in addition" in one for one in (page, alone))


def test_the_page_and_the_json_are_a_format_to_export(pod, tmp_path) -> None:
    exporter = next(one for one in EXPORTERS if one.name == "acceptance")
    options = {"collective": "all-gather", "sizes": "1GiB:2GiB", "tolerance": "0.2"}
    exporter.write(pod, tmp_path / "x.json", options)
    exporter.write(pod, tmp_path / "x.html", options)
    record = json.loads((tmp_path / "x.json").read_text())
    assert (record["collective"], record["tolerance"]) == ("all-gather", 0.2)
    page = (tmp_path / "x.html").read_text()
    assert "all_gather_perf" in page and "of this folder" not in page
    exporter.write(pod, tmp_path / "x.zip", options)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert {"acceptance.html", "acceptance.json", "run-mpirun.sh", "hosts/whole.txt", "logs/"} < set(
            archive.namelist()
        )
        assert b"of this folder" in archive.read("acceptance.html")
    with pytest.raises(ParameterError, match="no sizes"):
        exporter.write(pod, tmp_path / "y.html", {"sizes": "much"})
    assert "part" in summary(acceptance_sheet(pod, ALL_REDUCE, "1GiB:1GiB", 0.1))

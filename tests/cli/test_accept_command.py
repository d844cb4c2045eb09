"""accept: the folder of a sheet, logs that come back, and what is refused."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "measurements"))
import logs


@pytest.fixture
def pod(tmp_path, fabric_designer):
    path = tmp_path / "pod.fabric"
    server = ("--server", "dgx-h100", "--servers", "4", "--servers-per-su", "2")
    assert fabric_designer("generate", "rail-optimized", *server, "-o", path).code == 0
    return path


def log_of(path: Path, part: str, busbw: float) -> Path:
    """A log of the part that has this busbw at 1 and 2 GiB."""
    n = 32 if part == "whole" else 4
    rates = [(2**30, busbw), (2**31, busbw)]
    rows = [(size, size / (rate / (2 * (n - 1) / n)) / 1e3, rate / (2 * (n - 1) / n), rate) for size, rate in rates]
    path.write_text(logs.nccl_log(rows, part))
    return path


def test_a_folder_has_the_page_the_json_the_scripts_and_the_hosts(fabric_designer, pod, tmp_path) -> None:
    folder = tmp_path / "sheet"
    done = fabric_designer("accept", pod, "--sizes", "1GiB:2GiB", "-o", folder)
    assert done.code == 0
    assert "Whole fabric" in done.out
    record = json.loads((folder / "acceptance.json").read_text())
    assert [part["name"] for part in record["parts"]][:3] == ["whole", "unit 1", "unit 2"]
    assert (folder / "run-srun.sh").stat().st_mode & 0o111
    assert (folder / "hosts/whole.txt").read_text().count("slots=8") == 4
    again = fabric_designer("accept", pod, "-o", folder)
    assert (again.code, "--force" in again.err) == (2, True)


def test_measurements_that_fall_short_give_exit_code_1_and_a_cause(fabric_designer, pod, tmp_path) -> None:
    good = log_of(tmp_path / "good.log", "whole", 380.0)
    assert fabric_designer("accept", pod, "--sizes", "1GiB:2GiB", "--measured", good).code == 0
    bad = log_of(tmp_path / "bad.log", "whole", 190.0)
    rail = log_of(tmp_path / "rail.log", "rail 2", 24.0)
    fine = log_of(tmp_path / "fine.log", "rail 3", 48.0)
    given = [one for path in (bad, rail, fine) for one in ("--measured", path)]
    done = fabric_designer("accept", pod, "--sizes", "1GiB:2GiB", *given)
    assert done.code == 1
    assert "2 of 3 measurements fall short" in done.out
    found = fabric_designer("accept", pod, "--sizes", "1GiB:2GiB", *given, "--format", "json").json
    best = found["measured"]["explanations"][0]
    assert "rail2" in best["title"] or "Rail 2" in best["title"]
    assert found["measured"]["accepted"] == [False, False, True]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing", "holds no measurement"),
        (logs.nccl_log([(2**30, 9.0, 9.0, 9.0)]), "does not say the number of its GPUs"),
        (logs.nccl_log([(8, 9.0, 0.1, 0.1)], "whole"), "64 MiB up"),
    ],
)
def test_logs_of_no_use_are_refused_in_a_sentence(fabric_designer, pod, tmp_path, text, words) -> None:
    path = tmp_path / "x.log"
    path.write_text(text)
    done = fabric_designer("accept", pod, "--sizes", "1GiB:2GiB", "--measured", path)
    assert (done.code, words in done.err) == (2, True), done.err
    assert "Traceback" not in done.err


def test_simulate_lists_residuals_by_size(fabric_designer, pod, tmp_path) -> None:
    log = log_of(tmp_path / "x.log", "whole", 190.0)
    given = ("simulate", pod, "--collective", "all-reduce", "--measured", log)
    done = fabric_designer(*given, "--sizes", "1GiB:1GiB")
    assert done.code == 0
    assert "# measured against Ideal, ring, spray" in done.out
    rows = fabric_designer(*given, "--sizes", "1GiB:1GiB", "--format", "json").json["measured"][0]["rows"]
    assert [row["size_bytes"] for row in rows] == [2**30, 2**31]
    assert all(0.45 < row["ratio"] < 0.52 for row in rows)
    fabric_designer(*given, "--size", "1GiB").assert_refused("--sizes")
    other = ("simulate", pod, "--collective", "all-gather", "--sizes", "1GiB:1GiB", "--measured", log)
    fabric_designer(*other).assert_refused("no measurement of all-gather")

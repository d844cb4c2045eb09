"""Logs of benchmarks as measurements, in every layout that their releases print; garbage in one sentence."""

import json

import logs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import DesignerError, FileFormatError
from designer.measurements import limits
from designer.measurements.reading import measurements_in, read_measurements
from designer.measurements.records import Measurement
from designer.paths import resources_dir


def only(text: str, name: str = "run.log") -> Measurement:
    (found,) = measurements_in(text, name)
    return found


def test_a_log_of_nccl_tests_says_where_it_ran_and_what_it_found() -> None:
    found = only(logs.NEW)
    assert (found.collective, found.tool, found.n_gpus, found.n_nodes) == ("all-reduce", "all_reduce_perf", 4, 2)
    assert (found.library, found.hosts) == ("NCCL 2.28.7", ("gpu-001", "gpu-002"))
    assert (found.hardware.gpu, found.hardware.gpus_per_node) == ("NVIDIA H100 80GB HBM3", 2)
    assert [(row.size_bytes, row.time_us, row.busbw_gbytes_per_s) for row in found.rows] == [
        (1 << 20, 50.10, 31.39),
        (1 << 30, 6017.2, 267.67),
    ]
    assert found.in_place_rows[1].busbw_gbytes_per_s == 268.21
    assert found.n_wrong == 3


def test_releases_without_a_root_and_with_an_error_are_read() -> None:
    found = only(logs.OLD)
    assert [row.busbw_gbytes_per_s for row in found.rows] == [0.0, 125.0]
    assert found.n_wrong == 0
    assert found.collective == "all-reduce"  # a sum without root, and busbw above algbw
    assert found.n_gpus == 4


def test_a_row_without_a_reduction_is_read_and_the_collective_follows_from_the_name_of_the_file() -> None:
    assert only(logs.GATHER).collective == ""
    found = only(logs.GATHER, "all_gather-16.log")
    assert (found.collective, found.rows[0].algbw_gbytes_per_s) == ("all-gather", 83.33)


def test_rccl_tests_in_place_only() -> None:
    found = only(logs.RCCL)
    assert (found.library, found.n_gpus) == ("RCCL 2.22.3-develop:29e1567", 8)
    assert (found.rows[0].busbw_gbytes_per_s, found.in_place_rows) == (154.63, ())
    assert "in place" in found.notes


@pytest.mark.parametrize("prefix", ["[1,0]<stdout>:", "[1,0]<stdout> ", "0: ", "worker-0 | ", "> ", "\x1b[32m"])
def test_prefixes_of_launchers_change_nothing(prefix: str) -> None:
    assert only("".join(f"{prefix}{line}\n" for line in logs.NEW.splitlines())) == only(logs.NEW)


def test_runs_of_one_log_keep_their_parts_and_settings_apart() -> None:
    text = (
        "# fabric-designer part: rail 0\n$ NCCL_ALGO=Ring srun all_gather_perf\n"
        + logs.TABLE
        + "    67108864  16777216   float   none   -1   805.3   83.33   62.50   0   801.1   83.77  62.8  0\n"
        + "# fabric-designer part: rail 1\n"
        + logs.NEW
        + "# fabric-designer part: pair a b\n"
        + logs.WRITE_BW
    )
    gather, reduce, write = measurements_in(text, "all.log")
    assert (gather.collective, gather.part, gather.algorithm) == ("all-gather", "rail 0", "Ring")
    assert (reduce.collective, reduce.part, reduce.n_gpus) == ("all-reduce", "rail 1", 4)
    assert (write.tool, write.part, write.device) == ("ib_write_bw", "pair a b", "mlx5_3")


def test_sizes_that_ran_several_times_keep_their_best_and_the_spread() -> None:
    cycle = logs.NEW.split("(GB/s)\n")[-1].split("# Out")[0]
    found = only(logs.NEW.replace(cycle, cycle + "# Testing 2 cycle.\n" + cycle.replace("6017.2", "7000.0")))
    assert [row.time_us for row in found.rows] == [50.10, 6017.2]
    assert found.spread[1].times_us == (6017.2, 7000.0)


def test_a_log_of_processes_without_mpi_says_so() -> None:
    found = only(logs.NEW.replace("Rank  1", "Rank  0").replace("Rank  2", "Rank  0").replace("Rank  3", "Rank  0"))
    assert "without MPI" in found.notes
    assert (found.n_gpus, found.ranks) == (1, ())


def test_the_report_of_nccl_tests_in_json() -> None:
    report = {
        "version": 1,
        "args": ["/opt/nccl-tests/build/all_reduce_perf", "-b", "8"],
        "env": ["NCCL_ALGO=Ring", "PATH=/bin"],
        "nccl_version": 22807,
        "config": {},
        "devices": [{"rank": 1, "hostname": "b", "device": 0}, {"rank": 0, "hostname": "a", "device": 3}],
        "results": [
            {"size": 8, "out_of_place": {"time": 7.5, "alg_bw": 0.1, "bus_bw": 0.1, "nwrong": 0}, "in_place": None}
        ],
    }
    found = only(json.dumps(report))
    assert (found.collective, found.algorithm, found.library) == ("all-reduce", "Ring", "NCCL 2.28.7")
    assert (found.hosts, found.rows[0].time_us) == (("a", "b"), 7.5)


def test_osu_between_two_ranks() -> None:
    rate, late = only(logs.OSU_BW), only(logs.OSU_LATENCY)
    assert (rate.tool, rate.collective, rate.n_gpus) == ("osu_bw", "send-recv", 2)
    assert rate.rows[1].busbw_gbytes_per_s == pytest.approx(48.802)
    assert rate.environment == {"UCX_TLS": "rc"}
    assert [(row.size_bytes, row.time_us) for row in late.rows] == [(8, 2.5)]


def test_osu_counts_one_part_where_nccl_tests_counts_all_of_them() -> None:
    found = only(logs.OSU_ALL_TO_ALL)
    (row,) = found.rows
    assert (found.collective, found.n_gpus, row.size_bytes) == ("all-to-all", 16, 16 * 65536)
    assert row.busbw_gbytes_per_s == pytest.approx(16 * 65536 / 400e-6 / 1e9 * 15 / 16)
    unknown = only(logs.OSU_ALL_REDUCE)
    assert (unknown.n_gpus, unknown.rows[0].busbw_gbytes_per_s) == (None, None)
    assert unknown.for_ranks(8).rows[0].busbw_gbytes_per_s == pytest.approx((1 << 20) / 200e-6 / 1e9 * 1.75)


def test_perftest_rates_and_latencies() -> None:
    assert only(logs.WRITE_BW).rows[0].busbw_gbytes_per_s == pytest.approx(390 / 8)
    both = only(logs.BOTH_WAYS)  # megabytes of 2^20, and both directions added up
    assert (both.tool, both.rows[0].busbw_gbytes_per_s) == ("ib_send_bw", pytest.approx(390 * 2**20 / 2 / 1e9))
    assert only(logs.WRITE_LAT).rows[0].time_us == 1.79


def test_records_in_json() -> None:
    record = {
        "id": "a",
        "collective": "alltoall",
        "n_gpus": 16,
        "hardware": {"gpu": "H100", "nic_gbps": 400},
        "env": {"NCCL_ALGO": "Ring"},
        "rows": [[1024, 10.0, 0.1, None]],
        "spread": [{"size": 1024, "time_us_all_runs": [12.0, 10.0], "busbw_all_runs": []}],
    }
    found = only(json.dumps({"records": [record]}))
    assert (found.collective, found.hardware.nic_gbps, found.rows[0].busbw_gbytes_per_s) == ("all-to-all", 400, None)
    assert found.spread[0].times_us == (10.0, 12.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no measurement"),
        ("nothing of interest\n", "holds no measurement"),
        ("[", "holds no measurement"),
        ("[{", "line 1"),
        ('{"a": 1}', "list of records"),
        ("[{}, 1]", "record 2 should be an object"),
        ('[{"rows": 3}]', "record 1: rows should be a list"),
        ('[{"rows": [[1, 2]]}]', "row 1, should be"),
        ('[{"rows": [[1, 2, 3, "x"]]}]', "record 1: row 1 should be a number"),
        ('[{"rows": [[1, 2, 3, NaN]]}]', "number that no measurement has"),
        ('[{"rows": [[1, 2, 3, -4]]}]', "number from 0"),
        ('[{"id": 3}]', "record 1: id should be a text"),
        ('[{"n_gpus": 1.5}]', "whole number"),
        ("[" * 100_000, "holds no measurement"),
        ('{"a":' * 100_000, "deeper"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_that_names_the_file(text: str, words: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        measurements_in(text, "x.log")
    assert words in str(caught.value)
    assert str(caught.value).startswith("x.log")
    assert "\n" not in str(caught.value)


def test_files_beyond_the_limits_are_refused(tmp_path, monkeypatch) -> None:
    path = tmp_path / "big.log"
    path.write_bytes(b"\xff\xd8" * 10)
    with pytest.raises(FileFormatError, match="not UTF-8"):
        read_measurements(path)
    path.write_text(logs.NEW)
    assert read_measurements(path)[0].n_gpus == 4
    monkeypatch.setattr("designer.measurements.reading.MOST_BYTES", 100)
    with pytest.raises(FileFormatError, match="larger than"):
        read_measurements(path)
    monkeypatch.setattr("designer.measurements.nccl_tests.MOST_ROWS", 1)
    with pytest.raises(FileFormatError, match="rows"):
        only(logs.NEW)
    monkeypatch.undo()
    monkeypatch.setattr("designer.measurements.nccl_tests.MOST_RUNS", 1)
    with pytest.raises(FileFormatError, match="runs"):
        only(logs.NEW * 2)
    with pytest.raises(FileFormatError, match="not a file"):
        read_measurements(tmp_path)


@pytest.mark.timeout(20)  # of a busy machine; an idle one takes half a second
def test_a_long_log_takes_seconds_at_most() -> None:
    line = "gpu-001:41001:41230 [0] NCCL INFO Channel 00/24 : 0[0] -> 1[1] via P2P/CUMEM NCCL_ALGO=Ring 2026\n"
    found = only(line * 50_000 + logs.NEW + "0" * 1_000_000 + "\n" + " " * 1_000_000 + "\n[1,0]<stdout>:" * 1000)
    assert found.n_gpus == 4
    assert limits.LONGEST_LINE < 1_000_000


PIECES = st.sampled_from(
    [*logs.NEW.splitlines(), *logs.OSU_BW.splitlines(), *logs.WRITE_BW.splitlines(), "0: ", "[1,0]<stdout>:"]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=30)), max_size=30))
def test_any_mixture_of_lines_is_read_or_refused_in_one_sentence(lines: list[str]) -> None:
    try:
        found = measurements_in("\n".join(lines), "x.log")
    except DesignerError as error:
        assert str(error).startswith("x.log")
    else:
        assert all(row.time_us is not None for one in found for row in one.rows)


def test_the_delivered_records_have_a_source_each_and_rates_that_fit_their_times() -> None:
    folder = resources_dir() / "measurements"
    found = [one for name in ("collectives", "collectives-2") for one in read_measurements(folder / f"{name}.json")]
    assert len({one.id for one in found}) == len(found) == 201
    for one in found:
        assert one.source and one.date
        for row in one.rows:
            if row.time_us and row.size_bytes and row.algbw_gbytes_per_s and row.algbw_gbytes_per_s > 1:
                assert row.size_bytes / row.time_us / 1e3 == pytest.approx(row.algbw_gbytes_per_s, rel=0.02), one.id

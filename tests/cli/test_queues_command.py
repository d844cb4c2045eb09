"""`queues` on the command line."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SUPERPOD = EXAMPLES / "superpod-h100-4su.fabric"
INCAST = ("--traffic", "incast:12", "--size", "2MB")


@pytest.fixture(scope="module")
def ethernet(tmp_path_factory, generate):
    from designer.cli.files import save_design

    path = tmp_path_factory.mktemp("queues") / "ethernet.fabric"
    made = generate(
        "fat-tree",
        switch="generic-switch",
        server="generic-host",
        servers=16,
        link_rate_gbps=800.0,
        nic_rate_gbps=800.0,
    )
    save_design(made, path)
    return path


def test_an_incast_is_reported_with_queue_pauses_and_tail(fabric_designer, ethernet):
    stated = fabric_designer("queues", ethernet, *INCAST, "--buffer", "64MB")
    assert stated.code == 0
    for words in (
        "incast:12",
        "12 x",
        "stable queue",
        "not counted: time of NICs",
        "no thresholds are stated for 800 Gb/s ports: those for 400 Gb/s are taken",
        "IEEE 802.3, 31B.3.7",
    ):
        assert words in stated.out
    assert "no source states the switches' buffer" not in stated.out


def test_json_and_csv_hold_the_same_bottleneck(fabric_designer, ethernet):
    found = fabric_designer("queues", ethernet, *INCAST, "--format", "json").json
    (row,) = found["bottlenecks"]
    assert found["bottleneck_count"] == 1
    assert row["flows"] == 12
    assert row["demand"] == pytest.approx(12)
    assert row["fair_rate_gbps"] == pytest.approx(row["capacity_gbps"] / 12)
    assert row["ideal_last_s"] == pytest.approx(12 * 2e6 / (row["capacity_gbps"] * 1e9 / 8))
    assert row["last_s"] >= row["ideal_last_s"]
    assert row["lost_bytes"] == 0
    assert any("32 MB are assumed" in note for note in found["notes"])
    lines = fabric_designer("queues", ethernet, *INCAST, "--format", "csv").out.splitlines()
    assert len(lines) == 2
    cells = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    assert float(cells["peak queue (bytes)"]) == pytest.approx(row["peak_queue_bytes"])


def test_own_thresholds_and_times_count(fabric_designer, ethernet):
    own = ("--kmin", "50kB", "--kmax", "500kB", "--pmax", "5%", "--xoff", "300kB", "--feedback-delay", "20us")
    (row,) = fabric_designer("queues", ethernet, *INCAST, *own, "--format", "json").json["bottlenecks"]
    assert (row["k_min_bytes"], row["k_max_bytes"], row["p_max"], row["xoff_bytes"]) == (50e3, 500e3, 0.05, 300e3)
    assert row["feedback_s"] == pytest.approx(20e-6)
    assert row["paused_s"] > 0


def test_traffic_that_fits_has_no_bottleneck(fabric_designer, ethernet):
    stated = fabric_designer("queues", ethernet, "--traffic", "shift:8", "--size", "2MB")
    assert "none: no link" in stated.out


def test_infiniband_is_refused_with_the_way_out(fabric_designer):
    stated = fabric_designer("queues", SUPERPOD, *INCAST)
    assert stated.code == 2
    assert "choose a design with Ethernet switches" in stated.err


def test_an_all_to_all_of_too_many_flows_is_refused(fabric_designer):
    stated = fabric_designer("queues", SUPERPOD, "--traffic", "all-to-all", "--size", "2MB")
    assert stated.code == 2
    assert "choose fewer ranks" in stated.err

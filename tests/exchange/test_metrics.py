"""Runs for other programs: Prometheus text, CSV, Parquet and event files, each read back."""

import csv
import io
import json
import re
import struct
from dataclasses import replace

import pyarrow.parquet
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from designer.errors import ExportError
from designer.exchange.metrics import tables, tensorboard
from designer.exchange.metrics.prometheus import prometheus_text
from designer.exchange.metrics.run import run_of, summary_of
from designer.graph.building.build import build
from designer.late import Late
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

SCENARIO = Scenario(collective="all-reduce", size_bytes=2**20)


@pytest.fixture(scope="module")
def run(generate):
    result = simulate(build(generate("rail-optimized", servers=2, servers_per_su=2)), SCENARIO)
    return run_of('pod "a"\\b\nc', summary_of(SCENARIO), result)


SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)+)\} (\S+)')


def test_prometheus_text_follows_the_format_and_the_rules_of_promtool(run):
    lines = prometheus_text(run).splitlines()
    assert prometheus_text(run).endswith("\n") and "" not in lines
    families, current = {}, ""
    for line in lines:
        if line.startswith("# HELP "):
            current = line.split(" ", 3)[2]
            assert current not in families, "all samples of a metric stand together"
            assert line.split(" ", 3)[3].endswith(".")
            families[current] = []
        elif line.startswith("# TYPE "):
            assert line == f"# TYPE {current} gauge"
        else:
            name, labels, value = SAMPLE.fullmatch(line).groups()
            assert name == current
            families[name].append((labels, float(value)))
    for name, samples in families.items():
        assert re.fullmatch(r"fabric_designer_(run|link)_[a-z_]+", name)
        assert name.endswith(("_seconds", "_bytes", "_ratio", "_ranks", "_per_second"))
        assert not name.endswith(("_total", "_count", "_sum", "_bucket")), "those are of counters and histograms"
        assert len({labels for labels, _ in samples}) == len(samples), "no sample twice"
        assert all(r'design="pod \"a\"\\b\nc"' in labels for labels, _ in samples)
    assert families["fabric_designer_run_time_seconds"][0][1] == run.figures[0].value
    peaks = [value for _, value in families["fabric_designer_link_utilization_peak_ratio"]]
    assert peaks == run.links.utilization_peak.tolist() and len(peaks) == len(run.links)


def test_unknown_peaks_are_left_out(run):
    guessed = replace(run, are_peaks_known=False)
    assert "peak" not in prometheus_text(guessed) and b"peak" not in tables.csv_bytes(guessed)
    assert not any("peak" in one.tag for one in tensorboard.of_run(guessed))


def test_csv_and_parquet_have_the_same_rows(run):
    rows = list(csv.DictReader(io.StringIO(tables.csv_bytes(run).decode())))
    table = pyarrow.parquet.read_table(io.BytesIO(tables.parquet_bytes(run)))
    assert table.column_names == list(rows[0]) and len(rows) == table.num_rows == len(run.links)
    assert table.column("peer_device").to_pylist() == [row["peer_device"] for row in rows]
    assert table.column("bytes").to_pylist() == run.links.bytes.tolist()
    assert [float(row["utilization_mean"]) for row in rows] == pytest.approx(run.links.utilization_mean)
    stated = json.loads(table.schema.metadata[b"fabric-designer"])
    assert stated["scenario"] == "all-reduce, ring · spray, 1 MiB"
    assert stated["time_seconds"] == run.figures[0].value
    assert tables.parquet_bytes(run) == tables.parquet_bytes(run)


def test_parquet_without_pyarrow_says_how_to_install_it(run, monkeypatch):
    monkeypatch.setattr(tables, "pyarrow", Late("pyarrow_that_is_not_there"))
    with pytest.raises(ExportError, match=r"install it with python -m pip install 'fabric-designer\[metrics\]'"):
        tables.parquet_bytes(run)


def crc32c(data):
    """Bit by bit, as RFC 3720 defines it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def records(data):
    """The records of an event file; their checksums are right."""
    at = 0
    while at < len(data):
        length, check = struct.unpack_from("<QI", data, at)
        body = data[at + 12 : at + 12 + length]
        for crc, of in ((check, data[at : at + 8]), (*struct.unpack_from("<I", data, at + 12 + length), body)):
            unmasked = (crc - 0xA282EAD8) & 0xFFFFFFFF
            assert (unmasked >> 17 | unmasked << 15) & 0xFFFFFFFF == crc32c(of)
        yield body
        at += 16 + length


def message(fields):
    """A message class of protocol buffers with these fields: name -> (number, type, label)."""
    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="t", syntax="proto3")
    for name, own in fields.items():
        made = file.message_type.add(name=name)
        for field, (number, kind, label) in own.items():
            one = made.field.add(name=field, number=number, label=label)
            if isinstance(kind, str):
                one.type, one.type_name = 11, f".t.{kind}"
            else:
                one.type = kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("t.Event"))


EVENT = {
    "Histogram": {
        **{name: (number, 1, 1) for number, name in enumerate(("min", "max", "num", "sum", "sum_squares"), start=1)},
        "bucket_limit": (6, 1, 3),
        "bucket": (7, 1, 3),
    },
    "Value": {"tag": (1, 9, 1), "simple_value": (2, 2, 1), "histo": (5, "Histogram", 1)},
    "Summary": {"value": (1, "Value", 3)},
    "Event": {"wall_time": (1, 1, 1), "step": (2, 3, 1), "file_version": (3, 9, 1), "summary": (5, "Summary", 1)},
}


def test_an_event_file_is_what_protocol_buffers_read(run, tmp_path):
    path = tensorboard.write_run(tmp_path, f"{run.design}-{run.scenario}", tensorboard.of_run(run))
    assert path.parent.name == "pod-a-b-c-all-reduce-ring-spray-1-MiB" and "tfevents" in path.name
    event = message(EVENT)
    events = [event.FromString(one) for one in records(path.read_bytes())]
    assert events[0].file_version == "brain.Event:2" and all(one.wall_time == 0 for one in events)
    values = {one.summary.value[0].tag: one.summary.value[0] for one in events[1:]}
    assert values["run/time_seconds"].simple_value == pytest.approx(run.figures[0].value)
    spread, loads = values["links/utilization_peak"].histo, run.links.utilization_peak
    assert (spread.num, spread.max, spread.sum) == (len(loads), loads.max(), pytest.approx(loads.sum()))
    assert sum(spread.bucket) == len(loads) and len(spread.bucket) == len(spread.bucket_limit)
    with pytest.raises(ExportError, match="exists already"):
        tensorboard.write_run(tmp_path, f"{run.design}-{run.scenario}", [])
    before = path.read_bytes()
    again = tensorboard.write_run(tmp_path, f"{run.design}-{run.scenario}", tensorboard.of_run(run), replace=True)
    assert again == path and path.read_bytes() == before


def test_steps_are_sizes_of_any_length(tmp_path):
    steps = (0, 127, 128, 2**33)
    data = tensorboard.event_bytes([tensorboard.Scalar("a", step, 1.5) for step in steps])
    event = message(EVENT)
    assert [event.FromString(one).step for one in records(data)][1:] == list(steps)


@pytest.mark.parametrize("name", ["../up", "..", "/etc", "a/b\\c", "", "x" * 500])
def test_a_name_never_leads_out_of_the_folder(name, tmp_path):
    path = tensorboard.write_run(tmp_path / "runs", name, [])
    assert path.parent.parent == tmp_path / "runs" and path.is_file()

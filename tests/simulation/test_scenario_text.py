"""A scenario written as texts, as bookmarks keep it, is read as the same scenario, and never names a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import ParameterError
from designer.simulation.scenario import Scenario
from designer.simulation.scenario_text import read, written

SENT = st.sampled_from(
    [
        {"collective": "all-reduce"},
        {"collective": "all-reduce", "algorithm": "ring"},
        {"collective": "all-reduce", "algorithm": "bucket", "dims": (16, 8)},
        {"collective": "all-to-all", "algorithm": "direct"},
        {"traffic": "incast:8"},
        {"traffic": "permutation:5"},
        {"traffic": "shift:1+incast:4"},
    ]
)
RANKS = st.one_of(st.none(), st.integers(2, 99), st.lists(st.integers(0, 99), min_size=2, max_size=6, unique=True))


@given(SENT, RANKS, st.sampled_from([2.0**30, 8.0, 1e6]), st.sampled_from(["ecmp", "spray"]), st.booleans())
def test_a_scenario_is_read_as_it_was_written(sent, ranks, size_bytes, routing, latency):
    ranks = tuple(ranks) if isinstance(ranks, list) else ranks
    scenario = Scenario(**sent, ranks=ranks, size_bytes=size_bytes, routing=routing, latency=latency, efficiency=0.9)
    assert read(written(scenario)) == scenario


def test_what_is_as_usual_is_left_out():
    assert written(Scenario(collective="all-reduce")) == (("collective", "all-reduce"),)
    assert written(Scenario(collective="all-reduce", failed=("leaf-01",))) == (("collective", "all-reduce"),)


def test_flows_from_a_file_are_neither_kept_nor_read():
    assert written(Scenario(traffic="pairs:flows.csv")) == ()
    with pytest.raises(ParameterError, match="from a file"):
        read([("traffic", "pairs:/etc/passwd")])


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ([("collective", "all-reduce"), ("failed", "leaf-01")], "no setting 'failed'"),
        ([("collective", "all-reduce"), ("speed", "9")], "no setting 'speed'"),
        ([("collective", "all-nonsense")], "all-nonsense"),
        ([("collective", "all-reduce"), ("routing", "by-magic")], "by-magic"),
        ([("collective", "all-reduce"), ("size_bytes", "much")], "much"),
        ([("collective", "all-reduce"), ("algorithm", "bucket:0x0")], "dimensions"),
        ([], "either a collective or a traffic"),
    ],
)
def test_what_is_no_scenario_is_refused_with_a_sentence(texts, sentence):
    with pytest.raises(ParameterError, match=sentence):
        read(texts)

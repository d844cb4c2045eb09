"""A sample of damaged files into every reader; the script in this folder reads as many as asked for."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mutated_files


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs a POSIX system")
def test_a_damaged_file_is_read_or_refused_in_a_sentence_and_nothing_else_happens(qapp):
    tally = mutated_files.run(500, seed=9)
    assert tally.faults == []
    assert len(tally.counts) == 10 and sum(sum(counts.values()) for counts in tally.counts.values()) == 500


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("own type", "kind: rack\nid: r\nvendor: V\nmodel: M\nunits: 42\nunverified: [" + "a" * 4000 + "]\n"),
        ("pairs", "0,1,10\n" + "9" * 4000 + ",1,10\n"),
        ("jobs", "- {name: a, collective: all-reduce, size: 1M, loop: " + "9" * 4000 + "}\n"),
        ("jobs", "- {name: " + "9" * 4000 + ", collective: all-reduce, size: x}\n"),
        ("catalog", "date: " + "9" * 4000 + "\nentries: []\n"),
        ("ranks", "0-7\n" + "9" * 4000 + "\n"),
        ("permutation", "9" * 4000 + "\n"),
    ],
)
def test_a_refusal_never_quotes_more_than_a_sentence_holds(tmp_path, name, text):
    reader = next(one for one in mutated_files.readers(mutated_files.load(), tmp_path) if one.name == name)
    path = tmp_path / f"f{reader.suffix}"
    path.write_text(text)
    assert mutated_files.outcome_of(reader, path) == "refused"

"""A sample of damaged files into every reader; the script beside this reads as many as it is told to."""

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

"""What errors read like in windows."""

import pytest

from designer.errors import sentence


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("the sizes are of no use", "The sizes are of no use."),
        ("a leaf has no port left", "A leaf has no port left."),
        ("leaf-07 port 12: already linked", "leaf-07 port 12: already linked."),
        ("k is 5: it should be even", "k is 5: it should be even."),
        ("'x' is not a size: write it like 1GiB", "'x' is not a size: write it like 1GiB."),
        ("Finding the flows …", "Finding the flows …"),
        ("Said already.", "Said already."),
        ("", ""),
    ],
)
def test_a_message_becomes_a_sentence_and_names_stay_as_they_are(message, shown):
    assert sentence(message) == shown

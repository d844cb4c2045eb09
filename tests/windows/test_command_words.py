"""Words of the field that find commands in the palette."""

import re

import pytest

from designer.analysis.selecting.fuzzy import score_with
from designer.windows.commands.keywords import KEYWORDS
from designer.windows.commands.table import ACTIONS


def test_other_words_are_those_of_commands_that_there_are():
    assert KEYWORDS.keys() <= {row.id for row in ACTIONS}


@pytest.mark.parametrize(
    ("typed", "action_id"),
    [
        ("pareto", "simulate.explore"),
        ("kv cache", "simulate.inference"),
        ("rank order", "job.map"),
        ("commissioning", "study.acceptance"),
        ("nccl constants", "simulate.constants"),
        ("prometheus", "simulate.save_loads"),
        ("expansion", "fabric.phases"),
        ("electricity", "room.cost"),
        ("leader", "insert.callout"),
        ("leader", "insert.attach"),
        ("callout tip", "insert.detach"),
        ("label", "insert.text"),
        ("cable label", "label.link-label"),
        ("cable label", "label.no-link"),
    ],
)
def test_words_of_the_field_find_the_windows_of_results(typed, action_id):
    row = next(one for one in ACTIONS if one.id == action_id)
    assert score_with(typed, row.text, f"{row.menu} {row.hint} {KEYWORDS[action_id]}") is not None


def test_commands_are_spelled_the_american_way():
    british = re.compile(r"centre|colour|grey|neighbour|metre|licen[c]e|catalogue|behaviour", re.IGNORECASE)
    assert not [row.text for row in ACTIONS if british.search(f"{row.text} {row.hint} {row.reason}")]

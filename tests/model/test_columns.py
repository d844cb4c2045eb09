"""Records made from columns are those made one by one."""

import pytest

from designer.model.edit import Change, from_columns
from designer.model.entities import Placement


def test_records_of_columns_equal_those_made_one_by_one():
    columns = {"id": ["d1", "d2"], "x": [1.0, 2.0], "y": [3.0, 4.0]}
    columns |= {"rack_id": [None, "r1"], "unit": [None, 7], "side": ["", "rear"], "locked": [False, True]}
    made = from_columns(Placement, 2, columns)
    assert made == [Placement("d1", 1.0, 3.0), Placement("d2", 2.0, 4.0, "r1", 7, "rear", True)]
    assert len({*made, Placement("d1", 1.0, 3.0)}) == 2


def test_no_columns_make_no_records():
    assert from_columns(Change, 0, {"before": (), "after": ()}) == []


def test_a_column_that_is_missing_is_named():
    with pytest.raises(ValueError, match="Change needs columns for after"):
        from_columns(Change, 1, {"before": [None]})

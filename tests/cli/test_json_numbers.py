"""Numbers in JSON have the digits that mean something."""

import json

import numpy as np
import pytest

from designer.cli.json_text import json_text


def test_noise_of_sums_is_rounded_away_and_whole_numbers_stay_whole():
    value = {"rate_gbps": 399.99999999999994, "rows": [(0.1 + 0.2, 12345678901234567)], "on": True, "none": None}
    read = json.loads(json_text(value))
    assert read == {"rate_gbps": 400.0, "rows": [[0.3, 12345678901234567]], "on": True, "none": None}
    assert isinstance(read["rows"][0][1], int) and isinstance(read["rate_gbps"], float)


def test_small_and_large_numbers_keep_twelve_digits():
    assert json.loads(json_text([1.23456789012345e-9, 9.87654321098765e20, np.float64(1 / 3)])) == [
        1.23456789012e-9,
        9.87654321099e20,
        0.333333333333,
    ]


@pytest.mark.parametrize("bad", [float("inf"), float("nan")])
def test_what_json_cannot_hold_is_refused(bad):
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"time_s": bad})

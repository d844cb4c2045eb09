"""What is typed, read at the edge: what is no number is distinguished from what is too large or too small."""

import pytest

from designer.errors import ParameterError
from designer.units import (
    format_capacity,
    format_change,
    format_times,
    parse_rate,
    parse_ratio,
    parse_size,
    parse_whole,
)


def test_whole_numbers_are_read_with_and_without_commas():
    texts = "0", "7", " 1,536 ", "+12", "1,048,576", "000000000000000000007"
    assert [parse_whole(text) for text in texts] == [0, 7, 1536, 12, 1048576, 7]
    assert parse_whole("-7", -10) == -7


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("many", "'many' is not a whole number"),
        ("", "'' is not a whole number"),
        ("1.5", "'1.5' is not a whole number"),
        ("4,4", "'4,4' is not a whole number"),
        ("1536,000", "'1536,000' is not a whole number"),
        ("101", "101 is too large: it should be 1 to 100"),
        ("0", "0 is too small: it should be 1 to 100"),
        ("-5", "-5 is too small: it should be 1 to 100"),
        ("9" * 5000, "99999999999999999999999\u2026 is too large: it should be 1 to 100"),
    ],
)
def test_a_number_out_of_range_is_said_to_be_so(text, words):
    with pytest.raises(ParameterError) as refused:
        parse_whole(text, 1, 100)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (parse_rate, "1e300", "a rate should be above 0 and at most 10,000T, not '1e300'"),
        (parse_rate, "0G", "a rate should be above 0 and at most 10,000T, not '0G'"),
        (parse_rate, "fast", "'fast' is not a rate: write it like 400G or 1.6T"),
        (parse_ratio, "1e9:1", "a ratio should be above 0 and at most 1,000,000:1, not '1e9:1'"),
        (parse_ratio, "nan", "'nan' is not a ratio: write it like 2:1, 3:2 or 1.5"),
    ],
)
def test_rates_and_ratios_out_of_range_are_told_from_what_is_none(read, text, words):
    with pytest.raises(ParameterError) as refused:
        read(text)
    assert str(refused.value) == words


@pytest.mark.parametrize("text", ["0", "0 GiB", "1e40", "9000000 PiB"])
def test_a_size_that_is_none_or_too_large_is_said_to_be_so(text):
    with pytest.raises(ParameterError, match="a size should be above 0 and below 8 EiB, not "):
        parse_size(text)


def test_a_change_is_signed_but_for_none():
    shown = {0.771: "+77.1 %", -0.0432: "−4.3 %", -0.0001: "0.0 %", 0.0: "0.0 %", 12.3456: "+1,234.6 %"}
    assert {change: format_change(change) for change in shown} == shown
    assert format_change(-0.004, 0) == "0 %"


def test_two_times_of_one_unit_name_it_once():
    assert format_times(0.0227, 0.02144) == "22.7 → 21.44 ms"
    assert format_times(0.9e-3, 1.1e-3) == "900 µs → 1.1 ms"


def test_large_capacities_are_grouped():
    shown = [format_capacity(gbps) for gbps in (400, 12_800, 999_960, 1_152_000, 23_040_000)]
    assert shown == ["400 Gb/s", "12.8 Tb/s", "1,000 Tb/s", "1,152 Tb/s", "23,040 Tb/s"]

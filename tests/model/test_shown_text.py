"""Texts of strangers: what commands a terminal, turns the reading direction or is markup is shown and does nothing."""

import json

import pytest

from designer.model.shown_text import in_menu, plain_text, visible, visible_line

COMMANDS = [*map(chr, (*range(9), *range(0x0B, 0x20), *range(0x7F, 0xA0))), "\u2028", "\u2029", "\ud800"]
DIRECTIONS = ["\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))]


@pytest.mark.parametrize("character", COMMANDS + DIRECTIONS, ids=lambda c: f"U+{ord(c):04X}")
def test_characters_that_command_or_turn_stand_as_json_writes_them(character):
    assert visible(f"a{character}b") == f"a\\u{ord(character):04x}b"
    assert json.loads(f'"{visible(character)}"') == character
    assert character not in plain_text(character) + in_menu(character) + visible_line(character)


def test_other_characters_stay():
    text = "leaf-07 \u201cä\u201d 日本 \U0001f9f5 \u05d0 a&b < c\n\tx"
    assert visible(text) == text
    assert visible_line("a\nb\tc") == "a\\nb\\tc"
    assert in_menu("R&D") == "R&&D"
    assert plain_text("3 < 4, R & D, a<5") == "3 < 4, R & D, a<5"

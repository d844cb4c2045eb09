"""Whatever a hand changed of a generated device or rack can be put into words."""

from dataclasses import fields

import pytest

from designer.model.entities import Device, Group, Rack
from designer.regeneration.replay_devices import WORDS


@pytest.mark.parametrize("record", [Device, Rack, Group])
def test_every_field_that_a_hand_changes_has_a_word(record):
    assert {field.name for field in fields(record)} - {"id"} <= WORDS.keys()

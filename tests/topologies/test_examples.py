"""The example designs: made by their script byte for byte, and showing what they are there to show."""

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from designer.drawing.composition import Composition
from designer.drawing.parts.document import document_picture
from designer.exchange.exporter import plan_gaps_of
from designer.model.design import Design
from designer.model.policy import DEFAULT
from designer.placement.metrics import GAP, box_size
from designer.storage import document
from designer.validation.engine import RULES, validate
from designer.validation.findings import Severity

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = ["fat-tree-16-2to1.fabric", "faults.fabric", "superpod-h100-4su.fabric"]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_examples", EXAMPLES / "make_examples.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def example(name: str) -> Design:
    return document.load(EXAMPLES / name)


def test_the_examples_are_what_their_script_makes(script, tmp_path):
    script.make(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == NAMES
    assert sorted(path.name for path in EXAMPLES.glob("*.fabric")) == NAMES
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_saved_as_it_was_opened(name):
    assert document.encode(example(name)) == (EXAMPLES / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_no_two_devices_of_an_example_overlap(name):
    design = example(name)
    boxes = [(p.x, p.y, *box_size(design.is_switch(p.id))) for p in design.placements.values()]
    assert len(boxes) == len(design.devices)
    for number, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, other_width, other_height in boxes[:number]:
            apart = max(abs(x - other_x) - (width + other_width) / 2, abs(y - other_y) - (height + other_height) / 2)
            assert apart >= GAP - 1e-6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_example_is_drawn_with_every_device(name, theme):
    design = example(name)
    picture = document_picture(Composition(design), theme)
    assert set(picture.device_ids) == set(design.devices)
    assert len(picture.boxes) == len(design.devices)
    assert len(picture.lines.xy) > 0


def test_the_superpod_has_no_fault():
    design = example("superpod-h100-4su.fabric")
    assert Counter(device.role for device in design.devices.values()) == {"": 127, "leaf": 32, "spine": 16}
    assert validate(design).findings == ()


def test_the_examples_carry_lengths_and_media_and_say_what_is_open():
    small, faults, superpod = (example(name) for name in NAMES)
    assert plan_gaps_of(superpod).headline == ""
    assert all(rack.x_m is not None for rack in superpod.racks.values())
    assert {link.length_source for link in small.links.values()} == {"rule"}
    assert all(link.medium_id for link in small.links.values())
    of_small = {gap.what for gap in plan_gaps_of(small).gaps}
    assert of_small == {"assumed form factor", "assumed length", "no part number", "no transceiver"}, (
        "it has generic switches, and no racks"
    )
    ready = [link for link in faults.links.values() if link.length_m is not None and link.medium_id]
    assert len(ready) > 0.9 * len(faults.links) and plan_gaps_of(faults).headline


def test_every_leaf_of_the_small_fat_tree_is_found_oversubscribed():
    findings = validate(example("fat-tree-16-2to1.fabric")).findings
    assert [(finding.code, finding.value) for finding in findings] == [("OVER-001", 2.0)] * 4


def test_the_faulty_example_shows_each_of_its_faults(script):
    report = validate(example("faults.fabric"))
    assert {finding.code for finding in report.findings} == {code for code, _, _ in script.FAULTS}
    assert sum(finding.severity is Severity.ERROR for finding in report.findings) >= 13


def test_the_faulty_example_has_a_fault_for_every_rule_that_the_default_policy_limits(script):
    limited = {rule.code for rule in RULES if not rule.policy or any(getattr(DEFAULT, name) for name in rule.policy)}
    assert limited == {code for code, _, _ in script.FAULTS}
    optional = {
        "OVER-003",
        "OVER-004",
        "OVER-005",
        "OVER-006",
        "PORT-008",
        "DOC-002",
        "DIAM-001",
        "MEDIA-003",
        "MEDIA-006",
        "NET-004",
        "ROOM-001",
        "ROOM-002",
        "SPOF-003",
        "BISECT-001",
    }
    assert {rule.code for rule in RULES} - limited == optional

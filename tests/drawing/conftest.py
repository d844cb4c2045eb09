"""Designs that drawing is tried on: the examples, and what the generators make."""

from pathlib import Path

import pytest

from designer.model.design import Design
from designer.storage import document
from designer.topologies.families import FAMILIES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def example():
    """The example of that name, read again."""
    return lambda name: document.load(EXAMPLES / f"{name}.fabric")


@pytest.fixture
def generated(catalog):
    """A fabric of that family with those parameters, in an empty design."""

    def make(family, **parameters):
        row = next(row for row in FAMILIES if row.name == family)
        design = Design()
        design.apply(row.build(design, row.parameters(**parameters), catalog))
        return design

    return make


@pytest.fixture(params=["fat-tree-16-2to1", "faults", "superpod-h100-4su", "pgft"])
def design(request, example, generated):
    """Each example in turn, and a fabric of three levels."""
    if request.param == "pgft":
        return generated("pgft", children=(6, 4, 3), parents=(1, 3, 2), parallel=(1, 2, 1))
    return example(request.param)

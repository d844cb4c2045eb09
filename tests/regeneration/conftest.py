"""Generated fabrics to bend by hand."""

import sys
from pathlib import Path

import pytest

from designer.model.design import Design
from designer.model.entities import FABRIC
from designer.regeneration import recipes

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def generate(catalog):
    """A design with the fabric of these parameters, and the id of its group."""

    def make(family, parameters, design=None):
        design = design or Design()
        edit = recipes.generated(design, recipes.family_named(family), parameters, catalog)
        design.apply(edit)
        groups = [c.after.id for c in edit.changes if getattr(c.after, "kind", "") == FABRIC]
        return design, groups[0]

    return make

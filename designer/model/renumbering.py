"""A design under other ids: every record, and everything that refers to it."""

from collections.abc import Mapping

from designer.model.design import Design, from_entities
from designer.model.merging.references import rewritten
from designer.model.settings import Settings

Ids = Mapping[str, Mapping[str, str]]
"""New ids by table and old id; what is not named keeps its own."""


def renumbered(design: Design, ids: Ids) -> Design:
    """The design with these new ids, which no two records of a table may share.

    Raises EditError where two records come to have one id.
    """
    new = {old: wanted for of_table in ids.values() for old, wanted in of_table.items()}  # no two tables share an id
    made = from_entities(
        (rewritten(one, new) for one in design.entities() if not isinstance(one, Settings)), design.settings
    )
    made.file_stem = design.file_stem
    return made

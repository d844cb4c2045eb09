"""Designs that a format makes itself, as what importing them would do."""

from dataclasses import replace
from pathlib import Path

from designer.exchange.importer import Import
from designer.exchange.reading.building import Proposal
from designer.exchange.reading.found import FoundNetwork, Guess, ImportFailure, Spot, Unread
from designer.exchange.reading.texts import clean
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.naming import LONGEST_NAME
from designer.model.settings import UNTITLED


def proposal_of(found: Import, path: Path) -> Proposal:
    """What importing a design that a format made would do to a new one, which it names by the file where it has none.

    Raises ImportFailure where the format left all out.
    """
    if found.refused:
        raise ImportFailure(found.refused)
    design, blank = found.design, Design().settings
    name = clean(path.stem)[:LONGEST_NAME] if design.settings.name == UNTITLED else ""
    settings = replace(design.settings, name=name or design.settings.name)
    changes = added(one for one in design.entities() if one is not design.settings)
    if settings != blank:
        changes = (Change(blank, settings), *changes)
    spot = Spot(path.name)
    return Proposal(
        FoundNetwork((), ()),
        (),
        Edit(f"Import {path.name}", changes),
        (),
        (),
        tuple(Unread(spot, sentence) for sentence in found.skipped),
        notes=tuple(Guess(spot, sentence) for sentence in found.notes),
        stated=found.contents or "a design",
    )

"""Every table that plug-ins add to, loaded: what is wrong with them comes to light here."""

from typing import Any

from designer import plugins
from designer.exchange.exporters import EXPORTERS
from designer.exchange.importers import IMPORTERS
from designer.simulation.catalogue import ALGORITHMS, ROUTINGS
from designer.topologies.families import FAMILIES
from designer.validation.engine import RULES


def check() -> tuple[str, ...]:
    """What is wrong with the plug-ins that are installed, each a sentence without a full stop."""
    tables: tuple[plugins.Table[Any], ...] = (FAMILIES, RULES, EXPORTERS, IMPORTERS, ALGORITHMS, ROUTINGS)
    for table in tables:
        len(table)  # loads the rows of plug-ins
    return plugins.problems()

"""A routing as it is typed, which may name a file of forwarding tables: "ecmp", "tables:opensm-lfts.dump"."""

from pathlib import Path
from typing import Any

from designer.errors import ParameterError
from designer.late import Late
from designer.simulation.catalogue import takes_tables
from designer.simulation.scenario import require_used

opensm = Late("designer.exchange.infiniband.opensm")


def routed(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a scenario with the fields of its routing; see `routing_fields`.

    Raises ParameterError too for values that mean nothing to that routing.
    """
    found = values | routing_fields(values["routing"])
    require_used(found, (found["routing"],))
    return found


def routing_fields(text: str) -> dict[str, Any]:
    """Fields of a scenario by name: its routing, and the tables that are read from the file it names.

    Raises ParameterError where no file is named, FileFormatError where it cannot be read.
    """
    name, _, file = text.partition(":")
    if not takes_tables(name):
        return {"routing": text}
    if not file:
        raise ParameterError(f"routing {name} needs the file of a dump: write {name}:opensm-lfts.dump")
    return {"routing": name, "tables": opensm.read_tables(Path(file))}

"""The types that a device can have, as one choice: by vendor, each with its model and what it has."""

from collections.abc import Iterable

from designer.catalog.catalog import Catalog
from designer.catalog.headline import headline
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.panels.widgets.search_field import Section


def type_sections(catalog: Catalog, held: Iterable[SwitchType | ServerType]) -> list[Section]:
    """The types of the palette by vendor, of the kind that is held, and those held that are not among them."""
    current = list(held)
    offered: Iterable[SwitchType | ServerType]
    offered = catalog.switches() if isinstance(current[0], SwitchType) else catalog.servers()
    by_vendor: dict[str, list[tuple[str, str]]] = {}
    for type_ in (*offered, *(one for one in current if one.id not in catalog.types)):
        its = by_vendor.setdefault(type_.vendor or "Other", [])
        its.append((type_.id, f"{type_.model}  ·  {headline(type_)}"))
    return list(by_vendor.items())

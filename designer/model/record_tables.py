"""The records of a design by id: a table of each kind, as read-only views."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.bookmark import Bookmark
from designer.model.entities import TABLE_OF, Device, Entity, Group, Link, Module, PlacedJob, Placement, Rack, Revision
from designer.model.fixture import Fixture
from designer.model.hardware.types import HardwareType
from designer.model.indexes import Indexes
from designer.model.policy import DEFAULT, Policy
from designer.model.settings import SETTINGS_ID, UNTITLED, Settings
from designer.model.waiver import Waiver

T = TypeVar("T")


_LOOKED_IN = (
    "devices",
    "links",
    "modules",
    "racks",
    "groups",
    "jobs",
    "annotations",
    "bookmarks",
    "annotation_styles",
    "fixtures",
    "waivers",
    "revisions",
    "types",
    "settings",
)


class RecordTables:
    """Tables of devices, modules, links, racks, groups, placements, jobs, revisions and types, as read-only views."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._tables: dict[str, dict[str, Any]] = {name: {} for name in dict.fromkeys(TABLE_OF.values())}
        self._tables["settings"][SETTINGS_ID] = settings or Settings()
        self._indexes = Indexes()
        self.file_stem = ""
        """What its file is called, without the suffix; "" while it has none. No part of the design: see `name`."""

    # -- tables ---------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings of the design."""
        settings: Settings = self._tables["settings"][SETTINGS_ID]
        return settings

    @property
    def name(self) -> str:
        """The name it was given; until it is given one, that of its file."""
        given = self.settings.name
        return self.file_stem if given == UNTITLED and self.file_stem else given

    @property
    def types(self) -> Mapping[str, HardwareType]:
        """Hardware types of the design by id: a read-only view."""
        return MappingProxyType(self._tables["types"])

    @property
    def devices(self) -> Mapping[str, Device]:
        """Devices by id: a read-only view."""
        return MappingProxyType(self._tables["devices"])

    @property
    def modules(self) -> Mapping[str, Module]:
        """Installed NICs and line cards by id: a read-only view."""
        return MappingProxyType(self._tables["modules"])

    @property
    def links(self) -> Mapping[str, Link]:
        """Links by id: a read-only view."""
        return MappingProxyType(self._tables["links"])

    @property
    def racks(self) -> Mapping[str, Rack]:
        """Racks by id: a read-only view."""
        return MappingProxyType(self._tables["racks"])

    @property
    def groups(self) -> Mapping[str, Group]:
        """Groups by id: a read-only view."""
        return MappingProxyType(self._tables["groups"])

    @property
    def placements(self) -> Mapping[str, Placement]:
        """Placements by the id of the device or rack placed: a read-only view."""
        return MappingProxyType(self._tables["placements"])

    @property
    def revisions(self) -> Mapping[str, Revision]:
        """Issues of the design that were handed over, by id."""
        return MappingProxyType(self._tables["revisions"])

    @property
    def annotations(self) -> Mapping[str, Annotation]:
        """Annotations by id: a read-only view."""
        return MappingProxyType(self._tables["annotations"])

    @property
    def bookmarks(self) -> Mapping[str, Bookmark]:
        """Bookmarks by id: a read-only view."""
        return MappingProxyType(self._tables["bookmarks"])

    @property
    def annotation_styles(self) -> Mapping[str, AnnotationStyle]:
        """Named styles of annotations by id: a read-only view."""
        return MappingProxyType(self._tables["annotation_styles"])

    @property
    def fixtures(self) -> Mapping[str, Fixture]:
        """Walls, doors, columns, cooling units and trays by id: a read-only view."""
        return MappingProxyType(self._tables["fixtures"])

    @property
    def waivers(self) -> Mapping[str, Waiver]:
        """Waivers by id: a read-only view."""
        return MappingProxyType(self._tables["waivers"])

    @property
    def policy(self) -> Policy:
        """What the design is checked against."""
        return self.settings.policy or DEFAULT

    @property
    def jobs(self) -> Mapping[str, PlacedJob]:
        """Jobs by id: a read-only view."""
        return MappingProxyType(self._tables["jobs"])

    def entity(self, entity_id: str) -> Entity | None:
        """The record of that id, except a placement, which shares the id of what it places."""
        for name in _LOOKED_IN:
            found: Entity | None = self._tables[name].get(entity_id)
            if found is not None:
                return found
        return None

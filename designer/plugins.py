"""Plug-ins: rows that other installed packages add to the program's tables, as entry points of their metadata.

A package names an object in one of the groups below, as `ring-of-rings = "acme_fabrics:RING_OF_RINGS"`; the name is
that of the row. Built-in rows come first and keep their names. What is wrong with a plug-in is one logged sentence, and
the program goes on without it. Nothing is read from the working folder.
"""

import contextlib
import importlib.util
import logging
import os
import pkgutil
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from designer.errors import DesignerError, PluginError
from designer.model.shown_text import visible_line

log = logging.getLogger(__name__)

PREFIX = "fabric_designer."
GROUPS = {
    "fabric_designer.families": ("topology family", "topology families"),
    "fabric_designer.rules": ("rule", "rules"),
    "fabric_designer.exporters": ("export format", "export formats"),
    "fabric_designer.importers": ("import format", "import formats"),
    "fabric_designer.collective_algorithms": ("collective algorithm", "collective algorithms"),
    "fabric_designer.routing_policies": ("routing policy", "routing policies"),
}
"""What an entry point may add: the group, and what its rows are called, one and several."""

MOST_SHOWN = 300
"""Characters of what a plug-in's own error says."""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point in one of the groups, not loaded yet."""

    group: str
    name: str
    package: str
    """The package as installed, with its version: "acme-fabrics 1.2"."""
    value: str
    """Where the row is: "acme_fabrics.rules:EVEN_SPINES"."""

    @property
    def title(self) -> str:
        """ "rule ACME-001"."""
        return f"{GROUPS[self.group][0]} {self.name}"


_lock = threading.RLock()
_problems: dict[str, None] = {}


def problems() -> tuple[str, ...]:
    """What was found wrong with plug-ins so far, each a sentence without a full stop."""
    return tuple(_problems)


def adds(group: str) -> bool:
    """Whether an installed package has an entry point in that group; its table need not be loaded to know."""
    return any(one.group == group for one in entries())


@cache
def entries() -> tuple[Entry, ...]:
    """The entry points of all installed packages in the program's groups, by package; read once, nothing is loaded."""
    found: dict[str, list[Entry]] = {}
    for path in _metadata_folders():
        from importlib.metadata import Distribution  # slow to import, and of use only to those who have plug-ins

        package = path.name.partition("-")[0]
        try:
            distribution = Distribution.at(path)
            package = f"{distribution.metadata['Name'] or package} {distribution.version or ''}".rstrip()
            points = [point for point in distribution.entry_points if point.group in GROUPS]
        except Exception as error:  # what stands in the metadata of a stranger is anything
            _leave_out(package, "its metadata", _note_text(error))
            continue
        found.setdefault(_normal(package.partition(" ")[0]), [Entry(p.group, p.name, package, p.value) for p in points])
    return tuple(entry for name in sorted(found) for entry in sorted(found[name], key=lambda e: (e.group, e.name)))


def _normal(name: str) -> str:
    """The name of a package as installers compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def summary() -> tuple[str, ...]:
    """One line a package, of its metadata alone: "acme-fabrics 1.2: topology family ring, rules ACME-001, ACME-002"."""
    by_package: dict[str, dict[str, list[str]]] = {}
    for entry in entries():
        by_package.setdefault(entry.package, {}).setdefault(entry.group, []).append(entry.name)
    lines = []
    for package, groups in by_package.items():
        parts = [f"{GROUPS[group][len(names) > 1]} {', '.join(names)}" for group, names in groups.items()]
        lines.append(visible_line(f"{package}: {'; '.join(parts)}"))
    return tuple(lines)


class Table(Sequence[Row], Generic[Row]):
    """Built-in rows, then those of plug-ins, which are loaded when somebody asks beyond the built-in ones.

    `accept(row, entry)` returns the row as the program uses it, with its functions guarded, or raises PluginError or
    TypeError. `key` is the attribute that names a row, `names` what it has to look like, `reserved` names of built-in
    rows that are elsewhere.
    """

    def __init__(
        self,
        group: str,
        built_in: Sequence[Row],
        accept: Callable[[object, Entry], Row],
        *,
        key: str = "name",
        names: re.Pattern[str] = NAME,
        reserved: Sequence[str] = (),
    ) -> None:
        self.group = group
        self.built_in = tuple(built_in)
        self._accept = accept
        self._key: Callable[[Row], str] = attrgetter(key)
        self._names = names
        self._by_name = {self._key(row): row for row in self.built_in}
        self._reserved = frozenset(reserved)
        self._added: dict[str, Row] | None = None

    @property
    def added(self) -> tuple[Row, ...]:
        """The rows of plug-ins, those that can be used."""
        return tuple(self._plugged().values())

    def named(self, name: str) -> Row | None:
        """The row of that name; plug-ins are loaded only where no built-in row has it."""
        found = self._by_name.get(name)
        return found if found is not None else self._plugged().get(name)

    def __iter__(self) -> Iterator[Row]:
        yield from self.built_in
        yield from self.added

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(index, int) and 0 <= index < len(self.built_in):
            return self.built_in[index]
        return (*self.built_in, *self.added)[index]

    def __len__(self) -> int:
        return len(self.built_in) + len(self.added)

    def _plugged(self) -> dict[str, Row]:
        if self._added is None:
            with _lock:
                if self._added is None:
                    self._added = dict(self._loaded())
        return self._added

    def _loaded(self) -> Iterator[tuple[str, Row]]:
        taken: dict[str, str] = {}
        for entry in entries():
            if entry.group != self.group:
                continue
            try:
                self._check_name(entry, taken)
                row = self._accept(_load(entry), entry)
                if self._key(row) != entry.name:
                    raise PluginError(f"it calls itself {self._key(row)!r}: entry point and row need the same name")
            except (Exception, SystemExit) as error:
                _leave_out(entry.package, entry.title, _note_text(error))
                continue
            taken[entry.name] = entry.package
            yield entry.name, row

    def _check_name(self, entry: Entry, taken: dict[str, str]) -> None:
        kind = GROUPS[self.group][0]
        if entry.name in self._by_name or entry.name in self._reserved:
            raise PluginError(f"{kind} {entry.name} is built in: choose another name")
        if entry.name in taken:
            raise PluginError(f"{taken[entry.name]} adds {kind} {entry.name} too")
        if not self._names.fullmatch(entry.name) or len(entry.name) > 40:
            raise PluginError(f"names of {GROUPS[self.group][1]} look like {self._by_name_example()}")

    def _by_name_example(self) -> str:
        return next(iter(self._by_name), "my-name")


def guarded(function: Callable[..., Any], entry: Entry, returns: type | None = None) -> Callable[..., Any]:
    """The function of a plug-in's row, so that whatever it does wrong is a PluginError that names the plug-in.

    The program's own errors and OSError pass as they are.
    """
    if not callable(function):
        raise PluginError(f"a function was expected, not {type(function).__name__}")

    def call(*arguments: Any, **named: Any) -> Any:
        try:
            found = function(*arguments, **named)
        except (DesignerError, OSError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise PluginError(f"{entry.title} of plug-in {entry.package} failed: {_note_text(error)}") from error
        if returns is not None and not isinstance(found, returns):
            stated = f"it returned {type(found).__name__}, not {returns.__name__}"
            raise PluginError(f"{entry.title} of plug-in {entry.package} failed: {stated}")
        return found

    return call


def of_kind(row: object, kind: type[Row]) -> Row:
    """The row, where it is of the kind that its group takes. Raises PluginError."""
    if not isinstance(row, kind):
        raise PluginError(f"its entry point should be a {kind.__module__}.{kind.__name__}, not {type(row).__name__}")
    return row


# -- finding and loading --------------------------------------------------------------------------------------------


def _metadata_folders() -> Iterator[Path]:
    """Of the packages whose metadata mention a group; those of the working folder are not looked at."""
    here = _working_folder()
    for folder in dict.fromkeys(sys.path):
        if not os.path.isabs(folder) or os.path.realpath(folder) == here:
            continue
        with contextlib.suppress(OSError):
            for one in sorted(os.scandir(folder), key=lambda one: one.name):
                if one.name.endswith((".dist-info", ".egg-info")) and _mentions_a_group(one.path):
                    yield Path(one.path)


def _mentions_a_group(folder: str) -> bool:
    try:
        with open(os.path.join(folder, "entry_points.txt"), "rb") as file:
            return PREFIX.encode() in file.read(1_000_000)
    except OSError:
        return False


def _load(entry: Entry) -> object:
    """The object that the entry point names. Raises whatever importing it does."""
    package = entry.value.partition(":")[0].partition(".")[0].strip()
    spec = importlib.util.find_spec(package)
    if spec is not None and package not in sys.modules and _is_in(_working_folder(), spec):
        raise PluginError(f"module {package} is in the working folder, from where no plug-in is loaded")
    with contextlib.redirect_stdout(sys.stderr):  # what it prints is not what a command prints
        return pkgutil.resolve_name(entry.value)


def _is_in(folder: str, spec: ModuleSpec) -> bool:
    places = [*(spec.submodule_search_locations or ()), *([spec.origin] if spec.origin else ())]
    if spec.submodule_search_locations and spec.origin:
        places = list(spec.submodule_search_locations)
    return any(os.path.dirname(os.path.realpath(place)) == folder for place in places)


def _working_folder() -> str:
    try:
        return os.path.realpath(os.getcwd())
    except OSError:  # it was deleted
        return ""


def _note_text(error: BaseException) -> str:
    """ "ZeroDivisionError: division by zero"; the sentence alone of the program's own errors."""
    if isinstance(error, DesignerError):
        return str(error)
    stated = " ".join(str(error).split())[:MOST_SHOWN]
    return f"{type(error).__name__}: {stated}" if stated else type(error).__name__


def _leave_out(package: str, what: str, why: str) -> None:
    sentence = visible_line(f"Plug-in {package}: {what} is left out: {why}")
    if sentence not in _problems:
        _problems[sentence] = None
        log.warning("%s", sentence)

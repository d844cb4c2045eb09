"""What the program remembers of its user between runs: recent files, theme, window state."""

import os
import re
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from designer.simulation.scenario import MEMORY_LIMIT_BYTES
from designer.storage.saving import SaveError, replace_file
from designer.units import BYTES_PER_GB

RECENT_FILES = 12
RECENT_TYPES = 6
THEMES = ("system", "light", "dark")
TEXT_SIZES_PT = range(8, 21)
"""Of the letters of the windows, where that of the system is not taken."""
MEMORY_LIMIT_GB, MEMORY_LIMIT_MOST_GB = MEMORY_LIMIT_BYTES / BYTES_PER_GB, 9_999


_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]+)|(.))")
_OBJECT = "@Variant("


class _Flag:
    """Something that is on or off: kept under a key, `changed` emitted when it changes."""

    def __init__(self, key: str, default: bool, changed: Signal | None = None) -> None:
        self._key, self._default, self._changed = key, default, changed

    def __get__(self, preferences: "Preferences", _owner: type | None = None) -> bool:
        value = preferences._settings.value(self._key, self._default)
        return value if isinstance(value, bool) else str(value).lower() in ("true", "1")

    def __set__(self, preferences: "Preferences", value: bool) -> None:
        if value != self.__get__(preferences):
            preferences._settings.setValue(self._key, value)
            if self._changed is not None:
                self._changed.__get__(preferences, Preferences).emit(value)


class Preferences(QObject):
    """A small file in the user's folder. A value that cannot be read counts as never set."""

    recent_files_changed = Signal()
    recent_types_changed = Signal()
    theme_changed = Signal(str)
    text_size_changed = Signal(int)
    advises_changed = Signal(bool)
    reruns_changed = Signal(bool)
    keeps_unsaved_changed = Signal(bool)
    memory_limit_changed = Signal(float)
    changed = Signal()

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # A file that cannot be freed of objects is not read.
        self._settings = QSettings(str(path) if _leave_out_objects(path) else os.devnull, QSettings.Format.IniFormat)

    # -- recent files ---------------------------------------------------------------------------------------------

    @property
    def recent_files(self) -> list[Path]:
        """Newest first; files that are missing are left out."""
        return [path for path in map(Path, self._strings("recent/files")) if _is_file(path)]

    def add_recent_file(self, path: Path) -> None:
        """Put a file first among the recent files; the oldest beyond RECENT_FILES is dropped."""
        self._remember("recent/files", str(path.resolve()), RECENT_FILES)
        self.recent_files_changed.emit()

    def clear_recent_files(self) -> None:
        """Forget all recent files."""
        self._settings.setValue("recent/files", [])
        self.recent_files_changed.emit()

    @property
    def recent_types(self) -> list[str]:
        """Catalog ids last placed, newest first."""
        return self._strings("recent/types")

    def add_recent_type(self, type_id: str) -> None:
        """Put a catalog id first among those last placed; the oldest beyond RECENT_TYPES is dropped."""
        if self.recent_types[:1] != [type_id]:
            self._remember("recent/types", type_id, RECENT_TYPES)
            self.recent_types_changed.emit()

    # -- looks ----------------------------------------------------------------------------------------------------

    @property
    def theme(self) -> str:
        """ "system", "light" or "dark"; any other value is not set."""
        theme = str(self._settings.value("window/theme", "system"))
        return theme if theme in THEMES else "system"

    @theme.setter
    def theme(self, theme: str) -> None:
        if theme in THEMES and theme != self.theme:
            self._settings.setValue("window/theme", theme)
            self.theme_changed.emit(theme)

    @property
    def text_size_pt(self) -> int:
        """One of TEXT_SIZES_PT; 0, which any other value is too, for that of the system."""
        size = str(self._settings.value("window/text_size_pt", 0))
        return int(size) if size.isdecimal() and int(size) in TEXT_SIZES_PT else 0

    @text_size_pt.setter
    def text_size_pt(self, size_pt: int) -> None:
        if size_pt != self.text_size_pt and size_pt in (0, *TEXT_SIZES_PT):
            self._settings.setValue("window/text_size_pt", size_pt)
            self.text_size_changed.emit(size_pt)

    # -- behaviour ------------------------------------------------------------------------------------------------

    start_on_welcome = _Flag("start/welcome", True)
    """Whether the program opens on the welcome screen rather than an empty canvas."""
    live_at_start = _Flag("simulation/live", False)
    """Whether Live simulation is on when a design is opened."""
    reruns_after_failures = _Flag("simulation/rerun_after_failures", True, reruns_changed)
    """Whether a quick run is repeated by itself when something fails or is repaired."""
    advises = _Flag("simulation/advise", True, advises_changed)
    """Whether what would help is tried by itself after a quick run."""
    keeps_unsaved = _Flag("recovery/keep", True, keeps_unsaved_changed)
    """Whether unsaved work is kept in case the program is killed."""

    @property
    def memory_limit_gb(self) -> float:
        """What the flows of a simulation may take of the memory: a run that needs more is refused."""
        try:
            limit = float(str(self._settings.value("simulation/memory_limit_gb", MEMORY_LIMIT_GB)))
        except ValueError:
            return MEMORY_LIMIT_GB
        return limit if 1 <= limit <= MEMORY_LIMIT_MOST_GB else MEMORY_LIMIT_GB

    @memory_limit_gb.setter
    def memory_limit_gb(self, value: float) -> None:
        if value != self.memory_limit_gb:
            self._settings.setValue("simulation/memory_limit_gb", value)
            self.memory_limit_changed.emit(value)

    @property
    def price_list(self) -> str:
        """The path of the price list that costs are shown by; "" for none."""
        return str(self._settings.value("prices/list", ""))

    @price_list.setter
    def price_list(self, path: str) -> None:
        self._settings.setValue("prices/list", path)

    # -- window state ---------------------------------------------------------------------------------------------

    def blob(self, key: str) -> QByteArray:
        """Bytes that Qt packed (geometry, dock layout); empty when never stored."""
        value = self._settings.value(f"blobs/{key}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_blob(self, key: str, value: QByteArray) -> None:
        """Store bytes that Qt packed under a key."""
        self._settings.setValue(f"blobs/{key}", value)

    def text(self, key: str) -> str:
        """A text that was stored under a key; "" at first."""
        value = self._settings.value(key, "")
        return value if isinstance(value, str) else ""

    def set_text(self, key: str, text: str) -> None:
        """Store a text under a key."""
        self._settings.setValue(key, text)

    def folder(self, key: str) -> str:
        """The folder a file dialog was last used in; "" at first."""
        return str(self._settings.value(f"folders/{key}", ""))

    def set_folder(self, key: str, folder: Path) -> None:
        """Store the folder that a file dialog was last used in."""
        self._settings.setValue(f"folders/{key}", str(folder))

    def flush(self) -> None:
        """Write what is set to the file now."""
        self._settings.sync()

    # -- reading --------------------------------------------------------------------------------------------------

    def _strings(self, key: str) -> list[str]:
        value = self._settings.value(key, [])
        if isinstance(value, str):
            return [value]
        return [str(item) for item in value] if isinstance(value, list) else []

    def _remember(self, key: str, item: str, limit: int) -> None:
        self._settings.setValue(key, [item, *(old for old in self._strings(key) if old != item)][:limit])


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _leave_out_objects(path: Path) -> bool:
    """Take out of the file what Qt would make objects of: one kind of them is a pickle, which runs what it likes.

    The program writes none. False where the file cannot be written.
    """
    try:
        lines = path.read_bytes().replace(b"\\\r\n", b"\\\n").replace(b"\\\n", b"").splitlines(keepends=True)
    except OSError:
        return True
    kept = [line for line in lines if not _holds_object(line.decode("latin-1"))]
    try:
        if len(kept) < len(lines):
            replace_file(path, b"".join(kept))
    except SaveError:
        return False
    return True


def _holds_object(line: str) -> bool:
    return _OBJECT in _ESCAPE.sub(_unescaped, line).replace('"', "")


def _unescaped(found: re.Match[str]) -> str:
    sixteen, eight, other = found.groups()
    code = int(sixteen[-6:], 16) if sixteen else int(eight[-7:], 8) if eight else ord(other)
    return chr(code) if code < 0x110000 else "?"

"""Results kept in a file of SQLite: work that was done is not done again, whenever and however it was ended.

A result is known by a key, a digest of everything that it hangs on, the program's version included. What is kept is
JSON: a file of a stranger's holds data and nothing that runs.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from designer.errors import ExportError, FileFormatError
from designer.units import format_counted
from designer.version import version_text

FORMAT = "fabric-designer-results"
_SCHEMA = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE results (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
LONGEST = 1_000_000
"""Characters of a result; more is none of ours."""


def key_of(*parts: Any) -> str:
    """What a result is known by: a digest of what it hangs on, as JSON has it, and of the program's version."""
    text = json.dumps([version_text(), *parts], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Store:
    """A file of results, made where there is none. Raises ExportError, and FileFormatError for another kind of file.

    `outdated` says in a sentence that another version of the program wrote the results that are there: none of them
    has a key of this version, so all of that work is done again. It is "" where there is nothing to say.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outdated = ""
        is_new = not path.exists() or path.stat().st_size == 0
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise ExportError(f"{path} cannot be written: {error}") from error
        try:
            if is_new:
                self._make()
            self._require_ours()
            self._compare_versions()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Nothing more is read or kept."""
        self._file.close()

    def found(self, keys: Iterable[str]) -> dict[str, Any]:
        """The results that are kept under these keys; what cannot be read is as if it were not there."""
        kept = {}
        for key in keys:
            row = self._file.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            if row is not None and isinstance(row[0], str) and len(row[0]) <= LONGEST:
                try:
                    kept[key] = json.loads(row[0])
                except ValueError:
                    continue
        return kept

    def keep(self, key: str, value: Any) -> None:
        """Keep a result: from now on it is there, whatever ends the program. Raises ExportError."""
        try:
            self._file.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(value, sort_keys=True)))
        except sqlite3.Error as error:
            raise ExportError(f"{self.path} cannot be written: {error}") from error

    def note(self, **about: str) -> None:
        """Keep what the results are of, by name. Raises ExportError."""
        try:
            self._file.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", sorted(about.items()))
        except sqlite3.Error as error:
            raise ExportError(f"{self.path} cannot be written: {error}") from error

    @property
    def about(self) -> Mapping[str, str]:
        """What the results are of."""
        return {str(name): str(value) for name, value in self._file.execute("SELECT name, value FROM about")}

    def _make(self) -> None:
        try:
            for statement in _SCHEMA:
                self._file.execute(statement)
        except sqlite3.Error as error:
            raise ExportError(f"{self.path} cannot be written: {error}") from error
        self.note(format=FORMAT)

    def _require_ours(self) -> None:
        try:
            is_ours = self.about.get("format") == FORMAT
        except sqlite3.Error:
            is_ours = False
        if not is_ours:
            raise FileFormatError(f"{self.path} holds no results of a search: give another file for them")

    def _compare_versions(self) -> None:
        """From now on the file is of this version; what another one kept stays there for that."""
        written, ours = self.about.get("version", ""), version_text()
        if written == ours:
            return
        (count,) = self._file.execute("SELECT COUNT(*) FROM results").fetchone()
        if count:
            by = f"version {written}" if written else "an earlier version"
            self.outdated = (
                f"{self.path.name} has {format_counted(count, 'result')} of {by}, and this is version {ours}: what "
                "they hold is computed again"
            )
        self.note(version=ours)

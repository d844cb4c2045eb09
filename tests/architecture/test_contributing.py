"""CONTRIBUTING.md leads somewhere: every path is there, and every room and group of plug-ins is named."""

import re
from pathlib import Path

from designer import plugins

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MADE_BY_SET_UP = (".venv",)


def test_every_path_it_names_exists() -> None:
    quoted = {word for code in re.findall(r"`([^`\n]+)`", TEXT) for word in code.split()}
    linked = set(re.findall(r"\]\(([^)#]+)\)", TEXT))
    paths = linked | {word for word in quoted if re.fullmatch(r"[\w.-]+(/[\w.-]+)+|\w+\.(md|toml|py)", word)}
    paths = {path for path in paths if not path.startswith(MADE_BY_SET_UP)}
    assert len(paths) > 45
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_every_room_is_named() -> None:
    rooms = [path.parent.name for path in (ROOT / "designer").glob("*/__init__.py")]
    assert [room for room in rooms if f"`designer/{room}`" not in TEXT] == []


def test_every_group_of_plug_ins_is_named_and_no_other() -> None:
    assert set(re.findall(r"\| `(fabric_designer\.\w+)` \|", TEXT)) == set(plugins.GROUPS)


def test_it_is_about_a_page() -> None:
    assert len(TEXT.splitlines()) < 120

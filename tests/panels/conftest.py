"""A real session on the real catalog, and the appearance panels are drawn with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from disposal import dispose_of

from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session


@pytest.fixture
def session(qtbot, catalog) -> Iterator[Session]:
    session = Session(catalog)
    yield session
    dispose_of(session)


@pytest.fixture(scope="session")
def appearance(qapp, icons) -> Appearance:
    """One for all tests: setting a style sheet polishes every widget there is."""
    return Appearance(qapp, "light", icons)


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(tmp_path / "window.ini")

"""A design file, and windows that open it again."""

import pytest
from disposal import dispose_of
from pinning import settle

from designer.session import kept_pins
from designer.session.session import Session


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """However long the first run takes, while kernels are compiled."""
    monkeypatch.setattr(kept_pins, "QUICK_S", float("inf"))


@pytest.fixture
def late(monkeypatch):
    """Runs are not computed again before they are wanted."""
    monkeypatch.setattr(kept_pins, "QUICK_S", -1.0)


@pytest.fixture
def session(open_session, tmp_path):
    made = open_session("rail-optimized", servers=4, servers_per_su=2)
    made.save(tmp_path / "pod.fabric")
    return made


@pytest.fixture
def again(qtbot, catalog, session):
    """again() -> Session that has opened the file, once all that was pinned is kept."""
    opened = []

    def go():
        for one in (session, *opened):
            settle(one, qtbot)
        opened.append(Session(catalog))
        opened[-1].messages = messages = []
        opened[-1].message.connect(messages.append)
        opened[-1].open(session.path)
        return opened[-1]

    yield go
    for one in opened:
        dispose_of(one)

"""Sessions over generated designs."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from disposal import dispose_of

from designer.session.session import Session
from designer.topologies.families import FAMILIES


@pytest.fixture
def open_session(qtbot, catalog) -> Iterator[Callable[..., Session]]:
    """open_session("fat-tree", servers=16, ...) -> Session, closed after the test."""
    opened: list[Session] = []

    def make(family_name: str, **parameters: Any) -> Session:
        family = FAMILIES.named(family_name)
        session = Session(catalog)
        opened.append(session)
        session.push(family.build(session.design, family.parameters(**parameters), catalog))
        return session

    yield make
    for session in opened:
        dispose_of(session)

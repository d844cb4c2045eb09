"""The one order in which window, command line and documents list what would help."""

from collections.abc import Iterable
from typing import Protocol, TypeVar


class Tried(Protocol):
    """A change that was tried."""

    @property
    def helps(self) -> bool:
        """Whether it gains enough to be offered."""
        ...

    @property
    def gain(self) -> float | None:
        """The share of the time that it saves."""
        ...


AnyTried = TypeVar("AnyTried", bound=Tried)


def helpful(tried: Iterable[AnyTried]) -> tuple[AnyTried, ...]:
    """Those that help, the largest gain first; of equal gains what was tried first."""
    return tuple(sorted((one for one in tried if one.helps), key=lambda one: -(one.gain or 0.0)))

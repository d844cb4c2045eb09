"""What phases are calculated with: how long each piece of work takes, and how many people do it at a time."""

from dataclasses import dataclass
from typing import Any

from designer.errors import ParameterError
from designer.exchange.plans.change_order import MOVE, PULL, RELABEL, REMOVE, SWAP
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design

INSTALL, RELOCATE, DISMOUNT = "install", "relocate", "dismount"
"""What is done with devices."""
MOST_PHASES = 50


def _minutes(action: str, title: str, what: str) -> Any:
    return setting(
        None,
        option=f"--minutes-{action}",
        title=title,
        help=f"Minutes to {what}; without it the time of phases that need it is not known.",
        kind=kinds.AMOUNT,
        within=Range(0, 100_000),
        unit="min",
        empty="not stated",
    )


@dataclass(frozen=True, slots=True)
class WorkTimes:
    """Minutes of one person for one piece of work; None is not known."""

    pull: float | None = _minutes("pull", "Pull a cable", "pull, plug and test a new cable")
    move: float | None = _minutes("move", "Move a cable end", "unplug a cable and plug it in elsewhere")
    remove: float | None = _minutes("remove", "Remove a cable", "unplug a cable and take it out")
    swap: float | None = _minutes("swap", "Swap a cable", "replace a cable, or a transceiver, in place")
    relabel: float | None = _minutes("relabel", "Label a cable", "put other labels on a cable")
    install: float | None = _minutes("install", "Install a device", "mount a device and power it on")
    relocate: float | None = _minutes("relocate", "Move a device", "move a device to another place")
    dismount: float | None = _minutes("dismount", "Remove a device", "switch a device off and take it out")
    crew: int = setting(
        1,
        title="People",
        help="How many people work at the same time.",
        kind=kinds.COUNT,
        within=Range(1, 1000),
    )

    def __post_init__(self) -> None:
        check(self)

    def minutes_of(self, action: str) -> float | None:
        """The minutes of one piece of work by its name."""
        found: float | None = getattr(self, action)
        return found


NO_TIMES = WorkTimes()
ACTIONS = (INSTALL, RELOCATE, DISMOUNT, REMOVE, SWAP, MOVE, PULL, RELABEL)


@dataclass(frozen=True, slots=True)
class Phase:
    """A design as it stands at the end of a phase. Records that stay have the same ids in all phases."""

    name: str
    design: Design


def require_phases(phases: tuple[Phase, ...]) -> None:
    """Raises ParameterError for a plan without phases, with too many, or with two of one name."""
    if not 1 <= len(phases) <= MOST_PHASES:
        raise ParameterError(f"a plan has 1 to {MOST_PHASES} phases, not {len(phases)}")
    names = [one.name for one in phases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"two phases are called {twice!r}: give each a name of its own")

"""Which jobs run on the very same GPUs, and how that is said."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.units import format_counted


@dataclass(frozen=True, slots=True, eq=False)
class SharedGpus:
    """The GPUs that a job has in common with others, by their numbers."""

    name: str
    others: tuple[str, ...]
    gpus: NDArray[np.int64]

    @property
    def sentence(self) -> str:
        """As "64 GPUs are in both A and B"."""
        count = len(self.gpus)
        are = f"{format_counted(count, 'GPU')} {'is' if count == 1 else 'are'}"
        if len(self.others) == 1:
            return f"{are} in both {self.others[0]} and {self.name}"
        rest = format_counted(len(self.others) - 1, "other job")
        return f"{are} in {self.name} and also in {self.others[0]} or {rest}"


def gpus_in_common(names: Sequence[str], numbers: Sequence[Sequence[int] | NDArray[np.int64]]) -> list[SharedGpus]:
    """One for each job that shares GPUs with jobs before it; `numbers` are the GPUs of each job."""
    of_job = [np.asarray(own, dtype=np.int64) for own in numbers]
    taken = np.zeros((len(names), 1 + max((int(own.max(initial=-1)) for own in of_job), default=-1)), dtype=bool)
    for row, own in enumerate(of_job):
        taken[row, own] = True
    found = []
    for row, name in enumerate(names):
        others = tuple(names[other] for other in np.flatnonzero((taken[:row] & taken[row]).any(axis=1)).tolist())
        if others:
            found.append(SharedGpus(name, others, np.flatnonzero(taken[row] & taken[:row].any(axis=0))))
    return found

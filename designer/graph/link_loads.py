"""Loads of links in both directions, as arrays that read like a mapping from link ids."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Pair = tuple[float, float]


def busier(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) the greater of both directions; `values` is (n, 2)."""
    return np.maximum(values[:, 0], values[:, 1])  # numpy takes ten times as long over so short an axis


class LinkLoads(Mapping[str, Pair]):
    """Of each link its load from end a to end b, and back."""

    def __init__(self, link_ids: tuple[str, ...], values: NDArray[np.float64]) -> None:
        """`values` is (n_links, 2), in the order of the ids; no link is named twice."""
        self.link_ids = link_ids
        self.values_of_links = values

    @classmethod
    def of(cls, loads: Mapping[str, Pair]) -> "LinkLoads":
        """Any such mapping as arrays; itself where it is one."""
        if isinstance(loads, cls):
            return loads
        return cls(tuple(loads), np.array(list(loads.values()), dtype=np.float64).reshape(-1, 2))

    @cached_property
    def busier(self) -> NDArray[np.float64]:
        """(n_links,) the load of the busier direction."""
        return busier(self.values_of_links)

    def rows_of(self, link_ids: Iterable[str]) -> NDArray[np.int64]:
        """The row of each id; -1 for links that are not in it."""
        row_of = self._row_of
        return np.array([row_of.get(one, -1) for one in link_ids], dtype=np.int64)

    def taken_for(self, link_ids: list[str] | tuple[str, ...], missing: float) -> NDArray[np.float64]:
        """(n, 2) the loads of these links, `missing` for those that are not in it."""
        if self.link_ids is link_ids or self.link_ids == tuple(link_ids):
            return self.values_of_links
        padded = np.vstack((self.values_of_links, [[missing, missing]]))
        found: NDArray[np.float64] = padded[self.rows_of(link_ids)]
        return found

    def __getitem__(self, link_id: str) -> Pair:
        forth, back = self.values_of_links[self._row_of[link_id]].tolist()
        return forth, back

    def __iter__(self) -> Iterator[str]:
        return iter(self.link_ids)

    def __len__(self) -> int:
        return len(self.link_ids)

    def __repr__(self) -> str:
        return f"LinkLoads({len(self)} links)"

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {link_id: row for row, link_id in enumerate(self.link_ids)}

"""How kernels are compiled: to machine code, without the interpreter's lock, kept on disk where that is possible."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(kernel: F) -> F:
    """The kernel as machine code, compiled at its first call with each kind of arguments.

    numba keeps it beside the source, or in the user's cache folder where the source is read-only; where neither can be
    written it is compiled once a run. A kernel may call kernels of its own file only: numba notices a changed file by
    the caller's alone.
    """
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(kernel))
    except RuntimeError:  # no folder for the cache
        return cast(F, numba.njit(nogil=True)(kernel))

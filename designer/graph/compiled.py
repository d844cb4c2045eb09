"""Kernels: functions that run as machine code, without the interpreter's lock. numba is loaded at the first call."""

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar, cast

from designer.late import START_UP

F = TypeVar("F", bound=Callable[..., Any])

_LOADING = threading.RLock()


class Kernel:
    """A function that is compiled when it is called, or when a kernel that calls it is compiled."""

    def __init__(self, function: Callable[..., Any], *, borrows: bool = False, inline: bool = False) -> None:
        update_wrapper(self, function)
        self.function, self.borrows, self.inline = function, borrows, inline
        self._dispatcher: Any = None

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Run the compiled function; the first call with each kind of arguments compiles it."""
        return (self._dispatcher or self.dispatcher)(*given, **named)

    @property
    def dispatcher(self) -> Any:
        """Numba's own object for the function: its signatures and types are there."""
        with _LOADING:
            if self._dispatcher is None:
                # numba takes half a second to load, and most commands and the window's start run no kernel.
                with START_UP.going_on():
                    from designer.graph.compiler import dispatcher

                    self._dispatcher = dispatcher(self.function, borrows=self.borrows, inline=self.inline)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What numba asks for the type of a global that it does not know: so it compiles a call between kernels."""
        return self.dispatcher._numba_type_


def compiled(kernel: F) -> F:
    """The kernel as machine code, compiled at its first call with each kind of arguments.

    It may call kernels of other files, and be given records of arrays that are declared beside kernels: a change in any
    such file is noticed. What else it takes from the program must stand in a file with kernels too.
    """
    return cast(F, Kernel(kernel))


def compiled_borrowing(kernel: F) -> F:
    """As `compiled`, of a kernel that makes no arrays and returns none: references to those it is given go uncounted.

    In a short kernel that takes records of arrays, counting takes longer than all the rest.
    """
    return cast(F, Kernel(kernel, borrows=True))


def compiled_inline(kernel: F) -> F:
    """As `compiled_borrowing`, of a kernel so short that it becomes a part of each kernel that calls it."""
    return cast(F, Kernel(kernel, borrows=True, inline=True))

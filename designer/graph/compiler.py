"""numba, loaded safely: to machine code, without the interpreter's lock, kept on disk where that is safe.

A kept kernel is a pickle: whoever can write one runs what they like. So kernels are kept in one folder of the user's
own, which nobody else may enter, and numba takes its settings from this program and the user's environment alone, never
from the `.numba_config.yaml` that it looks for in the folder where the user stands.
"""

import contextlib
import importlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from designer.graph.compiled_files import PACKAGE, digest, private_folder
from designer.late import START_UP
from designer.paths import compiled_dir

log = logging.getLogger(__name__)

_CONFIG = "numba.core.config"
_CONFIG_FILE = ".numba_config.yaml"


def dispatcher(kernel: Callable[..., Any], *, borrows: bool = False, inline: bool = False) -> Any:
    """Numba's own object for the kernel: compiled at its first call with each kind of arguments.

    Kept in the user's cache folder; where that cannot be made, or others may enter it, compiled once a run.
    """
    # Of the doors that numba makes for callers, only the one from Python is used, and none into what is inlined.
    doors = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inline}
    made = _numba.njit(nogil=True, _nrt=not borrows, forceinline=inline, **doors)(kernel)
    if hasattr(made, "get_call_template"):
        made.get_call_template, made.compile = _of_kinds(made.get_call_template), _counted(made.compile)
    if _FOLDER is not None and hasattr(made, "enable_caching"):  # not where compiling is switched off
        with contextlib.suppress(RuntimeError):  # the folder went away
            made._cache = _Cache(kernel)
    return made


def _of_kinds(template: Callable[..., Any]) -> Callable[..., Any]:
    """What a call between kernels is compiled for: kinds of arguments, where numba would do it for each constant."""

    def of_kinds(args: Sequence[Any], kws: dict[str, Any]) -> Any:
        plain = _numba.types.unliteral
        return template(tuple(map(plain, args)), {name: plain(kind) for name, kind in kws.items()})

    return of_kinds


def _counted(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Loads or compiles a kernel for some kinds of arguments, which counts as start-up: it is done once."""

    def counted(sig: Any) -> Any:
        with START_UP.going_on():
            return compile_(sig)

    return counted


class _WithoutFile(Loader):
    """Loads numba's settings with the name of the file in the working folder taken out."""

    def __init__(self, inner: InspectLoader) -> None:
        self._inner = inner

    def exec_module(self, module: ModuleType) -> None:
        code = self._inner.get_code(module.__name__)
        if code is None:
            raise ImportError(f"{module.__name__} has no code", name=module.__name__)
        constants = tuple("" if constant == _CONFIG_FILE else constant for constant in code.co_consts)
        exec(code.replace(co_consts=constants), module.__dict__)  # noqa: S102  (the program's own dependency)


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _CONFIG:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None and isinstance(spec.loader, InspectLoader):
                spec.loader = _WithoutFile(spec.loader)
                return spec
        return None


def _load_numba() -> Any:
    """numba, deaf to the folder where the user stands; it looks there when it is loaded and at each compilation."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        numba = importlib.import_module("numba")
    finally:
        sys.meta_path.remove(finder)
    config: Any = importlib.import_module(_CONFIG)
    if config._config_fname:  # loaded by somebody else before
        config._config_fname = ""
        config.reload_config()
    return numba


_numba = _load_numba()
_FOLDER = private_folder(compiled_dir())
if _FOLDER is not None:
    _settings: Any = importlib.import_module(_CONFIG)
    _settings.CACHE_DIR, _settings.CACHE_LOCATOR_CLASSES = str(_FOLDER), ""

_caching: Any = importlib.import_module("numba.core.caching")


_SOURCES = digest()


class _Locator(_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """In the chosen folder, and made from the files of all kernels: numba would look at that of the caller alone."""

    def get_source_stamp(self) -> tuple[str, Any]:
        is_ours = Path(self._py_file).resolve().is_relative_to(PACKAGE)
        return _SOURCES, None if is_ours else super().get_source_stamp()


class _Kept(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Kept in the chosen folder or nowhere: numba would go on to the folder of the source."""

    _locator_classes = [_Locator]


class _Cache(_caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _Kept

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            _report_compiling()
        return found


@cache
def _report_compiling() -> None:
    """Say once a run why it takes longer than another time."""
    log.info("compiling the simulation for this machine; the next run starts at once")

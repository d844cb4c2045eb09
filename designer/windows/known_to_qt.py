"""Says to PySide that no module of the program asks for its optional features, so that it reads no source of them.

It looks into the source of every module that is imported after it: several hundred files before the first window shows.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6 import QtCore

import designer

NO_FEATURES = 0
QT = QtCore.__name__
"""Loaded here: until then PySide has no place to enter modules in."""


def tell() -> None:
    """Enter the modules where PySide looks before it reads; nothing in a version of PySide without such a place."""
    known = getattr(sys.modules.get("shibokensupport.feature"), "pyside_feature_dict", None)
    if isinstance(known, dict):
        for name in _module_names():
            known.setdefault(name, NO_FEATURES)


def _module_names() -> Iterator[str]:
    """The full names of all modules of the program; none where their sources are not there, as in a bundle."""
    root = Path(designer.__file__).parent
    for folder, _, files in os.walk(root):
        room = ".".join((designer.__name__, *Path(folder).relative_to(root).parts))
        yield room
        yield from (f"{room}.{file[:-3]}" for file in files if file.endswith(".py"))

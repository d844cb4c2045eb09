"""What the first window needs of the rooms that do not know Qt, to be loaded before Qt is.

PySide reads the source of every module that is imported after it, to see whether that uses it: a sixth of the time
until an empty window shows.
"""

import xml.etree.ElementTree

import numpy

from designer.analysis import outline
from designer.analysis.selecting import finder
from designer.catalog import catalog
from designer.drawing.parts import elevation, floor, picture
from designer.exchange.comparison import figure_rows
from designer.placement.layouts import tidy
from designer.storage import journal, recovery

LOADED = (
    xml,
    numpy,
    outline,
    finder,
    catalog,
    elevation,
    floor,
    picture,
    figure_rows,
    tidy,
    journal,
    recovery,
)

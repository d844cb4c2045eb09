"""Files of strangers as bytes, as text and as names: nothing without end is read, nothing unseen stays in a name."""

from pathlib import Path

from designer import outside_files
from designer.errors import FileFormatError
from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.limits import LONGEST_PORT, MOST_BYTES
from designer.model.naming import LONGEST_NAME
from designer.outside_files import clean
from designer.tables.cells import as_written

__all__ = ["clean", "clean_cell", "is_name", "is_port", "read_bytes", "read_text", "text_of"]


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises ImportFailure for what is no file or is too large, OSError as it comes."""
    try:
        return outside_files.read_bytes(path, MOST_BYTES, "import it in parts")
    except FileFormatError as error:
        raise ImportFailure(str(error)) from None


def read_text(path: Path) -> str:
    """The content of a text file. Raises ImportFailure where it is no text."""
    return text_of(read_bytes(path), path.name)


def text_of(data: bytes, name: str) -> str:
    """The text that bytes stand for: UTF-8, or what a byte order mark says. Raises ImportFailure naming the file."""
    try:
        return outside_files.text_of(data, name)
    except FileFormatError as error:
        raise ImportFailure(str(error)) from None


def clean_cell(text: str) -> str:
    """A cell's text, without the apostrophe that keeps a spreadsheet from running it as a formula."""
    cleaned = clean(text)
    return as_written(cleaned) if cleaned.startswith("'") else cleaned


def is_name(text: str) -> bool:
    """Whether a device can have this name."""
    return 0 < len(text) <= LONGEST_NAME


def is_port(text: str) -> bool:
    """Whether a port can have this name."""
    return 0 < len(text) <= LONGEST_PORT

"""Files of strangers as bytes, as text and as names: nothing without end is read, nothing unseen stays in a name."""

import re
import stat
from pathlib import Path

from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.limits import LONGEST_PORT, MOST_BYTES
from designer.model.naming import LONGEST_NAME
from designer.tables.cells import as_written

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]+"
)
_BLANKS = re.compile(r"\s+")
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises ImportFailure for what is no file or is too large, OSError as it comes."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise ImportFailure(f"{path.name} is not a file: choose the file itself")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ImportFailure(f"{path.name} is larger than {MOST_BYTES // 10**6} MB: import it in parts")
    return data


def read_text(path: Path) -> str:
    """The content of a text file. Raises ImportFailure where it is no text."""
    return text_of(read_bytes(path), path.name)


def text_of(data: bytes, name: str) -> str:
    """The text that bytes stand for: UTF-8, or what a byte order mark says. Raises ImportFailure naming the file."""
    encoding = next((one for mark, one in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ImportFailure(f"{name} is not UTF-8 text: save it as UTF-8") from None
    if "\x00" in text[:4096]:
        raise ImportFailure(f"{name} is not a text file: choose one that holds text")
    return text


def clean(text: str) -> str:
    """A text as a name or a cell has it: one line, single blanks, nothing that is not seen or turns the direction."""
    return _BLANKS.sub(" ", _UNSEEN.sub(" ", text)).strip()


def clean_cell(text: str) -> str:
    """A cell's text, without the apostrophe that keeps a spreadsheet from running it as a formula."""
    if text.isascii() and text.isprintable() and text[:1] not in " '" and text[-1:] != " " and "  " not in text:
        return text  # most are
    return as_written(clean(text))


def is_name(text: str) -> bool:
    """Whether a device can have this name."""
    return 0 < len(text) <= LONGEST_NAME


def is_port(text: str) -> bool:
    """Whether a port can have this name."""
    return 0 < len(text) <= LONGEST_PORT

"""Files of strangers as bytes and as text: nothing without end is read, nothing unseen stays in a text."""

import re
import stat
from pathlib import Path

from designer.errors import FileFormatError

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]+"
)
_BLANKS = re.compile(r"\s+")
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_bytes(path: Path, most_bytes: int, way_out: str) -> bytes:
    """The content of a file. Raises FileFormatError for what is no file or is too large, OSError as it comes."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise FileFormatError(f"{path.name} is not a file: choose the file itself")
    with path.open("rb") as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise FileFormatError(f"{path.name} is larger than {most_bytes // 10**6} MB: {way_out}")
    return data


def text_of(data: bytes, name: str) -> str:
    """The text that bytes stand for: UTF-8, or what a byte order mark says. Raises FileFormatError naming the file."""
    encoding = next((one for mark, one in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise FileFormatError(f"{name} is not UTF-8 text: save it as UTF-8") from None
    if "\x00" in text[:4096]:
        raise FileFormatError(f"{name} is not a text file: choose one that holds text")
    return text


def clean(text: str) -> str:
    """A text as a name or a cell has it: one line, single blanks, nothing that is not seen or turns the direction."""
    if text.isascii() and text.isprintable() and text[:1] != " " and text[-1:] != " " and "  " not in text:
        return text  # most are
    return _BLANKS.sub(" ", _UNSEEN.sub(" ", text)).strip()

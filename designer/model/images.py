"""Pictures that a design holds: PNG and JPEG by their own bytes, measured before anything decodes them."""

import base64
import binascii
import struct
from typing import NamedTuple

from designer.errors import ParameterError

BYTES_MOST = 1_000_000
SIDE_MOST = 4096
TEXT_LONGEST = (BYTES_MOST + 2) // 3 * 4
"""Characters of the largest picture as base64."""
PNG, JPEG = "png", "jpeg"

_PNG_HEAD = b"\x89PNG\r\n\x1a\n"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset(range(0xD0, 0xDA)) | {0x01}


class Picture(NamedTuple):
    """The bytes of a picture, its format and its size in pixels."""

    data: bytes
    format: str
    width: int
    height: int


def picture_of(text: str) -> Picture:
    """The picture that base64 text holds. Raises ParameterError for what is no small PNG or JPEG."""
    try:
        return checked_picture(base64.b64decode(text, validate=True))
    except binascii.Error:
        raise ParameterError("the picture is not written as base64") from None


def text_of(picture: Picture) -> str:
    """The picture as base64."""
    return base64.b64encode(picture.data).decode("ascii")


def checked_picture(data: bytes) -> Picture:
    """The picture of these bytes. Raises ParameterError for what is no PNG or JPEG, or too large."""
    if len(data) > BYTES_MOST:
        raise ParameterError(
            f"the picture has {len(data) / 1e6:.1f} MB, the most is {BYTES_MOST / 1e6:g} MB: save it smaller"
        )
    found = _png(data) or _jpeg(data)
    if found is None:
        raise ParameterError("the picture must be a PNG or JPEG file")
    if not (0 < found.width <= SIDE_MOST and 0 < found.height <= SIDE_MOST):
        size, most = f"{found.width} x {found.height}", f"{SIDE_MOST} x {SIDE_MOST}"
        raise ParameterError(f"the picture is {size} pixels, the most is {most}: save it smaller")
    return found


def _png(data: bytes) -> Picture | None:
    if not data.startswith(_PNG_HEAD) or data[12:16] != b"IHDR" or len(data) < 33:
        return None
    return Picture(data, PNG, *struct.unpack(">II", data[16:24]))


def _jpeg(data: bytes) -> Picture | None:
    """Walks from segment to segment until the one that states the size."""
    if not data.startswith(b"\xff\xd8"):
        return None
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _ALONE or marker == 0xFF:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Picture(data, JPEG, width, height)
        at += 2 + max(2, struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None

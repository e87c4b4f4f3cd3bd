"""The picture of a recall: written anew, so that it has one format, a bounded size and no metadata."""

from __future__ import annotations

from io import BytesIO

from portal.backend.files.store import in_thread
from portal.contract.errors import InvalidInput
from portal.kernel.codes import Code

LONGEST_SIDE = 1200
"""Pixels."""


async def prepared(content: bytes) -> bytes:
    """A picture as a JPEG, upright, on white; empty for an empty one.

    Raises:
        InvalidInput: `file_damaged` for the field `picture`: it is no JPEG or PNG, or has too many pixels.
    """
    return await in_thread(_jpeg, content) if content else b""


def _jpeg(content: bytes) -> bytes:
    from PIL import Image, ImageOps

    from portal.backend.files.images import MOST_PIXELS

    try:
        with Image.open(BytesIO(content), formats=("JPEG", "PNG")) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise ValueError("too many pixels")
            layers = ImageOps.exif_transpose(opened).convert("RGBA")
    except (OSError, ValueError, SyntaxError, EOFError, RuntimeError, KeyError) as error:
        raise InvalidInput(Code.INVALID_INPUT, fields={"picture": Code.FILE_DAMAGED}) from error
    layers.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    white = Image.new("RGBA", layers.size, "white")
    white.alpha_composite(layers)
    written = BytesIO()
    white.convert("RGB").save(written, "JPEG", quality=85)
    return written.getvalue()

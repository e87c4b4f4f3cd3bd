"""Brings images of products to size."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path

from portal.backend.files.checks import Version
from portal.backend.files.inspection import redrawn
from portal.pictures.api import ImageFormat
from portal.pictures.rules import MAIL_WIDTH, WIDTHS

FILES: tuple[tuple[ImageFormat, int], ...] = (
    *(("avif", width) for width in WIDTHS),
    *(("webp", width) for width in WIDTHS),
    ("jpeg", MAIL_WIDTH),
)
"""Every format and width in which an image is kept."""

_OPTIONS: dict[ImageFormat, dict[str, int]] = {
    "avif": {"quality": 58, "speed": 7},
    "webp": {"quality": 76, "method": 4},
    "jpeg": {"quality": 80},
}
_PREVIEW = Version("WEBP", 16, {"quality": 40})


@dataclass(frozen=True, slots=True)
class Sizes:
    """An image in all sizes.

    Attributes:
        preview: in a few pixels, as a `data:` address; empty if one can see through the image.
    """

    preview: str
    files: dict[tuple[ImageFormat, int], bytes]


async def make_sizes(path: Path) -> Sizes:
    """Bring an image to all sizes, without metadata. It is gone afterwards. A small one is not made larger."""
    versions = [Version(form.upper(), width, _OPTIONS[form]) for form, width in FILES]
    made = await redrawn(path, [*versions, _PREVIEW])
    *files, tiny = made.versions
    # It would be seen through the image.
    preview = "" if made.clear else f"data:image/webp;base64,{base64.b64encode(tiny).decode()}"
    return Sizes(preview, dict(zip(FILES, files, strict=True)))

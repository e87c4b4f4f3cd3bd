"""Brings images of products to size, and draws drawings as pixels for mail programs, which show no SVG."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path

from portal.backend.files.checks import Version
from portal.backend.files.inspection import redrawn
from portal.illustrations import HEIGHT, WIDTH
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


_SHEET = """
#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: {fill})
#image(bytes(sys.inputs.svg), width: 100%)
"""


def png_of(svg: str, width: int, *, clear: bool = False) -> bytes:
    """A drawing as a PNG. Blocks."""
    import typst

    page = _SHEET.format(width=width, height=width * HEIGHT // WIDTH, fill="none" if clear else "white")
    try:
        content = typst.compile(page.encode(), format="png", ppi=72, sys_inputs={"svg": svg})
    except (RuntimeError, OSError) as error:
        raise ValueError("the drawing cannot be drawn") from error
    if not isinstance(content, bytes):
        raise ValueError("the drawing has several pages")  # noqa: TRY004 - wrong content, not a wrong type
    return content

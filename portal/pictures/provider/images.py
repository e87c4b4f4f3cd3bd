"""Images of products: judged, and brought to size. Everything here blocks; the callers run it in threads.

An image comes from the shop, but from its web server, so it is judged like one of a customer: by its content, with a
limit for its bytes and its pixels. SVG and other formats that can hold programs or refer to files are no image here.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from portal.pictures.api import ImageFormat
from portal.pictures.rules import MAIL_WIDTH, WIDTHS

if TYPE_CHECKING:
    from PIL import Image

LARGEST = 10 * 1024 * 1024
"""Bytes of an image as the shop sends it."""

MOST_PIXELS = 40_000_000
"""Pixels of an image; decoded, it takes 160 MB of memory."""

_FORMATS = ("JPEG", "PNG", "WEBP", "AVIF")
_PREVIEW = 16
_FAULTS = (OSError, ValueError, SyntaxError, EOFError, RuntimeError, KeyError)


class NoImage(Exception):
    """The content is no image that can be shown."""


class TooLarge(NoImage):
    """The file is larger than `LARGEST`."""


class TooManyPixels(NoImage):
    """The image has more than `MOST_PIXELS`."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """An image in all sizes.

    Attributes:
        preview: in a few pixels, as a `data:` address; empty if one can see through the image.
        files: the content by format and width.
    """

    preview: str
    files: dict[tuple[ImageFormat, int], bytes]


def check_image(content: bytes) -> None:
    """Decode an image.

    Raises:
        NoImage: it is none, too large, or has too many pixels.
    """
    _opened(content)


def _opened(content: bytes) -> Image.Image:
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # the limit below holds, before anything is decoded
    if len(content) > LARGEST:
        raise TooLarge
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise TooManyPixels
            upright = ImageOps.exif_transpose(opened)
            clear = "A" in upright.getbands() or "transparency" in opened.info
            return upright.convert("RGBA" if clear else "RGB")
    except _FAULTS as error:
        raise NoImage from error


def make_sizes(content: bytes, speed: int = 7) -> Sizes:
    """Bring an image to all sizes, without metadata. A small image is not made larger.

    Args:
        content: the image as it came.
        speed: of the AVIF encoder, 0 to 10; slower files are smaller.

    Raises:
        NoImage: as `check_image`.
    """
    from PIL import Image

    image = _opened(content)
    files: dict[tuple[ImageFormat, int], bytes] = {}
    for width in WIDTHS:
        small = image.copy()
        small.thumbnail((width, width), Image.Resampling.LANCZOS, reducing_gap=3)
        files["avif", width] = _written(small, "AVIF", quality=58, speed=speed)
        files["webp", width] = _written(small, "WEBP", quality=76, method=4)
        if width == MAIL_WIDTH:
            files["jpeg", width] = _written(_on_white(small), "JPEG", quality=80)
    return Sizes(_preview(image), files)


def preview_of(content: bytes) -> str:
    """An image in a few pixels, as a `data:` address; empty if one can see through it.

    Raises:
        NoImage: as `check_image`.
    """
    return _preview(_opened(content))


def _preview(image: Image.Image) -> str:
    if image.mode == "RGBA":
        # It would be seen through the image.
        return ""
    tiny = _on_white(image)
    tiny.thumbnail((_PREVIEW, _PREVIEW))
    encoded = base64.b64encode(_written(tiny, "WEBP", quality=40)).decode()
    return f"data:image/webp;base64,{encoded}"


def _written(image: Image.Image, form: str, **options: int) -> bytes:
    written = BytesIO()
    image.info = {}
    image.save(written, form, **options)
    return written.getvalue()


def _on_white(image: Image.Image) -> Image.Image:
    from PIL import Image

    if image.mode == "RGB":
        return image.copy()
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image)
    return white.convert("RGB")

"""Images of products are judged by their content and brought to size."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from portal.illustrations.library import drawing
from portal.pictures.provider.images import LARGEST, NoImage, TooLarge, TooManyPixels, check_image, make_sizes
from portal.pictures.provider.keeping import FILES
from portal.pictures.provider.raster import png_of
from portal.pictures.rules import MAIL_WIDTH, WIDTHS


def image(width: int = 1200, height: int = 800, form: str = "PNG", color: Any = (200, 60, 30), **options: Any) -> bytes:
    """An image in one colour."""
    written = BytesIO()
    Image.new("RGBA" if len(color) == 4 else "RGB", (width, height), color).save(written, form, **options)
    return written.getvalue()


def huge() -> bytes:
    """100 million pixels in one colour, which are a small file."""
    written = BytesIO()
    Image.new("1", (10_000, 10_000)).save(written, "PNG", compress_level=9)
    return written.getvalue()


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


def test_an_image_is_kept_in_all_sizes_and_formats() -> None:
    made = make_sizes(image())
    assert set(made.files) == set(FILES)
    for (form, width), content in made.files.items():
        assert (opened(content).format, opened(content).size) == (form.upper(), (width, width * 2 // 3))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "AVIF"])
def test_four_formats_are_read(form: str) -> None:
    content = image(form=form, color=(0, 0, 250))
    check_image(content)
    red, green, blue = opened(make_sizes(content).files["jpeg", MAIL_WIDTH]).tobytes()[:3]
    assert max(red, green) < 20
    assert blue > 230


def test_a_small_image_is_not_made_larger() -> None:
    assert opened(make_sizes(image(300, 200)).files["avif", WIDTHS[-1]]).size == (300, 200)


def test_the_first_frame_is_a_few_pixels() -> None:
    preview = make_sizes(image()).preview
    kind, _, data = preview.partition(",")
    assert kind == "data:image/webp;base64"
    assert max(opened(base64.b64decode(data)).size) == 16
    assert len(preview) < 1200


def test_a_clear_ground_is_white_in_mails_and_clear_on_pages() -> None:
    made = make_sizes(image(color=(0, 0, 0, 0)))
    assert opened(made.files["jpeg", 480]).convert("RGB").getpixel((5, 5)) == (255, 255, 255)
    assert opened(made.files["webp", 480]).getchannel("A").getpixel((5, 5)) == 0


def test_metadata_does_not_stay() -> None:
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    made = make_sizes(image(form="JPEG", exif=exif))
    assert all(b"taken" not in content for content in made.files.values())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>not found</html>",
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
        b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg>&b;</svg>',
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00",
        image()[:200],
        b"%PDF-1.7\n%%EOF",
    ],
    ids=["empty", "page", "svg", "svg-bomb", "gif", "cut", "pdf"],
)
def test_what_is_no_image_is_refused(content: bytes) -> None:
    with pytest.raises(NoImage):
        check_image(content)


def test_an_image_of_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(TooManyPixels):
        check_image(huge())


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLarge):
        check_image(image() + b"0" * LARGEST)


def test_a_drawing_becomes_pixels_for_mails() -> None:
    pixels = opened(png_of(drawing("diamond", "#2f5d46"), 480)).convert("RGB")
    assert pixels.size == (480, 320)
    assert pixels.getpixel((2, 2)) == (255, 255, 255)
    assert len(set(pixels.get_flattened_data())) > 500

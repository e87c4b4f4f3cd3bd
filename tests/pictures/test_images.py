"""Images of products are judged by their content and brought to size."""

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from portal.backend.files.checks import BadFile
from portal.backend.files.inspection import redrawn
from portal.illustrations import drawing
from portal.kernel.codes import Code
from portal.pictures.provider.service import FILES, Sizes, make_sizes, png_of
from portal.pictures.rules import MAIL_WIDTH, WIDTHS


def image(width: int = 1200, height: int = 800, form: str = "PNG", color: Any = (200, 60, 30), **options: Any) -> bytes:
    """An image in one colour."""
    file = BytesIO()
    Image.new("RGBA" if len(color) == 4 else "RGB", (width, height), color).save(file, form, **options)
    return file.getvalue()


def huge() -> bytes:
    """100 million pixels in one colour, which are a small file."""
    file = BytesIO()
    Image.new("1", (10_000, 10_000)).save(file, "PNG", compress_level=9)
    return file.getvalue()


async def sizes(folder: Path, content: bytes) -> Sizes:
    """An image in all sizes."""
    return await make_sizes(written(folder, content))


def written(folder: Path, content: bytes) -> Path:
    """A file."""
    place = folder / "image"
    place.write_bytes(content)
    return place


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


async def test_an_image_is_kept_in_all_sizes_and_formats(tmp_path: Path) -> None:
    made = await sizes(tmp_path, image())
    assert set(made.files) == set(FILES)
    for (form, width), content in made.files.items():
        assert (opened(content).format, opened(content).size) == (form.upper(), (width, width * 2 // 3))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "AVIF"])
async def test_four_formats_are_read(tmp_path: Path, form: str) -> None:
    made = await sizes(tmp_path, image(form=form, color=(0, 0, 250)))
    red, green, blue = opened(made.files["jpeg", MAIL_WIDTH]).tobytes()[:3]
    assert max(red, green) < 20
    assert blue > 230


async def test_a_small_image_is_not_made_larger(tmp_path: Path) -> None:
    assert opened((await sizes(tmp_path, image(300, 200))).files["avif", WIDTHS[-1]]).size == (300, 200)


async def test_the_first_frame_is_a_few_pixels(tmp_path: Path) -> None:
    preview = (await sizes(tmp_path, image())).preview
    kind, _, data = preview.partition(",")
    assert kind == "data:image/webp;base64"
    assert max(opened(base64.b64decode(data)).size) == 16
    assert len(preview) < 1200


async def test_a_clear_ground_is_white_in_mails_and_clear_on_pages(tmp_path: Path) -> None:
    made = await sizes(tmp_path, image(color=(0, 0, 0, 0)))
    assert made.preview == ""
    assert opened(made.files["jpeg", 480]).convert("RGB").getpixel((5, 5)) == (255, 255, 255)
    assert opened(made.files["webp", 480]).getchannel("A").getpixel((5, 5)) == 0


async def test_metadata_does_not_stay(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    made = await sizes(tmp_path, image(form="JPEG", exif=exif))
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
async def test_what_is_no_image_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadFile) as refused:
        await redrawn(written(tmp_path, content))
    assert refused.value.code is Code.FILE_DAMAGED
    assert list(tmp_path.iterdir()) == []


async def test_an_image_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        await redrawn(written(tmp_path, huge()))
    assert refused.value.code is Code.FILE_TOO_DETAILED


def test_a_drawing_becomes_pixels_for_mails() -> None:
    pixels = opened(png_of(drawing("diamond", "#2f5d46"), 480)).convert("RGB")
    assert pixels.size == (480, 320)
    assert pixels.getpixel((2, 2)) == (255, 255, 255)
    assert len(set(pixels.get_flattened_data())) > 500

"""Pictures in documents."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import structlog

from portal.backend.files.store import store_of
from portal.backend.pdf import Exact
from portal.contract.models import Picture
from portal.illustrations import HEIGHT, WIDTH, drawing
from portal.pictures.provider.keeping import file_key
from portal.pictures.rules import KEY, MAIL_WIDTH, color_of, known_drawing
from portal.settings import Settings

log = structlog.get_logger(__name__)

MOST_PRINTED = 24
"""Different pictures in a document; the lines after them have none."""

_SHEET = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><image width="{WIDTH}" height="{HEIGHT}" '
    'href="data:image/jpeg;base64,{image}"/></svg>'
)


async def printed(settings: Settings, pictures: Sequence[Picture | None]) -> list[Exact]:
    """Each picture as an SVG: the drawing, or a sheet with the image of the shop. The same picture is the same text.

    A document does not fail for want of a picture: when the store does not give an image, its drawing is printed.
    """
    made: dict[Picture, Exact] = {}
    for picture in pictures:
        if picture is not None and picture not in made and len(made) < MOST_PRINTED:
            made[picture] = await _image(settings, picture.key) or Exact(_drawn(picture))
    return [made.get(picture, _NOTHING) if picture else _NOTHING for picture in pictures]


_NOTHING = Exact()


def _drawn(picture: Picture) -> str:
    return drawing(known_drawing(picture.drawing), color_of(picture.color))


async def _image(settings: Settings, key: str) -> Exact | None:
    if not KEY.fullmatch(key):
        return None
    try:
        content = b"".join([piece async for piece in store_of(settings).read(file_key(key, "jpeg", MAIL_WIDTH))])
    except Exception as error:  # each file store has faults of its own
        log.warning("picture not printed", key=key, reason=type(error).__name__)
        return None
    return Exact(_SHEET.format(image=base64.b64encode(content).decode()))

"""Serves drawings and images of products. What stands under an address never changes, so browsers keep it."""

import gzip
from collections.abc import Awaitable
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.errors import ProviderError
from portal.contract.models import Document
from portal.contract.registry import ask
from portal.illustrations import NAMES, drawing, is_color, lit_part
from portal.pictures.api import ImageFormat, PicturesApi
from portal.pictures.rules import KEY, MAIL_WIDTH, WIDTHS

_FOR_GOOD = "public, max-age=31536000, immutable"
_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
_TYPES: dict[ImageFormat, str] = {"avif": "image/avif", "webp": "image/webp", "jpeg": "image/jpeg"}

_HEADERS = {"cache-control": _FOR_GOOD, "content-security-policy": _POLICY, "x-content-type-options": "nosniff"}
# Mail programs load pictures from another origin.
_ANYWHERE = {"cross-origin-resource-policy": "cross-origin"}


def routes() -> list[Route]:
    return [
        Route("/drawings/{name}/{what}.svg", _drawing, methods=["GET"]),
        Route("/drawings/{name}/{color}.png", _mail_drawing, methods=["GET"]),
        Route("/pictures/{key}/{width:int}.jpg", _mail_image, methods=["GET"]),
        Route("/pictures/{key}/{width:int}", _image, methods=["GET"]),
    ]


async def _drawing(request: Request) -> Response:
    name, what = request.path_params["name"], request.path_params["what"]
    try:
        plain, packed = _packed(name, what)
    except KeyError:
        return _missing()
    headers = {**_HEADERS, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="image/svg+xml", headers={**headers, "content-encoding": "gzip"})
    return Response(plain, media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=256)
def _packed(name: str, what: str) -> tuple[bytes, bytes]:
    try:
        svg = drawing(name, f"#{what}")
    except KeyError:
        svg = lit_part(name, what)
    return svg.encode(), gzip.compress(svg.encode(), 9)


async def _image(request: Request) -> Response:
    accepted = request.headers.get("accept", "")
    form: ImageFormat = "avif" if "image/avif" in accepted else "webp" if "image/webp" in accepted else "jpeg"
    return await _sent(request, form, {"vary": "accept"})


async def _mail_image(request: Request) -> Response:
    return await _sent(request, "jpeg", _ANYWHERE)


async def _mail_drawing(request: Request) -> Response:
    name, color = request.path_params["name"], f"#{request.path_params['color']}"
    if name not in NAMES or not is_color(color):
        return _missing()
    return await _answer(ask(PicturesApi).drawing_file(name, color), "image/png", _ANYWHERE)


async def _sent(request: Request, form: ImageFormat, headers: dict[str, str]) -> Response:
    key, width = request.path_params["key"], request.path_params["width"]
    if not KEY.fullmatch(key) or width not in WIDTHS:
        return _missing()
    # Only the mail size is kept as JPEG.
    width = MAIL_WIDTH if form == "jpeg" else width
    return await _answer(ask(PicturesApi).picture_file(key, form, width), _TYPES[form], headers)


async def _answer(file: Awaitable[Document], media_type: str, headers: dict[str, str]) -> Response:
    try:
        document = await file
    except ProviderError as error:
        return Response(status_code=error.status, headers={"cache-control": "no-store"})
    return Response(document.content, media_type=media_type, headers={**_HEADERS, **headers})


def _missing() -> Response:
    return Response(status_code=404, headers={"cache-control": "no-store"})

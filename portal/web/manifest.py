"""The web app manifest: name and icons with which a phone puts the portal among its apps."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from portal.settings import settings

MANIFEST = "/manifest.webmanifest"

_SIZES = (192, 512)
_INK, _PAPER = "#12231e", "#f7f5f0"


def routes() -> list[Route]:
    return [Route(MANIFEST, _answer, methods=["GET"])]


async def _answer(_request: Request) -> Response:
    name = settings().brand.name
    content = {
        "id": "/",
        "name": name,
        "short_name": name,
        "lang": "nl",
        "start_url": "/dashboard",
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _INK,
        "icons": [
            {"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for size in _SIZES
            for purpose in ("any", "maskable")
        ],
    }
    headers = {"cache-control": "public, max-age=86400"}
    return JSONResponse(content, media_type="application/manifest+json", headers=headers)

"""What a phone reads that puts the portal among its apps."""

from pathlib import Path

import httpx
from starlette.applications import Starlette

from portal.routes import MANIFEST
from portal.routes import manifest_routes as routes
from portal.settings import settings
from portal.ui.page import head_components

ASSETS = Path(__file__).resolve().parents[2] / "assets"


async def test_the_manifest_names_the_shop_and_icons_of_the_right_size() -> None:
    transport = httpx.ASGITransport(Starlette(routes=routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
        answer = await browser.get(MANIFEST)
    assert answer.headers["content-type"] == "application/manifest+json"
    found = answer.json()
    assert (found["name"], found["start_url"], found["display"]) == (settings().brand.name, "/dashboard", "standalone")
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        assert icon["sizes"] == size_of(icon["src"])


def size_of(path: str) -> str:
    """Width and height of a PNG among the assets."""
    picture = (ASSETS / path.removeprefix("/")).read_bytes()
    width, height = (int.from_bytes(picture[start : start + 4], "big") for start in (16, 20))
    return f"{width}x{height}"


def test_every_document_names_the_manifest_and_an_icon_for_the_home_screen() -> None:
    head = " ".join(str(tag) for tag in head_components())
    assert f'href:"{MANIFEST}"' in head
    assert 'rel:"apple-touch-icon"' in head
    assert 'href:"/icon-180.png"' in head
    assert size_of("/icon-180.png") == "180x180"

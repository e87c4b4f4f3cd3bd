"""What a phone reads that puts the portal among its apps."""

from __future__ import annotations

from pathlib import Path

import httpx
from starlette.applications import Starlette

from portal.settings import settings
from portal.web.manifest import MANIFEST, routes

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
        picture = (ASSETS / icon["src"].removeprefix("/")).read_bytes()
        width, height = (int.from_bytes(picture[start : start + 4], "big") for start in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"

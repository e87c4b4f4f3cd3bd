"""Drawings and images are delivered to be kept for good, without a session and without anything personal."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from typing_extensions import override

from portal.contract.errors import NotFound, Unavailable
from portal.contract.models import Document
from portal.contract.registry import connect, disconnect
from portal.illustrations import drawing, lit_part
from portal.kernel.codes import Code
from portal.pictures.api import ImageFormat, PicturesApi
from portal.pictures.http import routes

KEY = "ab" * 16


@dataclass
class OnePicture(PicturesApi):
    """A provider with one image; `asked` are the formats and widths."""

    asked: list[tuple[str, int]] = field(default_factory=list)
    down: bool = False

    @override
    async def picture_file(self, key: str, form: ImageFormat, width: int) -> Document:
        self.asked.append((form, width))
        if self.down:
            raise Unavailable(Code.GENERAL_ERROR)
        if key != KEY:
            raise NotFound
        return Document(name="x", media_type="application/octet-stream", content=form.encode())

    @override
    async def drawing_file(self, drawing: str, color: str) -> Document:
        if drawing != "diamond":
            raise NotFound
        return Document(name="x", media_type="application/octet-stream", content=color.encode())


@dataclass
class Only:
    """All services of a provider that has pictures only."""

    pictures: OnePicture

    def ask(self, api: type[PicturesApi]) -> PicturesApi:
        assert api is PicturesApi
        return self.pictures


@pytest.fixture
def provider() -> OnePicture:
    return OnePicture()


@pytest_asyncio.fixture
async def browser(provider: OnePicture) -> AsyncIterator[httpx.AsyncClient]:
    connect(Only(provider))  # pyrefly: ignore[bad-argument-type]  # it is asked for pictures only
    transport = httpx.ASGITransport(Starlette(routes=routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://shop.test") as client:
        yield client
    disconnect()


def is_kept_for_good(answer: httpx.Response) -> bool:
    return (
        answer.headers["cache-control"] == "public, max-age=31536000, immutable" and "set-cookie" not in answer.headers
    )


async def test_a_drawing_is_sent_packed_and_kept_for_good(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/drawings/diamond/2f5d46.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.text == drawing("diamond", "#2f5d46")
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "accept-encoding")
    assert is_kept_for_good(answer)
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


async def test_a_browser_that_cannot_unpack_gets_it_plain(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/drawings/diamond/2f5d46.svg", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.text == drawing("diamond", "#2f5d46")


async def test_a_lit_part_is_sent(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/drawings/diamond/chain.svg")).text == lit_part("diamond", "chain")


@pytest.mark.parametrize("path", ["diamond/red.svg", "diamond/2F5D46.svg", "rocket/2f5d46.svg", "lock/chain.svg"])
async def test_what_is_not_drawn_is_not_found_and_not_kept(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(f"/drawings/{path}")
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")


@pytest.mark.parametrize(
    ("accept", "form"), [("image/avif,image/webp,*/*;q=0.8", "avif"), ("image/webp,*/*", "webp"), ("*/*", "jpeg")]
)
async def test_an_image_comes_in_the_best_format_that_the_browser_knows(
    browser: httpx.AsyncClient, provider: OnePicture, accept: str, form: str
) -> None:
    answer = await browser.get(f"/pictures/{KEY}/480", headers={"accept": accept})
    assert (answer.headers["content-type"], answer.headers["vary"]) == (f"image/{form}", "accept")
    assert provider.asked == [(form, 480)]
    assert is_kept_for_good(answer)


async def test_a_mail_program_gets_an_image_that_each_of_them_shows(browser: httpx.AsyncClient) -> None:
    answer = await browser.get(f"/pictures/{KEY}/480.jpg", headers={"accept": "image/avif"})
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


@pytest.mark.parametrize("path", [f"{KEY}/481", f"{'cd' * 16}/480", "x/480", f"{KEY}/480/x"])
async def test_an_unknown_image_or_width_is_not_found(browser: httpx.AsyncClient, path: str) -> None:
    assert (await browser.get(f"/pictures/{path}")).status_code == 404


async def test_an_outage_is_not_kept(browser: httpx.AsyncClient, provider: OnePicture) -> None:
    provider.down = True
    answer = await browser.get(f"/pictures/{KEY}/480")
    assert (answer.status_code, answer.headers["cache-control"]) == (503, "no-store")


async def test_a_drawing_for_mails_is_in_pixels(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/drawings/diamond/2f5d46.png")
    assert (answer.headers["content-type"], answer.content) == ("image/png", b"#2f5d46")
    assert is_kept_for_good(answer)
    assert (await browser.get("/drawings/rocket/2f5d46.png")).status_code == 404

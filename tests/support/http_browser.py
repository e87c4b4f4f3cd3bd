"""A browser without a screen: keeps cookies, sends what a page of ours would send."""

from dataclasses import dataclass
from http.cookies import SimpleCookie

import httpx
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.support.connections import Shop

ORIGIN = "http://localhost:8000"


@dataclass
class Browser:
    """Asks the HTTP edge."""

    client: httpx.AsyncClient

    async def post(self, path: str, values: dict[str, str], **headers: str) -> httpx.Response:
        """Post JSON, as our forms do."""
        return await self.client.post(path, json=values, headers={"origin": ORIGIN, **headers})

    async def submit(self, path: str, values: dict[str, str], **headers: str) -> httpx.Response:
        """Post a form without scripts."""
        return await self.client.post(path, data=values, headers={"origin": ORIGIN, **headers})

    async def open(self, path: str, method: str = "GET") -> httpx.Response:
        """Open an address; redirects are not followed."""
        return await self.client.request(method, path)

    async def log_in(self, shop: Shop, customer: tuple[str, str]) -> httpx.Response:
        """Ask for a code, read it in the mail, and enter it."""
        seen = len(shop.mailbox.mails_to(customer[1]))
        asked = await self.post("/auth/code", {"order_number": customer[0], "email": customer[1]})
        assert asked.status_code == 200, asked.text
        return await self.post("/auth/session", {"code": await shop.code(customer[1], seen)})


async def pages(scope: Scope, receive: Receive, send: Send) -> None:
    """Stands where the compiled pages are, which tests of the edge do not need."""
    known = scope["path"].rstrip("/") != "/not-found"
    await PlainTextResponse("the page", 200 if known else 404)(scope, receive, send)


def client_of(app: ASGIApp) -> httpx.AsyncClient:
    """A client of an app in this process, with an empty cookie jar."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN)


def cookies_of(response: httpx.Response) -> SimpleCookie:
    """The cookies that an answer sets."""
    jar = SimpleCookie()
    for header in response.headers.get_list("set-cookie"):
        jar.load(header)
    return jar

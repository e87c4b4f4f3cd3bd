"""The bar of a session that staff opened for a customer: in pages of such sessions, and nowhere else."""

from datetime import timedelta
from typing import Any

import httpx
import jwt
import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.common_api import Periods
from portal.contract.session import SessionCheck
from portal.kernel.address import Country
from portal.kernel.days import now
from portal.vocabulary.staff import VisitMode
from portal.web.documents import DocumentGate, is_visit
from portal.web.forms import Destinations, caller_address
from portal.web.session import SessionChecks, ShownTerms

PAGE = '<!doctype html><html><head></head><body class="page"><div>Bestellingen</div></body></html>'


def token(**claims: Any) -> str:
    """A token with these claims."""
    return jwt.encode({"sub": "x", **claims}, "k" * 32, algorithm="HS256")


def gate(mode: VisitMode | None, response: Response) -> ASGIApp:
    """The gate before an app with one answer, for sessions in this mode."""

    async def check(_token: str) -> SessionCheck:
        soon = now() + timedelta(minutes=30)
        return SessionCheck(
            customer="x", locale="nl", country=Country.NL, expires_at=soon, idle_until=soon, mode=mode,
            visitor='Femke "<b>" {name}',
        )  # fmt: skip

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        assert mode is None or not [name for name, _ in scope["headers"] if name == b"accept-encoding"]
        await response(scope, receive, send)

    destinations = Destinations(frozenset({"/orders"}), lambda path: path)

    async def usual() -> Periods:
        return Periods(periods={})

    return DocumentGate(pages, destinations, SessionChecks(check), ShownTerms(usual))


async def shown(mode: VisitMode | None, response: Response, session: str) -> httpx.Response:
    """What a browser with this session gets."""
    transport = httpx.ASGITransport(gate(mode, response))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as http:
        return await http.get("/orders", headers={"cookie": f"session={session}; lang=en"})


@pytest.mark.parametrize(
    ("mode", "text"), [(VisitMode.READ_ONLY, "can’t change anything"), (VisitMode.IN_NAME, "acting for this customer")]
)
async def test_a_page_of_such_a_session_says_whose_it_is(mode: VisitMode, text: str) -> None:
    answer = await shown(mode, HTMLResponse(PAGE, headers={"etag": '"1"'}), token(act={"sub": "1", "mode": mode}))
    before, _, after = answer.text.partition('<body class="page">')
    assert after.startswith('<aside id="visit"')
    assert before + '<body class="page">' + after.partition("</aside>")[2] == PAGE
    assert text in after
    assert "Femke &quot;&lt;b&gt;&quot; {name}" in after
    assert 'action="/auth/logout"' in after
    assert "no-store" in answer.headers["cache-control"]
    assert "etag" not in answer.headers


async def test_pages_of_customers_and_other_answers_stay_as_they_are() -> None:
    visit = token(act={"sub": "1", "mode": "read_only"})
    assert (await shown(None, HTMLResponse(PAGE), token())).text == PAGE
    assert (await shown(None, HTMLResponse(PAGE), visit)).text == PAGE
    assert (await shown(VisitMode.READ_ONLY, JSONResponse({"body": "<body>"}), visit)).json() == {"body": "<body>"}
    assert (await shown(VisitMode.READ_ONLY, HTMLResponse("nothing"), visit)).text == "nothing"


@pytest.mark.parametrize("text", ["", "a", "a.b.c", "..", "a.bnVsbA.c", "a.WzFd.c", "é.é.é", "a." + "x" * 5000])
def test_what_is_no_token_of_a_visit_is_none(text: str) -> None:
    assert not is_visit(text)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.4", "198.51.100.4"),
        ("127.0.0.1", "203.0.113.1, 198.51.100.4", "198.51.100.4"),
        ("192.0.2.8", "198.51.100.4", "192.0.2.8"),
    ],
)
def test_a_forwarded_address_counts_only_behind_a_trusted_proxy(peer: str, forwarded: str, address: str) -> None:
    assert caller_address(peer, forwarded) == address

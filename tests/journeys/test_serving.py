"""What a browser gets before any page does anything: files, headers, policy, the socket."""

import re
import time

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visit
from tests.support.server import PortalServer
from tests.support.walks import Walking

pytestmark = pytest.mark.fresh_windows


def test_a_host_that_is_in_no_setting_gets_nothing(portal_server: PortalServer) -> None:
    answer = httpx.get(portal_server.base_url, headers={"host": "portal.elsewhere.example"})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/no-such-page", 404),
        ("GET", "/ping", 200),
        ("GET", "/_upload/secret.pdf", 404),
        ("GET", "/assets/missing.js", 404),
        ("GET", "/auth/code", 405),
        ("DELETE", "/files/invoices/1.pdf", 405),
        ("POST", "/", 405),
        ("GET", "/mailbox", 200),
        ("PUT", "/auth/session", 405),
        ("POST", "/auth/code", 403),
        ("OPTIONS", "/ping", 200),
    ],
)
def test_every_answer_carries_the_security_headers(
    portal_server: PortalServer, method: str, path: str, status: int
) -> None:
    asked = {"origin": portal_server.base_url, "access-control-request-method": "GET"} if method == "OPTIONS" else {}
    answer = httpx.request(method, portal_server.base_url + path, headers=asked)
    assert answer.status_code == status
    headers = answer.headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe-eval" not in headers["content-security-policy"]
    assert "strict-transport-security" not in headers


def test_browsers_that_came_over_https_are_kept_there(portal_server: PortalServer) -> None:
    headers = httpx.get(portal_server.base_url, headers={"x-forwarded-proto": "https"}).headers
    assert "max-age" in headers["strict-transport-security"]


@pytest.mark.parametrize("host", ["base_url", "returns_url"])
def test_the_socket_opens_on_both_host_names(portal_server: PortalServer, page: Page, host: str) -> None:
    answered: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda _frame: answered.append(socket.url)))
    address = getattr(portal_server, host)
    page.goto(address)
    deadline = time.monotonic() + 60
    while not answered and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert answered
    assert answered[0].startswith(address.replace("http:", "ws:"))


@pytest.mark.parametrize("way", ["refused", "closed", "silent"])
def test_a_request_is_made_where_websockets_are_blocked(walk: Walking, way: str) -> None:
    walking = walk()
    walking.visitor.troubles.allow("WebSocket connection to .* failed")
    if way == "refused":
        # A proxy answers the handshake itself; so does the server at an address that no socket has.
        walking.visitor.context.add_init_script("""
            const Socket = WebSocket;
            window.WebSocket = class extends Socket {
                constructor(url, ...more) { super(url.replace('/_event', '/blocked'), ...more) }
            }
        """)
    else:
        walking.visitor.context.route_web_socket("**", lambda route: route.close() if way == "closed" else None)
    polled: list[str] = []
    walking.page.on("request", lambda request: polled.append(request.url))
    walking.to_check()
    walking.next()
    expect(walking.page).to_have_url(re.compile(f"{re.escape(walking.flow.confirmation)}$"))
    assert any("transport=polling" in url for url in polled)


def test_an_inline_script_that_was_not_built_is_refused(visit: Visit) -> None:
    visitor = visit()
    visitor.troubles.allow("violates the following Content Security Policy")
    page = visitor.page()
    page.goto("/")
    page.evaluate("""() => {
        const script = document.createElement('script');
        script.textContent = 'window.smuggled = true';
        document.body.append(script);
    }""")
    assert page.evaluate("window.smuggled") is None

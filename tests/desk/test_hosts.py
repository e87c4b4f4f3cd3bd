"""Hosts: what customers' hosts and the staff host serve, and what neither serves of the other."""

import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from portal.work_orders.flow.repair import REPAIR
from tests.support.polling import fetch
from tests.support.server import DeskServer

_SOCKET = "/_event/?EIO=4&transport=websocket"


def _customers(server: DeskServer, path: str, method: str = "GET") -> httpx.Response:
    headers = {"accept": "text/html", "origin": server.base_url, "sec-fetch-site": "same-origin"}
    return fetch(server.base_url + path, method=method, headers=headers, timeout=60)


def _desk(server: DeskServer, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    own = {"accept": "text/html", "origin": server.desk_url, "sec-fetch-site": "same-origin", **headers}
    return server.ask_desk(path, method=method, headers=own, timeout=60)


@pytest.mark.parametrize("path", ["/account", "/login/answer", "/search"])
def test_a_customers_host_has_no_staff_page(desk_server: DeskServer, path: str) -> None:
    assert _customers(desk_server, path).status_code == 404


def test_a_customers_host_has_no_login_of_staff(desk_server: DeskServer) -> None:
    assert _customers(desk_server, "/auth/begin-sign-on", "POST").status_code in {404, 405}
    assert _customers(desk_server, "/login").headers["location"] == "/", "the old address of the customers' login"


@pytest.mark.parametrize("path", ["session", "login", "people", "audit", "logout"])
def test_a_customers_host_has_no_operation_for_staff(desk_server: DeskServer, path: str) -> None:
    for method in ("GET", "POST"):
        assert _customers(desk_server, f"/mijn-fw/v2/staff/{path}", method).status_code in {404, 405}


@pytest.mark.parametrize(
    "path", ["/dashboard", "/orders", "/mailbox", "/files/invoices/1.pdf", REPAIR.url(REPAIR.first_step)]
)
def test_the_staff_host_has_no_page_of_customers(desk_server: DeskServer, path: str) -> None:
    answer = _desk(desk_server, path)
    assert answer.status_code == 404
    assert "Retour" not in answer.text


@pytest.mark.parametrize("path", ["/auth/password", "/auth/new-password", "/upload", "/_upload"])
def test_the_staff_host_takes_no_form_of_customers(desk_server: DeskServer, path: str) -> None:
    assert _desk(desk_server, path, "POST").status_code in {404, 405}


@pytest.mark.parametrize("path", ["session", "orders", "customer/info", "backoffice/returns/26NWDY8K"])
def test_the_staff_host_has_no_operation_of_customers(desk_server: DeskServer, path: str) -> None:
    assert _desk(desk_server, f"/mijn-fw/v2/{path}", accept="application/json").status_code == 404


def test_the_staff_host_has_the_operations_for_staff(desk_server: DeskServer) -> None:
    assert _desk(desk_server, "/mijn-fw/v2/staff/session", accept="application/json").status_code == 401


def test_a_page_that_needs_a_login_leads_to_it_and_is_remembered(desk_server: DeskServer) -> None:
    answer = _desk(desk_server, "/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    cookies = answer.headers["set-cookie"].lower()
    assert "next=:/account" in cookies.replace('"', "")
    assert re.search(r"httponly.*samesite=lax", cookies)
    assert "domain" not in cookies


def test_headers_protect_staff_pages_as_those_of_customers(desk_server: DeskServer) -> None:
    staff, customers = _desk(desk_server, "/login"), _customers(desk_server, "/")
    for name in ("x-content-type-options", "x-frame-options", "referrer-policy", "permissions-policy", "cache-control"):
        assert staff.headers[name] == customers.headers[name]
    policy = staff.headers["content-security-policy"]
    assert "script-src 'self' 'sha256-" in policy
    assert "unsafe-eval" not in policy


@pytest.mark.parametrize(("host", "origin"), [("desk", "desk"), ("customers", "customers")])
def test_a_socket_opens_from_pages_of_its_own_site(desk_server: DeskServer, host: str, origin: str) -> None:
    with _socket(desk_server, host, origin) as opened:
        assert str(opened.recv(timeout=60)).startswith("0{")


@pytest.mark.parametrize(("host", "origin"), [("desk", "customers"), ("customers", "desk"), ("desk", "elsewhere")])
def test_a_socket_opens_from_pages_of_no_other_site(desk_server: DeskServer, host: str, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        _socket(desk_server, host, origin)
    assert refused.value.response.status_code in {400, 403}


def _socket(server: DeskServer, host: str, origin: str) -> ClientConnection:
    names = {"desk": server.desk_url, "customers": server.base_url, "elsewhere": "http://elsewhere.example"}
    uri = names[host].replace("http://", "ws://") + _SOCKET
    own = socket.create_connection(("127.0.0.1", urlsplit(names[host]).port), timeout=60)
    return connect(uri, sock=own, origin=Origin(names[origin]))

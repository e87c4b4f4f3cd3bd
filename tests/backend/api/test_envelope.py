"""Whatever is asked, the answer is the envelope: never a stack trace, never what was sent."""

import asyncio
import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from structlog.testing import capture_logs
from typing_extensions import override

from portal.contract.registry import Provider, T
from portal.provider.api import create_api
from portal.settings import Settings
from tests.backend.api.conftest import ApiShop
from tests.support.people import JORIS, MAX, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
ROOT = "/mijn-fw/v2"

SAFE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


def refusal(answer: httpx.Response, status: int, code: str, fields: dict[str, str] | None = None) -> None:
    """Check that an answer is a refusal, whole."""
    details = {"fields": fields, "retry_at": None, "url": None} if fields else None
    assert (answer.status_code, answer.json()) == (
        status, {"success": False, "data": None, "error": code, "details": details})  # fmt: skip
    assert answer.headers["content-type"] == "application/json"
    assert SAFE.items() <= dict(answer.headers).items()


@pytest.mark.parametrize(
    "path",
    ["", "/", "/nothing", "/orders/", "/orders/1/2", "/docs", "/redoc", "/customer", "/../../etc/passwd", "/%00"],
)
async def test_a_path_that_leads_nowhere_is_not_found(api: ApiShop, path: str) -> None:
    answer = await api.http.get(ROOT + path)
    if path == "/customer":
        refusal(answer, 405, "invalid_input")
    else:
        refusal(answer, 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/request-authenticate", "POST"),
        ("DELETE", "/customer", "PUT"),
        ("POST", "/customer/info", "GET"),
        ("PUT", "/orders", "GET"),
        ("TRACE", "/bikes", "GET"),
        ("OPTIONS", "/session", "GET"),
        ("BREW", "/logout", "POST"),
    ],
)
async def test_a_method_that_is_not_offered_is_refused(api: ApiShop, method: str, path: str, allowed: str) -> None:
    answer = await api.http.request(method, ROOT + path)
    refusal(answer, 405, "invalid_input")
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b"", None),
        (b"{", None),
        (b"\xff\xfe", None),
        (b"[" * 50_000, None),
        (b"null", None),
        (b"7", None),
        (b'"text"', None),
        (b"[]", None),
        (b"NaN", None),
        (b"{}", {"token": "required"}),
        (b'{"token": 123456}', {"token": "invalid_input"}),
        (b'{"token": null}', {"token": "invalid_input"}),
        (b'{"token": {"a": ["b"]}}', {"token": "invalid_input"}),
        (b'{"token": "\\ud800"}', {"token": "invalid_input"}),
        (b'{"token": "' + b"1" * 1001 + b'"}', {"token": "too_long"}),
        (b'{"token": "123456", "challenge": ["x"]}', {"challenge": "invalid_input"}),
    ],
)
async def test_a_body_that_is_not_well_formed_is_refused(
    api: ApiShop, body: bytes, fields: dict[str, str] | None
) -> None:
    answer = await api.http.post(f"{ROOT}/authenticate", content=body, headers={"Content-Type": "application/json"})
    refusal(answer, 422, "invalid_input", fields)


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
async def test_what_another_site_could_send_without_asking_is_refused(api: ApiShop, media_type: str | None) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    answer = await api.http.post(f"{ROOT}/authenticate", content=b'{"token": "123456"}', headers=headers)
    refusal(answer, 422, "invalid_input")


async def test_what_was_sent_does_not_come_back(api: ApiShop) -> None:
    for path, body in (
        ("/request-authenticate", {"email": {"mark": "SENTINEL"}, "order_number": "SENTINEL"}),
        ("/authenticate", {"token": ["SENTINEL"], "SENTINEL": 1}),
        ("/request-authenticate", {"email": "SENTINEL<script>"}),
    ):
        answer = await api.http.post(ROOT + path, json=body)
        assert answer.status_code == 422
        assert "SENTINEL" not in answer.text


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(api: ApiShop) -> None:
    headers = {"Content-Type": "application/json"}
    large = b'{"token": "' + b"1" * (64 * 1024) + b'"}'
    refusal(await api.http.post(f"{ROOT}/authenticate", content=large, headers=headers), 413, "invalid_input")
    refusal(await api.http.post(f"{ROOT}/logout", content=large, headers=headers), 413, "invalid_input")

    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        for _ in range(1000):
            taken += 8192
            yield b" " * 8192

    refusal(await api.http.post(f"{ROOT}/authenticate", content=endless(), headers=headers), 413, "invalid_input")
    assert taken <= 80 * 1024


@pytest.mark.parametrize("page", ["0", "-1", "x", "1.5", "", "1e3", "100001", "9" * 5000, "1&page=x", "%00"])
async def test_a_page_number_that_is_none_is_refused(api: ApiShop, page: str) -> None:
    token = await api.token(*MAX)
    for path in ("/orders", "/invoices", "/service-requests"):
        refusal(await api.get(f"{path}?page={page}", token), 422, "invalid_input", {"page": "invalid_input"})


async def test_a_reference_that_names_nothing_is_not_found_for_customers_only(api: ApiShop) -> None:
    token = await api.token(*SANNE)
    for reference in ("%00", "%2e%2e", "a%0ab", "%F0%9F%9A%B2", "x" * 41, "'%20OR%201=1"):
        for path in (f"/orders/{reference}", f"/bikes/{reference}", f"/invoices/{reference}/pdf"):
            refusal(await api.get(path, token), 404, "not_found")
            refusal(await api.get(path, "never.given.out"), 401, "session_ended")
    bike = (await api.get("/bikes", token)).json()["data"]["items"][0]["bike_id"]
    refusal(await api.get(f"/bikes/{bike}", await api.token(*JORIS)), 404, "not_found")


async def test_a_file_has_its_name_and_stays_nowhere(api: ApiShop) -> None:
    token = await api.token(*SANNE)
    invoice = (await api.get("/invoices", token)).json()["data"]["items"][0]
    answer = await api.get(f"/invoices/{invoice['invoice_id']}/pdf?locale=en", token)
    name = f"invoice-{invoice['number']}.pdf"
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == f"attachment; filename=\"{name}\"; filename*=UTF-8''{name}"
    assert SAFE.items() <= dict(answer.headers).items()
    assert answer.content.startswith(b"%PDF-")
    refusal(await api.get(f"/invoices/{invoice['invoice_id']}/pdf?locale=de", token), 422, "invalid_input",
            {"locale": "invalid_input"})  # fmt: skip


async def test_no_other_site_may_read_an_answer(api: ApiShop) -> None:
    token = await api.token(*SANNE)
    answer = await api.http.get(
        f"{ROOT}/customer/info", headers={"Authorization": f"Bearer {token}", "Origin": "https://evil.example"}
    )
    assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_an_operation_that_fails_in_a_way_nobody_foresaw_is_logged_once(
    api: ApiShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ValueError("SENTINEL sanne@example.com 900000001")

    monkeypatch.setattr("portal.login.provider.service.limits.take", fail)
    with capture_logs() as lines:
        answer = await api.http.post(f"{ROOT}/request-authenticate", json={"email": "sanne@example.com"})
    refusal(answer, 500, "general_error")
    assert [(line["operation"], line["kind"]) for line in lines] == [("request_code", "ValueError")]
    written = json.dumps(lines)
    assert "provider/service.py" in written
    assert "SENTINEL" not in written
    assert "sanne" not in written


async def test_an_error_outside_of_any_operation_is_reported_in_general_and_logged_without_what_was_sent() -> None:
    class Broken(Provider):
        @override
        def ask(self, api: type[T]) -> T:
            raise ValueError("SENTINEL sanne@example.com 900000001")

    app = create_api(Broken, Settings())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://shop.test") as http:
        with capture_logs() as lines:
            answer = await http.post(f"{ROOT}/request-authenticate", json={"email": "sanne@example.com"})
    refusal(answer, 500, "general_error")
    assert [(line["operation"], line["kind"]) for line in lines] == [("POST /request-authenticate", "ValueError")]
    written = json.dumps(lines)
    assert "api/routes.py" in written
    assert "SENTINEL" not in written
    assert "sanne" not in written


async def test_another_customers_things_are_not_found(api: ApiShop) -> None:
    hers, his = await api.token(*SANNE), await api.token(*JORIS)
    order = (await api.get("/orders", hers)).json()["data"]["items"][0]["order_number"]
    invoice = (await api.get("/invoices", hers)).json()["data"]["items"][0]["invoice_id"]
    bike = (await api.get("/bikes", hers)).json()["data"]["items"][0]["bike_id"]
    for path in (f"/orders/{order}", f"/invoices/{invoice}/pdf", f"/bikes/{bike}"):
        assert (await api.get(path, hers)).status_code == 200
        refusal(await api.get(path, his), 404, "not_found")
        refusal(await api.get(path), 401, "session_ended")
        assert (await api.get("/orders/900000099", his)).text == (await api.get(path, his)).text


async def test_a_mail_has_the_id_of_the_request_that_caused_it(api: ApiShop) -> None:
    number, email = SANNE
    seen = len(api.mailbox.mails_to(email))
    given = {"X-Request-ID": "7f3c9a0e5b1d4826"}
    asked = {"orderNumber": number, "email": email}
    answer = await api.http.post(f"{ROOT}/request-authenticate", json=asked, headers=given)
    assert (answer.status_code, answer.headers["x-request-id"]) == (200, given["X-Request-ID"])
    mail = await asyncio.to_thread(api.mailbox.wait_for, email, after=seen)
    assert mail["X-Request-ID"] == given["X-Request-ID"]


@pytest.mark.parametrize("given", ["", "short", "with space in it", "x" * 65, "bad\x07bell-rings"])
async def test_an_id_that_cannot_be_one_is_replaced(api: ApiShop, given: str) -> None:
    answer = await api.http.get(ROOT, headers={"X-Request-ID": given})
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])

"""What the client makes of answers and refusals, and what it sends."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter
from structlog.testing import capture_logs

from portal.account.api import AccountApi
from portal.contract.common_api import SessionApi
from portal.contract.errors import (
    InvalidInput,
    NotAuthenticated,
    NotFound,
    ProviderError,
    Refused,
    TooMany,
    Unavailable,
)
from portal.contract.models import OptionalLink, warn_unknown
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import ItemKind, PaymentStatus
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from tests.client.connected import connected
from tests.client.fault_server import answers, fault_server, refuses
from tests.contract.operations import UPDATE


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (422, "invalid_email", InvalidInput),
        (401, "session_ended", NotAuthenticated),
        (403, "lease_order_not_allowed", Refused),
        (404, "not_found", NotFound),
        (429, "too_many_requests", TooMany),
        (503, "pdf_failed", Unavailable),
        (500, "general_error", Unavailable),
        (413, "invalid_input", ProviderError),
        (200, "session_ended", NotAuthenticated),
        (200, "not_found", NotFound),
        (200, "too_many_requests", TooMany),
        (200, "invalid_input", InvalidInput),
        (200, "general_error", Unavailable),
        (200, "pdf_failed", Unavailable),
        (200, "invalid_credentials", Refused),
    ],
)
async def test_a_refusal_becomes_the_error_that_the_services_raise(
    status: int, code: str, kind: type[ProviderError]
) -> None:
    async with fault_server(refuses(code, status)) as server, connected(server.address) as provider:
        with pytest.raises(ProviderError) as caught:
            await provider.ask(SessionApi).customer_info("token")
    assert type(caught.value) is kind
    assert caught.value.code == code


async def test_details_of_a_refusal_arrive() -> None:
    answer = refuses(
        "invalid_input",
        422,
        fields={"post_code": "invalid_postcode", "city": "required"},
        retry_at="2031-05-06T09:08:09+02:00",
        url="https://lease.example.com/",
    )
    async with fault_server(answer) as server, connected(server.address) as provider:
        with pytest.raises(InvalidInput) as caught:
            await provider.ask(AccountApi).update_customer("token", UPDATE)
    assert caught.value.fields == {"post_code": Code.INVALID_POSTCODE, "city": Code.REQUIRED}
    assert caught.value.retry_at == datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert caught.value.url == "https://lease.example.com/"


@pytest.mark.parametrize(
    "details",
    [
        "later",
        ["x"],
        {"fields": ["a"], "retry_at": "tomorrow", "url": "javascript:alert(1)"},
        {"fields": 1, "retry_at": 12, "url": "//evil.example"},
        {"retry_at": "2031-05-06T09:08:09", "url": "https:///"},
    ],
)
async def test_details_that_make_no_sense_are_left_out(details: Any) -> None:
    envelope = {"success": False, "error": "invalid_code", "details": details}
    async with fault_server(answers(envelope, status=403)) as server, connected(server.address) as provider:
        with pytest.raises(Refused) as caught:
            await provider.ask(SessionApi).customer_info("token")
    assert (caught.value.fields, caught.value.retry_at, caught.value.url) == ({}, None, None)


async def test_codes_of_a_newer_provider_are_reported_in_general_words() -> None:
    answer = refuses("moon_phase", 403, fields={"city": "too_pretty"})
    async with fault_server(answer) as server, connected(server.address) as provider:
        with pytest.raises(Refused) as caught:
            await provider.ask(SessionApi).customer_info("token")
    assert caught.value.code is Code.GENERAL_ERROR
    assert caught.value.fields == {"city": Code.INVALID_INPUT}


async def test_statuses_of_a_newer_provider_break_no_page_and_are_logged_once() -> None:
    warn_unknown.cache_clear()
    summary = {"order_number": "900000001", "order_date": "2026-01-02", "total": "10.00", "names": ["Fiets"],
               "delivery_status": "with_the_drone", "payment_status": "bartered", "kinds": ["hoverbike"]}  # fmt: skip
    orders = {"items": [summary, summary], "page": 1, "pages": 1, "total": 2, "cursor": "new"}
    with capture_logs() as lines:
        async with fault_server(answers({"success": True, "data": orders})) as server:
            async with connected(server.address) as provider:
                order = (await provider.ask(OrdersApi).orders("token")).items[1]
    assert order.delivery_status is DeliveryStatus.UNKNOWN
    assert order.payment_status is PaymentStatus.UNKNOWN
    assert order.kinds == [ItemKind.ACCESSORY]
    assert sorted(line["value"] for line in lines) == ["bartered", "hoverbike", "with_the_drone"]


async def test_a_dashboard_of_a_newer_provider_shows_what_this_portal_knows() -> None:
    ongoing = {"kind": "request", "reference": "R", "name": "Fiets", "since": "2026-01-02",
               "request_kind": "tuning", "work_order_status": "in_the_lab"}  # fmt: skip
    dashboard = {
        "first_name": "Sanne",
        "has_features": True,
        "actions": [
            {"feature": "fly", "opening": "open"},
            {"feature": "repair", "opening": "ajar", "reason": "full_moon"},
        ],
        "ongoing": [{"kind": "party", "reference": "P"}, ongoing],
    }
    async with fault_server(answers({"success": True, "data": dashboard})) as server:
        async with connected(server.address) as provider:
            shown = await provider.ask(OverviewApi).dashboard("token")
    assert [(action.feature, action.opening, action.reason) for action in shown.actions] == [
        (Feature.REPAIR, Opening.CLOSED, None)
    ]
    assert [(entry.request_kind, entry.work_order_status) for entry in shown.ongoing] == [
        (RequestKind.UNKNOWN, WorkOrderStatus.UNKNOWN)
    ]


async def test_a_customer_of_a_country_we_do_not_know_has_an_address() -> None:
    address = {"post_code": "1234", "house_number": "1", "street": "Rue", "city": "Luxembourg", "country_code": "LU"}
    customer = {"first_name": "A", "last_name": "B", "email": "a@example.com", "address": address}
    data = {"customer": customer, "features": ["repair", "fly"], "locale": "lb"}
    async with fault_server(answers({"success": True, "data": data})) as server:
        async with connected(server.address) as provider:
            found = await provider.ask(SessionApi).customer_info("token")
    assert found.customer.address.country_code is Country.UNKNOWN
    assert (found.features, found.locale) == ([Feature.REPAIR], "en")


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ("attachment; filename=\"F-1.pdf\"; filename*=UTF-8''factuur%20%E2%82%AC.pdf", "factuur €.pdf"),
        ('attachment; filename="F-1.pdf"', "F-1.pdf"),
        ('attachment; filename="../../etc/passwd"', "etcpasswd"),
        ("attachment; filename*=UTF-8''%0d%0aSet-Cookie%3a%20a.pdf", "Set-Cookie a.pdf"),
        ("inline", "document.pdf"),
        ('attachment; filename=""', "document.pdf"),
    ],
)
async def test_a_file_has_a_harmless_name(disposition: str, name: str) -> None:
    answer = answers(b"%PDF-1.7 ...", media_type="application/pdf", headers={"Content-Disposition": disposition})
    async with fault_server(answer) as server, connected(server.address) as provider:
        document = await provider.ask(OrdersApi).invoice_pdf("token", "ABCDEFGH23", "en")
        assert server.received[0].path == "/mijn-fw/v2/invoices/ABCDEFGH23/pdf?locale=en"
    assert (document.name, document.media_type, document.content) == (name, "application/pdf", b"%PDF-1.7 ...")


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://carrier.example/1", "//evil.example", "https://a b"]
)
def test_a_link_of_somebody_else_that_is_no_https_address_is_none(address: str) -> None:
    links = TypeAdapter(OptionalLink)
    assert links.validate_python(address) == ""
    assert links.validate_python("https://carrier.example/1") == "https://carrier.example/1"

"""Every operation of the contract, called with something typical."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from portal.contract.account import CustomerUpdate, EmailChange, EmailChangeCode, LocaleChoice
from portal.contract.drafts import DraftStart, StepEntry, Submission
from portal.contract.links import LinkEntry
from portal.contract.locations import LocationSearch, PlaceSearch
from portal.contract.provider import Provider
from portal.contract.session import CodeEntry, CodeRequest, LeaseRequest, Origin
from portal.domain.links import LinkPurpose

ORIGIN = Origin(address="192.0.2.7", locale="nl")
UPDATE = CustomerUpdate(
    first_name="Sanne",
    last_name="Bakker",
    post_code="3511 LX",
    house_number="12",
    street="Oudegracht",
    city="Utrecht",
    country_code="NL",
    phone="030 231 1234",
)
LINK = LinkEntry(purpose=LinkPurpose.ORDER_RETURN, hash="a" * 43)

Operation = Callable[[Provider, str], Awaitable[Any]]

WITH_SESSION: dict[str, Operation] = {
    "check_session": lambda provider, token: provider.check_session(token),
    "customer_info": lambda provider, token: provider.customer_info(token),
    "update_customer": lambda provider, token: provider.update_customer(token, UPDATE),
    "change_locale": lambda provider, token: provider.change_locale(token, LocaleChoice(locale="en")),
    "request_email_change": lambda provider, token: provider.request_email_change(
        token, EmailChange(email="new@example.com")
    ),
    "confirm_email_change": lambda provider, token: provider.confirm_email_change(
        token, EmailChangeCode(code="123456")
    ),
    "dashboard": lambda provider, token: provider.dashboard(token),
    "orders": lambda provider, token: provider.orders(token),
    "order": lambda provider, token: provider.order(token, "900000001"),
    "invoices": lambda provider, token: provider.invoices(token),
    "invoice_pdf": lambda provider, token: provider.invoice_pdf(token, "ABCDEFGH23", "nl"),
    "bikes": lambda provider, token: provider.bikes(token),
    "bike": lambda provider, token: provider.bike(token, "ABCDEFGH23"),
    "service_products": lambda provider, token: provider.service_products(token, "ABCDEFGH23"),
    "service_requests": lambda provider, token: provider.service_requests(token),
    "flow_start": lambda provider, token: provider.flow_start(token, "repair-request"),
    "open_draft": lambda provider, token: provider.open_draft(token, DraftStart(flow="repair-request")),
    "draft": lambda provider, token: provider.draft(token, "ABCDEFGH23"),
    "save_step": lambda provider, token: provider.save_step(
        token, "ABCDEFGH23", StepEntry(step="step-1", answers={"bike": "ABCDEFGH23"}, version=1)
    ),
    "discard_draft": lambda provider, token: provider.discard_draft(token, "ABCDEFGH23"),
    "submit_draft": lambda provider, token: provider.submit_draft(token, "ABCDEFGH23", Submission(key="x")),
    "service_locations": lambda provider, token: provider.service_locations(token, LocationSearch(text="3511 LX")),
    "service_location": lambda provider, token: provider.service_location(token, "ABCDEFGH23"),
    "places": lambda provider, token: provider.places(token, PlaceSearch(text="Utrecht", country_code="NL")),
}
"""Operations that need a session."""

ALL: dict[str, Operation] = {
    "request_code": lambda provider, _: provider.request_code(CodeRequest(email="sanne@example.com"), ORIGIN),
    "request_lease": lambda provider, _: provider.request_lease(LeaseRequest(lease="BB123456"), ORIGIN),
    "authenticate": lambda provider, _: provider.authenticate(CodeEntry(token="123456", challenge="abc"), ORIGIN),
    "logout": lambda provider, token: provider.logout(token),
    "link": lambda provider, _: provider.link(LINK),
    "confirm_link": lambda provider, _: provider.confirm_link(LINK),
    "resend_link": lambda provider, _: provider.resend_link(LINK),
    **WITH_SESSION,
}
"""All operations."""

READING = frozenset(
    {
        "check_session", "customer_info", "dashboard", "orders", "order", "invoices", "invoice_pdf", "bikes", "bike",
        "service_products", "service_requests", "flow_start", "draft", "service_locations", "service_location",
        "places",
    }
)  # fmt: skip
"""Operations that change nothing, so that they may be tried again."""

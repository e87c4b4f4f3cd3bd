"""`HttpProvider`: the contract, operation by operation, over the provider API."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NoReturn, TypeVar

import httpx
from pydantic import TypeAdapter

from portal.client import answers
from portal.client.bikes import BikeCalls
from portal.client.caller import Call, Caller, Limits, QueryValue
from portal.client.deliveries import DeliveryCalls
from portal.client.drafts import DraftCalls
from portal.client.links import LinkCalls
from portal.client.locations import LocationCalls
from portal.client.passwords import PasswordCalls
from portal.client.replies import LARGEST_DOCUMENT
from portal.client.requests import RequestCalls, page_number
from portal.client.returns import ReturnCalls
from portal.client.uploads import UploadCalls
from portal.contract.account import (
    CustomerUpdate,
    Dashboard,
    EmailChange,
    EmailChangeCode,
    EmailChangeSent,
    LocaleChoice,
    UserData,
)
from portal.contract.base import Document, Locale, Page, Shape
from portal.contract.bikes import Bike, BikeSummary
from portal.contract.changes import LONGEST_WAIT, Changes, Watch
from portal.contract.errors import NotAuthenticated, NotFound, Unavailable
from portal.contract.http import (
    ADDRESS_HEADER,
    CHALLENGE_COOKIE,
    KEY_HEADER,
    PREFIX,
    REFERENCE_FORM,
    TOKEN_FORM,
)
from portal.contract.orders import InvoiceSummary, Order, OrderSummary
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session, SessionCheck
from portal.domain.codes import Code

T = TypeVar("T")
_WAITING = 2000
"""Connections for open pages that wait for a change."""
_CHALLENGE_FORM = r"[A-Za-z0-9._~-]{1,200}"

_NOTHING = TypeAdapter[Any](Any)
_CODE_SENT = TypeAdapter(CodeSent)
_SESSION = TypeAdapter(Session)
_SESSION_CHECK = TypeAdapter(SessionCheck)
_USER_DATA = TypeAdapter(UserData)
_EMAIL_CHANGE_SENT = TypeAdapter(EmailChangeSent)
_DASHBOARD = TypeAdapter(Dashboard)
_ORDERS = TypeAdapter(Page[OrderSummary])
_ORDER = TypeAdapter(Order)
_INVOICES = TypeAdapter(Page[InvoiceSummary])
_BIKES = TypeAdapter(list[BikeSummary])
_BIKE = TypeAdapter(Bike)
_CHANGES = TypeAdapter(Changes)


class HttpProvider(
    RequestCalls,
    LocationCalls,
    DraftCalls,
    UploadCalls,
    LinkCalls,
    ReturnCalls,
    DeliveryCalls,
    BikeCalls,
    PasswordCalls,
):
    """A provider that is reached over HTTP. Implements `portal.contract.provider.Provider`."""

    def __init__(
        self,
        api_root: str,
        *,
        api_key: str = "",
        limits: Limits | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            api_root: address before `/mijn-fw/v2`, such as https://shop.example.
            api_key: shared with the provider, so that it believes the customer's network address.
            limits: how patient to be.
            transport: reaches an ASGI app instead of the network.
        """
        self._api_key = api_key
        limits = limits or Limits()
        patient = replace(limits, total_seconds=limits.total_seconds + LONGEST_WAIT, connections=_WAITING)
        root, headers = api_root.rstrip("/") + PREFIX, {"Accept": "application/json, application/pdf, text/calendar"}
        self._caller = Caller(root, headers=headers, limits=limits, transport=transport)
        # Those who wait for a change hold a connection each: they have their own, and nobody else waits for one.
        self._waiting = Caller(root, headers=headers, limits=patient, transport=transport)

    async def close(self) -> None:
        """Close all connections."""
        await self._waiting.close()
        await self._caller.close()

    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code (part-1 §7, call 1)."""
        return await self._login("request_code", "/request-authenticate", request, origin, _CODE_SENT)

    async def request_lease(self, request: LeaseRequest, origin: Origin) -> NoReturn:
        """Variant 2 of the login: always raises."""
        await self._login("request_lease", "/request-authenticate", request, origin, _NOTHING)
        # A provider that lets a lease customer in is none that we understand.
        raise Unavailable

    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Open a session with the code (part-1 §7, call 2)."""
        return await self._login("authenticate", "/authenticate", entry, origin, _SESSION)

    async def check_session(self, token: str) -> SessionCheck:
        """Whether the session is alive; counts as use of it."""
        return await self._get("check_session", "/session", token, _SESSION_CHECK)

    async def logout(self, token: str) -> None:
        """Revoke the session. Silent when it has ended already."""
        try:
            await self._send("logout", "POST", "/logout", token, None, _NOTHING)
        except NotAuthenticated:
            return

    async def customer_info(self, token: str) -> UserData:
        """The customer's own data (part-1 §7, call 3)."""
        return await self._get("customer_info", "/customer/info", token, _USER_DATA)

    async def update_customer(self, token: str, update: CustomerUpdate) -> UserData:
        """Change own data."""
        return await self._send("update_customer", "PUT", "/customer", token, update, _USER_DATA)

    async def change_locale(self, token: str, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""
        await self._send("change_locale", "PUT", "/customer/locale", token, choice, _NOTHING)

    async def request_email_change(self, token: str, change: EmailChange) -> EmailChangeSent:
        """Mail a code to the old address."""
        path = "/customer/email"
        return await self._send("request_email_change", "POST", path, token, change, _EMAIL_CHANGE_SENT)

    async def confirm_email_change(self, token: str, entry: EmailChangeCode) -> UserData:
        """Take the new address into use."""
        return await self._send("confirm_email_change", "POST", "/customer/email/confirm", token, entry, _USER_DATA)

    async def dashboard(self, token: str) -> Dashboard:
        """What is going on and what can be started."""
        return await self._get("dashboard", "/dashboard", token, _DASHBOARD)

    async def orders(self, token: str, page: int = 1) -> Page[OrderSummary]:
        """The customer's orders, newest first."""
        return await self._get("orders", "/orders", token, _ORDERS, page=page_number(page))

    async def order(self, token: str, order_number: str) -> Order:
        """One order."""
        reference = await self._known_form(token, order_number)
        return await self._get("order", f"/orders/{reference}", token, _ORDER)

    async def invoices(self, token: str, page: int = 1) -> Page[InvoiceSummary]:
        """The customer's invoices, newest first."""
        return await self._get("invoices", "/invoices", token, _INVOICES, page=page_number(page))

    async def invoice_pdf(self, token: str, invoice_id: str, locale: Locale) -> Document:
        """The invoice as a PDF in the given language."""
        path = f"/invoices/{await self._known_form(token, invoice_id)}/pdf"
        return await self._document("invoice_pdf", path, token, locale=locale)

    async def bikes(self, token: str) -> list[BikeSummary]:
        """The customer's bikes, newest order first."""
        return await self._get("bikes", "/bikes", token, _BIKES)

    async def bike(self, token: str, bike_id: str) -> Bike:
        """One bike."""
        return await self._get("bike", f"/bikes/{await self._known_form(token, bike_id)}", token, _BIKE)

    async def changes(self, token: str, watch: Watch) -> Changes:
        """Whether something changed since the last answer; waits for it as long as is asked."""
        call = Call("changes", "GET", "/changes", token=_bearer(token), query=watch.model_dump(mode="json"))
        caller = self._waiting if watch.wait_seconds else self._caller
        return answers.data(call.operation, await caller.send(call), _CHANGES)

    async def _login(self, operation: str, path: str, body: Shape, origin: Origin, shape: TypeAdapter[T]) -> T:
        headers = {"Accept-Language": origin.locale}
        if origin.challenge and re.fullmatch(_CHALLENGE_FORM, origin.challenge):
            headers["Cookie"] = f"{CHALLENGE_COOKIE}={origin.challenge}"
        if self._api_key:
            headers |= {KEY_HEADER: self._api_key, ADDRESS_HEADER: origin.address}
        content = body.model_dump(mode="json", exclude_none=True)
        call = Call(operation, "POST", path, body=content, headers=headers)
        return answers.data(operation, await self._caller.send(call), shape)

    async def _get(self, operation: str, path: str, token: str, shape: TypeAdapter[T], **query: QueryValue) -> T:
        call = Call(operation, "GET", path, token=_bearer(token), query=query)
        return answers.data(operation, await self._caller.send(call), shape)

    async def _document(
        self, operation: str, path: str, token: str, kind: answers.Kind = answers.PDF, **query: QueryValue
    ) -> Document:
        call = Call(operation, "GET", path, token=_bearer(token), query=query, largest=LARGEST_DOCUMENT)
        return answers.document(operation, await self._caller.send(call), kind)

    async def _post_openly(self, operation: str, path: str, body: Shape, shape: TypeAdapter[T]) -> T:
        call = Call(operation, "POST", path, body=body.model_dump(mode="json"))
        return answers.data(operation, await self._caller.send(call), shape)

    async def _send(
        self, operation: str, method: str, path: str, token: str, body: Shape | None, shape: TypeAdapter[T]
    ) -> T:
        content = body.model_dump(mode="json") if body else None
        call = Call(operation, method, path, token=_bearer(token), body=content)
        return answers.data(operation, await self._caller.send(call), shape)

    def _bearer(self, token: str) -> str:
        return _bearer(token)

    async def _known_form(self, token: str, reference: str) -> str:
        """Keep out of a path what cannot name anything; told as not found, to somebody with a session only."""
        if not re.fullmatch(REFERENCE_FORM, reference):
            await self.check_session(token)
            raise NotFound
        return reference


def _bearer(token: str) -> str:
    """A token that fits into a header; any other was never given out."""
    if not re.fullmatch(TOKEN_FORM, token):
        raise NotAuthenticated(Code.SESSION_ENDED)
    return token

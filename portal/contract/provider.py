"""The Provider: every operation the portal can ask of the retailer's side.

Whether a call crosses a network is a deployment decision; the suite in tests/contract runs against every way.
Every operation that takes `token` checks the session and the ownership itself, on every call.
All raise `ProviderError`: `NotAuthenticated` for a session that ended, `NotFound` for what is not the customer's,
`Unavailable` when the provider cannot be reached or understood.
"""

from __future__ import annotations

from typing import Protocol

from portal.contract.account import (
    CustomerUpdate,
    Dashboard,
    EmailChange,
    EmailChangeCode,
    EmailChangeSent,
    LocaleChoice,
    UserData,
)
from portal.contract.base import Document, Locale, Page
from portal.contract.bike_home_operations import BikeHomeOperations
from portal.contract.bikes import Bike, BikeSummary
from portal.contract.delivery_operations import DeliveryOperations
from portal.contract.flow_operations import FlowOperations
from portal.contract.insurance_operations import InsuranceOperations
from portal.contract.link_operations import LinkOperations
from portal.contract.orders import InvoiceSummary, Order, OrderSummary
from portal.contract.password_operations import PasswordOperations
from portal.contract.request_operations import RequestOperations
from portal.contract.return_operations import ReturnOperations
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session, SessionCheck


class Provider(
    RequestOperations,
    FlowOperations,
    LinkOperations,
    ReturnOperations,
    DeliveryOperations,
    InsuranceOperations,
    BikeHomeOperations,
    PasswordOperations,
    Protocol,
):
    """Operations of the retailer's side."""

    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code (part-1 §7, call 1).

        Raises:
            InvalidInput: `invalid_email`, `invalid_order_id` or `required`, by field.
            Refused: `invalid_credentials`, `lease_order_not_allowed` (url), `other_country` (url).
            TooMany: `too_many_requests` with `retry_at`.
        """
        ...

    async def request_lease(self, request: LeaseRequest, origin: Origin) -> None:
        """Variant 2 of the login: always raises.

        Raises:
            InvalidInput: `invalid_frame_number` or `required` for the field `lease`.
            Refused: `lease_order_not_allowed` (url of the lease portal) or `not_lease_order`.
            TooMany: `too_many_requests` with `retry_at`.
        """
        ...

    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Open a session with the code (part-1 §7, call 2).

        Raises:
            Refused: `invalid_code`, `code_expired`, `code_used_up`, `no_challenge`.
        """
        ...

    async def check_session(self, token: str) -> SessionCheck:
        """Whether the session is alive; counts as use of it."""
        ...

    async def logout(self, token: str) -> None:
        """Revoke the session. Silent when it has ended already."""
        ...

    async def customer_info(self, token: str) -> UserData:
        """The customer's own data (part-1 §7, call 3)."""
        ...

    async def update_customer(self, token: str, update: CustomerUpdate) -> UserData:
        """Change own data.

        Raises:
            InvalidInput: with a code for each field.
        """
        ...

    async def change_locale(self, token: str, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""
        ...

    async def request_email_change(self, token: str, change: EmailChange) -> EmailChangeSent:
        """Mail a code to the old address; the new one is kept aside with this session.

        Raises:
            InvalidInput: `invalid_email`, `same_email` or `required` for the field `email`.
            TooMany: `too_many_requests` with `retry_at`.
        """
        ...

    async def confirm_email_change(self, token: str, entry: EmailChangeCode) -> UserData:
        """Take the new address into use; both addresses are told.

        Raises:
            Refused: `invalid_code`, `code_expired`, `code_used_up`, `no_challenge`.
        """
        ...

    async def dashboard(self, token: str) -> Dashboard:
        """What is going on and what can be started."""
        ...

    async def orders(self, token: str, page: int = 1) -> Page[OrderSummary]:
        """The customer's orders, newest first. A page beyond the last is the last."""
        ...

    async def order(self, token: str, order_number: str) -> Order:
        """One order."""
        ...

    async def invoices(self, token: str, page: int = 1) -> Page[InvoiceSummary]:
        """The customer's invoices, newest first. A page beyond the last is the last."""
        ...

    async def invoice_pdf(self, token: str, invoice_id: str, locale: Locale) -> Document:
        """The invoice as a PDF in the given language.

        Raises:
            Unavailable: `pdf_failed`.
        """
        ...

    async def bikes(self, token: str) -> list[BikeSummary]:
        """The customer's bikes, newest order first."""
        ...

    async def bike(self, token: str, bike_id: str) -> Bike:
        """One bike."""
        ...

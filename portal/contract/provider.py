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
from portal.contract.bikes import Bike, BikeSummary, ServiceRequest
from portal.contract.changes import Changes, Watch
from portal.contract.delivery_operations import DeliveryOperations
from portal.contract.drafts import Draft, DraftStart, FlowStart, Receipt, StepEntry, Submission
from portal.contract.insurance_operations import InsuranceOperations
from portal.contract.link_operations import LinkOperations
from portal.contract.locations import LocationResults, LocationSearch, Place, PlaceSearch, ServiceLocation
from portal.contract.orders import InvoiceSummary, Order, OrderSummary
from portal.contract.password_operations import PasswordOperations
from portal.contract.requests import RequestDetail
from portal.contract.services import ServiceOffer
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session, SessionCheck


class Provider(
    LinkOperations,
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

    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims: open ones first, then newest first."""
        ...

    async def service_request(self, token: str, reference: str) -> RequestDetail:
        """One request with its partner and everything that happened to it."""
        ...

    async def changes(self, token: str, watch: Watch) -> Changes:
        """Whether something changed since the last answer; waits for it as long as is asked.

        Asking does not count as use of the session: a page that nobody touches does not keep it alive.
        """
        ...

    async def flow_start(self, token: str, flow: str) -> FlowStart:
        """What is known before a request is begun: what can be chosen, and what was begun or sent before."""
        ...

    async def open_draft(self, token: str, start: DraftStart) -> Draft:
        """Begin a request, or go on with the one that was begun in this flow for this subject."""
        ...

    async def draft(self, token: str, draft_id: str) -> Draft:
        """A request that is being filled in, or was sent."""
        ...

    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        """Keep the answers to one step; durable when it returns.

        When the answer names a subject for which another request was begun, that one is gone on with.

        Raises:
            InvalidInput: the code of the step, with a code for each field.
            Refused: `step_not_open`.
            Conflict: `draft_changed` when another version was seen, `draft_sent`.
        """
        ...

    async def discard_draft(self, token: str, draft_id: str) -> None:
        """Throw a request away that was not sent."""
        ...

    async def submit_draft(self, token: str, draft_id: str, submission: Submission) -> Receipt:
        """Send a request. Done again with the same key, it answers the same receipt.

        Raises:
            InvalidInput: the code of the first step that lacks an answer or has one that no longer holds.
            Refused: a rule of the flow says no, such as `open_work_order_exists`.
        """
        ...

    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike with their prices, and which one it is due for.

        Raises:
            Refused: `combination_order_line_frame_nr_not_valid`.
        """
        ...

    async def service_locations(self, token: str, search: LocationSearch) -> LocationResults:
        """Service locations around a place: those on vacation last, then as ordered.

        A page beyond the last is the last.

        Raises:
            InvalidInput: `required` or `postal_code_not_found` for the field `text`.
        """
        ...

    async def service_location(self, token: str, location_id: str) -> ServiceLocation:
        """One service location."""
        ...

    async def places(self, token: str, search: PlaceSearch) -> list[Place]:
        """At most five places that a text may mean, the likeliest first; none when nothing fits."""
        ...

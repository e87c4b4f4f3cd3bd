"""The whole Provider, put together from the services of each subject."""

from __future__ import annotations

from collections.abc import AsyncIterator

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
from portal.contract.bikes import Bike, BikeSummary, ServiceRequest
from portal.contract.changes import Changes, Watch
from portal.contract.drafts import Draft, DraftStart, FlowStart, Receipt, StepEntry, Submission
from portal.contract.locations import LocationResults, LocationSearch, Place, PlaceSearch, ServiceLocation
from portal.contract.orders import InvoiceSummary, Order, OrderSummary
from portal.contract.requests import RequestDetail
from portal.contract.services import ServiceOffer
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session, SessionCheck
from portal.contract.uploads import Content, Upload, UploadPlace, UploadStart
from portal.provider.confirming.desks import DESKS
from portal.provider.context import Context
from portal.provider.services.account import AccountServices
from portal.provider.services.bike_part import BikePart
from portal.provider.services.bikes import BikeServices
from portal.provider.services.changes import ChangeServices
from portal.provider.services.dashboard import DashboardServices
from portal.provider.services.delivery_part import DeliveryPart
from portal.provider.services.draft_saving import DraftSaving
from portal.provider.services.draft_sending import DraftSending
from portal.provider.services.drafts import DraftServices
from portal.provider.services.email_change import EmailChangeServices
from portal.provider.services.invoices import InvoiceServices
from portal.provider.services.link_part import LinkPart
from portal.provider.services.links import LinkServices
from portal.provider.services.locations import LocationServices
from portal.provider.services.login import LoginServices
from portal.provider.services.orders import OrderServices
from portal.provider.services.papers import PaperServices
from portal.provider.services.password_part import PasswordPart
from portal.provider.services.requests import RequestServices
from portal.provider.services.return_part import ReturnPart
from portal.provider.services.returns import ReturnServices
from portal.provider.services.service_products import ServiceProductServices
from portal.provider.services.uploads import UploadServices
from portal.provider.services.withdrawals import WithdrawalServices
from portal.provider.sessions import Sessions


class Services(LinkPart, ReturnPart, DeliveryPart, BikePart, PasswordPart):
    """Answers every operation of `contract.provider.Provider`; what each does is said there."""

    def __init__(self, context: Context) -> None:
        sessions = Sessions(context)
        self._login = LoginServices(context, sessions)
        self._email_change = EmailChangeServices(context, sessions)
        self._account = AccountServices(context, sessions)
        self._dashboard = DashboardServices(context, sessions)
        self._orders = OrderServices(context, sessions)
        self._invoices = InvoiceServices(context, sessions)
        self._bikes = BikeServices(context, sessions)
        self._requests = RequestServices(context, sessions)
        self._changes = ChangeServices(context, sessions)
        self._drafts = DraftServices(context, sessions)
        self._draft_saving = DraftSaving(context, sessions)
        self._draft_sending = DraftSending(context, sessions)
        self._uploads = UploadServices(context, sessions)
        self._links = LinkServices(context, DESKS)
        self._returns = ReturnServices(context, sessions)
        self._withdrawals = WithdrawalServices(context, sessions)
        self._open_deliveries(context, sessions)
        self._open_bikes(context, sessions)
        self._open_passwords(context, sessions, self._login)
        self._locations = LocationServices(context, sessions)
        self._papers = PaperServices(context, sessions)
        self._service_products = ServiceProductServices(context, sessions)

    async def close(self) -> None:
        """Let what is under way end."""
        await self._changes.close()
        await self._draft_saving.close()
        await self._uploads.close()

    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code."""
        return await self._login.request_code(request, origin)

    async def request_lease(self, request: LeaseRequest, origin: Origin) -> None:
        """Variant 2 of the login: always raises."""
        await self._login.request_lease(request, origin)

    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Open a session with the code."""
        return await self._login.authenticate(entry, origin)

    async def check_session(self, token: str) -> SessionCheck:
        """Whether the session is alive."""
        return await self._login.check_session(token)

    async def logout(self, token: str) -> None:
        """Revoke the session."""
        await self._login.logout(token)

    async def customer_info(self, token: str) -> UserData:
        """The customer's own data."""
        return await self._account.customer_info(token)

    async def update_customer(self, token: str, update: CustomerUpdate) -> UserData:
        """Change own data."""
        return await self._account.update_customer(token, update)

    async def change_locale(self, token: str, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""
        await self._account.change_locale(token, choice)

    async def request_email_change(self, token: str, change: EmailChange) -> EmailChangeSent:
        """Mail a code to the old address."""
        return await self._email_change.request_email_change(token, change)

    async def confirm_email_change(self, token: str, entry: EmailChangeCode) -> UserData:
        """Take the new address into use."""
        return await self._email_change.confirm_email_change(token, entry)

    async def dashboard(self, token: str) -> Dashboard:
        """What is going on and what can be started."""
        return await self._dashboard.dashboard(token)

    async def orders(self, token: str, page: int = 1) -> Page[OrderSummary]:
        """A page of orders."""
        return await self._orders.orders(token, page)

    async def order(self, token: str, order_number: str) -> Order:
        """One order."""
        return await self._orders.order(token, order_number)

    async def invoices(self, token: str, page: int = 1) -> Page[InvoiceSummary]:
        """A page of invoices."""
        return await self._invoices.invoices(token, page)

    async def invoice_pdf(self, token: str, invoice_id: str, locale: Locale) -> Document:
        """An invoice as a PDF."""
        return await self._invoices.invoice_pdf(token, invoice_id, locale)

    async def bikes(self, token: str) -> list[BikeSummary]:
        """All bikes."""
        return await self._bikes.bikes(token)

    async def bike(self, token: str, bike_id: str) -> Bike:
        """One bike."""
        return await self._bikes.bike(token, bike_id)

    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        """A page of repairs, services and claims."""
        return await self._requests.service_requests(token, page)

    async def request_document(self, token: str, reference: str, locale: Locale) -> Document:
        """A request as a PDF."""
        return await self._papers.request_document(token, reference, locale)

    async def request_calendar(self, token: str, reference: str, locale: Locale) -> Document:
        """The appointment of a request."""
        return await self._papers.request_calendar(token, reference, locale)

    async def service_request(self, token: str, reference: str) -> RequestDetail:
        """One request."""
        return await self._requests.service_request(token, reference)

    async def changes(self, token: str, watch: Watch) -> Changes:
        """Whether something changed since."""
        return await self._changes.changes(token, watch)

    async def flow_start(self, token: str, flow: str) -> FlowStart:
        """What is known before a request is begun."""
        return await self._drafts.flow_start(token, flow)

    async def open_draft(self, token: str, start: DraftStart) -> Draft:
        """Begin a request, or go on with one."""
        return await self._drafts.open_draft(token, start)

    async def draft(self, token: str, draft_id: str) -> Draft:
        """A request that is being filled in."""
        return await self._drafts.draft(token, draft_id)

    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        """Keep the answers to one step."""
        return await self._draft_saving.save_step(token, draft_id, entry)

    async def discard_draft(self, token: str, draft_id: str) -> None:
        """Throw a request away."""
        await self._drafts.discard_draft(token, draft_id)

    async def submit_draft(self, token: str, draft_id: str, submission: Submission) -> Receipt:
        """Send a request."""
        return await self._draft_sending.submit_draft(token, draft_id, submission)

    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike."""
        return await self._service_products.service_products(token, bike_id)

    async def begin_upload(self, token: str, draft_id: str, start: UploadStart) -> UploadPlace:
        """Announce a file."""
        return await self._uploads.begin_upload(token, draft_id, start)

    async def receive_upload(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Receive an announced file."""
        return await self._uploads.receive_upload(token, upload_id, body)

    async def remove_upload(self, token: str, upload_id: str) -> None:
        """Remove a file."""
        await self._uploads.remove_upload(token, upload_id)

    async def upload_content(self, token: str, upload_id: str) -> Content:
        """A file for its owner."""
        return await self._uploads.upload_content(token, upload_id)

    async def upload_preview(self, token: str, upload_id: str) -> Document:
        """A small picture of a photo."""
        return await self._uploads.upload_preview(token, upload_id)

    async def service_locations(self, token: str, search: LocationSearch) -> LocationResults:
        """A page of locations around a place."""
        return await self._locations.service_locations(token, search)

    async def service_location(self, token: str, location_id: str) -> ServiceLocation:
        """One location."""
        return await self._locations.service_location(token, location_id)

    async def places(self, token: str, search: PlaceSearch) -> list[Place]:
        """Places that a text may mean."""
        return await self._locations.places(token, search)

"""The app of the provider API under `/mijn-fw/v2`, including the back-office routes."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.routing import BaseRoute

from portal import logs
from portal.account.api import AccountApi
from portal.backend.api.layers import ErrorMiddleware, install
from portal.backend.api.routes import router_of
from portal.backend.backoffice import BackOffice
from portal.bikes.api import BikesApi
from portal.cases.api import CasesApi
from portal.contract.common_api import ChangesApi, SessionApi, TermsApi
from portal.contract.models import PREFIX
from portal.contract.registry import Provider
from portal.contracts.api import ContractsApi
from portal.conversations.api import ConversationsApi, StaffConversationsApi
from portal.deliveries.api import DeliveriesApi
from portal.exports.api import ExportsApi, WebhooksApi
from portal.flow.api import FlowApi, StaffFilesApi
from portal.imports.api import ImportsApi
from portal.insurance.api import InsuranceApi
from portal.links.api import LinksApi
from portal.locations.api import LocationsApi
from portal.login.api import LoginApi, PasskeysApi
from portal.login.provider.service import FINISH
from portal.master_data.api import PricesApi, StoreHoursApi
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.pictures.api import PicturesApi
from portal.privacy.api import PrivacyApi
from portal.provider.application import Application
from portal.provider.routes import router as back_office_router
from portal.recalls.api import RecallsApi
from portal.returns.api import ReceivingApi, ReturnsApi
from portal.service_packages.api import ServicePackagesApi
from portal.settings import Settings, settings
from portal.staff.api.customers import CustomersApi
from portal.staff.api.people import PeopleApi, StaffApi
from portal.withdrawals.api import WithdrawalsApi
from portal.work_orders.api import WorkOrdersApi

CUSTOMER_APIS: Mapping[type, str] = {
    LoginApi: "session",
    PasskeysApi: "passkeys",
    SessionApi: "session",
    TermsApi: "terms",
    PicturesApi: "pictures",
    AccountApi: "customer",
    PrivacyApi: "customer",
    OverviewApi: "overview",
    OrdersApi: "orders",
    BikesApi: "bikes",
    LocationsApi: "service locations",
    DeliveriesApi: "deliveries",
    ReturnsApi: "returns",
    WithdrawalsApi: "returns",
    ContractsApi: "contracts",
    WorkOrdersApi: "service requests",
    InsuranceApi: "insurances",
    ServicePackagesApi: "bikes",
    RecallsApi: "recalls",
    ConversationsApi: "conversations",
    FlowApi: "requests",
    LinksApi: "links",
    ChangesApi: "changes",
}
STAFF_APIS: Mapping[type, str] = {
    StaffApi: "staff",
    PeopleApi: "staff: people",
    CustomersApi: "staff: customers",
    CasesApi: "staff: cases",
    StaffConversationsApi: "staff: conversations",
    StaffFilesApi: "staff: files",
    ReceivingApi: "staff: returns",
    StoreHoursApi: "staff: stores",
    PricesApi: "staff: prices",
    ExportsApi: "staff: exports",
    ImportsApi: "staff: imports",
    WebhooksApi: "staff: webhooks",
}
"""The APIs of staff, below `/staff/`. The hosts of customers do not serve them."""

APIS: Mapping[type, str] = {**CUSTOMER_APIS, **STAFF_APIS}

_DESCRIPTION = """\
What a customer of the shop may see and do. Every answer is an envelope: `success`, `data`, `error` (a code of the
catalogue) and `details`. Amounts are euro as text with two decimals, times are ISO 8601 in UTC, days are local.

A session starts with `POST /mijn-fw/v2/request-authenticate` and `POST /mijn-fw/v2/authenticate`; every other
operation takes its `jwt` as a bearer token, but those on links in mails, where holding the link is enough. What is
not this customer's answers as if it did not exist.
"""


@cache
def _router(api: type, heading: str) -> APIRouter:
    return router_of(api, heading, FINISH)


# All applications of a process share these routes: most of their cost is at the first calls.
@cache
def _routes(api: type, heading: str) -> list[BaseRoute]:
    return _included(_router(api, heading))


@cache
def _back_office_routes() -> list[BaseRoute]:
    return _included(back_office_router)


def _included(router: APIRouter) -> list[BaseRoute]:
    below = APIRouter()
    below.include_router(router, prefix=PREFIX)
    return below.routes


def create_api(
    provider: Callable[[], Provider],
    settings: Settings,
    *,
    apis: Mapping[type, str] = APIS,
    back_office: Callable[[], BackOffice] | None = None,
    lifespan: Any = None,
) -> FastAPI:
    """Build the API.

    `provider`: finds the provider that answers; asked on every request.
    `apis`: what it serves: those of customers, of staff, or both.
    `back_office`: finds what the shop itself may do; without it, its routes are not there.
    `lifespan`: opens and closes what the provider needs, when the API runs alone.
    """
    # FastAPI silences this warning where it makes a field; a field of a model that is built later gives it again.
    warnings.filterwarnings("ignore", category=UnsupportedFieldAttributeWarning)
    app = FastAPI(
        title=f"{settings.brand.name} provider API",
        description=_DESCRIPTION,
        version="2",
        openapi_url=f"{PREFIX}/openapi.json",
        # The page that shows a document would come from a foreign host.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.provider = provider
    app.state.settings = settings
    install(app)
    app.add_middleware(ErrorMiddleware, settings=settings)
    app.state.routers = [_router(api, heading) for api, heading in apis.items()]
    app.routes.extend(route for api, heading in apis.items() for route in _routes(api, heading))
    if back_office is not None:
        app.state.back_office = back_office
        app.state.routers.append(back_office_router)
        app.routes.extend(_back_office_routes())
    describe = app.openapi
    app.openapi = lambda: _without_foreign_refusals(describe())
    return app


def _without_foreign_refusals(document: dict[str, Any]) -> dict[str, Any]:
    """Drop the framework's own description of bad input, which no operation answers."""
    for operations in document["paths"].values():
        for operation in operations.values():
            if "HTTPValidationError" in str(operation["responses"].get("422")):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
    return document


def create_app() -> FastAPI:
    """The API with an application that opens and closes with the server."""
    options = settings()
    # Made in the loop of the server: it may hold threads and connections.
    opened: list[Application] = []

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        logs.configure()
        application = Application(options)
        await application.open(jobs=options.jobs)
        opened.append(application)
        try:
            yield
        finally:
            opened.remove(application)
            await application.close()

    return create_api(
        lambda: opened[-1].services, options, back_office=lambda: opened[-1].back_office, lifespan=lifespan
    )

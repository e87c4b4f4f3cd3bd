"""The app that answers under `/mijn-fw/v2`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI

from portal.contract.account_api import AccountApi
from portal.contract.bikes_api import BikesApi
from portal.contract.changes_api import ChangesApi
from portal.contract.deliveries_api import DeliveriesApi
from portal.contract.flow_api import FlowApi
from portal.contract.http import PREFIX
from portal.contract.insurance_api import InsuranceApi
from portal.contract.links_api import LinksApi
from portal.contract.locations_api import LocationsApi
from portal.contract.login_api import LoginApi
from portal.contract.orders_api import OrdersApi
from portal.contract.overview_api import OverviewApi
from portal.contract.registry import Provider
from portal.contract.returns_api import ReturnsApi
from portal.contract.service_packages_api import ServicePackagesApi
from portal.contract.session_api import SessionApi
from portal.contract.withdrawals_api import WithdrawalsApi
from portal.contract.work_orders_api import WorkOrdersApi
from portal.provider.api import cookies, faults
from portal.provider.api.layers import Surround
from portal.provider.api.routes import router_of
from portal.provider.backoffice import api as back_office_api
from portal.provider.backoffice.office import BackOffice
from portal.settings import Settings

APIS: Mapping[type, str] = {
    LoginApi: "session",
    SessionApi: "session",
    AccountApi: "customer",
    OverviewApi: "overview",
    OrdersApi: "orders",
    BikesApi: "bikes",
    LocationsApi: "service locations",
    DeliveriesApi: "deliveries",
    ReturnsApi: "returns",
    WithdrawalsApi: "returns",
    WorkOrdersApi: "service requests",
    InsuranceApi: "insurances",
    ServicePackagesApi: "bikes",
    FlowApi: "requests",
    LinksApi: "links",
    ChangesApi: "changes",
}
"""Every API of the contract, with its heading in the description."""
_DESCRIPTION = """\
What a customer of the shop may see and do. Every answer is an envelope: `success`, `data`, `error` (a code of the
catalogue) and `details`. Amounts are euro as text with two decimals, times are ISO 8601 in UTC, days are local.

A session starts with `POST /mijn-fw/v2/request-authenticate` and `POST /mijn-fw/v2/authenticate`; every other
operation takes its `jwt` as a bearer token, but those on links in mails, where holding the link is enough. What is
not this customer's answers as if it did not exist.
"""


def create_api(
    provider: Callable[[], Provider],
    settings: Settings,
    *,
    back_office: Callable[[], BackOffice] | None = None,
    lifespan: Any = None,
) -> FastAPI:
    """Build the API.

    Args:
        provider: finds the provider that answers; asked on every request.
        settings: of this process.
        back_office: finds what the shop itself may do; its routes are there when the settings have a key for them.
        lifespan: opens and closes what the provider needs, when the API runs alone.
    """
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
    faults.install(app)
    app.add_middleware(Surround)
    for api, heading in APIS.items():
        app.include_router(router_of(api, heading, cookies.FINISH), prefix=PREFIX)
    if back_office is not None and settings.backoffice_keys:
        app.state.back_office = back_office
        app.include_router(back_office_api.router, prefix=PREFIX)
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

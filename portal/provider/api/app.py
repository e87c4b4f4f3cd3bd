"""The app that answers under `/mijn-fw/v2`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from portal.contract.http import PREFIX
from portal.contract.provider import Provider
from portal.provider.api import (
    bike_home,
    bikes,
    changes,
    customer,
    deliveries,
    drafts,
    faults,
    insurances,
    invoices,
    links,
    locations,
    orders,
    passwords,
    requests,
    returns,
    session,
    uploads,
)
from portal.provider.api.layers import Surround
from portal.provider.backoffice import api as back_office_api
from portal.provider.backoffice.office import BackOffice
from portal.settings import Settings

_PARTS = (
    session, customer, orders, invoices, bikes, requests, changes, locations, drafts, uploads, links, returns,
    deliveries, insurances, bike_home, passwords,
)  # fmt: skip
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
    for part in _PARTS:
        app.include_router(part.router, prefix=PREFIX)
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

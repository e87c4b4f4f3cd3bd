"""Fixtures for the demonstration shop, reached directly, over ASGI, through events or through the HTTP edge.

A test module may define its own `SETTINGS`. Each fixture imports what it needs when it is used, so other test runs do
not load it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from portal.provider.application import Application
    from portal.routes import Edge
    from tests.support.connections import Shop
    from tests.support.http_browser import Browser
    from tests.support.pipeline import Pipeline


WAYS = ("services", "asgi")
"""Connections over which the whole contract is tested. Over a socket, a few tests are enough."""


@pytest.fixture(autouse=True, scope="session")
def _nobody_waits_in_vain_for_a_lock() -> Iterator[None]:
    """Forty requests for one row take turns, however long that takes on a busy machine."""
    from portal.backend import database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_WAIT_SECONDS", 60)
        yield


@pytest_asyncio.fixture(params=WAYS, scope="module", loop_scope="module")
async def shop_each_way(
    request: pytest.FixtureRequest, demonstration: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Shop]:
    """The demonstration shop, over each connection in turn."""
    from tests.support.connections import UNHURRIED, opened

    settings = getattr(request.module, "SETTINGS", UNHURRIED)
    async with opened(request.param, demonstration, tmp_path_factory.mktemp("shop"), settings) as shop:
        yield shop


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(
    request: pytest.FixtureRequest, demonstration: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Shop]:
    """The demonstration shop, connected to the portal."""
    from tests.support.connections import UNHURRIED, opened

    settings = getattr(request.module, "SETTINGS", UNHURRIED)
    async with opened("services", demonstration, tmp_path_factory.mktemp("shop"), settings) as shop:
        yield shop


@pytest.fixture
def sessions_stay_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep cached sessions valid for the whole test, however long it takes on a busy machine."""
    from portal.web.session import checks

    checks._answers.clear()
    monkeypatch.setattr(checks, "_fresh_seconds", 3600.0)


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(shop: Shop, sessions_stay_known: None) -> AsyncIterator[Pipeline]:
    """Browser tabs, as the server sees them."""
    from tests.support.pipeline import running_pipeline

    async with running_pipeline() as pipeline:
        yield pipeline


@pytest.fixture(scope="session")
def edge() -> Edge:
    """The HTTP edge with the routes of the real pages."""
    from portal.portal import _protected, _report, app
    from portal.routes import Edge
    from tests.support.http_browser import pages

    return Edge(pages, _protected, app.router, _report)


@pytest_asyncio.fixture(loop_scope="module")
async def http_browser(edge: Edge, shop: Shop, sessions_stay_known: None) -> AsyncIterator[Browser]:
    """An HTTP browser with an empty cookie jar."""
    from tests.support.http_browser import Browser, client_of

    async with client_of(edge) as client:
        yield Browser(client)


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop: Shop) -> AsyncIterator[Application]:
    """A second application for the back office, as in a separate process."""
    from portal.provider.application import Application
    from portal.settings import Settings

    application = Application(Settings.model_validate({"data_dir": shop.data_dir}))
    yield application
    await application.context.database.close()


@pytest_asyncio.fixture(loop_scope="module")
async def nothing_asked_for(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Remove all requested insurances and packages after the test, and report changes sooner during it."""
    from portal.frontend import watch

    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)
    yield
    for statement in (
        "DELETE FROM drafts",
        "UPDATE bikes SET insurance = '' WHERE id IN (SELECT bike_id FROM insurance_requests WHERE draft_key <> '')",
        "DELETE FROM insurance_requests WHERE draft_key IS NOT NULL",
        "DELETE FROM confirmation_links",
        "DELETE FROM limit_windows",
        "UPDATE bikes SET service_package = NULL WHERE id IN"
        " (SELECT bike_id FROM package_orders WHERE draft_key IS NOT NULL)",
        "DELETE FROM package_orders WHERE draft_key IS NOT NULL",
    ):
        await shop.alter(statement)

"""The built pages, with a process that draws them and without one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from portal.contract import registry
from portal.drawing.documents import DrawnDocuments
from portal.drawing.drawer import Drawer
from portal.portal import _first, _pages_with_data, _protected, _report, app
from portal.reflex_adapter.build import Build
from portal.reflex_adapter.patches import ENVIRONMENT, drawing_command
from portal.reflex_adapter.static import StaticSite
from portal.routes import Edge
from portal.shown_settings import filled, of_process
from portal.ui.page import sample_path
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.http_browser import Browser, client_of, pages

PATIENCE = 30.0
"""Seconds: however busy the machine is, documents are drawn."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def drawer(built: Build) -> AsyncIterator[Drawer]:
    """What draws the pages, ready."""
    samples = {route: sample_path(route) for route in _first}
    opened = Drawer(drawing_command(built.web_dir), ENVIRONMENT, samples, PATIENCE, _pages_with_data, of_process)
    opened.start()
    async with asyncio.timeout(60):
        while opened.state["process"] != "ready":
            await asyncio.sleep(0.02)
    yield opened
    await opened.stop()


@pytest.fixture(scope="module")
def site(built: Build) -> StaticSite:
    return StaticSite(built.static_dir, app.router, pages, filled)


def _edge(site: StaticSite, drawer: Drawer) -> Edge:
    documents = DrawnDocuments(site, drawer, _first, app.router, PATIENCE)
    return Edge(documents, _protected, app.router, _report)


@pytest_asyncio.fixture(loop_scope="module")
async def browser(site: StaticSite, drawer: Drawer, shop: Shop, sessions_stay_known: None) -> AsyncIterator[Browser]:
    """A browser that asks for documents that can be drawn."""
    async with client_of(_edge(site, drawer)) as client:
        yield Browser(client)


@pytest_asyncio.fixture(loop_scope="module")
async def undrawn(site: StaticSite, shop: Shop, sessions_stay_known: None) -> AsyncIterator[Browser]:
    """A browser that asks where nothing can be drawn."""
    async with client_of(_edge(site, Drawer([], {}, {}, PATIENCE))) as client:
        yield Browser(client)


@pytest.fixture
def provider_with(shop: Shop) -> Iterator[Any]:
    """Let one operation of the provider do something else."""
    yield lambda name, operation: registry.connect(replaced(shop.provider, **{name: operation}))
    registry.connect(shop.provider)


@pytest.fixture(scope="module")
def demonstration(aged_shop: Path) -> Path:
    """Directory with the demonstration shop, with older bikes: flows ask every question."""
    return aged_shop

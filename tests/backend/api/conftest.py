"""The provider API over the demonstration shop, asked as anybody could ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI

from portal.backend.security import challenge_hash
from portal.kernel.days import now
from portal.provider.api import create_api
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.exchange import ApiKeyRow
from portal.vocabulary.exchange import ApiScope
from tests.support.connections import KEY, UNHURRIED, Shop

PEER = "192.0.2.99"
"""Network address of whoever asks."""


@dataclass(kw_only=True)
class ApiShop(Shop):
    """The shop with its API; `provider` are the services behind it."""

    http: httpx.AsyncClient
    app: FastAPI

    async def get(self, path: str, token: str | None = None, **options: Any) -> httpx.Response:
        """Ask for something under `/mijn-fw/v2`, with the session of a customer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return await self.http.get(f"/mijn-fw/v2{path}", headers=headers, **options)


async def let_in(application: Application, key: str, *scopes: ApiScope) -> None:
    """Add a key of another system; without scopes it may do everything."""
    async with application.context.database.transaction() as session:
        found = [each.value for each in scopes or ApiScope]
        row = ApiKeyRow(name="fulfilment", key_hash=challenge_hash(key), scopes=found, created_at=now())
        session.add(row)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(
    request: pytest.FixtureRequest, demonstration: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ApiShop]:
    """The API in this process. A module may bring its own `SETTINGS`."""
    data_dir = tmp_path_factory.mktemp("api")
    copytree(demonstration, data_dir, dirs_exist_ok=True)
    settings = getattr(request.module, "SETTINGS", UNHURRIED)
    options = Settings.model_validate({"data_dir": data_dir, "api_key": KEY, **settings})
    application = Application(options)
    await application.open()
    app = create_api(lambda: application.services, options)
    transport = httpx.ASGITransport(app, client=(PEER, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://shop.test") as http:
        yield ApiShop("api", application.services, data_dir, http=http, app=app)
    await application.close()

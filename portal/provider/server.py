"""The provider API as a process of its own: `portal.provider.server:create_app`, for any ASGI server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from portal.provider import logs
from portal.provider.api.app import create_api
from portal.provider.house import House
from portal.settings import settings


def create_app() -> FastAPI:
    """The API with a house behind it that opens and closes together with the server."""
    logs.configure()
    options = settings()
    house = House(options)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    return create_api(lambda: house.services, options, back_office=lambda: house.back_office, lifespan=lifespan)

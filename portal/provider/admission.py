"""Who may call the routes of the back office: whoever shows its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from portal.backend.api.routes import Options, client_address
from portal.backend.backoffice import BackOffice

_bearer = HTTPBearer(auto_error=False, scheme_name="back office", description="A key of `PORTAL_BACKOFFICE_KEY`.")


async def _admitted(
    request: Request,
    options: Options,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> BackOffice:
    find: Callable[[], BackOffice] = request.app.state.back_office
    office = find()
    await office.admit(credentials.credentials if credentials else "", client_address(request, options))
    return office


Office = Annotated[BackOffice, Depends(_admitted)]
"""The back office, once the key was right."""

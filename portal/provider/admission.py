"""Who may call the routes of the back office, and calls that are repeated with an idempotency key."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from typing_extensions import override

from portal.backend.api.routes import client_address
from portal.backend.backoffice import BackOffice
from portal.backend.idempotency import fingerprint
from portal.kernel.validation import parsed_json

KEY_FORM = r"^[\x21-\x7e]{1,100}$"

_bearer = HTTPBearer(auto_error=False, scheme_name="back office", description="A key of `PORTAL_BACKOFFICE_KEY`.")


class BackOfficeRoute(APIRoute):
    """A route of the back office: it checks the key of the caller, and keeps to an idempotency key."""

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the handler of FastAPI."""
        handle = super().get_route_handler()

        async def admitted(request: Request) -> Response:
            office: BackOffice = request.app.state.back_office()
            credentials = await _bearer(request)
            address = client_address(request, request.app.state.settings)
            await office.admit(credentials.credentials if credentials else "", address)
            request.state.office = office
            key = request.headers.get("Idempotency-Key", "")
            # FastAPI refuses a malformed key.
            if request.method == "GET" or not re.fullmatch(KEY_FORM, key):
                return await handle(request)

            async def act(within: BackOffice) -> str:
                request.state.office = within
                return bytes((await handle(request)).body).decode()

            return Response(await office.once(key, await _asked(request), act), media_type="application/json")

        return admitted


async def _asked(request: Request) -> str:
    """Fingerprint of a call. Spaces and the order of the fields of its body do not count."""
    body = await request.body()
    try:
        content = parsed_json(body) if body else None
    except ValueError:
        content = body.decode("utf-8", "replace")
    return fingerprint(request.method, request.url.path, request.url.query, content)


async def _office(
    request: Request, _credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> BackOffice:
    return request.state.office


async def _changing(
    office: Annotated[BackOffice, Depends(_office)],
    _key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=KEY_FORM,
            description="Chosen by the caller. The same call with the same key changes nothing more, and gets the "
            "first answer.",
        ),
    ] = None,
) -> BackOffice:
    return office


Office = Annotated[BackOffice, Depends(_office)]
ChangingOffice = Annotated[BackOffice, Depends(_changing)]
"""The back office, for a call that reads; `ChangingOffice` for one that changes something."""

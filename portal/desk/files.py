"""HTTP endpoints with files for the browsers of staff (security C1-C7)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import wraps

from starlette.requests import Request
from starlette.responses import Response

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError, Unavailable
from portal.contract.models import REFERENCE_FORM
from portal.desk.session import checks
from portal.kernel.codes import Code
from portal.web.forms import failure, from_own_page
from portal.web.staff_cookies import caller_token

_REFERENCE = re.compile(REFERENCE_FORM)

StaffEndpoint = Callable[[Request, str], Awaitable[Response]]
"""Handles a request with the session token of a member of staff."""


def staff_only(endpoint: StaffEndpoint) -> Callable[[Request], Awaitable[Response]]:
    """Require a session of staff, and our own origin for changes; turn errors into the JSON envelope."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        changes = request.method not in {"GET", "HEAD"}
        if changes and not from_own_page(request):
            return _unread(failure(Code.INVALID_INPUT, 403), changes=changes)
        token = caller_token(request)
        try:
            if not token:
                raise NotAuthenticated(Code.SESSION_ENDED)
            if not all(_REFERENCE.fullmatch(str(part)) for part in request.path_params.values()):
                raise NotFound
            return await endpoint(request, token)
        except NotAuthenticated as error:
            checks.ended(token)
            return _unread(failure(error.code, error.status), changes=changes)
        except ProviderError as error:
            code = Code.UPLOAD_FAILED if changes and isinstance(error, Unavailable) else error.code
            return _unread(failure(code, error.status), changes=changes)

    return answer


def _unread(response: Response, *, changes: bool) -> Response:
    """Close the connection after this response if the request has a body, because that was not read."""
    if changes:
        response.headers["connection"] = "close"
    return response

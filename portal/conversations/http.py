"""The HTTP endpoints of the staff site that send the files of messages."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.models import REFERENCE_FORM
from portal.contract.registry import ask
from portal.conversations.api import StaffConversationsApi
from portal.flow.http import file_response, preview_response
from portal.kernel.codes import Code
from portal.web.forms import failure
from portal.web.staff_cookies import read_staff

_FORM = re.compile(REFERENCE_FORM)
_PATH = "/files/messages/{kind}/{reference}/{upload_id}"


def routes() -> list[Route]:
    """The routes, for `portal.desk_routes.ROUTES`."""
    return [
        Route(_PATH, _file, methods=["GET"]),
        Route(f"{_PATH}/preview", _preview, methods=["GET"]),
    ]


async def _file(request: Request) -> Response:
    try:
        return file_response(await ask(StaffConversationsApi).message_file(*_named(request)))
    except ProviderError as error:
        return failure(error.code, error.status)


async def _preview(request: Request) -> Response:
    try:
        return preview_response(await ask(StaffConversationsApi).message_preview(*_named(request)))
    except ProviderError as error:
        return failure(error.code, error.status)


def _named(request: Request) -> tuple[str, str, str, str]:
    """The session token and the three names in the path; the operation checks what the person may see.

    Raises:
        NotAuthenticated: there is no session.
        NotFound: a name has another form.
    """
    if not (token := read_staff(request)):
        raise NotAuthenticated(Code.SESSION_ENDED)
    names = tuple(request.path_params[name] for name in ("kind", "reference", "upload_id"))
    if not all(_FORM.fullmatch(name) for name in names):
        raise NotFound
    return token, *names

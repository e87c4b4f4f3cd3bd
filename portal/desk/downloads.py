"""Files that staff download: an operation that returns a file, answered over HTTP with the session of staff.

A link to such a route is an ordinary one. When the file cannot be had, the browser is sent back to the page, which says
why.
"""

import re
from collections.abc import Awaitable, Callable
from functools import wraps
from urllib.parse import quote

import reflex as rx
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from portal import ui
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError, Unavailable
from portal.contract.models import REFERENCE_FORM, Content, Document
from portal.desk.session import DESK_LOGIN, checks
from portal.frontend.texts import message
from portal.i18n import _
from portal.kernel.codes import Code
from portal.web.forms import failure, from_own_page
from portal.web.staff_cookies import caller_token

ERROR = "error"
"""Parameter of the address of a page: code of the download that failed."""


async def download(request: Request, back: str, ask_for: Callable[[str], Awaitable[Document | Content]]) -> Response:
    token = caller_token(request)
    try:
        if not token:
            raise NotAuthenticated(Code.SESSION_ENDED)
        file = await ask_for(token)
    except NotAuthenticated:
        checks.ended(token)
        return RedirectResponse(f"{DESK_LOGIN}?{ERROR}={Code.SESSION_ENDED.value}", 303)
    except ProviderError as error:
        code = Code.NETWORK_ERROR if isinstance(error, Unavailable) else error.code
        return RedirectResponse(f"{back}?{ERROR}={code.value}", 303)
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
    }
    if isinstance(file, Content):
        return StreamingResponse(file.chunks, media_type=file.media_type, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)


def failed_download(state: rx.State) -> str:
    """Code of the download that failed, in the address of a page; empty without one."""
    return str(state.router.url.query_parameters.get(ERROR, ""))[:40]


def download_notice(code: rx.Var[str]) -> rx.Component:
    return ui.notice(message(code), title=_("The file couldn’t be created."), tone="err", shown=code != "")


def download_link(text: object, address: rx.Var[str] | str) -> rx.Component:
    return ui.anchor(text, href=address, class_name="btn btn-secondary")


_REFERENCE = re.compile(REFERENCE_FORM)

StaffEndpoint = Callable[[Request, str], Awaitable[Response]]


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

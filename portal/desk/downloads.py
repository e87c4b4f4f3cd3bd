"""Files that staff download: an operation that returns a file, answered over HTTP with the session of staff.

A link to such a route is an ordinary one. When the file cannot be had, the browser is sent back to the page, which says
why.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import quote

import reflex as rx
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from portal.contract.errors import NotAuthenticated, ProviderError, Unavailable
from portal.contract.models import Content, Document
from portal.desk.gate import DESK_LOGIN
from portal.desk.session import checks
from portal.frontend.messages import message
from portal.i18n import _
from portal.kernel.codes import Code
from portal.ui import anchor, notice
from portal.web.staff_cookies import caller_token

ERROR = "error"
"""Parameter of the address of a page: code of the download that failed."""


async def download(request: Request, back: str, ask_for: Callable[[str], Awaitable[Document | Content]]) -> Response:
    """Answer with a file."""
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
    """Says that a download failed, and why."""
    return rx.cond(code != "", notice(message(code), title=_("The file couldn’t be created."), tone="err"))


def download_link(text: object, address: rx.Var[str] | str) -> rx.Component:
    return anchor(text, href=address, class_name="btn btn-secondary")

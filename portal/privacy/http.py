"""The download of the copy of a customer's data."""

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.kernel.codes import Code
from portal.privacy.api import PrivacyApi
from portal.web import cookies
from portal.web.forms import LOGIN, failure
from portal.web.session import checks

_ID = re.compile(r"[A-Za-z0-9]{1,16}")
_PAGE = "/my-data/privacy"


def routes() -> list[Route]:
    return [Route("/files/my-data/{export_id}.zip", _download, methods=["GET"])]


async def _download(request: Request) -> Response:
    """The ZIP file as an attachment. A plain link leads back to the page if the copy is gone."""
    token, export_id = cookies.read_session(request), request.path_params["export_id"]
    asks_json = "application/json" in request.headers.get("accept", "")
    try:
        if not token:
            raise NotAuthenticated(Code.SESSION_ENDED)
        if not _ID.fullmatch(export_id):
            raise NotFound
        content = await ask(PrivacyApi).export_content(token, export_id)
    except NotAuthenticated as error:
        checks.ended(token)
        return failure(error.code, error.status) if asks_json else RedirectResponse(LOGIN, 303)
    except ProviderError as error:
        return failure(error.code, error.status) if asks_json else RedirectResponse(_PAGE, 303)
    return StreamingResponse(
        content.chunks,
        media_type="application/zip",
        headers={
            "content-disposition": f'attachment; filename="{content.name}"',
            "content-length": str(content.size),
            "x-content-type-options": "nosniff",
            "cache-control": "private, no-store",
        },
    )

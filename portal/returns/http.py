"""The HTTP endpoint of the staff site that announces photos of what arrived."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.registry import ask
from portal.desk.downloads import staff_only
from portal.flow.http import announced, placed
from portal.returns.api import ReceivingApi


def routes() -> list[Route]:
    """The routes, for `portal.desk_app.ROUTES`."""
    return [Route("/files/drafts/returns/{reference}", staff_only(_announce), methods=["POST"])]


async def _announce(request: Request, token: str) -> Response:
    start = await announced(request)
    return placed(await ask(ReceivingApi).begin_unit_photo(token, request.path_params["reference"], start))

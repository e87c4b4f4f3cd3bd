"""Tells the operator of the machine that the server answers, and how its parts do."""

from collections.abc import Awaitable, Callable, Mapping
from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Part = Mapping[str, object]

Report = Callable[[], Awaitable[Mapping[str, Part]]]
"""The state of each part, by its name. A part with `"usable": False` keeps customers from working."""


def routes(report: Report) -> list[Route]:
    async def answer(request: Request) -> Response:
        """The report, with status 503 when customers cannot work; 404 for other machines, also through a proxy."""
        if not _is_local(request):
            return Response(status_code=404)
        parts = await report()
        usable = all(part.get("usable", True) for part in parts.values())
        return JSONResponse(dict(parts), 200 if usable else 503)

    return [Route("/ready", answer, methods=["GET"])]


def _is_local(request: Request) -> bool:
    peer = request.client.host if request.client else ""
    try:
        return ip_address(peer).is_loopback and "x-forwarded-for" not in request.headers
    except ValueError:
        return False

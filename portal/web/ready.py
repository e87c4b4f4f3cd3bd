"""Tells the operator of the machine that the server answers, and how its parts do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Report = Callable[[], Mapping[str, object]]
"""What each part has to say, by its name."""


def routes(report: Report) -> list[Route]:
    """The route to serve."""

    async def answer(request: Request) -> Response:
        """The report, for whoever asks on this machine; 404 for others, also through a proxy."""
        return JSONResponse(report()) if _is_local(request) else Response(status_code=404)

    return [Route("/ready", answer, methods=["GET"])]


def _is_local(request: Request) -> bool:
    peer = request.client.host if request.client else ""
    try:
        return ip_address(peer).is_loopback and "x-forwarded-for" not in request.headers
    except ValueError:
        return False

"""What the forms of the login have in common: only our own pages post them, and every refusal is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from portal.contract.base import Locale
from portal.contract.errors import ProviderError
from portal.contract.session import Origin
from portal.web import cookies
from portal.web.envelope import WrongRequest, read_form, refuse, reject
from portal.web.sender import from_own_page, network_address

_LONGEST_FIELD = 1000
Handler = Callable[[Request, dict[str, str]], Awaitable[Response]]
"""Answers a form."""


def guarded(handler: Handler, back: str) -> Callable[[Request], Awaitable[Response]]:
    """Let a handler answer only what a page of ours posts.

    Args:
        handler: Answers the fields of the form.
        back: The page of the form, for a browser without scripts.
    """

    async def endpoint(request: Request) -> Response:
        if not from_own_page(request):
            return reject(403)
        try:
            form = await read_form(request)
        except WrongRequest as wrong:
            return reject(wrong.status)
        try:
            return await handler(request, {name: value[:_LONGEST_FIELD] for name, value in form.items()})
        except ProviderError as error:
            return refuse(request, error, back)

    return endpoint


def origin_of(request: Request) -> Origin:
    """Where a form comes from."""
    held = cookies.read_challenge(request)
    return Origin(
        address=network_address(request),
        locale=cast(Locale, cookies.language(request)),
        challenge=held.challenge if held else None,
    )

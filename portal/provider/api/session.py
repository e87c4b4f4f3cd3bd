"""Logging in, looking at the session, logging out (part-1 §7, calls 1 and 2)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Response

from portal.contract.http import CHALLENGE_COOKIE, PREFIX
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Session, SessionCheck
from portal.domain.dates import now
from portal.provider.api.access import FromWhere, Options, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["session"])

_DESCRIPTION = """\
The documented call sends `email` alone; `order_number` beside it names the order to log in with. The challenge comes
back as an HttpOnly cookie and as `data.challenge`; the code opens a session only together with it.

With `lease` instead, a lease reference or a frame number, the answer is always a refusal: `lease_order_not_allowed`
with the address of the lease portal in `details.url`, or `not_lease_order`.

`Accept-Language` chooses the language of the mail.
"""


@router.post(
    "/request-authenticate",
    operation_id="request_authenticate",
    summary="Mail a login code",
    description=_DESCRIPTION,
    responses=refusals(403, 413, 422, 429),
)
async def request_authenticate(
    request: Annotated[CodeRequest | LeaseRequest, Body()],
    provider: Services,
    options: Options,
    origin: FromWhere,
    response: Response,
) -> Answer[CodeSent]:
    """Mail a login code, or refuse a lease customer."""
    if isinstance(request, LeaseRequest):
        await provider.request_lease(request, origin)
        raise RuntimeError("no lease customer is let in here")
    sent = await provider.request_code(request, origin)
    response.set_cookie(
        CHALLENGE_COOKIE,
        sent.challenge,
        max_age=max(1, round((sent.expires_at - now()).total_seconds())),
        path=PREFIX,
        secure=options.secure,
        httponly=True,
        samesite="strict",
    )
    return Answer[CodeSent](data=sent)


@router.post(
    "/authenticate",
    operation_id="authenticate",
    summary="Open a session with the mailed code",
    description="`token` is the code. The challenge is read from the key `challenge`, else from the cookie; a code "
    "without either is refused with `no_challenge`.",
    responses=refusals(403, 413, 422, 429),
)
async def authenticate(
    entry: CodeEntry, provider: Services, options: Options, origin: FromWhere, response: Response
) -> Answer[Session]:
    """Open a session."""
    if entry.challenge is None:
        entry = CodeEntry(token=entry.token, challenge=origin.challenge)
    session = await provider.authenticate(entry, origin)
    response.delete_cookie(CHALLENGE_COOKIE, path=PREFIX, secure=options.secure, httponly=True, samesite="strict")
    return Answer[Session](data=session)


@router.get(
    "/session",
    operation_id="check_session",
    summary="Whether the session is alive; counts as use of it",
    responses=refusals(401),
)
async def check_session(token: Token, provider: Services) -> Answer[SessionCheck]:
    """Look at the session."""
    return Answer[SessionCheck](data=await provider.check_session(token))


@router.post(
    "/logout",
    operation_id="logout",
    summary="End the session",
    description="Also answers with success when the session has ended already.",
    responses=refusals(401),
)
async def logout(token: Token, provider: Services) -> Answer[None]:
    """End the session."""
    await provider.logout(token)
    return Answer[None](data=None)

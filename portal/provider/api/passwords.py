"""Passwords. Unless they are offered, everything here is not found."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.passwords import (
    NewPassword,
    PasswordEntry,
    PasswordLink,
    PasswordLinkView,
    PasswordResetRequest,
    PasswordResetSent,
)
from portal.contract.session import Session
from portal.provider.api.access import FromWhere, Services
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(prefix="/password", tags=["session"])


@router.post(
    "/request",
    operation_id="request_password_reset",
    summary="Mail a link to set a password",
    responses=refusals(403, 404, 413, 422, 429),
)
async def request_password_reset(
    request: PasswordResetRequest, provider: Services, origin: FromWhere
) -> Answer[PasswordResetSent]:
    """Mail a link."""
    return Answer[PasswordResetSent](data=await provider.request_password_reset(request, origin))


@router.post(
    "/look",
    operation_id="password_link",
    summary="What a link is good for; changes nothing",
    responses=refusals(404, 413, 422),
)
async def password_link(entry: PasswordLink, provider: Services) -> Answer[PasswordLinkView]:
    """Tell about a link."""
    return Answer[PasswordLinkView](data=await provider.password_link(entry))


@router.post(
    "/set",
    operation_id="set_password",
    summary="Set the password, once for each link",
    responses=refusals(403, 404, 413, 422),
)
async def set_password(entry: NewPassword, provider: Services) -> Answer[None]:
    """Set it."""
    await provider.set_password(entry)
    return Answer[None](data=None)


@router.post(
    "/authenticate",
    operation_id="log_in",
    summary="Open a session with a password",
    responses=refusals(403, 404, 413, 422, 429),
)
async def log_in(entry: PasswordEntry, provider: Services, origin: FromWhere) -> Answer[Session]:
    """Open a session."""
    return Answer[Session](data=await provider.log_in(entry, origin))

"""Passwords, over the provider API."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from portal.client.calls import Calls
from portal.contract.passwords import (
    NewPassword,
    PasswordEntry,
    PasswordLink,
    PasswordLinkView,
    PasswordResetRequest,
    PasswordResetSent,
)
from portal.contract.session import Origin, Session

_NOTHING = TypeAdapter[Any](Any)
_RESET_SENT = TypeAdapter(PasswordResetSent)
_LINK_VIEW = TypeAdapter(PasswordLinkView)
_SESSION = TypeAdapter(Session)


class PasswordCalls(Calls):
    """The operations on passwords; what they say is said in the contract."""

    async def request_password_reset(self, request: PasswordResetRequest, origin: Origin) -> PasswordResetSent:
        """Mail a link to set a password."""
        return await self._login("request_password_reset", "/password/request", request, origin, _RESET_SENT)

    async def password_link(self, entry: PasswordLink) -> PasswordLinkView:
        """What a link is good for."""
        return await self._post_openly("password_link", "/password/look", entry, _LINK_VIEW)

    async def set_password(self, entry: NewPassword) -> None:
        """Set the password."""
        await self._post_openly("set_password", "/password/set", entry, _NOTHING)

    async def log_in(self, entry: PasswordEntry, origin: Origin) -> Session:
        """Open a session with a password."""
        return await self._login("log_in", "/password/authenticate", entry, origin, _SESSION)

"""The part of the Provider that is about passwords."""

from __future__ import annotations

from portal.contract.passwords import (
    NewPassword,
    PasswordEntry,
    PasswordLink,
    PasswordLinkView,
    PasswordResetRequest,
    PasswordResetSent,
)
from portal.contract.session import Origin, Session
from portal.provider.context import Context
from portal.provider.services.login import LoginServices
from portal.provider.services.passwords import PasswordServices
from portal.provider.sessions import Sessions


class PasswordPart:
    """Answers the operations of `contract.password_operations`."""

    def _open_passwords(self, context: Context, sessions: Sessions, login: LoginServices) -> None:
        self._passwords = PasswordServices(context, sessions, login)

    async def request_password_reset(self, request: PasswordResetRequest, origin: Origin) -> PasswordResetSent:
        """Mail a link to set a password."""
        return await self._passwords.request_password_reset(request, origin)

    async def password_link(self, entry: PasswordLink) -> PasswordLinkView:
        """What a link is good for."""
        return await self._passwords.password_link(entry)

    async def set_password(self, entry: NewPassword) -> None:
        """Set the password."""
        await self._passwords.set_password(entry)

    async def log_in(self, entry: PasswordEntry, origin: Origin) -> Session:
        """Open a session with a password."""
        return await self._passwords.log_in(entry, origin)

"""Looking at a session, at whose it is, and the language they read."""

from __future__ import annotations

from typing import Protocol

from portal.contract.operations import Token, operation
from portal.contract.session import LocaleChoice, SessionCheck, UserData


class SessionApi(Protocol):
    """Who is logged in."""

    @operation("GET", "/session")
    async def check_session(self, token: Token) -> SessionCheck:
        """Whether the session is alive; counts as use of it."""
        ...

    @operation("GET", "/customer/info")
    async def customer_info(self, token: Token) -> UserData:
        """The customer's own data."""
        ...

    @operation("PUT", "/customer/locale")
    async def change_locale(self, token: Token, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""
        ...

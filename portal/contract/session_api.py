"""Operations on the session of a customer who is logged in."""

from __future__ import annotations

from typing import Protocol

from portal.contract.operations import Token, operation
from portal.contract.session import LocaleChoice, SessionCheck, UserData


class SessionApi(Protocol):
    """Operations on the session and its customer."""

    @operation("GET", "/session")
    async def check_session(self, token: Token) -> SessionCheck:
        """Check that the session is valid; counts as use of it."""
        ...

    @operation("GET", "/customer/info")
    async def customer_info(self, token: Token) -> UserData:
        """The customer's own data."""
        ...

    @operation("PUT", "/customer/locale")
    async def change_locale(self, token: Token, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""
        ...

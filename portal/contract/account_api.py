"""Changing one's own data."""

from __future__ import annotations

from typing import Protocol

from portal.contract.account import CustomerUpdate, LocaleChoice, UserData
from portal.contract.errors import InvalidInput
from portal.contract.operations import Refusal, Token, operation


class AccountApi(Protocol):
    """The customer's own data."""

    @operation("PUT", "/customer", refuses=(Refusal(InvalidInput),))
    async def update_customer(self, token: Token, update: CustomerUpdate) -> UserData:
        """Replace what a customer may change about themselves.

        Everything that is wrong with it is told at once, with a code for each field.
        """
        ...

    @operation("PUT", "/customer/locale")
    async def change_locale(self, token: Token, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""
        ...

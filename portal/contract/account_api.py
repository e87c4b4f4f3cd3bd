"""Changing one's own data."""

from __future__ import annotations

from typing import Protocol

from portal.contract.account import CustomerUpdate, UserData
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

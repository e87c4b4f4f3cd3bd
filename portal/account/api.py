"""The customer's own data: the models that travel, and the operations (part-1 §3)."""

from __future__ import annotations

from typing import Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput
from portal.contract.models import Model
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import UserData


class CustomerUpdate(Model):
    """What a customer may change about themselves; raw as typed, the provider checks it. All fields are sent."""

    first_name: str = Field(max_length=1000)
    prefix: str = Field(default="", max_length=1000)
    last_name: str = Field(max_length=1000)
    post_code: str = Field(max_length=1000)
    house_number: str = Field(max_length=1000)
    house_number_addon: str = Field(default="", max_length=1000)
    street: str = Field(max_length=1000)
    city: str = Field(max_length=1000)
    country_code: str = Field(max_length=1000)
    phone: str = Field(default="", max_length=1000)


class AccountApi(Protocol):
    """The customer's own data."""

    @operation("PUT", "/customer", refuses=(DeclaredRefusal(InvalidInput),))
    async def update_customer(self, token: Token, update: CustomerUpdate) -> UserData:
        """Replace what a customer may change about themselves.

        Everything that is wrong with it is told at once, with a code for each field.
        """
        ...

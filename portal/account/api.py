"""Operation and model to change the customer's own data (part-1 §3)."""

from typing import Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput
from portal.contract.models import Model
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import UserData


class CustomerUpdate(Model):
    """The data that a customer can change, as typed. All fields are sent; the provider validates them."""

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
    """Changes the customer's own data."""

    @operation("PUT", "/customer", refuses=(DeclaredRefusal(InvalidInput),))
    async def update_customer(self, token: Token, update: CustomerUpdate) -> UserData:
        """Replace the data that a customer can change.

        A refusal names every invalid field, with a code for each.
        """

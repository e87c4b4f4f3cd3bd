"""Own data of the customer: reading and changing it (part-1 §7 call 3, §2 Account area)."""

from __future__ import annotations

from collections.abc import Callable

from typing_extensions import override

from portal.contract.account import CustomerUpdate, UserData
from portal.contract.account_api import AccountApi
from portal.contract.errors import InvalidInput
from portal.domain import validation
from portal.domain.codes import Code
from portal.domain.countries import ACCOUNT_COUNTRIES, Country
from portal.domain.validation import InvalidValue
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.services.service import Service
from portal.provider.services.user_data import user_data


class AccountService(Service, AccountApi):
    """Operations on the customer's own data."""

    @override
    async def update_customer(self, token: str, update: CustomerUpdate) -> UserData:
        owner = await self._sessions.owner(token)
        values = accepted(update)
        async with self._context.database.transaction() as session:
            await CustomerRepository(session, owner.customer_id).change(values, self._context.clock())
            return await user_data(session, owner)


def accepted(update: CustomerUpdate) -> dict[str, str]:
    """The update as it is kept.

    Raises:
        InvalidInput: with a code for every field that cannot be accepted.
    """
    values: dict[str, str] = {}
    errors: dict[str, Code] = {}

    def check(field: str, rule: Callable[[str], str]) -> None:
        try:
            values[field] = rule(getattr(update, field))
        except InvalidValue as refusal:
            errors[field] = refusal.code

    check("country_code", lambda text: validation.country(text, ACCOUNT_COUNTRIES))
    country = Country(values["country_code"]) if "country_code" in values else None
    for field in ("first_name", "last_name", "street", "city"):
        check(field, validation.required)
    check("prefix", validation.optional)
    check("house_number", validation.house_number)
    check("house_number_addon", lambda text: validation.optional(text, 10))
    # Without a country, only that a postcode is there can be told; of which form it has to be, cannot.
    check("post_code", lambda text: validation.postcode(text, country) if country else validation.required(text, 20))
    if country and validation.clean(update.phone):
        check("phone", lambda text: validation.phone(text, country))
    else:
        values["phone"] = ""
    if errors:
        raise InvalidInput(Code.INVALID_INPUT, fields=errors)
    return values

"""The retailer's side of the customer's own data, and the address facts of the flows (part-1 §2, §7)."""

from collections.abc import Callable

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.account.api import AccountApi, CustomerUpdate
from portal.account.flow import AddressFacts
from portal.backend.sessions import Owner, Service
from portal.contract.errors import InvalidInput
from portal.contract.session import UserData
from portal.kernel import validation
from portal.kernel.address import ACCOUNT_COUNTRIES, PICKUP_COUNTRIES, Country, address_parts
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.login.provider.queries import CustomerQueries, user_data


class AccountService(Service, AccountApi):
    @override
    async def update_customer(self, token: str, update: CustomerUpdate) -> UserData:
        owner = await self._sessions.owner(token)
        values = accepted(update)
        async with self._context.database.transaction() as session:
            await CustomerQueries(session, owner.customer_id).change(values, self._context.clock())
            return await user_data(session, owner)


def accepted(update: CustomerUpdate) -> dict[str, str]:
    """Validate and normalize an update; the result holds columns to store."""
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
    # The format depends on the country. Without a valid one, only a missing or too long postcode is reported.
    check("post_code", lambda text: validation.postcode(text, country) if country else validation.required(text, 20))
    if country and validation.clean(update.phone):
        check("phone", lambda text: validation.phone(text, country))
    else:
        values["phone"] = ""
    if errors:
        raise InvalidInput(Code.INVALID_INPUT, fields=errors)
    return values


async def address_facts(session: AsyncSession, owner: Owner) -> AddressFacts:
    """The stored address and phone number; the address is empty if incomplete or outside the pick-up countries."""
    row = await CustomerQueries(session, owner.customer_id).get()
    complete = all((row.street, row.house_number, row.post_code, row.city))
    if not complete or row.country_code not in PICKUP_COUNTRIES:
        return AddressFacts(phone=row.phone)
    return AddressFacts(address=address_parts(row) | {"country_code": row.country_code.value}, phone=row.phone)

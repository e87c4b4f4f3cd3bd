"""Facts of every flow that asks for an address."""

from __future__ import annotations

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.address import address_parts
from portal.domain.countries import PICKUP_COUNTRIES
from portal.flows.address import ADDRESS
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.sessions import Owner


async def address_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """The customer's address with the phone number; nothing when nobody can go there."""
    row = await CustomerRepository(session, owner.customer_id).get()
    complete = all((row.street, row.house_number, row.post_code, row.city))
    if not complete or row.country_code not in PICKUP_COUNTRIES:
        return {ADDRESS: {}, "phone": row.phone}
    return {
        ADDRESS: {
            **address_parts(row),
            "country_code": row.country_code.value,
        },
        "phone": row.phone,
    }

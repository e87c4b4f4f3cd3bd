"""Who the customer is: the data that every page of somebody logged in has at hand (part-1 §3)."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.account import Customer, CustomerAddress, LoginOrder, UserData
from portal.domain.address import address_parts
from portal.domain.dashboard import Feature
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.sessions import Owner
from portal.provider.tables.customers import CustomerRow


async def user_data(session: AsyncSession, owner: Owner) -> UserData:
    """`userData` of a customer (part-1 §3), read in the given session."""
    repository = CustomerRepository(session, owner.customer_id)
    row = await repository.get()
    order = await repository.order(owner.order_number)
    return UserData(
        customer=to_customer(row),
        order=None if order is None else LoginOrder(order_number=order.order_number, invoiced_at=order.invoiced_at),
        features=switched_on(await repository.features()),
        locale="en" if row.locale == "en" else "nl",
    )


def switched_on(features: list[list[str]]) -> list[Feature]:
    """What is offered on at least one order, in the order of the domain; unknown names are left out."""
    names = {name for order in features for name in order}
    return [feature for feature in Feature if feature.value in names]


def to_customer(row: CustomerRow) -> Customer:
    """The customer, with the address."""
    return Customer(
        first_name=row.first_name,
        prefix=row.prefix,
        last_name=row.last_name,
        email=row.email,
        address=CustomerAddress(**address_parts(row), country_code=row.country_code, phone=row.phone),
    )

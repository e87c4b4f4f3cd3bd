"""The customer's own data as shown, and the update made from a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portal.account.api import CustomerUpdate
from portal.contract.session import UserData
from portal.frontend.load import text_in
from portal.kernel.address import readable_phone

SECTIONS: dict[str, tuple[str, ...]] = {
    "name": ("first_name", "prefix", "last_name"),
    "address": ("country_code", "post_code", "house_number", "house_number_addon", "street", "city"),
    "contact": ("phone",),
}
"""Fields that are edited together, by section."""

FIELDS: tuple[str, ...] = tuple(name for names in SECTIONS.values() for name in names)


@dataclass(frozen=True, slots=True)
class CustomerView:
    """The customer's own data for display (part-1 §3). Empty strings mean unknown."""

    first_name: str = ""
    prefix: str = ""
    last_name: str = ""
    email: str = ""
    phone: str = ""
    post_code: str = ""
    house_number: str = ""
    house_number_addon: str = ""
    street: str = ""
    city: str = ""
    country_code: str = ""


def customer_view(data: UserData) -> CustomerView:
    """Convert the customer's own data for display."""
    person, address = data.customer, data.customer.address
    return CustomerView(
        first_name=person.first_name,
        prefix=person.prefix,
        last_name=person.last_name,
        email=person.email,
        phone=readable_phone(address.phone),
        post_code=address.post_code,
        house_number=address.house_number,
        house_number_addon=address.house_number_addon,
        street=address.street,
        city=address.city,
        country_code=address.country_code.value,
    )


def update_of(shown: CustomerView, typed: Mapping[str, Any], section: str) -> CustomerUpdate:
    """The complete update: typed values for one section, shown values for all other fields."""
    values = {name: str(getattr(shown, name)) for name in FIELDS}
    values |= {name: text_in(typed, name) for name in SECTIONS[section]}
    return CustomerUpdate.model_validate(values)

"""Data of a customer: what the fields are called."""

from collections.abc import Mapping

from portal.kernel.texts import N_

NAME_LABELS: Mapping[str, str] = {
    "first_name": N_("First name"),
    "prefix": N_("Name particle (van, de)"),
    "last_name": N_("Last name"),
}
"""The parts of a name."""

ADDRESS_LABELS: Mapping[str, str] = {
    "country_code": N_("Country"),
    "post_code": N_("Postcode"),
    "house_number": N_("House number"),
    "house_number_addon": N_("Unit or letter"),
    "street": N_("Street"),
    "city": N_("City"),
    "phone": N_("Phone number"),
}
"""The parts of an address, with the phone number of who lives there."""

CUSTOMER_LABELS: Mapping[str, str] = {**NAME_LABELS, "email": N_("Email address"), **ADDRESS_LABELS}
"""All that a shop knows of a customer and staff read."""

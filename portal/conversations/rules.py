"""The fields of templates: which exist, which a text uses, and how they are filled in."""

import re
from collections.abc import Mapping

from portal.kernel.texts import N_

DAY = "day"
"""The field that staff choose; all others are known."""

FIELD_LABELS: Mapping[str, str] = {
    "first_name": N_("First name of the customer"),
    "request": N_("Kind of request"),
    "reference": N_("Reference"),
    "store": N_("Store"),
    "phone": N_("Phone number of the store"),
    "staff": N_("First name of the writer"),
    "brand": N_("Name of the shop"),
    DAY: N_("A day chosen by the writer"),
}
EXAMPLES: Mapping[str, str] = {
    "first_name": "Sanne",
    "request": N_("repair"),
    "reference": "AB7K 29MQ",
    "store": "Utrecht",
    "phone": "030 123 45 67",
    "staff": "Tom",
    "brand": "",
    DAY: N_("Tuesday 3 March"),
}
"""What an example shows for each field; the name of the shop is that of the shop."""

FIELDS = frozenset(FIELD_LABELS)

_BRACES = re.compile(r"\{([^{}]*)\}")


def fields_in(text: str) -> set[str]:
    """The names in braces in a text."""
    return set(_BRACES.findall(text))


def unknown_fields(text: str) -> set[str]:
    """The names in braces that are no field."""
    return fields_in(text) - FIELDS


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its fields filled in. Braces inside a value stay as they are."""
    return _BRACES.sub(lambda found: values.get(found[1], found[0]), text)

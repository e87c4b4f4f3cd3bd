"""The fields of templates: which exist, which a text uses, and how they are filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping

DAY = "day"
"""The field that staff choose; all others are known."""

FIELDS = frozenset({"first_name", "request", "reference", "store", "phone", "staff", "brand", DAY})
"""First name of the customer, kind of request, reference, store and its phone number, first name of the writer, name of
the shop, and a day."""

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

"""The address check of every flow: the one we know, or another one; typed once (decisions: Rules, Addresses)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portal.domain import address, validation
from portal.domain.codes import Code
from portal.domain.countries import NAMES, PICKUP_COUNTRIES, Country
from portal.domain.flow import LINE, Answer, Asked, Checked, Control, Field, OneOf, Postcode, Step
from portal.domain.marks import N_

ADDRESS = "address"
"""Name of the first field, and of the fact that holds the address we know; it is empty when that cannot be used."""
KNOWN, OTHER = "known", "other"
PARTS = (*address.PARTS, "country_code")
"""Parts of an address, as facts and requests hold them."""
PLACE_FIELDS = (ADDRESS, "country_code", "post_code", "city", "house_number", "street")
"""Fields that say where the customer is: when one changes, what was found near is asked again."""


def known_address(asked: Asked) -> Mapping[str, Any]:
    """The address we know of the customer; empty when there is none that can be used."""
    return asked.facts.get(ADDRESS) or {}


def home(asked: Asked) -> dict[str, str]:
    """Where the customer is, part by part, with the phone number; empty while that was not answered."""
    known = known_address(asked)
    if known and asked.text(ADDRESS) == KNOWN:
        found = {name: str(known.get(name, "")) for name in PARTS}
    elif asked.text("post_code"):
        found = {name: asked.text(name) for name in PARTS}
    else:
        return {}
    return {**found, "phone": asked.text("phone")}


def _is_known(asked: Asked) -> bool:
    return bool(known_address(asked))


def _is_other(asked: Asked) -> bool:
    return not _is_known(asked) or asked.text(ADDRESS) == OTHER


@dataclass(frozen=True, slots=True)
class _Phone:
    """A phone number; a national one is read as of the country of the address."""

    codes: tuple[Code, ...] = (Code.INVALID_PHONE, Code.TOO_LONG)
    several: bool = False

    def __call__(self, given: Answer, asked: Asked) -> Answer:
        """The number as E.164."""
        code = asked.text("country_code") if _is_other(asked) else known_address(asked).get("country_code", "")
        country = Country(code) if code in set(PICKUP_COUNTRIES) else Country.NL
        return validation.phone(str(given), country)


def _optional(text: str) -> str:
    return validation.optional(text)


def address_step(slug: str, *, missing: Code = Code.INVALID_INPUT) -> Step:
    """The step that asks for the address.

    Args:
        slug: of the step.
        missing: the code for a request that lacks it.
    """
    return Step(
        slug,
        N_("Is this your address?"),
        fields=(
            Field(
                ADDRESS,
                N_("Address"),
                OneOf({KNOWN: N_("Use this address"), OTHER: N_("Use another address")}),
                applies=_is_known,
                control=Control.RADIO,
            ),
            Field(
                "country_code",
                N_("Country"),
                OneOf({country.value: NAMES[country] for country in PICKUP_COUNTRIES}),
                applies=_is_other,
                control=Control.SELECT,
                autocomplete="country",
            ),
            Field(
                "post_code",
                N_("Postcode"),
                Postcode("country_code"),
                applies=_is_other,
                autocomplete="postal-code",
            ),
            Field(
                "house_number",
                N_("House number"),
                Checked(validation.house_number, (Code.INVALID_HOUSE_NUMBER, Code.TOO_LONG)),
                applies=_is_other,
                control=Control.DIGITS,
            ),
            Field(
                "house_number_addon",
                N_("Addition"),
                Checked(_optional),
                optional=True,
                applies=_is_other,
            ),
            Field("street", N_("Street"), LINE, applies=_is_other),
            Field("city", N_("City"), LINE, applies=_is_other, autocomplete="address-level2"),
            Field(
                "phone",
                N_("Phone number"),
                _Phone(),
                hint=N_("The mechanic calls you on this number to make an appointment"),
                control=Control.PHONE,
                autocomplete="tel",
            ),
        ),
        missing=missing,
    )

"""Addresses: countries, address lines, phone numbers, and route links (part-1 §3, §9)."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from portal.kernel.texts import N_


class Country(StrEnum):
    """ISO 3166-1 alpha-2 code."""

    NL = "NL"
    BE = "BE"
    DE = "DE"
    FR = "FR"
    DK = "DK"
    SE = "SE"
    NO = "NO"
    UNKNOWN = "ZZ"
    """A country that only a newer provider knows. It is never offered and never stored."""


NAMES: dict[Country, str] = {
    Country.NL: N_("Netherlands"),
    Country.BE: N_("Belgium"),
    Country.DE: N_("Germany"),
    Country.FR: N_("France"),
    Country.DK: N_("Denmark"),
    Country.SE: N_("Sweden"),
    Country.NO: N_("Norway"),
    Country.UNKNOWN: N_("Other country"),
}

ACCOUNT_COUNTRIES: tuple[Country, ...] = (Country.NL, Country.BE, Country.DE, Country.FR)
"""Countries offered in the account area (part-1 §3)."""

PICKUP_COUNTRIES: tuple[Country, ...] = (Country.NL, Country.DE, Country.BE, Country.SE, Country.DK, Country.NO)
"""Countries offered for a pick-up address, in this order (part-2 §3)."""


@lru_cache(maxsize=1024)
def readable_phone(number: str) -> str:
    """Format an E.164 number for reading, such as '+31 6 12345678'; return anything else unchanged."""
    import phonenumbers  # its tables are large

    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return number
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


_PLANNER = "https://www.google.com/maps/dir/"


def route_url(*address: str) -> str:
    """A link to a route planner, which a phone opens in its map app; empty without an address."""
    destination = ", ".join(part for part in address if part)
    return f"{_PLANNER}?{urlencode({'api': 1, 'destination': destination})}" if destination else ""


PARTS = ("street", "house_number", "house_number_addon", "post_code", "city")
"""Names of the text fields of an address in rows, models and facts."""


class AddressLines(NamedTuple):
    """The two lines of an address; a line with no known parts is empty."""

    street: str
    city: str

    @property
    def joined(self) -> str:
        """Both lines in one, such as "Veldstraat 82 bus 3, 9000 Gent"."""
        return ", ".join(line for line in self if line)


def address_parts(address: object) -> dict[str, str]:
    """The parts of an address as texts; an unknown part is empty."""
    known: Mapping[str, Any] = address if isinstance(address, Mapping) else {}
    return {name: str(known.get(name) or getattr(address, name, "")) for name in PARTS}


def address_lines(address: object) -> AddressLines:
    """Format an address as two lines."""
    parts = address_parts(address)
    return AddressLines(
        " ".join(parts[name] for name in ("street", "house_number", "house_number_addon") if parts[name]),
        " ".join(parts[name] for name in ("post_code", "city") if parts[name]),
    )


def short_address(address: object) -> str:
    """Street and city on one line without the postcode, for places nearby."""
    return ", ".join(line for line in (address_lines(address).street, address_parts(address)["city"]) if line)

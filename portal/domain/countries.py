"""Countries the retailer knows (part-1 §3 and §9, part-2 §3)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.marks import N_


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
    """A country that a newer provider knows and this portal does not; never offered, never stored."""


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
"""What the account area offers (part-1 §3)."""

PICKUP_COUNTRIES: tuple[Country, ...] = (Country.NL, Country.DE, Country.BE, Country.SE, Country.DK, Country.NO)
"""What a pick-up address offers, in this order (part-2 §3)."""

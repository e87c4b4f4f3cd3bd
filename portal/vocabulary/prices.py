"""The prices, numbers and terms that staff change, each from a day on."""

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_


class PriceKind(StrEnum):
    """The prices and numbers that staff change. The values are kinds of records (docs/connect.md)."""

    SERVICE_PRODUCTS = "service-products"
    SERVICE_PACKAGES = "service-packages"
    INSURANCES = "insurances"
    TARIFFS = "tariffs"
    TERMS = "terms"
    DELIVERY_PLACES = "delivery-places"
    DELIVERY_DAYS = "delivery-days"


PRICE_KINDS: Mapping[PriceKind, str] = {
    PriceKind.SERVICE_PRODUCTS: N_("Services"),
    PriceKind.SERVICE_PACKAGES: N_("Service packages"),
    PriceKind.INSURANCES: N_("Insurance policies"),
    PriceKind.TARIFFS: N_("Insurance tariffs"),
    PriceKind.TERMS: N_("Terms"),
    PriceKind.DELIVERY_PLACES: N_("Deliveries by weekday"),
    PriceKind.DELIVERY_DAYS: N_("Deliveries by day"),
}


class ShopTerm(StrEnum):
    """A period. The values are the fields of `kernel.terms.ShopTerms`."""

    RETURN_DAYS = "return_days"
    WITHDRAWAL_DAYS = "withdrawal_days"
    INSURANCE_DAYS = "insurance_days"
    WARRANTY_YEARS = "warranty_years"
    WARRANTY_REPAIR_MONTHS = "warranty_repair_months"
    RETURN_ANSWER_DAYS = "return_answer_days"
    INSURER_ANSWER_DAYS = "insurer_answer_days"
    REPAIR_ANSWER_DAYS = "repair_answer_days"


SHOP_TERMS: Mapping[ShopTerm, str] = {
    ShopTerm.RETURN_DAYS: N_("Returns and exchanges: days after shipping"),
    ShopTerm.WITHDRAWAL_DAYS: N_("Withdrawing: days after delivery or signing"),
    ShopTerm.INSURANCE_DAYS: N_("Insuring a bike: days after purchase"),
    ShopTerm.WARRANTY_YEARS: N_("Warranty: years after delivery"),
    ShopTerm.WARRANTY_REPAIR_MONTHS: N_("Warranty: months added by a repair, once"),
    ShopTerm.RETURN_ANSWER_DAYS: N_("Answer to a return: working days"),
    ShopTerm.INSURER_ANSWER_DAYS: N_("Answer to an insurance request: working days"),
    ShopTerm.REPAIR_ANSWER_DAYS: N_("Answer to a repair: working days"),
}
"""Names of the periods, with their units."""

TERM_UNITS: Mapping[ShopTerm, str] = {
    ShopTerm.RETURN_DAYS: N_("{n} days"),
    ShopTerm.WITHDRAWAL_DAYS: N_("{n} days"),
    ShopTerm.INSURANCE_DAYS: N_("{n} days"),
    ShopTerm.WARRANTY_YEARS: N_("{n} years"),
    ShopTerm.WARRANTY_REPAIR_MONTHS: N_("{n} months"),
    ShopTerm.RETURN_ANSWER_DAYS: N_("{n} working days"),
    ShopTerm.INSURER_ANSWER_DAYS: N_("{n} working days"),
    ShopTerm.REPAIR_ANSWER_DAYS: N_("{n} working days"),
}
"""Each period with its unit, in the plural: none may be shorter than two."""

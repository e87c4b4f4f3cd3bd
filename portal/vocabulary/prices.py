"""The prices and numbers that staff change, each from a day on."""

from __future__ import annotations

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
"""Names of the kinds."""

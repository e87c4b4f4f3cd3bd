"""The families of service packages, and what a package can include (part-1 §2, §3; part-2 §3).

Prices and contents are data, see `portal.tables.work_orders.PackageTermsRow`.
"""

from enum import StrEnum
from typing import Annotated

from portal.contract.models import Amount, Model, only_known
from portal.kernel.texts import N_
from portal.vocabulary.services import ServiceJob, ServicePackage


class PackageFamily(StrEnum):
    """Family of a package: the last digit of its code."""

    MAINTENANCE = "1"
    CARE = "2"


FAMILY_NAMES: dict[PackageFamily, str] = {
    PackageFamily.MAINTENANCE: N_("Services only"),
    PackageFamily.CARE: N_("With breakdown cover"),
}

FAMILY_MEANINGS: dict[PackageFamily, str] = {
    PackageFamily.MAINTENANCE: N_("Services for your bike at half price."),
    PackageFamily.CARE: N_("Services at half price, and roadside help. You can also choose none."),
}


FOR_WHOM: dict[ServicePackage, str] = {
    ServicePackage.SERVICE11: N_("If you ride now and then"),
    ServicePackage.SERVICE21: N_("If you ride every week"),
    ServicePackage.SERVICE31: N_("If you ride every day"),
    ServicePackage.SERVICE22: N_("If you want help on the road"),
    ServicePackage.SERVICE32: N_("If you ride far"),
    ServicePackage.SERVICE42: N_("If you can’t do without your bike"),
}
"""Whom each package suits that can be chosen. Its price and contents are data of the retailer."""


class Inclusion(StrEnum):
    """What a package includes besides services at half the price."""

    ADJUSTMENT = "adjustment"
    TYRES = "tyres"
    SMALL_PARTS = "small_parts"
    LABOUR = "labour"
    BREAKDOWN_HELP = "breakdown_help"
    BATTERY_CHECK = "battery_check"
    PRIORITY = "priority"


INCLUSION_TEXTS: dict[Inclusion, str] = {
    Inclusion.ADJUSTMENT: N_("Brakes and gears adjusted free of charge, as often as needed"),
    Inclusion.TYRES: N_("Punctures repaired free of charge"),
    Inclusion.SMALL_PARTS: N_("Brake pads, cables and bulbs included"),
    Inclusion.LABOUR: N_("No labour costs for repairs"),
    Inclusion.BREAKDOWN_HELP: N_("Roadside breakdown help, day and night"),
    Inclusion.BATTERY_CHECK: N_("A yearly battery report"),
    Inclusion.PRIORITY: N_("Priority in the workshop"),
}


def family_of(package: ServicePackage) -> PackageFamily:
    """The family of a package, from the last digit of its code."""
    return PackageFamily(package[-1])


class PackageOffer(Model):
    """A package that is offered today: `id` is its code, `monthly` euro including VAT."""

    id: ServicePackage
    monthly: Amount
    includes: Annotated[list[Inclusion], only_known(Inclusion)]
    half_price_jobs: Annotated[list[ServiceJob], only_known(ServiceJob)]
    most_chosen: bool

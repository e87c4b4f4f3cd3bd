"""The service packages: families, contents and monthly prices (part-1 §2, §3; part-2 §3)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.services import ServiceJob, ServicePackage
from portal.work_orders.rules import HALF_PRICE


class PackageFamily(StrEnum):
    """Family of a package: the last digit of its code."""

    MAINTENANCE = "1"
    CARE = "2"


FAMILY_NAMES: dict[PackageFamily, str] = {
    PackageFamily.MAINTENANCE: N_("Maintenance packages"),
    PackageFamily.CARE: N_("Care packages"),
}

FAMILY_MEANINGS: dict[PackageFamily, str] = {
    PackageFamily.MAINTENANCE: N_("Half the price on the services of your bike."),
    PackageFamily.CARE: N_("Half the price on services, and help on the road. You can also choose none."),
}


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
    Inclusion.BREAKDOWN_HELP: N_("Breakdown help on the road, day and night"),
    Inclusion.BATTERY_CHECK: N_("A yearly battery report"),
    Inclusion.PRIORITY: N_("Priority in the workshop"),
}


@dataclass(frozen=True, slots=True)
class PackageOffer:
    """One package.

    Attributes:
        code: as in the requirements.
        monthly: euro a month including VAT; zero for 'none'.
        includes: what it includes besides services at half the price.
        most_chosen: whether it is highlighted.
    """

    code: ServicePackage
    monthly: Decimal
    includes: tuple[Inclusion, ...] = ()
    most_chosen: bool = False

    @property
    def family(self) -> PackageFamily:
        """The family, from the last digit of the code."""
        return PackageFamily(self.code[-1])

    @property
    def half_price(self) -> tuple[ServiceJob, ...]:
        """Services at half the price."""
        return HALF_PRICE[self.code]


_I = Inclusion

OFFERS: tuple[PackageOffer, ...] = (
    PackageOffer(ServicePackage.SERVICE11, Decimal("4.95"), (_I.ADJUSTMENT,)),
    PackageOffer(ServicePackage.SERVICE21, Decimal("7.95"), (_I.ADJUSTMENT, _I.TYRES), most_chosen=True),
    PackageOffer(ServicePackage.SERVICE31, Decimal("11.95"), (_I.ADJUSTMENT, _I.TYRES, _I.SMALL_PARTS, _I.LABOUR)),
    PackageOffer(ServicePackage.SERVICE12, Decimal("0.00")),
    PackageOffer(ServicePackage.SERVICE22, Decimal("5.95"), (_I.ADJUSTMENT, _I.BREAKDOWN_HELP)),
    PackageOffer(
        ServicePackage.SERVICE32,
        Decimal("10.95"),
        (_I.ADJUSTMENT, _I.TYRES, _I.BREAKDOWN_HELP, _I.BATTERY_CHECK),
    ),
    PackageOffer(
        ServicePackage.SERVICE42,
        Decimal("15.95"),
        (
            _I.ADJUSTMENT,
            _I.TYRES,
            _I.SMALL_PARTS,
            _I.LABOUR,
            _I.BREAKDOWN_HELP,
            _I.BATTERY_CHECK,
            _I.PRIORITY,
        ),
    ),
)
"""All seven packages, grouped by family."""

NO_PACKAGES: frozenset[ServicePackage | None] = frozenset({None, ServicePackage.SERVICE12})
"""Values of a bike's package that count as having none."""

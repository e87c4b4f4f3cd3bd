"""Tariffs of the insurers of the demonstration."""

from __future__ import annotations

from decimal import Decimal

from portal.domain.insurances import PACKAGES
from portal.provider.tables.insurances import InsuranceTariffRow
from portal.vocabulary.insurance import InsuranceType, Insurer
from portal.vocabulary.orders import ItemKind


def tariffs() -> list[InsuranceTariffRow]:
    """What each insurance costs, for every kind of bike."""
    shares = {
        (Insurer.KETTINGZEKER, InsuranceType.THEFT): ("42.00", "4.95"),
        (Insurer.KETTINGZEKER, InsuranceType.THEFT_AND_DAMAGE): ("68.00", "7.95"),
        (Insurer.FIETSVAST, InsuranceType.THEFT): ("38.50", "5.50"),
        (Insurer.FIETSVAST, InsuranceType.THEFT_AND_DAMAGE): ("63.00", "8.50"),
    }
    # A bike with a motor is stolen more often.
    more = {ItemKind.CITY_BIKE: Decimal(1), ItemKind.E_BIKE: Decimal("1.25"), ItemKind.CARGO_BIKE: Decimal("1.5")}
    return [
        InsuranceTariffRow(
            insurer=entry.insurer,
            type=entry.type,
            kind=kind,
            per_mille=(Decimal(shares[entry.insurer, entry.type][0]) * factor).quantize(Decimal("0.01")),
            minimum=Decimal(shares[entry.insurer, entry.type][1]),
        )
        for entry in PACKAGES
        for kind, factor in more.items()
    ]

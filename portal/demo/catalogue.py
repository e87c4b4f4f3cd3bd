"""The catalogue of the demonstration shop: articles for an exchange, insurance rates, maintenance jobs and packages."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.demo.plans import ACCESSORIES, BIKES, SAND, Color, Product, number_from, stable_id
from portal.insurance.rules import InsurancePackage
from portal.service_packages.rules import Inclusion
from portal.tables.columns import CENT
from portal.tables.insurance import InsuranceProductRow, InsuranceTariffRow
from portal.tables.orders import ProductRow
from portal.tables.work_orders import PackageTermsRow, ServiceProductRow
from portal.vocabulary.insurance import Cover, InsuranceType, Insurer
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import JOBS, Drive, ServiceJob, ServicePackage


def articles() -> list[ProductRow]:
    """All articles that a customer can exchange an item for."""
    rows = []
    for product in (*BIKES, *ACCESSORIES):
        for color in product.colors or (None,):
            size = product.sizes[min(1, len(product.sizes) - 1)] if product.sizes else ""
            rows.append(_article(product, color, size))
    return rows


def _article(product: Product, color: Color | None, size: str) -> ProductRow:
    name = color.name if color else ""
    sold_out = product.sku == "DRK-3" and color is SAND
    return ProductRow(
        public_id=stable_id("article", product.sku, name),
        sku=product.sku,
        name=product.name,
        name_en=product.english,
        kind=product.kind,
        item_color=name,
        item_color_en=color.english if color else "",
        color_code=color.code if color else "#5b6770",
        frame_size=size,
        battery=product.engine.battery if product.engine else product.battery,
        drawing=product.drawing,
        price=product.price,
        stock=0 if sold_out else 2 + number_from("stock", product.sku, name) % 9,
    )


async def complete_articles(session: AsyncSession) -> None:
    """Add missing articles to a shop that an earlier version loaded."""
    stored = set(await session.exec(select(ProductRow.public_id)))
    session.add_all(row for row in articles() if row.public_id not in stored)


_THEFT = (Cover.BIKE_STOLEN, Cover.BATTERY_STOLEN, Cover.ABROAD)
_DAMAGE = (Cover.FALL_AND_COLLISION, Cover.VANDALISM)

INSURANCES: tuple[InsurancePackage, ...] = (
    InsurancePackage(Insurer.KETTINGZEKER, InsuranceType.THEFT, _THEFT, Decimal("0.00")),
    InsurancePackage(
        Insurer.KETTINGZEKER,
        InsuranceType.THEFT_AND_DAMAGE,
        (*_THEFT, *_DAMAGE, Cover.ACCESSORIES_STOLEN, Cover.BREAKDOWN_HELP),
        Decimal("25.00"),
        most_chosen=True,
    ),
    InsurancePackage(Insurer.FIETSVAST, InsuranceType.THEFT, (*_THEFT, Cover.REPLACEMENT), Decimal("35.00")),
    InsurancePackage(
        Insurer.FIETSVAST, InsuranceType.THEFT_AND_DAMAGE, (*_THEFT, *_DAMAGE, Cover.REPLACEMENT), Decimal("50.00")
    ),
)
"""The insurances of the demonstration shop."""


def insurances() -> list[InsuranceProductRow]:
    return [
        InsuranceProductRow(
            insurer=entry.insurer,
            type=entry.type,
            covers=[cover.value for cover in Cover if cover in entry.covers],
            excess=entry.excess,
            most_chosen=entry.most_chosen,
        )
        for entry in INSURANCES
    ]


def tariffs() -> list[InsuranceTariffRow]:
    """The rates of all insurances for every kind of bike."""
    shares = {
        (Insurer.KETTINGZEKER, InsuranceType.THEFT): ("42.00", "4.95"),
        (Insurer.KETTINGZEKER, InsuranceType.THEFT_AND_DAMAGE): ("68.00", "7.95"),
        (Insurer.FIETSVAST, InsuranceType.THEFT): ("38.50", "5.50"),
        (Insurer.FIETSVAST, InsuranceType.THEFT_AND_DAMAGE): ("63.00", "8.50"),
    }
    # Insuring an e-bike costs more, because e-bikes are stolen more often.
    more = {ItemKind.CITY_BIKE: Decimal(1), ItemKind.E_BIKE: Decimal("1.25"), ItemKind.CARGO_BIKE: Decimal("1.5")}
    return [
        InsuranceTariffRow(
            insurer=entry.insurer,
            type=entry.type,
            kind=kind,
            per_mille=(Decimal(shares[entry.insurer, entry.type][0]) * factor).quantize(Decimal("0.01")),
            minimum=Decimal(shares[entry.insurer, entry.type][1]),
        )
        for entry in INSURANCES
        for kind, factor in more.items()
    ]


_PRICES: dict[Drive, dict[ServiceJob, Decimal]] = {
    Drive.BIKE: {
        ServiceJob.FIRST: Decimal("49.00"),
        ServiceJob.SECOND: Decimal("69.00"),
        ServiceJob.THIRD: Decimal("79.00"),
        ServiceJob.FOURTH: Decimal("99.00"),
    },
    Drive.E_BIKE: {
        ServiceJob.FIRST: Decimal("69.00"),
        ServiceJob.SECOND: Decimal("99.00"),
        ServiceJob.THIRD: Decimal("109.00"),
        ServiceJob.FOURTH: Decimal("139.95"),
    },
}


def service_products() -> list[ServiceProductRow]:
    """All variants of all maintenance jobs."""
    rows = []
    for drive, prices in _PRICES.items():
        for job, price in prices.items():
            sku = f"BEURT{job.value}-{'E' if drive is Drive.E_BIKE else 'F'}"
            half = (price / 2).quantize(CENT, ROUND_HALF_UP)
            rows.append(ServiceProductRow(sku=sku, job=job, drive=drive, price=price))
            rows.append(ServiceProductRow(sku=f"{sku}-50", job=job, drive=drive, half_price=True, price=half))
    return rows


_I = Inclusion
_PACKAGES: tuple[tuple[ServicePackage, str, tuple[Inclusion, ...], tuple[ServiceJob, ...]], ...] = (
    (ServicePackage.SERVICE11, "4.95", (_I.ADJUSTMENT,), JOBS[:1]),
    (ServicePackage.SERVICE21, "7.95", (_I.ADJUSTMENT, _I.TYRES), JOBS[:2]),
    (ServicePackage.SERVICE31, "11.95", (_I.ADJUSTMENT, _I.TYRES, _I.SMALL_PARTS, _I.LABOUR), JOBS),
    (ServicePackage.SERVICE12, "0.00", (), ()),
    (ServicePackage.SERVICE22, "5.95", (_I.ADJUSTMENT, _I.BREAKDOWN_HELP), JOBS[:1]),
    (ServicePackage.SERVICE32, "10.95", (_I.ADJUSTMENT, _I.TYRES, _I.BREAKDOWN_HELP, _I.BATTERY_CHECK), JOBS[:3]),
    (
        ServicePackage.SERVICE42,
        "15.95",
        (
            _I.ADJUSTMENT,
            _I.TYRES,
            _I.SMALL_PARTS,
            _I.LABOUR,
            _I.BREAKDOWN_HELP,
            _I.BATTERY_CHECK,
            _I.PRIORITY,
        ),
        JOBS,
    ),
)
"""Code, euro a month, contents, and jobs at half the price."""


def packages() -> list[PackageTermsRow]:
    """Price and contents of all service packages."""
    return [
        PackageTermsRow(
            package=code,
            monthly=Decimal(monthly),
            includes=[entry.value for entry in includes],
            half_price_jobs=[job.value for job in jobs],
            most_chosen=code is ServicePackage.SERVICE21,
        )
        for code, monthly, includes, jobs in _PACKAGES
    ]


async def complete_service_products(session: AsyncSession) -> None:
    """Add missing service products and packages to a shop that an earlier version loaded."""
    known = set(await session.exec(select(PackageTermsRow.package)))
    session.add_all(row for row in packages() if row.package not in known)
    stored = set(await session.exec(select(ServiceProductRow.sku)))
    session.add_all(row for row in service_products() if row.sku not in stored)

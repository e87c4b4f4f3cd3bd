"""The catalogue of the demonstration shop: articles for an exchange, insurances, maintenance jobs and packages.

A retailer gets the product information documents of insurances from the insurers as PDF files. Here they are rendered
from the insurances that the shop offers, laid out as Regulation (EU) 2017/1469 asks, so that they never contradict
them.
"""

from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from pydantic import TypeAdapter
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.letter import money
from portal.backend.pdf import compile_pdf
from portal.contract.models import Locale
from portal.demo.plans import ACCESSORIES, BIKES, Color, Product, number_from, read_data, stable_id
from portal.insurance.rules import InsurancePackage
from portal.kernel.texts import N_, gettext_for
from portal.tables.columns import CENT
from portal.tables.insurance import InsuranceProductRow, InsuranceTariffRow
from portal.tables.orders import ProductRow
from portal.tables.work_orders import PackageTermsRow, ServiceProductRow
from portal.vocabulary.insurance import COVER_TEXTS, INSURANCE_TYPES, INSURER_NAMES, Cover, InsuranceType
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage


def articles() -> list[ProductRow]:
    rows = []
    for product in (*BIKES, *ACCESSORIES):
        for color in product.colors or (None,):
            size = product.sizes[min(1, len(product.sizes) - 1)] if product.sizes else ""
            rows.append(_article(product, color, size))
    return rows


def _article(product: Product, color: Color | None, size: str) -> ProductRow:
    name = color.name if color else ""
    sold_out = product.sku == "DRK-3" and name == "Zandbeige"
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
    stored = set(await session.exec(select(ProductRow.public_id)))
    session.add_all(row for row in articles() if row.public_id not in stored)


_DATA = read_data("catalogue.json")
_INSURANCES = [(TypeAdapter(InsurancePackage).validate_python(entry), entry) for entry in _DATA["insurances"]]
INSURANCES = tuple(package for package, _ in _INSURANCES)
PACKAGE_PRICES = {ServicePackage(code): Decimal(price) for code, price in _DATA["bought_with_an_order"].items()}


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
    # Insuring an e-bike costs more, because e-bikes are stolen more often.
    more = {ItemKind.CITY_BIKE: Decimal(1), ItemKind.E_BIKE: Decimal("1.25"), ItemKind.CARGO_BIKE: Decimal("1.5")}
    return [
        InsuranceTariffRow(
            insurer=entry.insurer,
            type=entry.type,
            kind=kind,
            per_mille=(Decimal(rates["per_mille"]) * factor).quantize(Decimal("0.01")),
            minimum=Decimal(rates["minimum"]),
        )
        for entry, rates in _INSURANCES
        for kind, factor in more.items()
    ]


def service_products() -> list[ServiceProductRow]:
    rows = []
    for drive, prices in _DATA["service_prices"].items():
        for job, price in prices.items():
            sku = f"BEURT{job}-{'E' if drive == Drive.E_BIKE else 'F'}"
            own = {"job": ServiceJob(job), "drive": Drive(drive)}
            half = (Decimal(price) / 2).quantize(CENT, ROUND_HALF_UP)
            rows.append(ServiceProductRow(sku=sku, price=Decimal(price), **own))
            rows.append(ServiceProductRow(sku=f"{sku}-50", half_price=True, price=half, **own))
    return rows


def packages() -> list[PackageTermsRow]:
    return [
        PackageTermsRow(
            package=ServicePackage(entry["package"]),
            monthly=Decimal(entry["monthly"]),
            includes=entry["includes"],
            half_price_jobs=entry["half_price_jobs"],
            most_chosen=entry["package"] == ServicePackage.SERVICE21,
        )
        for entry in _DATA["packages"]
    ]


async def complete_service_products(session: AsyncSession) -> None:
    known = set(await session.exec(select(PackageTermsRow.package)))
    session.add_all(row for row in packages() if row.package not in known)
    stored = set(await session.exec(select(ServiceProductRow.sku)))
    session.add_all(row for row in service_products() if row.sku not in stored)


VERSION = "2026-01"
"""Version of the documents: the month from which they apply."""

_MADE = datetime(2026, 1, 5, 12, tzinfo=UTC)

_LIMITS = (
    N_("The bike must be locked with the lock whose key number we know."),
    N_("A battery left on an unlocked bike is not insured."),
    N_("We pay no more than what you paid for the bike."),
    N_("After 3 years we deduct 1% of the price each month."),
)
_NEVER = (
    N_("Wear, rust and damage that was there before"),
    N_("Damage caused on purpose, in a race, or while the bike is rented out"),
    N_("A bike that was left unlocked"),
)
_DUTIES = (
    N_("Answer our questions truthfully when you request the insurance."),
    N_("Report a theft to the police within 24 hours, and to us within 3 days."),
    N_("Keep both keys of your lock; we ask for them after a theft."),
    N_("Tell us when you move or sell the bike."),
)


@cache
def product_information(package: InsurancePackage, locale: Locale) -> bytes:
    _ = gettext_for(locale)
    insurer, kind = INSURER_NAMES[package.insurer], _(INSURANCE_TYPES[package.type])
    product = _("Bike insurance {insurer}: {type}").format(insurer=insurer, type=kind)
    damage = package.type is InsuranceType.THEFT_AND_DAMAGE
    about = (
        N_("This insurance pays out if your bike is stolen or damaged.")
        if damage
        else N_("This insurance pays out if your bike or its battery is stolen.")
    )
    page = {
        "kind": _("Demonstration example, version {version}").format(version=VERSION),
        "heading": _("Insurance product information document"),
        "running": product,
        "insurer": insurer,
        "product": product,
        "statement": _(
            "This document is a summary of the main cover and exclusions. It does not take your "
            "personal situation into account. You’ll find the complete information in the policy "
            "conditions."
        ),
        "sections": [
            _section(locale, N_("What is this type of insurance?"), "plain", [_(about)]),
            _section(locale, N_("What is insured?"), "yes", [_(COVER_TEXTS[cover]) for cover in package.covers]),
            _section(locale, N_("What is not insured?"), "no", _not_insured(package, locale)),
            _section(locale, N_("Are there any restrictions on cover?"), "limit", _restrictions(package, locale)),
            _section(locale, N_("Where am I covered?"), "yes", [_(COVER_TEXTS[Cover.ABROAD])]),
            _section(locale, N_("What are my obligations?"), "plain", [_(duty) for duty in _DUTIES]),
            _section(
                locale,
                N_("When and how do I pay?"),
                "plain",
                [
                    _(
                        "You pay the premium every month by direct debit. You see the amount before you request "
                        "the insurance."
                    )
                ],
            ),
            _section(
                locale,
                N_("When does the cover start and end?"),
                "plain",
                [
                    _("Cover starts on the date shown in your policy. It’s renewed every month."),
                    _("It ends when you cancel, when the bike is sold, or 5 years after you bought it."),
                ],
            ),
            _section(
                locale,
                N_("How do I cancel the contract?"),
                "plain",
                [_("You can withdraw within {withdrawal_days} days. After that you can cancel every month.")],
            ),
        ],
        "closing": _("{insurer} is a fictional insurer. This document is an example; it gives you no rights.").format(
            insurer=insurer
        ),
        "foot": [[insurer, product]],
    }
    return compile_pdf("product_information", page, locale, product, author=insurer, created=_MADE)


def _section(locale: Locale, title: str, sign: str, lines: list[str]) -> dict[str, object]:
    return {"title": gettext_for(locale)(title), "sign": sign, "lines": lines}


def _not_insured(package: InsurancePackage, locale: Locale) -> list[str]:
    _ = gettext_for(locale)
    return [*[_(COVER_TEXTS[cover]) for cover in package.covers_not], *[_(text) for text in _NEVER]]


def _restrictions(package: InsurancePackage, locale: Locale) -> list[str]:
    _ = gettext_for(locale)
    excess = (
        _("You pay {amount} of each claim yourself.").format(amount=money(package.excess, locale))
        if package.excess > Decimal(0)
        else _("There is no excess.")
    )
    return [excess, *[_(limit) for limit in _LIMITS]]


def all_documents() -> list[tuple[InsurancePackage, bytes, bytes]]:
    return [(entry, product_information(entry, "nl"), product_information(entry, "en")) for entry in INSURANCES]

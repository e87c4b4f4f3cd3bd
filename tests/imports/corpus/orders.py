"""The orders of the corpus, each described once, and the people who placed them."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

FOLDER = Path(__file__).parent
ZERO = Decimal("0.00")

ARTICLES: dict[str, tuple[str, str, str]] = {
    "KS-GR-53": ("Kuststreek", "city_bike", "1249.00"),
    "ST-ZW-57": ("Stroomlijn", "e_bike", "2799.00"),
    "BK-BL": ("Bakker", "cargo_bike", "4150.00"),
    "TAS-1": ("Fietstas", "accessory", "50.00"),
    "SLOT-1": ("Kettingslot", "accessory", "25.45"),
    "BEL-1": ("Bel", "accessory", "19.99"),
}
"""Name, kind and price of one, by SKU."""


@dataclass(frozen=True)
class Person:
    """Somebody as the shop knows them: `line1` and `line2` as typed there, the other columns as they must be read."""

    key: str
    first_name: str
    last_name: str
    company: str
    email: str
    phone: str
    e164: str
    line1: str
    line2: str
    street: str
    house_number: str
    house_number_addon: str
    post_code: str
    city: str
    country_code: str
    account: str


def _people() -> dict[str, Person]:
    with (FOLDER / "people.csv").open(encoding="utf-8", newline="") as file:
        text = file.read().replace("<zwsp>", "\u200b").replace("<nbsp>", "\u00a0")
    return {row["key"]: Person(**row) for row in csv.DictReader(text.splitlines())}


PEOPLE = _people()
NUMBERS = {key: place for place, key in enumerate(PEOPLE, 1)}


@dataclass(frozen=True)
class Item:
    """A line: so many of an article for an amount together."""

    sku: str
    quantity: int
    costs: Decimal

    @property
    def name(self) -> str:
        return ARTICLES[self.sku][0]

    @property
    def kind(self) -> str:
        return ARTICLES[self.sku][1]


@dataclass(frozen=True)
class Parcel:
    """What a shop sent at once.

    Attributes:
        contents: units by place of the line; None where the shop does not say.
        shipped, delivered: days ago.
        codes: of the parcels, each with a tracking page.
        status: the word of Shopify.
    """

    shipped: int
    delivered: int | None = None
    contents: dict[int, int] | None = None
    codes: tuple[str, ...] = ()
    status: str = ""
    secure: bool = True


@dataclass(frozen=True, kw_only=True)
class Order:
    """An order.

    Attributes:
        number: the last digits of its number.
        items: such as 'KS-GR-53 TAS-1*3=10.00', which is three bags for 10.00 together.
        ordered: days ago.
        state: 'open', 'delivered', 'cancelled', 'refunded', or a word of WooCommerce.
        parcels: what left; one parcel with everything for a delivered order that names none.
        fees: costs that are neither article nor shipping, by name; negative for a trade-in or a gift card.
        paid: None for all of it.
        says: the total of the shop, where lines and costs do not come to it.
        shops: 'w' WooCommerce, 's' Shopify, 'o' files of one's own.
    """

    number: int
    person: str
    items: str
    ordered: int = 12
    state: str = "delivered"
    at: int = 10
    parcels: tuple[Parcel, ...] = ()
    discount: Decimal = ZERO
    shipping: Decimal = ZERO
    fees: dict[str, Decimal] = field(default_factory=dict)
    paid: Decimal | None = None
    refunds: tuple[Decimal, ...] = ()
    says: Decimal | None = None
    currency: str = "EUR"
    method: str = "ideal"
    shops: str = "wso"

    @property
    def order_number(self) -> str:
        return f"{880_000_000 + self.number}"

    @property
    def lines(self) -> list[Item]:
        found = []
        for text in self.items.split():
            article, _, costs = text.partition("=")
            sku, _, quantity = article.partition("*")
            count = int(quantity or 1)
            found.append(Item(sku, count, Decimal(costs) if costs else Decimal(ARTICLES[sku][2]) * count))
        return found

    @property
    def costs(self) -> Decimal:
        """What is paid back with the last unit of an order that is withdrawn."""
        return self.shipping + sum((amount for amount in self.fees.values() if amount > 0), ZERO)

    @property
    def subtotal(self) -> Decimal:
        return sum((line.costs for line in self.lines), ZERO)

    @property
    def total(self) -> Decimal:
        if self.says is not None:
            return self.says
        return self.subtotal - self.discount + self.shipping + sum(self.fees.values(), ZERO)

    @property
    def received(self) -> Decimal:
        return self.total if self.paid is None else self.paid

    @property
    def refunded(self) -> Decimal:
        return sum(self.refunds, ZERO)

    @property
    def sent(self) -> tuple[Parcel, ...]:
        if self.parcels or self.state not in ("delivered", "refunded"):
            return self.parcels
        return (Parcel(self.at, self.at, codes=(f"KP{self.number}",), status="DELIVERED"),)


def _euro(text: str) -> Decimal:
    return Decimal(text)


_YEARS = 1100
"""Days: longer ago than anything can be returned."""

ORDERS: tuple[Order, ...] = (
    # Delivered.
    Order(number=1, person="noor", items="KS-GR-53 TAS-1"),
    Order(number=2, person="soren", items="KS-GR-53 TAS-1", ordered=_YEARS + 2, at=_YEARS),
    Order(number=3, person="siobhan", items="SLOT-1*2", ordered=62, at=60),
    Order(number=4, person="bram", items="TAS-1", ordered=102, at=100),
    Order(number=5, person="bram", items="TAS-1", ordered=103, at=101),
    Order(number=6, person="eva", items="ST-ZW-57*2"),
    Order(number=7, person="eva", items="BK-BL", ordered=17, at=14),
    Order(number=8, person="kees", items="KS-GR-53", ordered=18, at=15),
    # Newer than another one of the same guest that comes later in the file; the guest has moved.
    Order(number=9, person="gast", items="SLOT-1", ordered=5, at=3, shops="ws"),
    # Money.
    Order(number=11, person="iris", items="TAS-1", fees={"Toeslag": _euro("3.00")}, shops="wo"),
    Order(number=12, person="iris", items="TAS-1", fees={"Inruil": _euro("-20.00")}, shops="wo"),
    Order(number=13, person="an", items="TAS-1", fees={"Cadeaubon": _euro("-25.00")}, shops="wo"),
    Order(number=14, person="an", items="KS-GR-53 TAS-1", discount=_euro("129.90")),
    Order(number=15, person="lieve", items="BEL-1*3 SLOT-1", discount=_euro("5.00")),
    Order(number=16, person="lieve", items="TAS-1", shipping=_euro("6.95")),
    Order(number=17, person="noor", items="KS-GR-53 TAS-1", refunds=(_euro("50.00"),)),
    Order(number=18, person="tom", items="TAS-1", state="refunded", refunds=(_euro("50.00"),)),
    Order(number=19, person="tom", items="TAS-1", refunds=(_euro("30.00"), _euro("20.00"))),
    Order(number=20, person="roos", items="TAS-1*3=10.00", shops="wo"),
    Order(number=21, person="roos", items="BEL-1*7=9.99", discount=_euro("0.50"), shops="wo"),
    Order(number=22, person="kees", items="BEL-1*3=10.00", shops="w"),
    Order(number=23, person="bram", items="TAS-1", discount=_euro("50.00")),
    Order(number=24, person="tom", items="KS-GR-53", method="gift_card, ideal", shops="so"),
    Order(number=25, person="soren", items="SLOT-1", says=_euro("41.00")),
    Order(number=26, person="roos", items="KS-GR-53", says=_euro("1349.00")),
    Order(number=27, person="geen", items="BEL-1*3=12.00", discount=_euro("2.00")),
    Order(number=28, person="tom", items="BEL-1*3 SLOT-1", says=_euro("85.43")),
    # Not paid, or not in euro.
    Order(number=31, person="eva", items="KS-GR-53", state="open", paid=ZERO, method="bank_transfer"),
    Order(number=32, person="siobhan", items="KS-GR-53", state="open", paid=_euro("100.00"), shops="so"),
    Order(number=33, person="kees", items="TAS-1", state="failed", paid=ZERO, shops="w"),
    Order(number=34, person="iris", items="TAS-1", currency="USD"),
    Order(number=35, person="iris", items="TAS-1", shops="w"),
    # Not sent, on its way, or cancelled.
    Order(number=41, person="kees", items="KS-GR-53 TAS-1", state="open"),
    Order(number=42, person="noor", items="TAS-1", state="cancelled", paid=ZERO),
    Order(number=43, person="soren", items="TAS-1", state="cancelled", refunds=(_euro("50.00"),)),
    Order(number=44, person="siobhan", items="TAS-1", state="cancelled"),
    Order(number=45, person="tom", items="KS-GR-53*2", shops="so", state="open",
          parcels=(Parcel(3, codes=("KP45A", "KP45B"), status="IN_TRANSIT", secure=False),)),
    Order(number=46, person="roos", items="KS-GR-53 TAS-1", shops="o", state="open",
          parcels=(Parcel(5, 3, {1: 1}, ("KP46A",), "DELIVERED"), Parcel(4, None, {2: 1}, ("KP46B",), "IN_TRANSIT"))),
    Order(number=47, person="lieve", items="KS-GR-53*2", shops="so", state="open",
          parcels=(Parcel(11, 10, {1: 1}, (), "DELIVERED"),)),
    Order(number=48, person="eva", items="KS-GR-53", shops="s", state="open",
          parcels=(Parcel(11, codes=("KP48",), status="CANCELED"),)),
    Order(number=49, person="bram", items="TAS-1", shops="s",
          parcels=(Parcel(11, codes=("KP49A",), status="CANCELED"),
                   Parcel(10, 10, codes=("KP49B",), status="DELIVERED"))),
    Order(number=50, person="iris", items="SLOT-1", shops="s", parcels=(Parcel(10, status="FULFILLED"),)),
    Order(number=51, person="leeg", items="KS-GR-53", ordered=_YEARS + 2, shops="so", state="open",
          parcels=(Parcel(_YEARS, codes=("KP51",), status="IN_TRANSIT"),)),
    Order(number=52, person="leeg", items="TAS-1*2", shops="s", refunds=(_euro("50.00"),),
          parcels=(Parcel(10, 10, {1: 1}, ("KP52",), "DELIVERED"),)),
    Order(number=53, person="roos", items="KS-GR-53 TAS-1", shops="s", state="open",
          parcels=(Parcel(5, 3, codes=("KP53A",), status="DELIVERED"),
                   Parcel(4, codes=("KP53B",), status="IN_TRANSIT"))),
    # No orders, or no lines.
    Order(number=55, person="bosch", items="TAS-1", state="checkout-draft", shops="w"),
    Order(number=56, person="bosch", items="TAS-1", state="trash", shops="w"),
    Order(number=57, person="bosch", items="TAS-1", state="auto-draft", shops="w"),
    Order(number=58, person="bosch", items="TAS-1 BEL-1*0=0.00", shops="w"),
    Order(number=59, person="bosch", items="SLOT-1*2", shops="w"),
    Order(number=60, person="bosch", items="TAS-1", shops="w"),
    # Missing dates, and the oldest.
    Order(number=61, person="lukasz", items="TAS-1", shops="w"),
    Order(number=62, person="lukasz", items="TAS-1", shops="w"),
    Order(number=63, person="lukasz", items="TAS-1", shops="wo"),
    Order(number=64, person="noor", items="KS-GR-53", ordered=6000, at=5990),
    Order(number=65, person="kees", items="TAS-1", ordered=6000, shops="o", at=0),
    # Written oddly.
    Order(number=71, person="klein", items="KS-GR-53", shops="w"),
    Order(number=72, person="bosch", items="TAS-1", shops="w"),
    Order(number=73, person="duc", items="ST-ZW-57"),
    # People.
    Order(number=81, person="anouk", items="TAS-1"),
    Order(number=82, person="meta", items="TAS-1", shops="w"),
    Order(number=83, person="koeriers", items="BK-BL", shops="ws"),
    Order(number=84, person="tweeling", items="TAS-1"),
    Order(number=85, person="geen", items="TAS-1"),
    Order(number=86, person="nul", items="TAS-1"),
    Order(number=87, person="tweenul", items="TAS-1"),
    Order(number=88, person="avond", items="TAS-1"),
    Order(number=89, person="spaties", items="TAS-1"),
    Order(number=90, person="gast", items="TAS-1", shops="ws"),
    Order(number=92, person="duits", items="TAS-1"),
    Order(number=93, person="zonder", items="TAS-1"),
    Order(number=94, person="leeg", items="TAS-1", shops="s"),
    Order(number=95, person="kees", items="TAS-1", shops="s"),
)  # fmt: skip

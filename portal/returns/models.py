"""The facts of the return flows: what can come back, from which orders, and where to (part-2 §2)."""

from decimal import Decimal

from pydantic import Field

from portal.account.flow import AddressFacts
from portal.contract.models import Amount, Model, Picture
from portal.flow import FactsPart
from portal.kernel.codes import Code
from portal.returns.rules.settlement import Worth
from portal.returns.rules.units import why_nothing


class EqualBike(Model):
    """One of several equal bikes of an order line: what tells it from the others, in the language of the reader.

    `name`: its frame number, as a text.
    `note`: colour, key number, and what hangs on it: insurance, service package, open requests.
    """

    bike_id: str
    name: str
    note: str = ""


class KnownBike(EqualBike):
    mileage: str = ""
    pin: bool = False


class OfferedArticle(Model):
    """An item to return or an article of the shop. `refusal` is the code why it cannot be chosen; empty if it can."""

    id: str
    refusal: str = ""
    name: str = ""
    is_bike: bool = False
    color: str = ""
    size: str = ""
    picture: Picture = Picture()


class ArticleOnSale(OfferedArticle):
    price: Amount


class OfferedItem(OfferedArticle):
    """An item that was ordered: `max` units can be returned, the first of them until a last day. Days are ISO 8601.

    `flow` returns it; empty for the current one.
    """

    flow: str = ""
    order: str = ""
    order_day: str = ""
    bundle: str = ""
    max: int = 1
    until: str = ""


class StockItem(OfferedItem):
    """An item with what decides about its return.

    `mileage`: of the only bike that it can be, in km; empty if unknown.
    `bikes`: which of several equal bikes can be returned; empty if nothing tells them apart.
    `worths`: of the units that can be returned, those with the earliest last day first.
    """

    mileage: str = ""
    pin: bool = False
    battery: bool = False
    bikes: list[KnownBike] = Field(default_factory=list)
    worths: list[Worth] = Field(default_factory=list)


class PendingReturn(Model):
    """An unconfirmed return of an order, and the address to which its link was mailed."""

    return_id: str
    email: str


class OfferedOrder(Model):
    """An order, by its number. Days are ISO 8601; `withdraw_until` is empty while a unit has not arrived.

    `outstanding` is unpaid; `left` was paid and not refunded, None if the shop refunded nothing.
    """

    id: str
    refusal: str = ""
    day: str = ""
    outstanding: Amount = Decimal("0.00")
    left: Amount | None = None
    withdraw_until: str = ""
    withdrawable: bool = False
    pending: PendingReturn | None = None


class HoursRange(Model):
    """The same hours on several days in a row; 1 is Monday."""

    first: int
    last: int
    hours: str


class OfferedStore(Model):
    """A store that takes returns; the distance is in kilometres with one decimal, empty when unknown."""

    id: str = ""
    name: str = ""
    address: str = ""
    distance_km: str = ""
    hours: list[HoursRange] = Field(default_factory=list)


class ItemFacts(FactsPart):
    items: list[StockItem] = Field(default_factory=list)
    orders: list[OfferedOrder] = Field(default_factory=list)

    def nothing_left(self) -> Code | None:
        refusals = [item.refusal for item in self.items]
        return None if "" in refusals else why_nothing(map(Code, refusals))


class ReturnFacts(ItemFacts, AddressFacts):
    """The facts of a draft: the nearest store first, the days of a pick-up by country, the articles for an exchange."""

    stores: list[OfferedStore] = Field(default_factory=list)
    pickup_days: dict[str, list[str]] = Field(default_factory=dict)
    name: str = ""
    catalogue: list[ArticleOnSale] = Field(default_factory=list)


class ReturnTerms(FactsPart):
    """The price of a pick-up, and the reasons for which a return is free."""

    fee: Amount = Decimal("0.00")
    free_reasons: list[str] = Field(default_factory=list)


class IntroductionFacts(ItemFacts):
    """The facts of an introduction.

    `closed`: the code why no item can be returned; empty if one can, None in a draft.
    `items`: those that cannot be returned.
    `offered`, `other_items`: the first items that this flow and another one return.
    `bike_items`: the item of each bike, by id of the bike.
    `fits`: the flow that fits what can be returned, by order number; '' is for all orders together.
    """

    closed: str | None = None
    offered: list[OfferedItem] = Field(default_factory=list)
    other_items: list[OfferedItem] = Field(default_factory=list)
    bike_items: dict[str, str] = Field(default_factory=dict)
    fits: dict[str, str] = Field(default_factory=dict)

"""Operations and models for orders and invoices (part-1 §3, part-2 §3)."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import Unavailable
from portal.contract.models import Amount, Document, Model, OptionalLink, Page, Picture, otherwise
from portal.contract.operations import (
    PDF,
    DeclaredRefusal,
    FileLocale,
    PageNumber,
    SearchText,
    Token,
    Year,
    operation,
)
from portal.contract.session import Address
from portal.kernel.codes import Code
from portal.orders.rules import Returning
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import InvoiceStatus, ItemKind, PaymentStatus
from portal.vocabulary.services import ServicePackage

KnownItemKind = Annotated[ItemKind, otherwise(ItemKind, ItemKind.ACCESSORY)]
KnownDeliveryStatus = Annotated[DeliveryStatus | None, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)]
KnownPaymentStatus = Annotated[PaymentStatus, otherwise(PaymentStatus, PaymentStatus.UNKNOWN)]
KnownServicePackage = Annotated[ServicePackage | None, otherwise(ServicePackage, None)]


class OrderSummary(Model):
    """An order in the list. `names` and `kinds` describe the first lines; `more` is the number of further lines.

    `picture` is that of the first line. `movable` says that another delivery day can be asked for, `returnable` that
    items can be returned, as far as the order tells; `invoice_id` is that of the newest invoice, empty without one.
    """

    order_number: str
    order_date: date
    total: Amount
    currency: str = "EUR"
    delivery_status: KnownDeliveryStatus
    payment_status: KnownPaymentStatus
    names: list[str]
    kinds: list[KnownItemKind]
    picture: Picture = Picture()
    more: int = 0
    movable: bool = False
    returnable: bool = False
    invoice_id: str = ""


class OrderLine(Model):
    """One line of an order (part-1 §3: item color, frame size, battery, price). Prices include VAT.

    `position` counts the lines of the order; `unit_price` is None where `quantity` times it is not `price`. Name and
    colour are in the language of the session, as everywhere in the answers.
    """

    position: int = 0
    name: str
    sku: str
    kind: KnownItemKind
    item_color: str = ""
    frame_size: str = ""
    battery: str = ""
    quantity: int
    unit_price: Amount | None
    price: Amount
    bike_id: str | None = None
    picture: Picture = Picture()


class NamedAddress(Address):
    """An address of an order, with the name of the addressee."""

    name: str


class Shipment(Model):
    """One parcel or delivery. `tracking_url` is an address of the carrier.

    `contents`: the items, where it is known that it holds a part of the order; empty if it holds all of it.
    """

    carrier: str
    tracking_code: str = ""
    tracking_url: OptionalLink = ""
    shipped_at: datetime | None = None
    delivered_at: datetime | None = None
    contents: str = ""


class ScheduledDelivery(Model):
    """The planned day and time window (local times, 'HH:MM')."""

    day: date
    from_time: str
    until_time: str


class OrderSelection(StrEnum):
    """Which orders to list: all, those with a bike, or those without one."""

    ALL = "all"
    BIKES = "bikes"
    ACCESSORIES = "accessories"


class InvoiceSelection(StrEnum):
    """Which invoices to list: all, or those with an amount still to be paid."""

    ALL = "all"
    OPEN = "open"


class OrderPage(Page[OrderSummary]):
    """A page of the orders that were asked for. `years` go from the newest order back to the oldest."""

    years: list[int] = Field(default_factory=list)


class InvoiceSummary(Model):
    """An invoice in the list. Links contain `invoice_id`; the customer sees `number`. Amounts include VAT.

    `due` is to be paid now; `due_later` is open, too, but open returns will settle it.
    """

    invoice_id: str
    number: str
    order_number: str
    invoice_date: date
    expire_date: date
    status: Annotated[InvoiceStatus, otherwise(InvoiceStatus, InvoiceStatus.UNKNOWN)]
    total: Amount
    due: Amount
    due_later: Amount = Decimal(0)
    currency: str = "EUR"


class Payment(Model):
    """How an amount is transferred.

    `amount`: more than 0.
    `holder`: of the account.
    `iban`: of the account, in groups of four.
    `reference`: text on the transfer.
    `code`: the payment QR code (EPC) for banking apps, as SVG without a quiet zone.
    """

    amount: Amount
    currency: str = "EUR"
    holder: str
    iban: str
    reference: str
    code: str


class Invoice(InvoiceSummary):
    """One invoice. `payment` is None unless an amount is due."""

    payment: Payment | None = None


class InvoicePage(Page[InvoiceSummary]):
    """A page of the invoices that were asked for. `years` go from the newest invoice back to the oldest."""

    years: list[int] = Field(default_factory=list)


class Adjustment(Model):
    """What an order costs more, or below zero less, such as a surcharge or a trade-in."""

    name: str
    amount: Amount


class Order(Model):
    """An order with all details (part-1 §3). Amounts include VAT; `discount` is positive and already part of `total`.

    `settled` is the amount that needs no payment because a return was set off against it, or because the items were
    exchanged for others of that value. `payment_method`, `delivery_method` and `insurance` are keys of
    `portal.vocabulary.orders` or free text of the retailer.

    `adjustments` are part of `total`. `adds_up` says whether the shop's total is that of its parts; if not, nothing is
    `due`.

    `refunded` is what the shop refunded of what was paid, as it told the portal.

    `due_later` is the part of `due` that open returns will settle, so that it does not have to be paid now.

    `refund` is paid back for what was cancelled or withdrawn before it was sent; `refund_id` is the id of that return.

    `return_days` count from shipping, `withdrawal_days` from delivery. `return_until` is None until something was
    shipped, `withdraw_until` until everything has arrived.
    """

    order_number: str
    ordered_at: datetime
    order_date: date
    invoiced_at: date | None
    delivery_status: KnownDeliveryStatus
    payment_status: KnownPaymentStatus
    payment_method: str
    delivery_method: str
    preferred_week: str = ""
    scheduled: ScheduledDelivery | None = None
    shipments: list[Shipment]
    lines: list[OrderLine]
    shipping_address: NamedAddress
    billing_address: NamedAddress
    service_package: KnownServicePackage = None
    insurance: str = ""
    subtotal: Amount
    discount: Amount
    shipping_costs: Amount
    service_costs: Amount
    insurance_costs: Amount
    adjustments: list[Adjustment] = Field(default_factory=list)
    total: Amount
    adds_up: bool = True
    paid: Amount
    settled: Amount = Decimal("0.00")
    refunded: Amount = Decimal("0.00")
    due: Amount
    due_later: Amount = Decimal(0)
    refund: Amount = Decimal(0)
    refund_id: str = ""
    currency: str = "EUR"
    return_days: int
    withdrawal_days: int
    returning: Annotated[Returning, otherwise(Returning, Returning.OPEN)] = Returning.OPEN
    return_until: date | None = None
    withdraw_until: date | None = None
    withdrawable: bool = False
    invoices: list[InvoiceSummary]
    delivery_date_open: bool = False


class OrdersApi(Protocol):
    """The customer's orders and invoices."""

    @operation("GET", "/orders")
    async def orders(
        self,
        token: Token,
        page: PageNumber = 1,
        text: SearchText = "",
        year: Year = 0,
        selection: Annotated[OrderSelection, Field(description="Which of the orders.")] = OrderSelection.ALL,
    ) -> OrderPage:
        """List the customer's orders, newest first. A page number beyond the last returns the last page.

        The text is part of the number of an order, or of the name of what was ordered.
        """

    @operation("GET", "/orders/{order_number}")
    async def order(self, token: Token, order_number: str) -> Order:
        """One order with all details."""

    @operation("GET", "/invoices")
    async def invoices(
        self,
        token: Token,
        page: PageNumber = 1,
        text: SearchText = "",
        year: Year = 0,
        selection: Annotated[InvoiceSelection, Field(description="Which of the invoices.")] = InvoiceSelection.ALL,
    ) -> InvoicePage:
        """List the customer's invoices, newest first. A page number beyond the last returns the last page.

        The text is part of the number of an invoice or of its order.
        """

    @operation("GET", "/invoices/{invoice_id}")
    async def invoice(self, token: Token, invoice_id: str) -> Invoice:
        """One invoice, with what a transfer needs while an amount is due."""

    @operation("GET", "/invoices/{invoice_id}/pdf", media=PDF, refuses=(DeclaredRefusal(Unavailable, Code.PDF_FAILED),))
    async def invoice_pdf(self, token: Token, invoice_id: str, locale: FileLocale) -> Document:
        """One invoice as a PDF, in the given language."""

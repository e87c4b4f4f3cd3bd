"""Views of the page of an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from portal.contract.models import Picture
from portal.deliveries.pages.order_status import preferred
from portal.frontend.actions import OLDER_RETURN, STARTS
from portal.frontend.models import viewed
from portal.kernel.address import address_lines
from portal.kernel.days import today
from portal.orders.api import NamedAddress, Order, OrderLine, Shipment
from portal.orders.pages.state import InvoiceEntry
from portal.orders.rules import order_return_until, returning
from portal.overview.api import LineAction, LineActions
from portal.returns.flow.kinds import ACCESSORIES, RETURN
from portal.returns.rules.units import can_withdraw, withdrawal_until
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import ARRIVED, DeliveryEnd, DeliveryStatus, delivery_tone, end, handed_over, phase
from portal.vocabulary.orders import payment_tone
from portal.vocabulary.status import Tone


@dataclass(frozen=True, slots=True)
class LineActionView:
    """An action on a line.

    `href` of a closed one is the open request that closes it, or empty; `older` is its address in the variant
    `retouren`.
    """

    feature: str
    refusal: str
    href: str
    older: str


@dataclass(frozen=True, slots=True)
class LineView:
    """One order line, with the actions that can be started for it and those that cannot."""

    name: str
    sku: str
    picture: Picture
    color: str
    size: str
    battery: str
    quantity: int
    unit_price: str
    price: str
    bike_id: str
    actions: list[LineActionView]
    closed: list[LineActionView]


@dataclass(frozen=True, slots=True)
class ShipmentView:
    """One parcel. `url` is an https address or empty."""

    carrier: str
    code: str
    url: str
    shipped: str
    delivered: str


@dataclass(frozen=True, slots=True)
class OrderAddressView:
    """A postal address; `country` is a code."""

    name: str = ""
    street: str = ""
    place: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class AmountView:
    """One line of the costs: the key of its label, and the signed amount."""

    key: str
    amount: str


@dataclass(frozen=True, slots=True)
class OrderView:
    """The values of the page of an order. Empty texts mean unknown or not available.

    Attributes:
        phase: index of the current phase; -1 for a cancelled or refused order.
        refund: what is paid back for what was never sent; empty if nothing is. `refund_id` is the id of that return.
        can_move: whether the planned day can be changed, if the shop offers that for the order.
        preferred_week: week number, or a text if it is not a valid week.
        preferred_from: Monday of that week; empty for a text.
        return_until: last day for a return; empty while nothing was shipped.
        to_pay: id of the oldest invoice with an amount due; empty without one.
        withdraw_until: last day to withdraw; empty until everything has arrived.
    """

    number: str = ""
    ordered_at: str = ""
    status: str = ""
    tone: Tone = "neutral"
    phase: int = -1
    ending: str = DeliveryEnd.DELIVERY.value
    scheduled_day: str = ""
    scheduled_from: str = ""
    scheduled_until: str = ""
    date_open: bool = False
    can_move: bool = False
    preferred_week: str = ""
    preferred_from: str = ""
    delivery_method: str = ""
    shipments: list[ShipmentView] = field(default_factory=list)
    lines: list[LineView] = field(default_factory=list)
    amounts: list[AmountView] = field(default_factory=list)
    total: str = "0"
    paid: str = "0"
    settled: str = ""
    due: str = ""
    due_now: str = ""
    refund: str = ""
    refund_id: str = ""
    payment: str = ""
    payment_tone: Tone = "neutral"
    payment_method: str = ""
    shipping: OrderAddressView = field(default_factory=OrderAddressView)
    billing: OrderAddressView = field(default_factory=OrderAddressView)
    same_address: bool = True
    package: str = ""
    insurance: str = ""
    invoices: list[InvoiceEntry] = field(default_factory=list)
    to_pay: str = ""
    returning: str = "open"
    return_until: str = ""
    withdraw_until: str = ""
    withdrawable: bool = False


def order_view(order: Order, on: date | None = None, startable: Sequence[LineActions] = ()) -> OrderView:
    day = on or today()
    actions = {entry.position: entry for entry in startable}
    until = _withdraw_until(order)
    shipped = [parcel.shipped_at for parcel in order.shipments]
    last = order_return_until(shipped, order.return_days)
    at = phase(order.delivery_status)
    shipping, billing = _address(order.shipping_address), _address(order.billing_address)
    scheduled = order.scheduled
    week, monday = preferred(order.preferred_week)
    return OrderView(
        number=order.order_number,
        ordered_at=order.ordered_at.isoformat(),
        status=order.delivery_status.value if order.delivery_status else "",
        tone=delivery_tone(order.delivery_status),
        phase=-1 if at is None else at,
        ending=end(order.delivery_status).value,
        scheduled_day=scheduled.day.isoformat() if scheduled else "",
        scheduled_from=scheduled.from_time if scheduled else "",
        scheduled_until=scheduled.until_time if scheduled else "",
        date_open=order.delivery_date_open,
        can_move=bool(scheduled) and not handed_over(order.delivery_status),
        preferred_week=week,
        preferred_from=monday,
        delivery_method=order.delivery_method,
        shipments=[_shipment(parcel) for parcel in order.shipments],
        lines=[_line(line, actions.get(line.position)) for line in order.lines],
        amounts=_amounts(order),
        total=str(order.total),
        paid=str(order.paid),
        settled=str(order.settled) if order.settled else "",
        due=str(order.due) if order.due > 0 else "",
        due_now=str(order.due - order.due_later) if order.due > order.due_later else "",
        refund=str(order.refund) if order.refund else "",
        refund_id=order.refund_id,
        payment=order.payment_status.value,
        payment_tone=payment_tone(order.payment_status),
        payment_method=order.payment_method,
        shipping=shipping,
        billing=billing,
        same_address=shipping == billing,
        package=order.service_package.value if order.service_package else "",
        insurance=order.insurance,
        invoices=[viewed(InvoiceEntry, invoice) for invoice in order.invoices],
        to_pay=next((invoice.invoice_id for invoice in order.invoices if invoice.due > 0), ""),
        returning=returning(order.delivery_status, shipped, order.return_days, day).value,
        return_until=last.isoformat() if last else "",
        withdraw_until=until.isoformat() if until else "",
        withdrawable=can_withdraw(until, day) and order.delivery_status is not DeliveryStatus.ORDER_CANCELLED,
    )


def _withdraw_until(order: Order) -> date | None:
    """Return the last day to withdraw; None until everything has arrived."""
    whole = order.delivery_status in ARRIVED
    delivered = (parcel.delivered_at for parcel in order.shipments)
    return withdrawal_until(delivered, order.withdrawal_days) if whole else None


def _line(line: OrderLine, startable: LineActions | None) -> LineView:
    actions = [_action(entry, startable) for entry in startable.actions] if startable else []
    return LineView(
        name=line.name,
        sku=line.sku,
        picture=line.picture,
        color=line.item_color,
        size=line.frame_size,
        battery=line.battery,
        quantity=line.quantity,
        unit_price=str(line.unit_price),
        price=str(line.price),
        bike_id=line.bike_id or "",
        actions=[action for action in actions if not action.refusal],
        closed=[action for action in actions if action.refusal],
    )


def _action(action: LineAction, line: LineActions) -> LineActionView:
    refusal = action.refusal.value if action.refusal else ""
    href, older = action.page if refusal else _start(action, line), ""
    if action.feature is Feature.RETURN and not refusal:
        older = f"{OLDER_RETURN}?item={line.item}"
    return LineActionView(action.feature.value, refusal, href, older)


def _start(action: LineAction, line: LineActions) -> str:
    if action.feature is Feature.RETURN:
        return f"{(ACCESSORIES if action.flow == ACCESSORIES.name else RETURN).path}?item={line.item}"
    return f"{STARTS[action.feature]}?bike={line.bike_id}"


def _shipment(parcel: Shipment) -> ShipmentView:
    return ShipmentView(
        carrier=parcel.carrier,
        code=parcel.tracking_code,
        # Links go to https addresses only.
        url=parcel.tracking_url if parcel.tracking_url.startswith("https://") else "",
        shipped=parcel.shipped_at.isoformat() if parcel.shipped_at else "",
        delivered=parcel.delivered_at.isoformat() if parcel.delivered_at else "",
    )


def _address(address: NamedAddress) -> OrderAddressView:
    street, place = address_lines(address)
    return OrderAddressView(name=address.name, street=street, place=place, country=address.country_code.value)


def _amounts(order: Order) -> list[AmountView]:
    """The lines from subtotal to total, without zero amounts; zero shipping costs are shown as free."""
    steps: list[tuple[str, Decimal, bool]] = [
        ("subtotal", order.subtotal, True),
        ("discount", -order.discount, order.discount != 0),
        ("shipping", order.shipping_costs, True),
        ("service", order.service_costs, order.service_costs != 0),
        ("insurance", order.insurance_costs, order.insurance_costs != 0),
    ]
    return [AmountView(key, str(amount)) for key, amount, shown in steps if shown]

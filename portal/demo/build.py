"""Turns plans into database rows. All amounts are computed here, never written by hand."""

from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import groupby

from portal.demo.aftercare import BuiltRequest, bike_row, request_row
from portal.demo.catalogue import PACKAGE_PRICES
from portal.demo.plans import (
    INSURANCE,
    INSURANCE_PRICE,
    TRACKING_PAGE,
    AddressPlan,
    CustomerPlan,
    Days,
    Invoicing,
    LinePlan,
    OrderPlan,
    PaymentPlan,
    PersonPlan,
    ShipmentPlan,
    iso_week,
    last_working_day,
    local_moment,
    number_from,
    stable_id,
)
from portal.demo.travelling import Contents, contents
from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.days import local_day
from portal.tables.bikes import BikeRow
from portal.tables.columns import ZERO
from portal.tables.customers import CustomerRow
from portal.tables.orders import (
    AddressRole,
    InvoiceLineRow,
    InvoiceRow,
    OrderAddressRow,
    OrderLineRow,
    OrderRow,
    ShipmentRow,
)
from portal.vocabulary.actions import BIKE_ORDER_FEATURES, PARCEL_ORDER_FEATURES
from portal.vocabulary.orders import InvoiceStatus, ItemKind, PaymentStatus

TERM = timedelta(days=14)
"""PaymentPlan term of an invoice."""


@dataclass(slots=True)
class BuiltInvoice:
    row: InvoiceRow
    lines: list[InvoiceLineRow]


def invoices(
    plan: OrderPlan, order: OrderRow, lines: list[OrderLineRow], shipments: list[ShipmentRow], days: Days
) -> list[BuiltInvoice]:
    if plan.invoicing is Invoicing.NOT_YET:
        return []
    parts = [lines] if plan.invoicing is Invoicing.ONCE or len(lines) == 1 else [lines[:1], lines[1:]]
    sent = min((local_day(parcel.shipped_at) for parcel in shipments if parcel.shipped_at), default=None)
    invoiced_on = sent or local_day(order.ordered_at)
    built = []
    # Discount and costs go on the first invoice whose lines amount to at least the discount.
    carries = next(place for place, part in enumerate(parts) if _sum(part) >= order.discount)
    unpaid = {PaymentPlan.NOTHING: range(len(parts)), PaymentPlan.FIRST_INVOICE: range(1, len(parts))}.get(
        plan.payment, range(0)
    )
    for place, part in enumerate(parts):
        row = _invoice(order, place, part, invoiced_on, carries=place == carries)
        row.paid = ZERO if place in unpaid else row.total
        row.status = _status(row, days.today, refunded=plan.payment is PaymentPlan.REFUNDED)
        built.append(BuiltInvoice(row, [_invoice_line(position, line) for position, line in enumerate(part, 1)]))
    return built


def _sum(lines: list[OrderLineRow]) -> Decimal:
    return sum((line.price for line in lines), ZERO)


def _invoice(order: OrderRow, place: int, lines: list[OrderLineRow], day: date, *, carries: bool) -> InvoiceRow:
    subtotal = _sum(lines)
    discount = order.discount if carries else ZERO
    shipping_costs = order.shipping_costs if carries else ZERO
    service_costs = order.service_costs if carries else ZERO
    insurance_costs = order.insurance_costs if carries else ZERO
    return InvoiceRow(
        public_id=stable_id("invoice", order.order_number, place),
        number=f"F{order.order_number}-{place + 1}",
        customer_id=0,
        order_id=0,
        invoice_date=day,
        expire_date=day + TERM,
        status=InvoiceStatus.OPEN,
        subtotal=subtotal,
        discount=discount,
        shipping_costs=shipping_costs,
        service_costs=service_costs,
        insurance_costs=insurance_costs,
        total=subtotal - discount + shipping_costs + service_costs + insurance_costs,
    )


def _status(row: InvoiceRow, today: date, *, refunded: bool) -> InvoiceStatus:
    if refunded:
        return InvoiceStatus.CANCELLED
    if row.paid == row.total:
        return InvoiceStatus.PAID
    return InvoiceStatus.OPEN if row.expire_date >= today else InvoiceStatus.UNPAID


_INVOICED = {
    "name", "name_en", "item_color", "item_color_en", "frame_size", "battery", "quantity", "unit_price", "price",
}  # fmt: skip


def _invoice_line(position: int, line: OrderLineRow) -> InvoiceLineRow:
    return InvoiceLineRow(invoice_id=0, position=position, **line.model_dump(include=_INVOICED))


DEPOSIT = Decimal("500.00")
NOT_SAVED = 0
"""Placeholder for a primary key that the database has not assigned yet."""


@dataclass(slots=True)
class BuiltBike:
    row: BikeRow
    line: OrderLineRow
    requests: list[BuiltRequest] = field(default_factory=list)


@dataclass(slots=True)
class BuiltOrder:
    row: OrderRow
    lines: list[OrderLineRow]
    addresses: list[OrderAddressRow]
    shipments: list[ShipmentRow]
    contents: Contents
    bikes: list[BuiltBike]
    invoices: list[BuiltInvoice]


@dataclass(slots=True)
class BuiltCustomer:
    row: CustomerRow
    orders: list[BuiltOrder]


def build_customer(plan: CustomerPlan, days: Days) -> BuiltCustomer:
    person = plan.person
    first = max((order.placed for order in plan.orders), default=10)
    row = CustomerRow(
        public_id=stable_id("customer", person.email),
        first_name=person.first_name,
        prefix=person.prefix,
        last_name=person.last_name,
        email=person.email,
        email_key=validation.email_key(person.email),
        phone=person.phone,
        **asdict(person.place),
        locale=person.locale,
        created_at=days.moment(first, 8),
        updated_at=days.moment(first, 8),
    )
    return BuiltCustomer(row, _in_sequence(plan, days))


def _in_sequence(plan: CustomerPlan, days: Days) -> list[BuiltOrder]:
    built: dict[str, BuiltOrder] = {}
    newest_first = sorted(plan.orders, key=lambda order: order.placed)
    for _, entries in groupby(newest_first, key=lambda order: order.placed):
        newer = min((order.row.ordered_at for order in built.values()), default=None)
        built |= {order.number: build_order(order, plan.person, days, newer) for order in entries}
    return [built[order.number] for order in plan.orders]


def build_order(plan: OrderPlan, person: PersonPlan, days: Days, newer: datetime | None = None) -> BuiltOrder:
    lines = [_line(position, line) for position, line in enumerate(plan.lines, 1)]
    country = plan.country or person.place.country_code
    shipments = [_shipment(plan.number, place, parcel, country, days) for place, parcel in enumerate(plan.shipments)]
    row = _order(plan, person.place, lines, shipments, days, newer)
    built_invoices = invoices(plan, row, lines, shipments, days)
    _pay(plan, row, built_invoices)
    addresses = [
        _address(AddressRole.SHIPPING, person, person.place),
        _address(AddressRole.BILLING, person, plan.billing or person.place),
    ]
    in_parcels = contents(plan, shipments, lines)
    arrived = {line.position: local_day(parcel.delivered_at) for parcel, line, _ in in_parcels if parcel.delivered_at}
    bikes = [
        _bike(plan, order_line, line, days, arrived.get(line.position))
        for order_line, line in zip(plan.lines, lines, strict=True)
        if order_line.bike
    ]
    return BuiltOrder(row, lines, addresses, shipments, in_parcels, bikes, built_invoices)


def _line(position: int, plan: LinePlan) -> OrderLineRow:
    product = plan.product
    return OrderLineRow(
        order_id=NOT_SAVED,
        position=position,
        name=product.name,
        name_en=product.english,
        sku=product.sku,
        kind=product.kind,
        item_color=product.colors[plan.color].name if product.colors else "",
        item_color_en=product.colors[plan.color].english if product.colors else "",
        frame_size=product.sizes[min(plan.size, len(product.sizes) - 1)] if product.sizes else "",
        battery=product.engine.battery if product.engine else product.battery,
        bundle=plan.bundle,
        bundle_en=plan.bundle_en,
        quantity=plan.quantity,
        unit_price=product.price,
        price=product.price * plan.quantity,
    )


def _order(
    plan: OrderPlan,
    place: AddressPlan,
    lines: list[OrderLineRow],
    shipments: list[ShipmentRow],
    days: Days,
    newer: datetime | None,
) -> OrderRow:
    chance = number_from("order", plan.number)
    left = [local_day(parcel.shipped_at) - _DAY for parcel in shipments if parcel.shipped_at]
    ordered_at = local_moment(min([days.ago(plan.placed), *left]), 8 + chance % 14, chance // 14 % 60)
    if newer:
        ordered_at = min(ordered_at, newer - timedelta(minutes=1))
    subtotal = sum((line.price for line in lines), ZERO)
    # As in `aftercare.bike_row`, the package and the insurance belong to the bike of the first line.
    service_costs = lines[0].service_costs = PACKAGE_PRICES[plan.package] if plan.package else ZERO
    insurance_costs = lines[0].insurance_costs = INSURANCE_PRICE if plan.insured else ZERO
    features = plan.features
    if features is None:
        features = (
            BIKE_ORDER_FEATURES if any(line.kind is not ItemKind.ACCESSORY for line in lines) else PARCEL_ORDER_FEATURES
        )
    country = plan.country or place.country_code
    scheduled = days.working_day(plan.scheduled, country) if plan.scheduled is not None else None
    preferred = local_day(ordered_at) + timedelta(weeks=plan.weeks_ahead) if plan.weeks_ahead is not None else None
    return OrderRow(
        order_number=plan.number,
        customer_id=NOT_SAVED,
        country_code=country,
        is_lease=plan.lease_reference is not None,
        lease_reference=plan.lease_reference,
        features=[feature.value for feature in features],
        ordered_at=ordered_at,
        delivery_status=plan.delivery,
        payment_status=PaymentStatus.OPEN,
        payment_method=plan.payment_method,
        delivery_method=plan.delivery_method,
        preferred_week=iso_week(scheduled or preferred) if preferred else "",
        scheduled_day=scheduled,
        scheduled_from=plan.window[0] if scheduled else "",
        scheduled_until=plan.window[1] if scheduled else "",
        service_package=plan.package,
        insurance=INSURANCE if plan.insured else "",
        subtotal=subtotal,
        discount=plan.discount,
        shipping_costs=plan.shipping_costs,
        service_costs=service_costs,
        insurance_costs=insurance_costs,
        total=subtotal - plan.discount + plan.shipping_costs + service_costs + insurance_costs,
    )


def _pay(plan: OrderPlan, row: OrderRow, built: list[BuiltInvoice]) -> None:
    row.invoiced_at = min((invoice.row.invoice_date for invoice in built), default=None)
    match plan.payment:
        case PaymentPlan.ALL | PaymentPlan.REFUNDED:
            row.paid = row.total
        case PaymentPlan.NOTHING:
            row.paid = ZERO
        case PaymentPlan.FIRST_INVOICE:
            row.paid = built[0].row.total
        case PaymentPlan.DEPOSIT:
            row.paid = min(DEPOSIT, row.total)
    if plan.payment is PaymentPlan.REFUNDED:
        row.payment_status = PaymentStatus.REFUNDED
    elif row.paid == row.total:
        row.payment_status = PaymentStatus.PAID
    else:
        row.payment_status = PaymentStatus.PARTLY_PAID if row.paid else PaymentStatus.OPEN


def _bike(plan: OrderPlan, line_plan: LinePlan, line: OrderLineRow, days: Days, delivered_on: date | None) -> BuiltBike:
    row = bike_row(plan, line_plan, line, days, delivered_on)
    requests = line_plan.bike.requests if line_plan.bike else ()
    return BuiltBike(row, line, [request_row(row, place, request, days) for place, request in enumerate(requests)])


def _address(role: AddressRole, person: PersonPlan, place: AddressPlan) -> OrderAddressRow:
    return OrderAddressRow(order_id=NOT_SAVED, role=role, name=person.full_name, **asdict(place))


_DAY = timedelta(days=1)


def _shipment(number: str, place: int, plan: ShipmentPlan, country: Country, days: Days) -> ShipmentRow:
    """The parcel. It left and arrived on delivery days, the last ones up to the planned days."""
    code = f"KP{stable_id('parcel', number, place, length=11)}" if plan.tracked else ""
    delivered = None if plan.delivered is None else days.worked(plan.delivered, country)
    # What has not arrived was tried on the last delivery day, unless it left only yesterday.
    tried = days.worked(1, country) if delivered is None and plan.shipped > 1 else delivered
    left = days.ago(plan.shipped) if tried is None else min(days.ago(plan.shipped), tried - _DAY)
    return ShipmentRow(
        order_id=NOT_SAVED,
        carrier=plan.carrier.name_in(days.settings),
        tracking_code=code,
        tracking_url=TRACKING_PAGE + code if code else "",
        shipped_at=local_moment(last_working_day(left, country), 16, 5),
        delivered_at=None if delivered is None else local_moment(delivered, 11, 40),
    )

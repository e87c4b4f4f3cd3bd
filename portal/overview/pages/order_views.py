"""What the page of an order computes from its models."""

from decimal import Decimal

from pydantic import computed_field

from portal.deliveries.pages.order_status import preferred
from portal.frontend.actions import OLDER_RETURN, STARTS
from portal.kernel.address import address_lines
from portal.orders.api import NamedAddress, Order, OrderLine
from portal.orders.pages.state import InvoiceEntry
from portal.overview.api import LineAction, LineActions
from portal.returns.flow.kinds import ACCESSORIES, RETURN
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DeliveryEnd, delivery_tone, end, handed_over, phase
from portal.vocabulary.orders import payment_tone, tells_payment
from portal.vocabulary.status import Tone


class ShownAction(LineAction):
    """An action on a line; `href` starts it, and `older` starts it in the variant `retouren`."""

    href: str
    older: str


class ShownLine(OrderLine):
    actions: list[ShownAction]
    closed: list[ShownAction]


class ShownAddress(NamedAddress):
    @computed_field
    @property
    def lines(self) -> list[str]:
        return [self.name, *address_lines(self)]


class ShownOrder(Order):
    lines: list[ShownLine]  # pyrefly: ignore[bad-override]  # the model is frozen
    invoices: list[InvoiceEntry]  # pyrefly: ignore[bad-override]  # the model is frozen
    shipping_address: ShownAddress
    billing_address: ShownAddress

    @computed_field
    @property
    def tone(self) -> Tone:
        return delivery_tone(self.delivery_status)

    @computed_field
    @property
    def payment_tone(self) -> Tone:
        return payment_tone(self.payment_status)

    @computed_field
    @property
    def tells_payment(self) -> bool:
        return tells_payment(self.payment_status, self.delivery_status)

    @computed_field
    @property
    def phase(self) -> int:
        """The index of the current phase; -1 for a cancelled or refused order."""
        at = phase(self.delivery_status)
        return -1 if at is None else at

    @computed_field
    @property
    def ending(self) -> DeliveryEnd:
        return end(self.delivery_status)

    @computed_field
    @property
    def can_move(self) -> bool:
        return self.scheduled is not None and not handed_over(self.delivery_status)

    @computed_field
    @property
    def week(self) -> list[str]:
        return [*preferred(self.preferred_week)]

    @computed_field
    @property
    def deduction(self) -> Decimal:
        return -self.discount

    @computed_field
    @property
    def due_now(self) -> Decimal:
        return self.due - self.due_later

    @computed_field
    @property
    def to_pay(self) -> str:
        """The id of the newest invoice with an amount due; empty without one."""
        return next((invoice.invoice_id for invoice in self.invoices if invoice.due > 0), "")

    @computed_field
    @property
    def flows(self) -> list[str]:
        """The names of the flows that an item of it can be returned by now."""
        return sorted({action.flow for line in self.lines for action in line.actions if action.flow})

    @computed_field
    @property
    def same_address(self) -> bool:
        return self.shipping_address == self.billing_address


def shown_order(order: Order, startable: list[LineActions]) -> ShownOrder:
    actions = {entry.position: entry for entry in startable}
    lines = [_line(line, actions.get(line.position)) for line in order.lines]
    return ShownOrder.model_validate({**dict(order), "lines": lines}, from_attributes=True)


def _line(line: OrderLine, startable: LineActions | None) -> ShownLine:
    found = [_action(action, startable) for action in startable.actions] if startable else []
    open_, closed = [entry for entry in found if not entry.refusal], [entry for entry in found if entry.refusal]
    return ShownLine.model_validate({**dict(line), "actions": open_, "closed": closed})


def _action(action: LineAction, line: LineActions) -> ShownAction:
    returns = action.feature is Feature.RETURN
    start = ACCESSORIES.path if action.flow == ACCESSORIES.name else RETURN.path if returns else STARTS[action.feature]
    asked = f"item={line.item}" if returns else f"bike={line.bike_id}"
    return ShownAction.model_validate(
        {**dict(action), "href": f"{start}?{asked}", "older": f"{OLDER_RETURN}?{asked}" if returns else ""}
    )

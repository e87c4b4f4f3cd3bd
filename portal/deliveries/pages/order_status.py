"""The order status page (part-2 §2 Order status): phases, planned day, shipments and history."""

import re
from datetime import date
from typing import Any, ClassVar

import reflex as rx
from pydantic import computed_field

from portal import ui
from portal.contract.models import Picture
from portal.contract.registry import ask
from portal.deliveries.api import DeliveriesApi, DeliveryEvent, OrderStatus, ShipmentStatus, ShippedItem
from portal.deliveries.pages.planned import code_line, delivery_plan, parts_heading, planned_line
from portal.deliveries.pages.state import ShownDateChange
from portal.frontend.actions import contact_about
from portal.frontend.live import Live, live_line, request_loading
from portal.frontend.load import Question, last_part
from portal.frontend.load_views import detail_title, is_here, loaded, status_panel, unless_missing
from portal.frontend.models import entry
from portal.frontend.registry import PageRoute
from portal.frontend.texts import delivery_status, track_with
from portal.i18n import Text, _, day, lowered
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.vocabulary.actions import Feature, Topic
from portal.vocabulary.deliveries import ARRIVED, FINISHED, STUCK, DeliveryStatus, delivery_tone, handed_over
from portal.vocabulary.status import Tone


def preferred(text: str) -> tuple[str, str]:
    """Number and Monday of an ISO week such as '2026-W24'. Any other text is returned as it is, with an empty day."""
    found = re.fullmatch(r"(\d{4})-W(\d{1,2})", text)
    try:
        monday = date.fromisocalendar(int(found[1]), int(found[2]), 1) if found else None
    except ValueError:
        monday = None
    return (str(monday.isocalendar().week), monday.isoformat()) if monday else (text, "")


class ShownShippedItem(ShippedItem):
    @computed_field
    @property
    def detail(self) -> str:
        return ", ".join(text for text in (self.item_color, self.frame_size) if text)


class ShownPart(ShipmentStatus):
    items: list[ShownShippedItem]  # pyrefly: ignore[bad-override]  # only read: the model is frozen

    @computed_field
    @property
    def tone(self) -> Tone:
        return delivery_tone(self.status)


class DeliveryHistoryEntry(DeliveryEvent):
    moved: bool
    """False if the status of the part did not change."""


class ShownOrderStatus(OrderStatus):
    shipments: list[ShownPart]  # pyrefly: ignore[bad-override]  # only read: the model is frozen
    unshipped: list[ShownShippedItem]  # pyrefly: ignore[bad-override]  # only read: the model is frozen
    events: list[DeliveryHistoryEntry]  # pyrefly: ignore[bad-override]  # only read: the model is frozen
    change: ShownDateChange | None

    @computed_field
    @property
    def tone(self) -> Tone:
        return delivery_tone(self.status)

    @computed_field
    @property
    def undated(self) -> bool:
        return self.scheduled is None and not handed_over(self.status)

    @computed_field
    @property
    def week(self) -> list[str]:
        return [*preferred(self.preferred_week)]

    @computed_field
    @property
    def picture(self) -> Picture:
        """Of what was ordered: of a bike, if there is one."""
        items = [*(item for part in self.shipments for item in part.items), *self.unshipped]
        bikes = [item for item in items if item.bike_id]
        return next((item.picture for item in (*bikes, *items)), Picture())

    @computed_field
    @property
    def unsorted(self) -> bool:
        """Whether nobody knows which items are in which part."""
        return len(self.shipments) > 1 and not any(part.items for part in self.shipments)

    @computed_field
    @property
    def followed(self) -> str:
        """The carrier's page of the shipment on its way; empty if there are several, each with its own, or none."""
        travelling = [part for part in self.shipments if not part.delivered_at and part.status not in ARRIVED]
        urls = [part.tracking_url for part in travelling if part.tracking_url]
        return urls[0] if len(urls) == 1 else ""


def order_status_view(order: OrderStatus) -> ShownOrderStatus:
    events: list[dict[str, object]] = []
    last: dict[int | None, DeliveryStatus] = {}
    for event in order.events:
        events.append({**dict(event), "moved": last.get(event.part) != event.status})
        last[event.part] = event.status
    return ShownOrderStatus.model_validate({**dict(order), "events": events[::-1]}, from_attributes=True)


class OrderStatusPage(Live, rx.State):
    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES, Topic.MESSAGES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("order",)
    order: rx.Field[ShownOrderStatus | None] = rx.field(None)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[OrderStatus]:
        number = self._about()
        return lambda token: ask(DeliveriesApi).order_status(token, number)

    def _show(self, order: OrderStatus) -> None:
        self.order = order_status_view(order)


def on_its_way(shipped: rx.Var[Any], delivered: rx.Var[Any], collected: rx.Var[bool], otherwise: Text) -> rx.Var[str]:
    last = day(delivered)
    arrived = rx.cond(collected, _("Picked up on {day}", day=last), _("Delivered on {day}", day=last))
    left = rx.cond(shipped, _("Shipped on {day}", day=day(shipped)), otherwise)
    return rx.cond(delivered, arrived, left).to(str)


def shipments(parts: rx.vars.ArrayVar[list[ShownPart]], several: rx.Var[bool], followed: rx.Var[str]) -> rx.Component:
    return ui.item_list(parts, lambda part: _part(part, several, parts.length(), followed), gap=4)


def to_come(items: rx.vars.ArrayVar[list[ShownShippedItem]], name: Text, note: Text | None = None) -> rx.Component:
    return ui.card(
        ui.small_heading(name),
        *([ui.muted(note)] if note is not None else []),
        ui.item_list(items, _item, gap=3, top=4),
    )


def _part(
    part: rx.vars.ObjectVar[ShownPart], several: rx.Var[bool], total: rx.vars.NumberVar[int], followed: rx.Var[str]
) -> rx.Component:
    name = rx.cond(
        several,
        # The only shipment of an incomplete order is "Part 1", not "Part 1 of 1".
        rx.cond(total > 1, _("Part {n} of {total}", n=part.part, total=total), _("Part {n}", n=part.part)),
        rx.cond(part.carrier != "", part.carrier, _("Your delivery")),
    ).to(str)
    items = entry(part, "items").to(list[ShownShippedItem])
    return rx.el.li(
        rx.el.div(
            ui.small_heading(name),
            # A single shipment has the status of the order, which the page shows already.
            ui.badge(localized(part.account.status), part.tone, shown=several),
            class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-2",
        ),
        # A delivered shipment shows its delivery day below instead. The status block explains a single shipment.
        ui.text(localized(part.account.meaning), top=1, shown=several & ~part.delivered_at.bool()),
        rx.cond(
            several & (localized(part.account.handover.when) != ""), planned_line(part.account.handover.when, "mt-2")
        ),
        ui.muted(
            on_its_way(part.shipped_at, part.delivered_at, part.status == DeliveryStatus.ORDER_PICKED_UP.value, ""),
            look="empty:hidden",
            top=1,
        ),
        ui.item_list(items, _item, gap=3, top=4, shown=items),
        rx.cond((part.tracking_code != "") | (part.tracking_url != "") | several, _tracking(part, several, followed)),
        class_name="card",
        key=part.part.to_string(),
    )


def _tracking(part: rx.vars.ObjectVar[ShownPart], several: rx.Var[bool], followed: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        ui.block(
            ui.strong(part.carrier, shown=several & (part.carrier != "")),
            rx.cond(
                part.tracking_code != "",
                rx.el.div(
                    code_line(part.tracking_code), ui.copy_button(part.tracking_code, _("Copy track and trace code"))
                ),
            ),
        ),
        rx.cond((part.tracking_url != "") & (part.tracking_url != followed), _at_the_carrier(part, "secondary")),
        class_name="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5 "
        "empty:hidden",
    )


def _item(item: rx.vars.ObjectVar[ShownShippedItem]) -> rx.Component:
    name = rx.cond(item.quantity.to(int) > 1, _("{n} × {name}", n=item.quantity, name=item.name), item.name).to(str)
    return rx.el.li(
        picture(item.picture, "6rem", "w-20 md:w-24"),
        ui.block(
            rx.cond(
                item.bike_id,
                rx.el.a(name, to=f"/bikes/{item.bike_id}", class_name=f"{ui.LINK} inline-flex min-h-6 items-center"),
                ui.text(name),
            ),
            ui.small(item.detail, shown=item.detail != ""),
        ),
        class_name="flex items-center gap-4",
    )


def delivery_history(events: rx.vars.ArrayVar[list[DeliveryHistoryEntry]], several: rx.Var[bool]) -> rx.Component:
    return ui.timeline(events, lambda event, newest: _event(event, several, newest))


def _event(event: rx.vars.ObjectVar[DeliveryHistoryEntry], several: rx.Var[bool], newest: rx.Var[bool]) -> rx.Component:
    status = rx.cond(event.moved, delivery_status(event.status), _("Message from us")).to(str)
    part = event.part.to(int)
    name = rx.cond(several & (part > 0), _("Part {n}: {status}", n=part, status=lowered(status)), status).to(str)
    return ui.event_line(name, event.happened_at.to(str), ui.note(event.note), newest=newest)


_NUMBER = rx.cond(is_here(OrderStatusPage), OrderStatusPage.subject, "").to(str)
_ORDER = OrderStatusPage.order
_PARTS = _ORDER.shipments.to(list[ShownPart])
_HEADING = rx.cond(_NUMBER == "", _("Order status"), _("Status of order {number}", number=_NUMBER)).to(str)


def order_status() -> rx.Component:
    return unless_missing(
        OrderStatusPage,
        ui.page_frame(
            loaded(
                OrderStatusPage, _content(), failure=_(MESSAGES[Code.ORDER_STATUS_FAILED]), loading=request_loading()
            ),
            title=_HEADING,
            back=ui.back_link(_("Order {number}", number=_NUMBER), f"/orders/{_NUMBER}"),
        ),
    )


def _content() -> rx.Component:
    several = _PARTS.length() + rx.cond(_ORDER.unshipped, 1, 0).to(int) > 1
    return rx.fragment(
        _status_block(),
        live_line(OrderStatusPage, _status()),
        ui.stack(_progress(), top=6, shown=_ORDER.account.phase.is_not_none()),
        rx.cond(_ORDER.scheduled.bool() | _ORDER.undated, delivery_plan(_ORDER)),
        rx.el.div(
            ui.block(_parts(several), _history(several)),
            _facts(),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _status() -> rx.Var[str]:
    return localized(_ORDER.account.status)


def _status_block() -> rx.Component:
    stuck = rx.Var.create([status.value for status in STUCK]).contains(_ORDER.status)
    return status_panel(
        ui.badge(_status(), _ORDER.tone),
        ui.text(localized(_ORDER.account.meaning), look="text-h3 md:text-h2", top=4),
        rx.cond(_ORDER.scheduled, planned_line(_ORDER.account.handover.when, "mt-3 text-lg")),
        ui.strong(_ORDER.name, top=3, shown=_ORDER.name != ""),
        ui.text(_("Ordered on {day}", day=day(_ORDER.order_date))),
        rx.foreach(_PARTS, _carrier_link),
        ui.stack(ui.link_button(_("Contact us"), contact_about(Feature.ORDER_STATUS), "light"), top=6, shown=stuck),
        picture=picture(_ORDER.picture, "(min-width: 64rem) 24rem, 18rem", "w-full"),
    )


def _carrier_link(part: rx.vars.ObjectVar[ShownPart]) -> rx.Component:
    return ui.text(
        _at_the_carrier(part, "light"), top=6, shown=(part.tracking_url != "") & (part.tracking_url == _ORDER.followed)
    )


def _at_the_carrier(part: rx.vars.ObjectVar[ShownPart], style: ui.Style) -> rx.Component:
    return ui.anchor(
        track_with(part.carrier),
        ui.hidden_text(" ", _("(opens in a new tab)")),
        href=part.tracking_url,
        target="_blank",
        rel="noreferrer",
        class_name=ui.button_class(style),
    )


def _progress() -> rx.Component:
    phases = [localized(_ORDER.account.phases[place]) for place in range(FINISHED)]
    return ui.tracker(phases, _ORDER.account.phase.to(int), _("Progress of your order"))


def _parts(several: rx.Var[bool]) -> rx.Component:
    parts, unshipped = _PARTS, _ORDER.unshipped.to(list[ShownShippedItem])
    return rx.cond(
        (parts.length() > 0) | (unshipped.length() > 0),
        ui.section(
            parts_heading(parts.length()),
            ui.muted(
                _("Part of your order is already on its way or delivered; the rest will follow."),
                bottom=4,
                shown=_ORDER.partly_shipped,
            ),
            ui.muted(
                _("We don’t know which of your items are in which part."), bottom=4, shown=_ORDER.unsorted.to(bool)
            ),
            shipments(parts, several, _ORDER.followed),
            rx.cond(
                unshipped.length() > 0,
                rx.cond(
                    parts.length() > 0,
                    ui.stack(
                        to_come(
                            unshipped, _("Still to come"), _("This has not been shipped yet. We’ll send it later.")
                        ),
                        top=4,
                    ),
                    to_come(unshipped, _("What you ordered")),
                ),
            ),
        ),
    )


def _history(several: rx.Var[bool]) -> rx.Component:
    events = _ORDER.events.to(list[DeliveryHistoryEntry])
    return rx.cond(events.length() > 0, ui.section(_("What happened"), delivery_history(events, several)))


def _facts() -> rx.Component:
    handover = _ORDER.account.handover
    return ui.section(
        _("Your order"),
        ui.card(
            ui.facts(
                ui.Fact(_("Order number"), _NUMBER, action=ui.copy_button(_NUMBER, _("Copy order number"))),
                ui.Fact(_("Ordered on"), day(_ORDER.order_date)),
                ui.Fact(_("Delivery method"), localized(handover.how), shown=localized(handover.how) != ""),
                ui.Fact(
                    _("Delivery address"),
                    rx.fragment(rx.foreach(handover.place, lambda line: ui.line(line))),
                    shown=handover.place.length() > 0,
                ),
            ),
            ui.stack(ui.link_button(_("Items, prices and invoices"), f"/orders/{_NUMBER}", "secondary"), top=5),
            class_name="[&_.facts]:border-t-0 [&_.facts]:-mt-2",
        ),
    )


PAGES = [
    PageRoute(
        "order-status/[order_id]",
        order_status,
        detail_title(OrderStatusPage, _HEADING),
        on_load=[OrderStatusPage.load, OrderStatusPage.watch],
        first=OrderStatusPage,
    )
]

"""The steps that ask which items come back: one item, several items with counts, or products of one order."""

from __future__ import annotations

import reflex as rx

from portal.flow import Control, Field
from portal.flow.pages.fields import answer, answers, asked, group
from portal.flow.pages.spec import StepFields
from portal.i18n import Text, _, day
from portal.pictures.pages.views import picture
from portal.returns.api import EqualBike
from portal.returns.flow.items import BIKES, ITEM, ITEMS, QUANTITY
from portal.returns.flow.order_return import ORDER
from portal.returns.pages.condition_step import refused_item, refused_items, refused_orders
from portal.returns.pages.flow_state import Returning
from portal.returns.pages.flow_views import ChosenView, CountView, ReturnableItemView, ReturnOrderView
from portal.ui import Fact, Option, option_card

Item = rx.vars.ObjectVar[ReturnableItemView]

_RADIO = "size-6 shrink-0 accent-ink"


def item_body(fields: StepFields) -> rx.Component:
    """The step that asks for one item, and for the number of units where there are several."""
    entry = fields[ITEM]
    bikes = fields[BIKES]
    cards = rx.foreach(Returning.items, lambda item: _with_bikes(bikes, item, _radio(entry.name, item)))
    number = [rx.el.div(asked(one, width="max-w-32"), class_name="quantity") for one in fields.take(QUANTITY)]
    return rx.fragment(group(entry, cards, legend=None, columns=""), *number, refused_items())


def items_body(fields: StepFields) -> rx.Component:
    """The step that asks for several items with counts."""
    entry = fields[ITEMS]
    cards = rx.foreach(Returning.items, lambda item: _countable(entry.name, item))
    return rx.fragment(group(entry, cards, legend=None, columns=""), refused_items())


def _radio(name: str, item: Item) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=name,
            value=item.id,
            default_checked=answer(name) == item.id,
            class_name=_RADIO,
            custom_attrs={"data-many": rx.cond(item.counts.length() > 0, "true", "false")},
        ),
        item_lines(item),
        class_name="choice",
        key=item.id,
    )


def _with_bikes(entry: Field, item: Item, card: rx.Component) -> rx.Component:
    """The card of an item and, once it is chosen, which of several equal bikes is meant."""
    bikes = rx.foreach(item.bikes, lambda bike: _bike(entry, bike))
    return rx.cond(
        item.bikes.length() > 0,
        rx.el.div(
            card,
            rx.el.div(
                group(entry, bikes, legend=_(entry.label), columns=""),
                class_name="reveal reveal-cards",
                custom_attrs={"data-only": ""},
            ),
            class_name="reveals",
            key=item.id,
        ),
        card,
    )


def _bike(entry: Field, bike: rx.vars.ObjectVar[EqualBike]) -> rx.Component:
    return option_card(
        entry.name,
        Option(bike.bike_id, bike.name, bike.note),
        kind="radio" if entry.control is Control.RADIO else "checkbox",
        checked=answers(entry.name).contains(bike.bike_id),
    )


def _countable(name: str, item: Item, *, in_order: bool = False) -> rx.Component:
    """An item with a count, or with a checkbox when only one unit can be returned."""
    return rx.cond(item.counts.length() > 0, _count_select(name, item, in_order), _checkbox(name, item, in_order))


def _checkbox(name: str, item: Item, in_order: bool) -> rx.Component:
    value = item.id.to(str) + "*1"
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            name=name,
            value=value,
            default_checked=answers(name).contains(value),
            class_name=_RADIO,
        ),
        item_lines(item, in_order=in_order),
        class_name="choice",
        key=item.id,
    )


def _count_select(name: str, item: Item, in_order: bool) -> rx.Component:
    identifier = rx.Var.create("count-") + item.id.to(str)
    return rx.el.div(
        item_lines(item, in_order=in_order),
        rx.el.div(
            rx.el.label(
                _("How many?"),
                rx.el.span(" ", item.name, class_name="sr-only"),
                html_for=identifier,
                class_name="block",
            ),
            rx.el.select(
                rx.foreach(item.counts, _count_option),
                name=name,
                default_value=item.picked,
                class_name="field select mt-1 w-32",
                custom_attrs={"id": identifier},
            ),
        ),
        class_name="counted",
        key=item.id,
    )


def _count_option(count: rx.vars.ObjectVar[CountView]) -> rx.Component:
    return rx.el.option(rx.cond(count.count == 0, _("None"), count.count.to_string()), value=count.value)


def item_lines(item: Item, *, in_order: bool = False) -> rx.Component:
    """Name and details of an item, and its last day."""
    ordered = rx.el.span(
        _("Order {number}, {day}", number=item.order, day=day(item.day)),
        class_name="block text-sm text-ink-600 tabular-nums",
    )
    return rx.el.span(
        picture(item.picture, "6rem", "w-16 sm:w-24"),
        rx.el.span(
            rx.el.span(item.name, class_name="block font-semibold"),
            rx.cond(item.about != "", rx.el.span(item.about, class_name="block text-ink-600")),
            rx.cond(
                item.bundle != "",
                rx.el.span(_("Part of {set}", set=item.bundle), class_name="block text-ink-600"),
            ),
            *([] if in_order else [ordered]),
            rx.el.span(
                rx.cond(
                    Returning.exchange,
                    # An exchange takes one unit at a time.
                    _("You can exchange it until {day}", day=day(item.until)),
                    rx.cond(
                        item.most.to(int) > 1,
                        _("You can return {n}, until {day}", n=item.most, day=day(item.until)),
                        _("You can return it until {day}", day=day(item.until)),
                    ),
                ),
                class_name="block text-sm text-ink-600 tabular-nums",
            ),
            class_name="min-w-0",
        ),
        class_name="flex min-w-0 items-center gap-3 sm:gap-4",
    )


@rx.memo
def chosen_aside() -> rx.Component:
    return rx.cond(
        Returning.chosen.length() > 0,
        rx.el.ul(rx.foreach(Returning.chosen, _chosen_card), class_name="card space-y-5"),
    )


def _chosen_card(item: rx.vars.ObjectVar[ChosenView]) -> rx.Component:
    return rx.el.li(
        picture(item.picture, "9rem", "w-32"),
        rx.el.div(
            rx.el.p(
                item.name,
                rx.cond(item.count.to(int) > 1, rx.el.span(" × ", item.count.to_string())),
                class_name="font-semibold",
            ),
            rx.el.p(_("Order {number}", number=item.order), class_name="text-ink-600 tabular-nums"),
            class_name="min-w-0",
        ),
        class_name="flex items-center gap-4",
    )


def chosen_rows(fields: StepFields, name: Text | None = None) -> list[Fact]:
    fields.take(ITEM, QUANTITY, ORDER, ITEMS, BIKES)
    lines = rx.el.ul(
        rx.foreach(
            Returning.chosen,
            lambda item: rx.el.li(
                rx.cond(item.count.to(int) > 1, rx.el.span(item.count.to_string(), " × ", class_name="tabular-nums")),
                item.name,
                rx.el.span(_("Order {number}", number=item.order), class_name="block text-sm text-ink-600"),
                rx.cond(item.bikes != "", rx.el.span(item.bikes, class_name="block text-sm text-ink-600")),
            ),
        ),
        class_name="space-y-1",
    )
    return [Fact(_("You return") if name is None else name, lines)]


def orders_body(fields: StepFields) -> rx.Component:
    """The step that asks for an order and its products. The chosen order shows its products."""
    bikes = fields[BIKES]
    cards = rx.foreach(Returning.orders, lambda order: _order(order, bikes))
    orders = group(fields[ORDER], cards, legend=None, columns="")
    # An error of the products is shown once, above all orders.
    return rx.fragment(group(fields[ITEMS], orders, legend=None, columns=""), refused_orders())


def _order(order: rx.vars.ObjectVar[ReturnOrderView], bikes: Field) -> rx.Component:
    products = rx.foreach(
        order.products.to(list[ReturnableItemView]),
        lambda item: rx.cond(
            item.refusal == "", _with_bikes(bikes, item, _countable(ITEMS, item, in_order=True)), refused_item(item)
        ),
    )
    return rx.el.div(
        rx.el.label(
            rx.el.input(
                type="radio",
                name=ORDER,
                value=order.id,
                default_checked=answer(ORDER) == order.id,
                class_name=_RADIO,
            ),
            rx.el.span(
                rx.el.span(_("Order {number}", number=order.id), class_name="block font-semibold tabular-nums"),
                rx.el.span(_("Ordered on {day}", day=day(order.day)), class_name="block text-ink-600 tabular-nums"),
            ),
            class_name="choice",
        ),
        # The form sends the products of the chosen order only.
        rx.el.fieldset(
            rx.el.legend(_("Products"), class_name="mb-1 font-semibold"),
            rx.el.div(products, class_name="mt-3 grid gap-3"),
            class_name="reveal reveal-cards",
            custom_attrs={"data-only": ""},
        ),
        class_name="reveals",
        key=order.id,
    )

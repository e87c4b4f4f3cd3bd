"""What it is exchanged for: the same one, or another one of the shop with what it costs more or less."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.flows.exchange import PRODUCT, TYPE
from portal.i18n import _, choice, money
from portal.pages.flow.fields import answer, group, option_of
from portal.pages.flow.screens import StepFields
from portal.pages.returning.items import item_art
from portal.states.returning import Returning
from portal.states.views.returning import ProductView
from portal.ui import Fact
from portal.vocabulary.returns import EXCHANGE_NAMES, ExchangeType

Product = rx.vars.ObjectVar[ProductView]


def exchange_body(fields: StepFields) -> rx.Component:
    """The same one, or one of the shop.

    Args:
        fields: those that ask for the kind of exchange and the article.
    """
    kind, product = fields[TYPE], fields[PRODUCT]
    products = rx.foreach(
        Returning.products, lambda item: rx.cond(item.gone, _gone(item), _offered(product.name, item))
    )
    cards = rx.fragment(
        option_of(
            kind,
            ExchangeType.SAME.value,
            _(EXCHANGE_NAMES[ExchangeType.SAME]),
            _("In another colour or size? Choose another one."),
        ),
        rx.el.div(
            option_of(
                kind,
                ExchangeType.OTHER.value,
                _(EXCHANGE_NAMES[ExchangeType.OTHER]),
                _("We settle the difference in price."),
            ),
            rx.el.div(
                group(product, products, legend=_("What would you like instead?"), columns=""),
                class_name="reveal reveal-cards",
            ),
            class_name="reveals",
        ),
    )
    return group(kind, cards, legend=None, columns="")


def _offered(name: str, item: Product) -> rx.Component:
    title, about = rx.Var.create("product-") + item.id.to(str), rx.Var.create("about-") + item.id.to(str)
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=name,
            value=item.id,
            default_checked=answer(name) == item.id,
            class_name="size-6 shrink-0 accent-ink",
            custom_attrs={"aria-labelledby": title, "aria-describedby": about},
        ),
        item_art(item, "w-12 sm:w-18"),
        rx.el.span(
            rx.el.span(item.name, custom_attrs={"id": title}, class_name="block font-semibold"),
            rx.el.span(
                rx.cond(item.about != "", rx.el.span(item.about, class_name="block text-ink-600")),
                rx.el.span(money(item.price), class_name="block tabular-nums"),
                _difference(item),
                custom_attrs={"id": about},
                class_name="block",
            ),
            class_name="min-w-0 grow",
        ),
        class_name="choice",
        key=item.id,
    )


def _difference(item: Product) -> rx.Component:
    return rx.cond(
        item.dearer != "",
        rx.el.span(
            _("{amount} more expensive", amount=money(item.dearer)), class_name="block font-semibold tabular-nums"
        ),
        rx.cond(
            item.cheaper != "",
            rx.el.span(
                _("{amount} cheaper", amount=money(item.cheaper)),
                class_name="block font-semibold text-ok tabular-nums",
            ),
            rx.el.span(_("the same price"), class_name="block font-semibold tabular-nums"),
        ),
    )


def _gone(item: Product) -> rx.Component:
    return rx.el.div(
        item_art(item, "w-12 text-ink-500 grayscale sm:w-18"),
        rx.el.div(
            rx.el.p(item.name, class_name="block font-semibold tabular-nums"),
            rx.el.p(MESSAGE_GONE, class_name="text-ink-600"),
            class_name="min-w-0",
        ),
        class_name="flex items-center gap-4 rounded-control border-2 border-line bg-paper-2 px-4 py-3",
        key=item.id,
    )


MESSAGE_GONE = _(MESSAGES[Code.PRODUCT_GONE])


def exchange_rows(fields: StepFields) -> list[Fact]:
    """What for, on the check page."""
    exchange, article = fields[TYPE], fields[PRODUCT]
    product = Returning.product
    lines = rx.el.span(
        rx.el.span(product.name, class_name="block"),
        rx.el.span(product.about, " · ", money(product.price), class_name="block text-ink-600 tabular-nums"),
    )
    return [
        Fact(_(exchange.label), choice(answer(TYPE), {kind.value: name for kind, name in EXCHANGE_NAMES.items()})),
        Fact(_(article.label), lines, shown=product.id != ""),
    ]

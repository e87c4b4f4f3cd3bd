"""The exchange step: the same item, or another one with the difference in price; and the amounts of the flows."""

from __future__ import annotations

import reflex as rx

from portal.contract.account import Direction
from portal.flow.pages.fields import answer, group, option_of
from portal.flow.pages.spec import StepFields
from portal.i18n import _, choice, money
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.returns.flow.exchange import PRODUCT, TYPE
from portal.returns.pages.flow_state import Returning
from portal.returns.pages.flow_views import Amounts, ProductView
from portal.returns.pages.return_components import amount_lines
from portal.returns.rules.settlement import SET_OFF_FIRST, TOTAL_NAMES, payment_note
from portal.ui import Fact, card
from portal.vocabulary.returns import EXCHANGE_NAMES, ExchangeType, ReturnKind

Product = rx.vars.ObjectVar[ProductView]


def exchange_body(fields: StepFields) -> rx.Component:
    """The step that asks what the customer wants instead."""
    kind, product = fields[TYPE], fields[PRODUCT]
    products = rx.foreach(
        Returning.products, lambda item: rx.cond(item.gone, _sold_out(item), _offered(product.name, item))
    )
    cards = rx.fragment(
        option_of(
            kind,
            ExchangeType.SAME.value,
            _(EXCHANGE_NAMES[ExchangeType.SAME]),
            _("Prefer another colour or size? Choose a different item."),
        ),
        rx.el.div(
            option_of(
                kind,
                ExchangeType.OTHER.value,
                _(EXCHANGE_NAMES[ExchangeType.OTHER]),
                _("We’ll settle the price difference."),
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
        picture(item.picture, "6rem", "w-16 sm:w-24"),
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


def _sold_out(item: Product) -> rx.Component:
    return rx.el.div(
        picture(item.picture, "6rem", "w-16 grayscale sm:w-24"),
        rx.el.div(
            rx.el.p(item.name, class_name="block font-semibold tabular-nums"),
            rx.el.p(_(MESSAGES[Code.PRODUCT_GONE]), class_name="text-ink-600"),
            class_name="min-w-0",
        ),
        class_name="flex items-center gap-4 rounded-control border-2 border-line bg-paper-2 px-4 py-3",
        key=item.id,
    )


def exchange_rows(fields: StepFields) -> list[Fact]:
    """The kind of exchange and the new article on the check page."""
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


@rx.memo
def amounts_aside() -> rx.Component:
    """The refund or the charge so far, beside the steps."""
    amounts = Returning.amounts
    return rx.cond(
        amounts.lines.length() > 0,
        card(
            rx.el.p(choice(amounts.direction, _SO_FAR), class_name="font-semibold"),
            rx.el.p(money(amounts.total), class_name="mt-1 text-h3 font-semibold tabular-nums"),
        ),
    )


_SO_FAR = {direction.value: name for direction, name in TOTAL_NAMES.items()}


def _note(kind: ReturnKind, amounts: rx.vars.ObjectVar[Amounts]) -> rx.Var[str]:
    texts = {direction.value: payment_note(direction, kind, set_off=False) for direction in Direction}
    set_off = (amounts.direction == Direction.NONE.value) & amounts.set_off
    return rx.cond(
        set_off,
        _(SET_OFF_FIRST),
        choice(amounts.direction, {direction: text for direction, text in texts.items() if text}),
    ).to(str)


def amounts_to_check() -> rx.Component:
    amounts = Returning.amounts
    note = rx.cond(Returning.exchange, _note(ReturnKind.EXCHANGE, amounts), _note(ReturnKind.RETURN, amounts))
    return rx.cond(
        amounts.lines.length() > 0,
        rx.el.section(
            rx.el.h2(_("Amounts"), class_name="text-h3"),
            rx.el.div(amount_lines(amounts), class_name="mt-4"),
            rx.cond(note != "", rx.el.p(note, class_name="mt-4 text-ink-600")),
            class_name="card mt-8 max-w-form",
            custom_attrs={"data-amounts": ""},
        ),
    )

"""The steps that ask how the items come back: to which store, or where and when they are picked up (part-2 §2, §9)."""

import reflex as rx

from portal import ui
from portal.account.pages.address_step import address_body, address_rows
from portal.contract.account import Direction
from portal.deliveries.rules import Week
from portal.flow import Field
from portal.flow.pages.fields import answer, asked, group, option_of
from portal.flow.pages.spec import StepFields, error_of
from portal.flow.pages.state import FlowRun
from portal.i18n import _, choice, distance, money, weekday_day
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import REMARKS_MOST
from portal.pictures.pages import picture
from portal.returns.flow.items import METHOD, STORE
from portal.returns.flow.kinds import PRODUCT, TYPE
from portal.returns.flow.pickup import DAY, EMAIL, NAME, REMARKS, STREET_ADDITION, WINDOW
from portal.returns.models import HoursRange, OfferedStore
from portal.returns.pages.flow_state import Amounts, ExchangeArticle, ReturnFlowState
from portal.returns.pages.return_components import amount_lines, kind_text
from portal.returns.rules.settlement import SET_OFF_FIRST, TOTAL_NAMES, payment_note
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import EXCHANGE_NAMES, METHOD_NAMES, ExchangeType, ReturnKind, ReturnMethod

_WEEKDAYS = {"1": _("Mon"), "2": _("Tue"), "3": _("Wed"), "4": _("Thu"), "5": _("Fri"), "6": _("Sat"), "7": _("Sun")}


def method_body(fields: StepFields, kind: ReturnKind) -> rx.Component:
    """The step that asks for the method and shows its cost. The choice of a store opens the list of stores."""
    method, store = fields[METHOD], fields[STORE]
    stores = rx.foreach(ReturnFlowState.stores, lambda item: _store(store.name, item))
    nearest = rx.cond(
        ReturnFlowState.stores.length() > 0,
        group(store, stores, legend=_("Which store?"), columns=""),
        ui.text(_("None of our stores is taking returns at the moment. Have it picked up instead.")),
    )
    cards = rx.fragment(
        ui.revealing(
            option_of(
                method,
                ReturnMethod.STORE.value,
                _(METHOD_NAMES[ReturnMethod.STORE]),
                kind_text(
                    kind,
                    _("Bring it whenever suits you, with your exchange label."),
                    _("Bring it whenever suits you, with your return label."),
                ),
                _("Free"),
            ),
            nearest,
            cards=True,
        ),
        option_of(
            method,
            ReturnMethod.PICK_UP.value,
            _(METHOD_NAMES[ReturnMethod.PICK_UP]),
            _("Monday to Saturday, evenings too."),
            rx.cond(ReturnFlowState.at_our_expense, _("Free"), money(ReturnFlowState.fee)).to(str),
        ),
    )
    return group(method, cards, legend=None, columns="")


def _store(name: str, item: rx.vars.ObjectVar[OfferedStore]) -> rx.Component:
    """A store. Its accessible name is the name only; the rest is its description."""
    title, description = rx.Var.create("store-") + item.id.to(str), rx.Var.create("about-") + item.id.to(str)
    return ui.radio_card(
        name,
        item.id,
        ui.grow(
            rx.el.span(
                rx.el.span(item.name, custom_attrs={"id": title}, class_name="font-semibold"),
                rx.cond(
                    item.distance_km != "",
                    rx.el.span(_distance(item), class_name="shrink-0 font-semibold tabular-nums"),
                ),
                class_name="flex justify-between gap-x-4",
            ),
            ui.line(
                ui.line(item.address, look="text-ink-600"),
                rx.el.span(
                    rx.foreach(item.hours.to(list[HoursRange]), _hours), class_name="mt-1 block text-sm text-ink-600"
                ),
                custom_attrs={"id": description},
            ),
        ),
        checked=answer(name) == item.id,
        tall=True,
        custom_attrs={"aria-labelledby": title, "aria-describedby": description},
        key=item.id,
    )


def _distance(item: rx.vars.ObjectVar[OfferedStore]) -> rx.Var[str]:
    near = item.distance_km.to(str).startswith("0.")
    return rx.cond(near, _("less than 1 km"), distance(item.distance_km)).to(str)


def _hours(entry: rx.vars.ObjectVar[HoursRange]) -> rx.Component:
    first, last = (choice(day.to_string(), _WEEKDAYS) for day in (entry.first, entry.last))
    days = rx.cond(entry.first == entry.last, first, _("{first} to {last}", first=first, last=last))
    return rx.el.span(days, " ", entry.hours, class_name="mr-4 inline-block whitespace-nowrap tabular-nums")


def method_rows(fields: StepFields) -> list[ui.Fact]:
    method, _store_field = fields[METHOD], fields[STORE]
    store = ReturnFlowState.store
    lines = rx.el.span(ui.line(store.name), ui.line(store.address, look="text-ink-600"))
    return [
        ui.Fact(_(method.label), choice(answer(METHOD), {known.value: name for known, name in METHOD_NAMES.items()})),
        ui.Fact(_("Store"), lines, shown=(answer(METHOD) == ReturnMethod.STORE.value) & (answer(STORE) != "")),
    ]


_WINDOWS = {window.value: name for window, name in WINDOW_NAMES.items()}


def pickup_body(fields: StepFields) -> rx.Component:
    """The step that asks for the pick-up address, the name at the door and remarks, and perhaps for the day."""
    days = [days_body(fields)] if DAY in fields else []
    return rx.fragment(
        address_body(
            fields,
            on_place=ReturnFlowState.select_place,
            door=NAME,
            name=ReturnFlowState.name,
            street_addition=STREET_ADDITION,
        ),
        asked(fields[EMAIL], width="max-w-96"),
        *days,
        ui.text_area(
            REMARKS,
            _(fields[REMARKS].label),
            minimum=0,
            maximum=REMARKS_MOST,
            error=error_of(fields[REMARKS]),
            value=answer(REMARKS),
            rows=3,
            optional=True,
        ),
    )


def days_body(fields: StepFields) -> rx.Component:
    """The days with a pick-up by week, and the part of the day, which is asked only when there are days."""
    return rx.fragment(_day(fields[DAY]), rx.cond(ReturnFlowState.weeks.length() > 0, _window(fields[WINDOW])))


def _day(entry: Field) -> rx.Component:
    weeks = rx.cond(
        ReturnFlowState.weeks.length() > 0,
        rx.foreach(ReturnFlowState.weeks, lambda week: _week(entry.name, week)),
        ui.notice(
            # The error above may have this text already.
            ui.strong(_(MESSAGES[Code.NO_DELIVERY_OPTIONS]), shown=error_of(entry) == ""),
            _("What you filled in is safe. You can also ask customer service for another solution."),
            ui.text(ui.text_link(_("Contact us"), "/contact?topic=return"), top=2),
            tone="warn",
        ),
    )
    return group(entry, rx.fragment(weeks), legend=_(entry.label), columns="gap-y-6")


def _week(name: str, week: rx.vars.ObjectVar[Week]) -> rx.Component:
    heading = rx.Var.create("week-") + week.number.to_string()
    return rx.el.div(
        ui.muted(_("Week {n}", n=week.number), custom_attrs={"id": heading}),
        rx.el.div(
            rx.foreach(week.days.to(list[str]), lambda day: _day_option(name, day)),
            class_name="mt-2 grid gap-2 sm:grid-cols-2",
        ),
        role="group",
        aria_labelledby=heading,
        key=week.first,
    )


def _day_option(name: str, day: rx.Var[str]) -> rx.Component:
    text = rx.el.span(weekday_day(day), class_name="tabular-nums first-letter:uppercase")
    return ui.radio_card(name, day, text, checked=answer(name) == day, look="min-h-12 py-2", key=day)


def _window(entry: Field) -> rx.Component:
    cards = rx.fragment(*[option_of(entry, value, _(name)) for value, name in _WINDOWS.items()])
    return group(entry, cards, legend=_(entry.label), columns="")


def day_rows(fields: StepFields) -> list[ui.Fact]:
    day, window = fields[DAY], fields[WINDOW]
    return [ui.Fact(_(day.label), weekday_day(answer(DAY))), ui.Fact(_(window.label), choice(answer(WINDOW), _WINDOWS))]


def pickup_rows(fields: StepFields) -> list[ui.Fact]:
    name, remarks, text = fields[NAME], fields[REMARKS], answer(REMARKS)
    return [
        ui.Fact(_(name.label), answer(NAME), shown=FlowRun.asked.contains(NAME)),
        *address_rows(fields),
        *[
            ui.Fact(_(entry.label), answer(entry.name), shown=answer(entry.name) != "")
            for entry in fields.take(STREET_ADDITION, EMAIL)
        ],
        ui.Fact(_(remarks.label), rx.cond(text == "", _("Not filled in"), text).to(str)),
        *(day_rows(fields) if DAY in fields else []),
    ]


Product = rx.vars.ObjectVar[ExchangeArticle]


def exchange_body(fields: StepFields) -> rx.Component:
    kind, product = fields[TYPE], fields[PRODUCT]
    products = rx.foreach(
        ReturnFlowState.products,
        lambda item: rx.cond(item.refusal != "", _sold_out(item), _offered(product.name, item)),
    )
    cards = rx.fragment(
        option_of(
            kind,
            ExchangeType.SAME.value,
            _(EXCHANGE_NAMES[ExchangeType.SAME]),
            _("Prefer another colour or size? Choose a different item."),
        ),
        ui.revealing(
            option_of(
                kind,
                ExchangeType.OTHER.value,
                _(EXCHANGE_NAMES[ExchangeType.OTHER]),
                _("We’ll settle the price difference."),
            ),
            group(product, products, legend=_("What would you like instead?"), columns=""),
            cards=True,
        ),
    )
    return group(kind, cards, legend=None, columns="")


def _offered(name: str, item: Product) -> rx.Component:
    title, about = rx.Var.create("product-") + item.id.to(str), rx.Var.create("about-") + item.id.to(str)
    return ui.radio_card(
        name,
        item.id,
        picture(item.picture, "6rem", "w-16 sm:w-24"),
        ui.grow(
            ui.line(item.name, custom_attrs={"id": title}, look="font-semibold"),
            ui.line(
                rx.cond(item.about != "", ui.line(item.about, look="text-ink-600")),
                ui.line(money(item.price), look="tabular-nums"),
                _difference(item),
                custom_attrs={"id": about},
            ),
        ),
        checked=answer(name) == item.id,
        custom_attrs={"aria-labelledby": title, "aria-describedby": about},
        key=item.id,
    )


def _difference(item: Product) -> rx.Component:
    return rx.cond(
        item.dearer,
        ui.line(_("{amount} more expensive", amount=money(item.dearer)), look="font-semibold tabular-nums"),
        rx.cond(
            item.cheaper,
            ui.line(_("{amount} cheaper", amount=money(item.cheaper)), look="font-semibold text-ok tabular-nums"),
            ui.line(_("the same price"), look="font-semibold tabular-nums"),
        ),
    )


def _sold_out(item: Product) -> rx.Component:
    return rx.el.div(
        picture(item.picture, "6rem", "w-16 grayscale sm:w-24"),
        ui.block(ui.strong(item.name, look="block tabular-nums"), ui.muted(_(MESSAGES[Code.PRODUCT_GONE]))),
        class_name="flex items-center gap-4 rounded-control border-2 border-line bg-paper-2 px-4 py-3",
        key=item.id,
    )


def exchange_rows(fields: StepFields) -> list[ui.Fact]:
    exchange, article = fields[TYPE], fields[PRODUCT]
    product = ReturnFlowState.product
    lines = rx.el.span(
        ui.line(product.name), ui.line(product.about, " · ", money(product.price), look="text-ink-600 tabular-nums")
    )
    return [
        ui.Fact(_(exchange.label), choice(answer(TYPE), {kind.value: name for kind, name in EXCHANGE_NAMES.items()})),
        ui.Fact(_(article.label), lines, shown=product.bool()),
    ]


@rx.memo
def amounts_aside() -> rx.Component:
    """The refund or the charge so far, beside the steps."""
    amounts = ReturnFlowState.amounts
    return ui.card(
        ui.strong(choice(amounts.direction, _SO_FAR)),
        ui.strong(money(amounts.total), look="text-h3 tabular-nums", top=1),
        shown=amounts.lines.length() > 0,
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
    amounts = ReturnFlowState.amounts
    note = rx.cond(ReturnFlowState.exchange, _note(ReturnKind.EXCHANGE, amounts), _note(ReturnKind.RETURN, amounts))
    return rx.cond(
        amounts.lines.length() > 0,
        rx.el.section(
            ui.subheading(_("Amounts")),
            ui.stack(amount_lines(amounts), top=4),
            ui.muted(note, top=4, shown=note != ""),
            class_name="card mt-8 max-w-form",
            custom_attrs={"data-amounts": ""},
        ),
    )

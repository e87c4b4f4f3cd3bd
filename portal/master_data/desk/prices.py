"""The pages with prices: what holds now and what was announced, and the form that changes a price from a day on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import reflex as rx

from portal import ui
from portal.desk.forms import box_group, check_box, day_field, desk_form, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.tables import cell, data_table, listing, open_link, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, filters, panel, split, title
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, lowered, money, ngettext, number, setting, weekday_day
from portal.kernel import days
from portal.kernel.address import NAMES
from portal.kernel.codes import Code
from portal.kernel.terms import bounds
from portal.kernel.texts import N_
from portal.master_data.desk.price_state import (
    PRICES,
    VALID_FROM,
    WITHDRAWAL,
    PricePage,
    PricesPage,
    ShownPrice,
    ShownState,
)
from portal.master_data.rules import MAX_EURO, MAX_PER_MILLE, MAX_PLACES, PRICE_FIELDS, FieldForm
from portal.service_packages.rules import INCLUSION_TEXTS
from portal.vocabulary.insurance import COVER_TEXTS, INSURANCE_TYPES, INSURER_NAMES
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.prices import PRICE_KINDS, SHOP_TERMS, TERM_UNITS, PriceKind, ShopTerm
from portal.vocabulary.services import JOB_NAMES, SERVICE_PACKAGE_NAMES, Drive
from portal.vocabulary.staff import Right

_K = PriceKind

_EXPLAINED: Mapping[PriceKind, str] = {
    _K.SERVICE_PRODUCTS: N_("Prices include VAT. Customers with a service package pay half."),
    _K.SERVICE_PACKAGES: N_("Active packages keep the price at which they were taken out."),
    _K.INSURANCES: N_("Anyone who already has insurance keeps the cover they had. Add the insurer’s document too."),
    _K.TARIFFS: N_(
        "The yearly premium is a rate per mille of the bike’s price, but never less than the lowest monthly premium."
    ),
    _K.TERMS: N_(
        "For orders and contracts, the longer of two periods applies: the one promised then and "
        "the one that applies now. Nothing can be shorter than the law allows."
    ),
    _K.DELIVERY_PLACES: N_("How many deliveries customers can move to such a day."),
    _K.DELIVERY_DAYS: N_("Days that differ from their usual weekday, such as just before Christmas."),
}

_LABELS: Mapping[str, Text] = {
    "price": _("Price in euros"),
    "sku": _("Article number"),
    "monthly": _("Price per month in euros"),
    "includes": _("Included"),
    "half_price_jobs": _("Services at half price"),
    "most_chosen": _("Highlight as most chosen"),
    "offered": _("Customers can take it out"),
    "excess": _("Excess per claim in euros"),
    "covers": _("What it covers"),
    "value": _("Term"),
    "per_mille": _("Yearly premium, per mille"),
    "minimum": _("Lowest monthly premium in euros"),
    "places": _("Deliveries per day"),
    "capacity": _("Deliveries on that day"),
}

_BOUNDS = {term: bounds(term) for term in ShopTerm}
_DRIVES = {Drive.BIKE: N_("Bike"), Drive.E_BIKE: N_("E-bike")}
_BIKES = {
    ItemKind.CITY_BIKE: N_("City bike"),
    ItemKind.E_BIKE: N_("E-bike"),
    ItemKind.CARGO_BIKE: N_("Cargo bike"),
    ItemKind.ACCESSORY: N_("Accessory"),
}
_CHOICES: Mapping[str, Mapping[Any, str]] = {
    "includes": INCLUSION_TEXTS,
    "half_price_jobs": JOB_NAMES,
    "covers": COVER_TEXTS,
}


def prices() -> rx.Component:
    shown = PricesPage
    return desk_page(
        filters(*[(_(text), f"{PRICES}/{kind}") for kind, text in PRICE_KINDS.items()], label=_("Types of price")),
        ui.stack(
            desk_loaded(
                shown,
                rx.fragment(
                    _shops(),
                    ui.muted(choice(shown.kind, _EXPLAINED), look="max-w-form", bottom=3),
                    data_table(
                        (_("What"), _("Now"), _("Announced")), shown.lines, _row, label=choice(shown.kind, PRICE_KINDS)
                    ),
                ),
                failure=_("The prices couldn’t be loaded."),
            ),
            top=4,
        ),
        heading=_("Prices"),
    )


def _shops() -> rx.Component:
    base = rx.Var.create(f"{PRICES}/").to(str) + PricesPage.kind.to(str)

    def chip(text: Any, to: rx.Var[str], shop: Any) -> rx.Component:
        chosen = rx.cond(PricesPage.shop == shop, "page", "false")
        return rx.el.a(text, to=to, class_name="chip", custom_attrs={"aria-current": chosen})

    def link(shop: Any) -> rx.Component:
        return rx.el.li(chip(shop, base + "?shop=" + shop.to(str), shop), key=shop)

    return rx.cond(
        PricesPage.shops.length() > 0,
        rx.el.nav(
            rx.el.ul(
                rx.el.li(chip(_("All shops"), base, "")),
                rx.foreach(PricesPage.shops, link),
                class_name="mb-3 flex flex-wrap gap-2",
            ),
            aria_label=_("Shops"),
        ),
    )


def _row(line: rx.vars.ObjectVar[ShownPrice]) -> rx.Component:
    path = rx.Var.create(f"{PRICES}/").to(str) + PricesPage.kind.to(str) + "/" + line.key.to(str)
    to = rx.cond(PricesPage.shop == "", path, path + "?shop=" + PricesPage.shop.to(str)).to(str)
    announced = line.announced.to(list[ShownState])
    following, count = announced[0].to(ShownState), announced.length()
    more = ngettext("{n} more", "{n} more", (count - 1).to(int))
    return table_row(
        cell(open_link(_name(PricesPage.kind, line.parts), to)),
        cell(_now_or_nothing(PricesPage.kind, line)),
        cell(
            rx.cond(
                count > 0,
                rx.fragment(
                    rx.el.span(weekday_day(following.valid_from), ": ", class_name="text-ink-600"),
                    _what(PricesPage.kind, line.parts, following),
                    rx.cond(count > 1, rx.el.span(" + ", more, class_name="text-ink-600")),
                ),
                "",
            )
        ),
        key=line.key,
    )


def _now_or_nothing(kind: Any, line: Any, *more: rx.Component) -> rx.Component:
    return ui.when(
        line.now, _what(kind, line.parts, line.now.to(ShownState)), *more, otherwise=_nothing(kind, line.parts)
    )


def _nothing(kind: Any, about: Any) -> rx.Component:
    usual_terms = {term: _in_units(term, setting(f"usual.{term}")) for term in ShopTerm}
    shop = rx.cond(PricesPage.shop == "", PricePage.shop, PricesPage.shop)
    usual = rx.match(
        kind,
        (_K.SERVICE_PACKAGES.value, _("Not in use")),
        (_K.INSURANCES.value, _("Not in use")),
        (_K.TERMS.value, choice(about[0].to(str), usual_terms)),
        (_K.DELIVERY_PLACES.value, _("The usual number")),
        (_K.DELIVERY_DAYS.value, _("As usual for the weekday")),
        _("No price"),
    )
    return rx.el.span(rx.cond(shop == "", usual, _("As for all shops")), class_name="text-ink-600")


def _name(kind: Any, about: Any) -> rx.Var[str]:
    def named(*texts: Mapping[Any, Text]) -> rx.Var[str]:
        first, *others = [choice(about[place].to(str), of_place) for place, of_place in enumerate(texts)]
        joined = first.to(str)
        for text in others:
            joined = joined + ", " + lowered(text).to(str)
        return joined

    half = rx.cond(about[2].to(str) == "true", _(", half price"), "").to(str)
    return choice(
        kind,
        {
            _K.SERVICE_PRODUCTS: named(JOB_NAMES, _DRIVES).to(str) + half,
            _K.SERVICE_PACKAGES: named(SERVICE_PACKAGE_NAMES).to(str) + " (" + about[0].to(str) + ")",
            _K.INSURANCES: named(INSURER_NAMES, INSURANCE_TYPES),
            _K.TARIFFS: named(INSURER_NAMES, INSURANCE_TYPES, _BIKES),
            # Weekdays have a capital in English only.
            _K.TERMS: named(SHOP_TERMS),
            _K.DELIVERY_PLACES: named(NAMES).to(str) + ", " + choice(about[1].to(str), days.WEEKDAYS).to(str),
            _K.DELIVERY_DAYS: named(NAMES),
        },
    )


def _what(kind: Any, about: Any, view: rx.vars.ObjectVar[ShownState]) -> rx.Component:
    def amount(name: str) -> rx.Var[str]:
        return money(view.texts[name].to(str))

    most_chosen = ui.when(view.texts["most_chosen"].to(str) != "", " ", ui.badge(_("Most chosen"), "ok"))
    package = rx.fragment(
        _("{amount} a month", amount=amount("monthly")),
        most_chosen,
        rx.el.span(
            ngettext("{n} item included", "{n} items included", view.lists["includes"].to(list).length()),
            ", ",
            ngettext("{n} service at half price", "{n} services at half price",
                     view.lists["half_price_jobs"].to(list).length()),
            class_name="desk-sub",
        ),
    )  # fmt: skip
    insurance = rx.fragment(
        rx.cond(view.texts["excess"].to(str) == "0", _("No excess"), _("Excess {amount}", amount=amount("excess"))),
        most_chosen,
        rx.el.span(
            ngettext("{n} type of cover", "{n} types of cover", view.lists["covers"].to(list).length()),
            class_name="desk-sub",
        ),
    )
    terms = {term: _in_units(term, view.texts["value"].to(str)) for term in ShopTerm}
    shown = rx.match(
        kind,
        (_K.INSURANCES.value, rx.cond(view.texts["offered"].to(str) != "", insurance, _("Not in use"))),
        (_K.SERVICE_PRODUCTS.value, rx.fragment(amount("price"))),
        (_K.SERVICE_PACKAGES.value, package),
        (
            _K.TARIFFS.value,
            rx.fragment(
                _(
                    "{rate}‰ per year, at least {amount} per month",
                    rate=number(view.texts["per_mille"].to(str), 2),
                    amount=amount("minimum"),
                )
            ),
        ),
        (_K.TERMS.value, rx.fragment(choice(about[0].to(str), terms))),
        (_K.DELIVERY_PLACES.value, _places(view.texts["places"].to(str))),
        _places(view.texts["capacity"].to(str)),
    )
    return rx.fragment(shown)


def _in_units(term: ShopTerm, count: rx.Var[str] | int) -> rx.Var[str]:
    return _(TERM_UNITS[term], n=number(count))


def _places(count: rx.Var[str]) -> rx.Component:
    return ui.when(
        count == "0", _("Closed"), otherwise=rx.fragment(ngettext("{n} delivery", "{n} deliveries", count.to(int)))
    )


def price() -> rx.Component:
    shown = PricePage
    name = rx.cond(shown.line, _name(shown.kind, shown.line.parts), _("Price")).to(str)
    return desk_page(
        desk_loaded(
            shown, split([_forms(), _announced(), _earlier()], [_now()]), failure=_("The price couldn’t be loaded.")
        ),
        heading=name,
        count=rx.cond(shown.shop != "", _("Only {shop}", shop=shown.shop), ""),
        back=back_line(choice(shown.kind, PRICE_KINDS, _("Prices")), _way_back()),
        above=ui.error_summary(_all_errors(), shown.attempt),
    )


def _way_back() -> rx.Var[str]:
    kind = rx.cond(PricePage.kind == "", _FIRST, PricePage.kind).to(str)
    path = rx.Var.create(f"{PRICES}/").to(str) + kind
    return rx.cond(PricePage.shop == "", path, path + "?shop=" + PricePage.shop.to(str)).to(str)


def _now() -> rx.Component:
    shown = PricePage
    return panel(
        _("Now"),
        rx.el.div(
            _now_or_nothing(
                shown.kind, shown.line, rx.cond(_has_contents(shown.kind), _contents(shown.line.now.to(ShownState)))
            )
        ),
        ui.muted(choice(shown.kind, _EXPLAINED), top=3),
    )


def _has_contents(kind: Any) -> rx.Var[bool]:
    return (kind == _K.SERVICE_PACKAGES.value) | (kind == _K.INSURANCES.value)


def _contents(view: rx.vars.ObjectVar[ShownState]) -> rx.Component:
    def rows(name: str, text: Callable[[Any], Any]) -> rx.Component:
        return rx.foreach(view.lists[name].to(list[str]), lambda value: rx.el.li(text(value), key=value))

    return rx.el.ul(
        rows("includes", lambda value: choice(value, INCLUSION_TEXTS)),
        rows("half_price_jobs", lambda value: _("{job} at half price", job=choice(value, JOB_NAMES))),
        rows("covers", lambda value: choice(value, COVER_TEXTS)),
        class_name="mt-2 list-disc space-y-0.5 pl-5",
    )


def _forms() -> rx.Component:
    forms = [(kind.value, _form(kind)) for kind in _K]
    return panel(_("Change"), rx.match(PricePage.kind, *forms, rx.fragment()))


def _form(kind: PriceKind) -> rx.Component:
    shown = PricePage
    by_day = kind is _K.DELIVERY_DAYS
    day = day_field(VALID_FROM, _day_label(kind), error=_error(VALID_FROM, kind), value="" if by_day else shown.today)
    single = [_field(kind, entry.name, entry.form) for entry in PRICE_FIELDS[kind] if entry.form in _LINES]
    boxes = [_field(kind, entry.name, entry.form) for entry in PRICE_FIELDS[kind] if entry.form not in _LINES]
    rows = [day, *single] if by_day else [*single, day]
    return desk_form(
        shown,
        rx.el.div(*rows, class_name="grid items-end gap-4 sm:grid-cols-2"),
        *boxes,
        on_send=shown.change,
        send=_("Save"),
        key=shown.line.key.to(str),
    )


_LINES = frozenset({FieldForm.AMOUNT, FieldForm.COUNT, FieldForm.TEXT})


def _field(kind: PriceKind, name: str, form: FieldForm) -> rx.Component:
    now = PricePage.line.now.to(ShownState)
    if form is FieldForm.CHOICES:
        offered = next(entry.choices for entry in PRICE_FIELDS[kind] if entry.name == name)
        chosen, texts = now.lists[name].to(list[str]), _CHOICES[name]
        boxes = [check_box(name, _(texts[value]), checked=chosen.contains(value), value=value) for value in offered]
        return box_group(name, _LABELS[name], *boxes, error=_error(name, kind), columns="")
    if form is FieldForm.YES:
        return check_box(name, _LABELS[name], checked=now.texts[name].to(str) == "yes")
    given = now.texts[name].to(str)
    # Without its sign, an amount reads as people type it: 8,50 or 8.50.
    shown = money(given).to(str).replace("€", "").strip() if form is FieldForm.AMOUNT else given
    return ui.text_field(
        name,
        _LABELS[name],
        hint=_hint(kind),
        error=_error(name, kind),
        value=rx.cond(now, shown, "").to(str) if kind is not _K.DELIVERY_DAYS else "",
        input_mode=None if form is FieldForm.TEXT else "decimal" if form is FieldForm.AMOUNT else "numeric",
        width="max-w-60" if form is FieldForm.TEXT else "max-w-40",
    )


def _hint(kind: PriceKind) -> rx.Var[str] | None:
    if kind is _K.TERMS:
        limits = {
            term: _("From {least} to {most}", least=least, most=_in_units(term, most))
            for term, (least, most) in _BOUNDS.items()
        }
        return choice(PricePage.line.parts.to(list[str])[0], limits)
    return _("0 for a day without deliveries") if kind in {_K.DELIVERY_PLACES, _K.DELIVERY_DAYS} else None


def _announced() -> rx.Component:
    shown = PricePage
    by_day = shown.kind == _K.DELIVERY_DAYS.value

    def row(view: rx.vars.ObjectVar[ShownState]) -> rx.Component:
        back = ui.action_button(_("Take back"), shown.withdraw(view.valid_from.to(str)))
        return table_row(
            cell(weekday_day(view.valid_from)),
            cell(_what(shown.kind, shown.line.parts, view), rx.cond(_has_contents(shown.kind), _contents(view))),
            cell(rx.cond(by_day, "", back)),
            key=view.valid_from.to(str),
        )

    return panel(
        rx.cond(by_day, _("Upcoming days"), _("Announced")).to(str),
        refused(shown, WITHDRAWAL),
        listing(
            shown.line.announced.to(list[ShownState]),
            (rx.cond(by_day, _("Day"), _("From")), _("What will apply"), ""),
            row,
            label=_("Announced changes"),
            empty=_("Nothing has been announced."),
        ),
    )


def _earlier() -> rx.Component:
    shown = PricePage

    def row(view: rx.vars.ObjectVar[ShownState]) -> rx.Component:
        return table_row(
            cell(rx.cond(view.valid_from.to(str) <= str(days.ALWAYS), _("Always"), weekday_day(view.valid_from))),
            cell(_what(shown.kind, shown.line.parts, view)),
            key=view.valid_from.to(str),
        )

    earlier = shown.line.earlier.to(list[ShownState])
    table = data_table((_("From"), _("What applied")), earlier, row, label=_("Earlier values"))
    return rx.cond(earlier.length() > 0, panel(_("Earlier"), table))


def _day_label(kind: PriceKind) -> rx.Var[str]:
    return _("Day") if kind is _K.DELIVERY_DAYS else _("Applies from")


def _all_errors() -> dict[str, rx.Var[str]]:
    found: dict[str, rx.Var[str]] = {}
    for kind, entries in PRICE_FIELDS.items():
        found |= {entry.name: _error(entry.name, kind) for entry in entries}
    by_day = PricePage.kind == _K.DELIVERY_DAYS.value
    found[VALID_FROM] = rx.cond(
        by_day, _error(VALID_FROM, _K.DELIVERY_DAYS), _error(VALID_FROM, _K.SERVICE_PRODUCTS)
    ).to(str)
    return found


def _error(name: str, kind: PriceKind) -> rx.Var[str]:
    code = PricePage.errors.get(name, "").to(str)
    if name == VALID_FROM:
        own = {Code.INVALID_CHOICE.value: _("Choose today or a later day.")}
        return field_message(code, _day_label(kind), **own)
    return field_message(code, _LABELS[name], Code.TOO_LONG, **_own_errors(name, kind))


def _own_errors(name: str, kind: PriceKind) -> dict[str, Text]:
    if name == "covers":
        return {Code.REQUIRED.value: _("Choose what it covers, or don’t offer it.")}
    entry = next(entry for entry in PRICE_FIELDS[kind] if entry.name == name)
    if kind is _K.TERMS:
        found = {
            term: _("Enter a whole number from {least} to {most}.", least=least, most=number(most))
            for term, (least, most) in _BOUNDS.items()
        }
        return {Code.INVALID_NUMBER.value: choice(PricePage.line.parts.to(list[str])[0], found)}
    if entry.form is FieldForm.COUNT:
        return {
            Code.INVALID_NUMBER.value: _("Enter a whole number from 0 to {most}.", most=number(MAX_PLACES)),
            Code.DELIVERY_DAY_TAKEN.value: _("More deliveries are already planned on this day."),
        }
    if name == "per_mille":
        text = _("Enter a number from 0 to {most}, such as 8.50.", most=number(MAX_PER_MILLE))
    else:
        text = _("Enter an amount up to {most}, such as 8.50.", most=money(str(MAX_EURO)))
    return {Code.INVALID_NUMBER.value: text}


_FIRST = PriceKind.SERVICE_PRODUCTS.value
"""The kind that the navigation leads to."""

NAVIGATION = (NavigationItem(_("Prices"), f"{PRICES}/{_FIRST}", SHOP, Right.MANAGE_SHOP, within=f"^{PRICES}/"),)

PAGES = [
    DeskRoute(f"{PRICES[1:]}/[kind]", prices, title(_("Prices")), on_load=[PricesPage.load]),
    DeskRoute(f"{PRICES[1:]}/[kind]/[price]", price, title(_("Prices")), on_load=[PricePage.load]),
]

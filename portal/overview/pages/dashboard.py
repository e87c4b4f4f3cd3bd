"""The dashboard: what needs the customer, what happens today, what is under way, what can be started (part-1 §2)."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal import ui
from portal.contract.models import OngoingKind
from portal.conversations.api import RequestNews
from portal.flow.pages.intro import draft_list
from portal.frontend.actions import NOTES, STARTS, action_list, contact_about, list_with_lead
from portal.frontend.layout import title
from portal.frontend.live import live_line
from portal.frontend.load_views import loaded
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import TITLES, delivery_status, delivery_trouble, in_groups, request_kind
from portal.i18n import Text, _, choice, clock, day, localized, moment, money, setting
from portal.overview.pages.state import DashboardPage
from portal.overview.pages.views import TODAY, TOMORROW, OngoingEntry
from portal.pictures.pages import picture
from portal.returns.pages.return_components import return_kind
from portal.setting_groups import Variant
from portal.vocabulary.actions import Feature
from portal.vocabulary.cases import CASE_LABELS, CONVERSATION_PAGES, Asks
from portal.vocabulary.deliveries import DELIVERY_MEANINGS, DeliveryStatus

_KINDS = {kind: CASE_LABELS[kind] for kind in sorted(CONVERSATION_PAGES)}


def dashboard() -> rx.Component:
    name = DashboardPage.first_name
    return ui.page_frame(
        loaded(
            DashboardPage,
            rx.fragment(
                live_line(DashboardPage, seen=False),
                _to_do(),
                draft_list(DashboardPage.drafts, DashboardPage.discard),
                rx.cond(_WAITS, _first_bike()),
                rx.cond(DashboardPage.happens_today.length() > 0, _entries(_("Today"), DashboardPage.happens_today)),
                _under_way(),
                rx.cond(~DashboardPage.complete, _lists()),
                rx.cond(DashboardPage.has_features, _offered(), _nothing_offered()),
            ),
            failure=_("Customer data could not be loaded."),
            loading=_loading(),
        ),
        title=rx.cond(name == "", _("Hi, how can we help you?"), _("Hi {name}, how can we help you?", name=name)).to(
            str
        ),
    )


def _to_do() -> rx.Component:
    news, entries = DashboardPage.requests_news, DashboardPage.to_do
    return rx.cond(
        (news.length() > 0) | (entries.length() > 0),
        _ranked(
            _("Waiting for you"),
            rx.el.ul(
                rx.foreach(news, _news_entry),
                rx.foreach(entries, _to_do_entry),
                class_name="divide-y divide-warn-line overflow-hidden rounded-card border-2 border-warn-line "
                "bg-warn-bg",
            ),
        ),
    )


def _ranked(heading: Text, *content: rx.Component) -> rx.Component:
    return rx.el.section(ui.subheading(heading), *content, class_name="mt-8 space-y-3")


def _to_do_entry(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Component:
    invoice = entry.kind == OngoingKind.INVOICE.value
    what = rx.cond(invoice, _("Pay invoice {number}", number=entry.name), entry.name).to(str)
    due = rx.cond(
        entry.overdue,
        _("{amount} was due by {day}", amount=money(entry.amount), day=day(entry.planned)),
        _("{amount} to pay by {day}", amount=money(entry.amount), day=day(entry.planned)),
    )
    return _waiting(
        ui.strong(what),
        ui.if_text(entry.mark),
        ui.text(rx.cond(invoice, due, _what_to_do(entry)), look="tabular-nums"),
        ui.text(_since(entry), look="text-sm", shown=~invoice),
        deed=rx.cond(invoice, _("Pay"), rx.cond(entry.before, _("Confirm"), _("View the status"))).to(str),
        about=rx.cond(entry.mark != "", what + ", " + entry.mark.to(str), what).to(str),
        to=entry.href.to(str),
        by=rx.cond(entry.before, _before(entry), "").to(str),
    )


def _waiting(
    *said: rx.Component, deed: rx.Var[str], about: rx.Var[str], to: rx.Var[str], by: rx.Var[str] | None = None
) -> rx.Component:
    deadline = [] if by is None else [ui.strong(by, look="text-sm tabular-nums sm:text-center", top=1, shown=by != "")]
    return rx.el.li(
        rx.el.div(*said, class_name="min-w-0 grow basis-60"),
        rx.el.div(
            rx.el.a(deed, ui.hidden_text(": ", about), to=to, class_name=ui.button_class("secondary")), *deadline
        ),
        class_name="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 md:px-6",
    )


def _before(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Var[str]:
    """The moment before which the customer has to confirm."""
    time = clock(entry.before)
    near = {TODAY: _("before {time} today", time=time), TOMORROW: _("before {time} tomorrow", time=time)}
    return choice(entry.nearness, near, _("before {moment}", moment=moment(entry.before)))


def _what_to_do(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Var[str]:
    ready = DeliveryStatus.ORDER_READY_FOR_PICKUP.value
    delivery = rx.cond(
        entry.delivery_status == ready,
        _("Your order is ready to collect."),
        rx.cond(
            delivery_trouble(entry.delivery_status) != "",
            delivery_trouble(entry.delivery_status),
            _("Confirm your new delivery day with the link in our email."),
        ),
    ).to(str)
    return rx.cond(entry.kind == OngoingKind.DELIVERY.value, delivery, _meaning(entry)).to(str)


def _news_entry(entry: rx.vars.ObjectVar[RequestNews]) -> rx.Component:
    asked = choice(
        entry.asks,
        {Asks.PHOTO: _("We need a photo from you"), Asks.NOTHING: _("We have a message for you")},
        _("We need your answer to carry on"),
    )
    named = {
        kind: _("{kind} {number}", kind=_(label), number=in_groups(entry.reference)) for kind, label in _KINDS.items()
    }
    case = choice(entry.kind, named)
    return _waiting(
        ui.strong(asked),
        ui.text(case, look="tabular-nums"),
        deed=rx.cond(entry.asks == Asks.NOTHING, _("Read"), _("Answer")).to(str),
        about=asked.to(str) + ", " + case.to(str),
        to=entry.page.to(str),
    )


_FIRST = DashboardPage.first_bike
_WAITS = _FIRST.bool()


def _first_bike() -> rx.Component:
    entry = DashboardPage.first_delivery
    known = rx.cond(entry.planned, "", choice(entry.delivery_status, DELIVERY_MEANINGS))
    move = rx.cond(
        entry.planned,
        _arrange(TITLES[Feature.DELIVERY_DATE], NOTES[Feature.DELIVERY_DATE], f"/delivery-date/{_FIRST.order_number}"),
        _arrange(_("Agree on a delivery day"), _("Call or email us"), contact_about(Feature.DELIVERY_DATE)),
    )
    insure = _arrange(
        TITLES[Feature.INSURANCE],
        _("Call or email us, until {day}", day=day(_FIRST.insurable_until)),
        contact_about(Feature.INSURANCE),
    )
    package = _arrange(TITLES[Feature.SERVICE_PACKAGE], NOTES[Feature.SERVICE_PACKAGE], STARTS[Feature.SERVICE_PACKAGE])
    return rx.el.section(
        ui.subheading(_("Your new bike")),
        _panel(entry, known.to(str)),
        rx.el.h3(_("You can arrange this now"), class_name="pt-3 text-base font-semibold"),
        rx.el.ul(
            rx.cond(_FIRST.movable, move),
            rx.cond(_FIRST.insurable_until, insure),
            rx.cond(_FIRST.package, package),
            _arrange(_("Accessories"), _("Choose a lock, a bag or a helmet"), setting("shop_url")),
            class_name="divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
        ),
        ui.muted(_("Once you have your bike, you can arrange repairs, services, claims and returns here too.")),
        class_name="mt-8 space-y-3",
    )


def _arrange(title: Text, note: Text, to: rx.Var[str] | str) -> rx.Component:
    link = ui.text_link(title, to, "text-ink no-underline after:absolute after:inset-0")
    return rx.el.li(
        rx.el.div(rx.el.h4(link, class_name="text-base font-semibold"), ui.muted(note), class_name="min-w-0 grow"),
        ui.chevron(),
        class_name="group relative flex min-h-14 items-center gap-4 px-4 py-3 hover:bg-paper md:px-6",
    )


def _under_way() -> rx.Component:
    entries = DashboardPage.under_way
    return rx.cond(
        entries.length() > 0,
        rx.cond(
            (DashboardPage.happens_today.length() > 0) | _WAITS,
            _ranked(_("Under way"), _rows(entries)),
            _entries(_("Under way"), entries),
        ),
    )


def _entries(heading: Text, entries: rx.vars.ArrayVar[Sequence[OngoingEntry]]) -> rx.Component:
    return _ranked(heading, _panel(entries[0]), rx.cond(entries.length() > 1, _rows(entries[1:])))


def _rows(entries: rx.vars.ArrayVar[Sequence[OngoingEntry]]) -> rx.Component:
    return ui.item_list(
        entries, _list_entry, look="divide-y divide-line overflow-hidden rounded-card border border-line bg-white"
    )


def _status(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Var[str]:
    return choice(
        entry.kind,
        {
            OngoingKind.REQUEST: localized(entry.label),
            OngoingKind.DELIVERY: delivery_status(entry.delivery_status),
            OngoingKind.RETURN: localized(entry.label),
            OngoingKind.INSURANCE: localized(entry.label),
        },
    )


def _meaning(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Var[str]:
    return choice(
        entry.kind,
        {
            OngoingKind.REQUEST: localized(entry.meaning),
            OngoingKind.DELIVERY: delivery_trouble(entry.delivery_status),
            OngoingKind.RETURN: localized(entry.meaning),
            OngoingKind.INSURANCE: localized(entry.meaning),
        },
    )


def _since(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Var[str]:
    known, since = entry.partner != "", day(entry.since)
    kind = request_kind(entry.request_kind)
    request = rx.cond(
        known,
        _("{kind}, request received on {day}, with {partner}", kind=kind, day=since, partner=entry.partner),
        _("{kind}, request received on {day}", kind=kind, day=since),
    ).to(str)
    delivery = rx.cond(
        known,
        _("Order {number}, placed on {day}, with {partner}", number=entry.reference, day=since, partner=entry.partner),
        _("Order {number}, {day}", number=entry.reference, day=since),
    ).to(str)
    returned = _("{kind}, requested on {day}", kind=return_kind(entry.return_kind), day=since)
    insurance = _("{kind}, requested on {day}", kind=_("Insurance"), day=since)
    return choice(
        entry.kind,
        {
            OngoingKind.REQUEST: request,
            OngoingKind.DELIVERY: delivery,
            OngoingKind.RETURN: returned,
            OngoingKind.INSURANCE: insurance,
        },
    )


def _planned(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Var[str]:
    planned = day(entry.planned)
    delivery = rx.cond(
        entry.from_time != "",
        _("Delivery on {day}, between {start} and {end}", day=planned, start=entry.from_time, end=entry.until_time),
        _("Delivery on {day}", day=planned),
    ).to(str)
    return choice(
        entry.kind,
        {
            OngoingKind.REQUEST: _("Planned for {day}", day=planned),
            OngoingKind.DELIVERY: delivery,
            OngoingKind.RETURN: _("Pick-up on {day}", day=planned),
        },
    )


def _panel(entry: rx.vars.ObjectVar[OngoingEntry], known: rx.Var[str] | None = None) -> rx.Component:
    meaning = _meaning(entry) if known is None else known
    link = rx.cond(entry.kind == OngoingKind.DELIVERY.value, _("Track your order"), _("View the status")).to(str)
    return rx.el.div(
        ui.block(
            ui.text(ui.badge(_status(entry), entry.tone)),
            rx.el.h3(entry.name, class_name="mt-4 text-h2"),
            ui.if_text(entry.mark),
            ui.lead(meaning, top=2, shown=meaning != ""),
            ui.text(_since(entry), top=2),
            ui.strong(_planned(entry), shown=entry.planned),
            ui.stack(ui.link_button(link, entry.href, "light"), top=6),
        ),
        rx.el.div(
            picture(entry.picture, "(min-width: 64rem) 27rem, 18rem", "w-full", eager=True),
            class_name="overflow-hidden rounded-card bg-paper max-md:w-full md:w-80 md:shrink-0 lg:w-120",
        ),
        class_name="flex items-center justify-between gap-8 rounded-panel bg-panel p-6 text-on-panel "
        "max-md:flex-col-reverse max-md:items-start max-md:gap-6 md:p-8 md:pl-10",
    )


def _list_entry(entry: rx.vars.ObjectVar[OngoingEntry]) -> rx.Component:
    return rx.el.li(
        picture(entry.picture, "6rem", "w-16 max-sm:self-start md:w-24"),
        rx.el.div(
            ui.small_heading(
                rx.el.a(
                    entry.name,
                    # Links of one name lead to different things: what tells them apart is part of the name.
                    ui.hidden_text(", ", rx.cond(entry.mark != "", entry.mark, _since(entry))),
                    to=entry.href,
                    class_name="text-ink no-underline after:absolute after:inset-0",
                )
            ),
            ui.muted(entry.mark, aria_hidden="true", shown=entry.mark != ""),
            ui.text(_planned(entry), shown=entry.planned),
            ui.muted(_since(entry)),
            class_name="min-w-0 grow basis-40",
        ),
        ui.badge(_status(entry), entry.tone),
        class_name="relative flex min-h-16 items-center justify-between gap-x-4 gap-y-2 px-4 py-4 "
        "hover:bg-paper max-sm:flex-wrap md:gap-x-6 md:px-6",
    )


def _lists() -> rx.Component:
    return ui.text(
        _("You’ll find everything in these lists:"),
        *[
            ui.tall_link(name, to=page)
            for name, page in (
                (_("Orders"), "/orders"),
                (_("Service requests"), "/maintenance"),
                (_("Returns"), "/returns"),
                (_("Invoices"), "/invoices"),
            )
        ],
        look="flex flex-wrap items-center gap-x-6",
        top=4,
    )


_LED = "(min-width: 64rem) 24rem, (min-width: 48rem) 16rem, 5rem"
"""How wide the picture of what weighs more is."""


def _offered() -> rx.Component:
    """Tiles and buttons; the variant decides which come first, and which of them lead (part-1 §1 Variants)."""
    returning = SessionState.variant == Variant.RETOUREN.value
    tiles = _part(
        _("Quick actions"),
        list_with_lead(
            DashboardPage.tiles,
            ~returning & DashboardPage.lead_picture.bool(),
            picture(DashboardPage.lead_picture, _LED, "w-full"),
        ),
    )
    led_buttons = list_with_lead(
        DashboardPage.buttons,
        DashboardPage.return_picture.bool(),
        picture(DashboardPage.return_picture, _LED, "w-full"),
    )
    buttons = _part(
        _("Order and delivery"),
        rx.cond(returning, led_buttons, action_list(DashboardPage.buttons, grid="buttons")),
        rx.el.div(
            ui.tall_link(_("Your returns"), to="/returns"),
            ui.tall_link(_("Your invoices"), to="/invoices"),
            class_name="flex flex-wrap gap-x-6",
        ),
    )
    # Who never had a bike is told once what comes with one, not by tiles that are closed.
    tiles = rx.cond(DashboardPage.tiles.length() > 0, tiles, rx.cond(_WAITS, None, _with_a_bike()))
    return ui.when(returning, buttons, tiles, otherwise=rx.fragment(tiles, buttons))


def _with_a_bike() -> rx.Component:
    return ui.muted(
        _("With a bike from us, you also arrange repairs, services, a service package, insurance and claims here."),
        top=12,
    )


def _part(heading: Text, content: rx.Component, link: rx.Component | None = None) -> rx.Component:
    top = [rx.el.h2(heading), *([link] if link is not None else [])]
    return rx.el.section(
        rx.el.div(*top, class_name="flex flex-wrap items-baseline justify-between gap-x-6"),
        ui.stack(content, top=4),
        class_name="mt-12",
    )


def _nothing_offered() -> rx.Component:
    return ui.notice(
        _("Need to arrange something for this order after all? Our customer service will look into it with you."),
        ui.row(
            ui.link_button(_("Customer service"), "/contact", "secondary"),
            ui.link_button(_("Your orders"), "/orders", "secondary"),
            top=4,
        ),
        title=_("Logged in, but there are no features for this order."),
        top=8,
    )


def _loading() -> rx.Component:
    return rx.el.div(
        ui.text(_("Loading…"), role="status", look="sr-only"),
        ui.skeleton("h-56 w-full rounded-panel"),
        _part(_("Quick actions"), ui.skeleton("h-96 w-full rounded-card md:h-160 lg:h-106")),
        class_name="mt-8 appear",
        custom_attrs={"aria-busy": "true"},
    )


PAGES = [
    PageRoute(
        "dashboard",
        dashboard,
        title(_("Overview")),
        on_load=[DashboardPage.load, DashboardPage.watch],
        first=DashboardPage,
    )
]

"""The customer service page, for everybody: contact data, opening hours, the features, and service points nearby."""

import asyncio
from dataclasses import dataclass

import reflex as rx
from reflex.event import EventSpec

from portal import ui
from portal.frontend.actions import NOTES
from portal.frontend.layout import opening_hours, title
from portal.frontend.policies import public
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import TITLES
from portal.i18n import Text, _, choice, day, setting, weekday_month
from portal.kernel.days import Closed, changes_at, closed_soon, is_holiday, never, now, opening_state, today
from portal.locations.pages.service_points import ServicePoints, service_points
from portal.reflex_adapter.state import assign_changed
from portal.reflex_adapter.var import expression
from portal.returns.flow.kinds import ACCESSORIES, EXCHANGE, ORDER_RETURN, RETURN
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.setting_groups import Variant
from portal.settings import settings
from portal.vocabulary.actions import Feature
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE

_NUMBER = SessionState.order_number
_RETURN = rx.cond(SessionState.variant == Variant.RETOUREN.value, ORDER_RETURN.path, RETURN.path).to(str)


def _of_the_order(page: str) -> rx.Var[str]:
    """Path of a page about the order used to log in; the list of orders if that order is unknown."""
    return rx.cond(_NUMBER == "", "/orders", f"/{page}/" + _NUMBER).to(str)


_STARTS: dict[Feature, rx.Var[str] | str] = {
    Feature.REPAIR: REPAIR.path,
    Feature.SERVICE: SERVICE.path,
    Feature.CLAIM: CLAIM.path,
    Feature.STATUS: "/status",
    Feature.SERVICE_PACKAGE: SERVICE_PACKAGE.path,
    Feature.INSURANCE: "/insurance-package",
    Feature.RETURN: _RETURN,
    Feature.ORDER_STATUS: _of_the_order("order-status"),
    Feature.TRACK_AND_TRACE: _of_the_order("order-status"),
    Feature.DELIVERY_DATE: _of_the_order("delivery-date"),
}

ONLINE: dict[Feature, rx.Var[str]] = {feature: rx.Var.create(path).to(str) for feature, path in _STARTS.items()}


@dataclass(frozen=True, slots=True)
class _Topic:
    name: Text
    note: Text
    to: rx.Var[str] | str


def _feature(feature: Feature) -> _Topic:
    return _Topic(TITLES[feature], NOTES[feature], _STARTS[feature])


_GROUPS: tuple[tuple[Text, tuple[_Topic, ...]], ...] = (
    (
        _("Your bike"),
        tuple(
            _feature(one)
            for one in (
                Feature.REPAIR,
                Feature.SERVICE,
                Feature.CLAIM,
                Feature.STATUS,
                Feature.SERVICE_PACKAGE,
                Feature.INSURANCE,
            )
        ),
    ),
    (
        _("Your order"),
        (
            _feature(Feature.ORDER_STATUS),
            _feature(Feature.DELIVERY_DATE),
            _Topic(_("Invoices"), _("View and download what you’ve paid"), "/invoices"),
            _Topic(_("My data"), _("Address, phone number and email"), "/my-data"),
        ),
    ),
    (
        _("Returns and exchanges"),
        (
            _Topic(_("Return a bike or a part"), _("Within {return_days} days after shipping"), _RETURN),
            _Topic(_("Return accessories"), _("Lights, locks, bags and more"), ACCESSORIES.path),
            _Topic(_("Exchange"), _("For the same or another bike"), EXCHANGE.path),
            _Topic(
                _("Withdraw from your purchase"), _("Within {withdrawal_days} days, no reason needed"), "/withdrawal"
            ),
            _Topic(_("Your returns"), _("Follow a return"), "/returns"),
        ),
    ),
)


def topics() -> rx.Component:
    return rx.el.section(
        rx.el.h2(_("Do it yourself online")),
        ui.muted(
            _("Day and night, even when we’re closed."),
            " ",
            rx.el.span(
                ui.text_link(_("You log in first."), "/"),
                class_name=rx.cond(SessionState.authenticated, "invisible", ""),
            ),
            top=1,
        ),
        rx.el.div(*[_group(name, entries) for name, entries in _GROUPS], class_name="mt-6 grid gap-8 lg:grid-cols-3"),
        class_name="mt-12",
    )


def _group(name: Text, entries: tuple[_Topic, ...]) -> rx.Component:
    return rx.el.div(
        rx.el.h3(name),
        rx.el.ul(
            *[_row(entry) for entry in entries],
            class_name="mt-3 divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
        ),
    )


def _row(entry: _Topic) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.a(
                entry.name, to=entry.to, class_name="font-semibold text-ink no-underline after:absolute after:inset-0"
            ),
            ui.small(entry.note),
            class_name="min-w-0 grow",
        ),
        ui.chevron(),
        class_name="group relative flex min-h-16 items-center gap-4 px-5 py-3 hover:bg-paper",
    )


_TOPICS = frozenset(feature.value for feature in Feature if feature is not Feature.CUSTOMER_SERVICE)
_MAX_PAUSE = 600.0
"""In seconds. The state is updated at least this often, because the clock of a server can change."""


class Contact(rx.State):
    """State of the customer service page.

    `topic`: the feature that the customer needs help with; empty if there is none.
    `at`: closing time today if open, else opening time; local time HH:MM.
    `day`: the day on which it opens again (ISO 8601); empty if it is open or opens later today.
    `closed`: holidays in the coming week on which it is closed (ISO 8601).
    """

    known: rx.Field[bool] = rx.field(False)
    topic: rx.Field[str] = rx.field("")
    open: rx.Field[bool] = rx.field(False)
    at: rx.Field[str] = rx.field("")
    day: rx.Field[str] = rx.field("")
    closed: rx.Field[list[str]] = rx.field(default_factory=list)

    @rx.event
    @public
    async def load(self) -> EventSpec | None:
        """Read the topic from the URL, and set the opening state; for a customer also load their data."""
        topic = str(self.router.url.query_parameters.get("topic", ""))
        self.topic = topic if topic in _TOPICS else ""
        self._look()
        customer = (await self.get_state(SessionState)).authenticated
        return SessionState.load if customer else None  # pyrefly: ignore[bad-return]  # an event without arguments is one

    @rx.event(background=True)
    @public
    async def watch(self) -> None:
        while True:
            async with self:
                pause = self._look()
            await asyncio.sleep(min(max(pause, 1.0), _MAX_PAUSE))

    def _look(self) -> float:
        moment, closed = now(), _closed()
        found = opening_state(settings().hours.of(Variant.of_host(self.router.headers.host)), moment, closed)
        seen = {
            "open": found.open,
            "at": found.at.strftime("%H:%M") if found.at else "",
            "day": found.day.isoformat() if found.day and found.day != today() else "",
            "closed": [day.isoformat() for day in closed_soon(closed, today())],
            "known": True,
        }
        assign_changed(self, seen)
        return (changes_at(found, moment) - moment).total_seconds()


def _closed() -> Closed:
    return is_holiday if settings().closed_on_holidays else never


_HAVE_READY: dict[Feature, Text] = {
    Feature.REPAIR: _("What’s broken and since when, your frame number, and photos if you have any."),
    Feature.SERVICE: _("Your frame number, the mileage, and when your bike was last serviced."),
    Feature.CLAIM: _("Your policy number, what happened and when, and photos of the damage."),
    Feature.STATUS: _("The reference of your request."),
    Feature.SERVICE_PACKAGE: _("Your frame number."),
    Feature.INSURANCE: _("Your frame number and the numbers of your keys."),
    Feature.RETURN: _("Your order number, which items you want to return, and why."),
    Feature.ORDER_STATUS: _("Your order number."),
    Feature.TRACK_AND_TRACE: _("Your order number."),
    Feature.DELIVERY_DATE: _("Your order number, and the days that suit you."),
}


def contact() -> rx.Component:
    return ui.page_frame(
        rx.cond(Contact.topic != "", _about()),
        rx.el.div(_phone(), _mail(), class_name="mt-8 grid gap-5 md:grid-cols-2"),
        topics(),
        service_points(),
        title=_("Customer service"),
        # For visitors the header has the way back. Its room is kept: who is a customer is known after the first paint.
        back=rx.el.div(
            rx.cond(SessionState.authenticated, ui.back_link(_("Overview"), "/dashboard")), class_name="min-h-15"
        ),
    )


def _topic() -> rx.Var[str]:
    return choice(Contact.topic, TITLES)


def _about() -> rx.Component:
    return rx.el.div(
        ui.text(_topic(), look="text-h2"),
        ui.lead(_("Couldn’t do it online? Call or email us and we’ll sort it out together."), top=2),
        ui.strong(_("Have this to hand:"), top=5),
        ui.text(choice(Contact.topic, _HAVE_READY)),
        ui.stack(
            ui.link_button(_("Do it online"), choice(Contact.topic, ONLINE, rx.Var.create("/dashboard")), "light"),
            top=6,
        ),
        class_name="mt-6 rounded-panel bg-panel p-6 text-on-panel md:p-10",
    )


def _phone() -> rx.Component:
    phone, number = setting("phone"), setting("phone_number")
    return ui.card(
        rx.el.div(
            ui.subheading(_("Call us")),
            rx.el.div(rx.cond(Contact.known, _open_now()), role="status", class_name="min-h-8 max-sm:basis-full"),
            class_name="flex min-h-8 flex-wrap items-center justify-between gap-3",
        ),
        ui.text(
            ui.anchor(phone, href=f"tel:{number}", class_name="text-h2 text-ink underline tabular-nums"),
            top=4,
        ),
        ui.small_heading(_("Opening hours"), top=6),
        ui.stack(opening_hours(), top=1),
        ui.item_list(
            Contact.closed,
            lambda closed: rx.el.li(_("Closed on {day}", day=day(closed))),
            top=2,
            look="text-warn",
            shown=Contact.closed.length() > 0,
        ),
        ui.small(_("Dutch local time"), top=2),
        class_name="md:p-8",
    )


def _open_now() -> rx.Component:
    opens = rx.cond(
        Contact.day != "",
        _("Closed, opens on {day} at {time}", day=weekday_month(Contact.day), time=Contact.at),
        _("Closed, opens at {time}", time=Contact.at),
    ).to(str)
    return rx.cond(
        Contact.open, ui.badge(_("Open now, until {time}", time=Contact.at), "ok"), ui.badge(opens, "neutral")
    )


def _mail() -> rx.Component:
    email = setting("email")
    subject = rx.cond(Contact.topic != "", _topic(), _("Question")).to(str)
    number = SessionState.order_number
    # With the order number, the customer service need not ask for it.
    named = _("order {number}", number=number)
    order = rx.cond(number != "", f" – {named}", "").to(str)
    return ui.card(
        ui.subheading(_("Email us")),
        ui.text(
            ui.anchor(
                f"{setting('mailbox')}@",
                rx.el.wbr(),
                setting("mail_domain"),
                href=f"mailto:{email}",
                class_name="wrap-anywhere text-ink underline md:text-lg",
            ),
            top=4,
        ),
        ui.stack(
            ui.anchor(
                _("Write an email"),
                href=f"mailto:{email}?subject={_encoded(subject + order)}",
                class_name=ui.button_class("secondary"),
            ),
            top=6,
        ),
        class_name="md:p-8",
    )


def _encoded(text: rx.Var[str]) -> rx.Var[str]:
    return expression(f"encodeURIComponent({text!s})", text).to(str)


PAGES = [
    PageRoute(
        "contact",
        contact,
        title(_("Customer service")),
        on_load=[Contact.load, ServicePoints.load, Contact.watch],
        protected=False,
        for_both=True,
    )
]

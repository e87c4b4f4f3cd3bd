"""The customer service: how to reach it, when, where each subject is arranged, and the service points nearby."""

from __future__ import annotations

import phonenumbers
import reflex as rx

from portal.i18n import Text, _, choice, day, weekday_month
from portal.pages.layout import opening_hours, title
from portal.pages.parts.contact_topics import ONLINE, topics
from portal.pages.parts.service_points import service_points
from portal.pages.parts.texts import TITLES
from portal.pages.registry import Page
from portal.reflex_adapter.var import expression
from portal.settings import settings
from portal.states.contact import Contact
from portal.states.service_points import ServicePoints
from portal.states.session import Session
from portal.ui import anchor, back_link, badge, button_class, card, link_button, page_frame
from portal.vocabulary.actions import Feature

_HAVE_READY: dict[Feature, Text] = {
    Feature.REPAIR: _("What is broken and since when, the frame number of your bike, and photos if you have them."),
    Feature.SERVICE: _("The frame number of your bike, its mileage, and when it was last serviced."),
    Feature.CLAIM: _("Your policy number, what happened and when, and photos of the damage."),
    Feature.STATUS: _("The reference of your request."),
    Feature.SERVICE_PACKAGE: _("The frame number of your bike."),
    Feature.INSURANCE: _("The frame number of your bike and the numbers of its keys."),
    Feature.RETURN: _("Your order number, which items you want to return, and why."),
    Feature.ORDER_STATUS: _("Your order number."),
    Feature.TRACK_AND_TRACE: _("Your order number."),
    Feature.DELIVERY_DATE: _("Your order number, and the days that suit you."),
}


def contact() -> rx.Component:
    """Phone, mail and hours; with what the customer came for, when that is known."""
    return page_frame(
        rx.cond(Contact.topic != "", _about()),
        rx.el.div(_phone(), _mail(), class_name="mt-8 grid gap-5 md:grid-cols-2"),
        topics(),
        service_points(),
        title=_("Customer service"),
        back=back_link(_("Overview"), "/dashboard"),
    )


def _topic() -> rx.Var[str]:
    return choice(Contact.topic, TITLES)


def _about() -> rx.Component:
    """What the customer could not arrange elsewhere, and what helps us to do it."""
    return rx.el.div(
        rx.el.p(_topic(), class_name="text-h2"),
        rx.el.p(_("Did it not work online? Call or email us; we arrange it with you."), class_name="mt-2 text-lg"),
        rx.el.p(_("Have this at hand:"), class_name="mt-5 font-semibold"),
        rx.el.p(choice(Contact.topic, _HAVE_READY)),
        rx.el.div(
            link_button(_("Arrange it online"), choice(Contact.topic, ONLINE, rx.Var.create("/dashboard")), "light"),
            class_name="mt-6",
        ),
        class_name="mt-6 rounded-panel bg-ink p-6 text-paper md:p-10",
    )


def _phone() -> rx.Component:
    brand = settings().brand
    dialled = phonenumbers.format_number(phonenumbers.parse(brand.phone), phonenumbers.PhoneNumberFormat.NATIONAL)
    return card(
        rx.el.div(
            rx.el.h2(_("Call us"), class_name="text-h3"),
            rx.el.div(rx.cond(Contact.known, _open_now()), role="status"),
            class_name="flex min-h-8 flex-wrap items-center justify-between gap-3",
        ),
        rx.el.p(
            anchor(dialled, href=f"tel:{brand.phone}", class_name="text-h2 text-ink underline tabular-nums"),
            class_name="mt-4",
        ),
        rx.el.h3(_("Opening hours"), class_name="mt-6 text-base font-semibold"),
        rx.el.div(opening_hours(), class_name="mt-1"),
        rx.cond(
            Contact.closed.length() > 0,
            rx.el.ul(
                rx.foreach(Contact.closed, lambda closed: rx.el.li(_("Closed on {day}", day=day(closed)))),
                class_name="mt-2 text-warn",
            ),
        ),
        rx.el.p(_("Dutch local time"), class_name="mt-2 text-sm text-ink-600"),
        class_name="md:p-8",
    )


def _open_now() -> rx.Component:
    opens = rx.cond(
        Contact.day != "",
        _("Closed, opens on {day} at {time}", day=weekday_month(Contact.day), time=Contact.at),
        _("Closed, opens at {time}", time=Contact.at),
    ).to(str)
    return rx.cond(Contact.open, badge(_("Open now, until {time}", time=Contact.at), "ok"), badge(opens, "neutral"))


def _mail() -> rx.Component:
    brand = settings().brand
    subject = rx.cond(Contact.topic != "", _topic(), _("Question")).to(str)
    number = Session.profile.order_number
    # The order number saves the customer service a question back.
    order = rx.cond(number != "", f" – {_('order {number}', number=number)}", "").to(str)
    return card(
        rx.el.h2(_("Email us"), class_name="text-h3"),
        rx.el.p(
            anchor(brand.email, href=f"mailto:{brand.email}", class_name="wrap-anywhere text-ink underline md:text-lg"),
            class_name="mt-4",
        ),
        rx.el.div(
            anchor(
                _("Write an email"),
                href=f"mailto:{brand.email}?subject={_encoded(subject + order)}",
                class_name=button_class("secondary"),
            ),
            class_name="mt-6",
        ),
        class_name="md:p-8",
    )


def _encoded(text: rx.Var[str]) -> rx.Var[str]:
    """A text as a part of an address."""
    return expression(f"encodeURIComponent({text!s})", text).to(str)


PAGES = [
    Page(
        "contact",
        contact,
        title(_("Customer service")),
        on_load=[Session.load, Contact.load, ServicePoints.load, Contact.watch],
    )
]

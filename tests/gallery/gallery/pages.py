"""The pages of the gallery."""

from __future__ import annotations

from typing import Annotated, Any

import reflex as rx

from gallery.state import NEVER_LEAVES, Gallery
from portal.frontend.layout import field_message
from portal.i18n import _, choice, day, distance, moment, money, ngettext, number, weekday_day
from portal.kernel.codes import Code
from portal.ui import (
    Fact,
    Option,
    action_button,
    back_link,
    badge,
    card,
    choice_cards,
    confirm_button,
    copy_button,
    empty_state,
    error_block,
    error_summary,
    event_form,
    facts,
    illustrations,
    link_button,
    notice,
    page_frame,
    pagination,
    popup,
    section,
    select_field,
    skeleton_cards,
    submit_button,
    text_area,
    text_field,
)
from portal.ui.browser import module
from portal.vocabulary.work_orders import WORK_ORDER_LABELS


def _envelope(value: rx.Var[dict[str, Any]]) -> tuple[rx.Var[dict[str, Any]]]:
    return (value,)


class _EdgeForm(rx.Component):
    """The form that a script posts as JSON; the forms of the login are made of it."""

    library = module("forms")
    tag = "EdgeForm"

    action: rx.Var[str]
    on_result: Annotated[rx.EventHandler, _envelope]


def components() -> rx.Component:
    """One of each."""
    problem = field_message(
        Gallery.problem, _("Email address"), Code.INVALID_EMAIL, Code.NETWORK_ERROR, Code.GENERAL_ERROR
    )
    return page_frame(
        _EdgeForm.create(
            text_field("name", _("Email address"), hint=_("The address you ordered with"), error=problem, kind="email"),
            submit_button(_("Send login code")),
            action="/echo",
            on_result=Gallery.answer,
            class_name="mt-8 space-y-6",
            custom_attrs={"id": "edge"},
        ),
        rx.el.output(Gallery.result.to_string(), custom_attrs={"id": "result"}),
        event_form(
            select_field("country", _("Delivery"), [("nl", _("Netherlands")), ("be", _("Belgium"))], value="be"),
            choice_cards(
                "method",
                _("Delivery method"),
                [Option("shop", _("Free"), _("Delivery")), Option("home", money("39.95"))],
                hint=_("Starts with an 8 or a 9"),
            ),
            text_area("story", _("Repair"), minimum=30, maximum=100, hint=_("Costs")),
            submit_button(_("Log in"), _("Sending…")),
            on_send=Gallery.save,
            answered=Gallery.answered,
            custom_attrs={"id": "event"},
        ),
        rx.el.output(Gallery.sent.to_string(), custom_attrs={"id": "sent"}),
        section(_("Orders"), _toast_buttons()),
        section(_("Bikes"), _facts(), _formats(), _overlays()),
        section(_("Invoices"), _feedback()),
        section(_("My data"), _pictures()),
        title=_("Bikes"),
        lead=_("Everything about your bike in one place."),
        above=error_summary({"name": problem}, Gallery.attempt),
    )


def _toast_buttons() -> rx.Component:
    kinds = [("success", 3000, 1), ("error", 4000, 1), ("info", NEVER_LEAVES, 1), ("success", 3000, 11)]
    return rx.el.div(
        *[
            action_button(f"{kind} {timeout} {count}", Gallery.notify(kind, timeout, count))
            for kind, timeout, count in kinds
        ],
        action_button("sign out", Gallery.sign_out),
        action_button("toggle login", Gallery.toggle_login),
        class_name="flex flex-wrap gap-3",
    )


def _facts() -> rx.Component:
    return card(
        facts(
            Fact(_("Your frame number"), "GZ4821", action=copy_button(rx.Var.create("GZ4821"), _("Your frame number"))),
            Fact(_("Email address"), rx.Var.create("sanne@example.com").to(str), change="/orders"),
            Fact(_("Battery"), rx.Var.create("").to(str)),
        )
    )


def _formats() -> rx.Component:
    return rx.el.ul(
        rx.el.li(money("1234.5"), custom_attrs={"id": "money"}),
        rx.el.li(day("2026-06-03"), custom_attrs={"id": "day"}),
        rx.el.li(weekday_day("2026-06-03"), custom_attrs={"id": "weekday"}),
        rx.el.li(moment("2026-06-03T22:30:00Z"), custom_attrs={"id": "moment"}),
        rx.el.li(number("1250.25", 1), custom_attrs={"id": "number"}),
        rx.el.li(distance("1250.50"), custom_attrs={"id": "distance"}),
        rx.el.li(money(""), day(""), custom_attrs={"id": "nothing"}),
        rx.el.li(
            ngettext("{n} order, newest first", "{n} orders, newest first", Gallery.orders),
            custom_attrs={"id": "plural"},
        ),
        rx.el.li(choice(Gallery.status, WORK_ORDER_LABELS, _("Status unknown")), custom_attrs={"id": "status"}),
        rx.el.li(choice(Gallery.language, WORK_ORDER_LABELS, _("Status unknown")), custom_attrs={"id": "unknown"}),
        rx.el.li(Gallery.language, custom_attrs={"id": "language"}),
    )


def _overlays() -> rx.Component:
    return rx.el.div(
        popup(
            _("Where do I find my order number?"),
            _("Your order number"),
            illustrations.invoice("mx-auto w-56"),
            rx.el.p(_("Your order number is at the top left of your invoice. It starts with an 8 or a 9.")),
        ),
        confirm_button(_("Log out"), _("Log out"), _("Costs"), _("Log out"), _("Stay logged in"), Gallery.confirm),
        rx.el.output(Gallery.confirmed, custom_attrs={"id": "confirmed"}),
        class_name="flex flex-wrap gap-3",
    )


def _feedback() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            *[badge(_("Paid"), tone) for tone in ("ok", "warn", "err", "info", "neutral")],
            class_name="flex flex-wrap gap-2",
        ),
        *[notice(_("Free"), title=_("Costs"), tone=tone) for tone in ("ok", "warn", "err", "info", "neutral")],
        empty_state(
            _("You have no orders yet"),
            _("Everything you buy from us appears here."),
            link_button(_("Orders"), "/orders"),
        ),
        error_block(_("Your orders couldn’t be loaded."), Gallery.confirm),
        skeleton_cards(2),
        pagination(rx.Var.create(2), rx.Var.create(3), lambda page: "?page=" + page.to_string()),
    )


def _pictures() -> rx.Component:
    drawings = [
        illustrations.city_bike,
        illustrations.parcel,
        illustrations.workshop,
        illustrations.shield,
        illustrations.calendar,
        illustrations.empty_track,
        illustrations.broken_chain,
        illustrations.invoice,
        illustrations.frame_number,
    ]
    return rx.el.div(*[card(drawing()) for drawing in drawings], class_name="grid grid-cols-2 md:grid-cols-4 gap-3")


def details() -> rx.Component:
    """A page to navigate to."""
    return page_frame(
        rx.el.p(rx.el.a("further", to="/orders/12")),
        rx.el.p(rx.el.a("broken", to="/broken")),
        title=_("Orders"),
        back=back_link(_("Bikes"), "/"),
    )


def broken() -> rx.Component:
    """A page that fails while the browser draws it."""
    failure = "(typeof window === 'undefined' ? '' : (() => { throw new Error('drawn wrongly'); })())"
    return page_frame(rx.el.p(rx.Var(failure).to(str)), title=_("Orders"))

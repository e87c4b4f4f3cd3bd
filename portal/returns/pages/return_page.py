"""One return: how far it is, its money, its papers, what can still be done about it (part-2 §2, §4)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import Text, _, day, moment
from portal.pages.parts.battery import battery_form, unsafe_battery
from portal.pages.parts.faces import detail_title, loaded, unless_missing
from portal.pages.parts.history import happening, note, timeline
from portal.pages.parts.request import live_line
from portal.pages.parts.return_amounts import refund
from portal.pages.parts.return_facts import facts, items
from portal.pages.parts.return_papers import papers
from portal.pages.parts.return_texts import (
    ask_anew,
    of_kind,
    refused,
    resend_form,
    return_meaning,
    return_name,
    return_status,
)
from portal.pages.parts.tracker import tracker
from portal.pages.registry import Page
from portal.states.page import READY
from portal.states.return_page import ReturnPage
from portal.states.views.returns import NO_PHASE, ReturnEventView
from portal.ui import back_link, badge, confirm_button, notice, page_frame, section, skeleton
from portal.vocabulary.returns import (
    BATTERY_FIRST,
    PHASE_NAMES,
    PICKUP_DAY_OPEN,
    PICKUP_TEXTED,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
    phases,
)

_SHOWN: Any = ReturnPage.shown


def return_page() -> rx.Component:
    """A return, an exchange or a withdrawal."""
    return unless_missing(
        ReturnPage,
        page_frame(
            loaded(ReturnPage, _body(), failure=_("Your return could not be loaded."), waiting=_waiting()),
            title=_title(),
            back=back_link(_("Your returns"), "/returns"),
        ),
    )


def _title() -> rx.Var[str]:
    return rx.cond(ReturnPage.face == READY, return_name(_SHOWN), _("Return")).to(str)


def _body() -> rx.Component:
    return rx.fragment(
        _instructions(),
        rx.cond(_SHOWN.waiting, _to_confirm(), _standing()),
        rx.cond(_SHOWN.battery_asked, _battery()),
        live_line(ReturnPage, return_status(_SHOWN.status, _SHOWN.kind)),
        rx.cond(_SHOWN.phase != NO_PHASE, rx.el.div(_road(), class_name="mt-6")),
        rx.el.div(
            rx.el.div(
                section(_("Items"), items(_SHOWN)),
                papers(_SHOWN),
                rx.cond(_SHOWN.events.length() > 0, section(_("What happened"), timeline(_SHOWN.events, _event))),
                class_name="min-w-0",
            ),
            rx.el.div(
                section(_("Your money"), refund(_SHOWN)),
                section(_("Your request"), facts(_SHOWN)),
                _cancel(),
                class_name="min-w-0",
            ),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _own(exchange: Text, other: Text) -> rx.Var[str]:
    return of_kind(_SHOWN.kind, exchange, other)


def _standing() -> rx.Component:
    """How far it is, on ink: the first thing that is read."""
    return rx.el.div(
        badge(return_status(_SHOWN.status, _SHOWN.kind), _SHOWN.tone),
        rx.el.p(return_meaning(_SHOWN.status, _SHOWN.kind), class_name="mt-4 max-w-form text-h3 md:text-h2"),
        rx.cond(
            (_SHOWN.pickup_day != "") & ~_SHOWN.closed,
            rx.el.p(_("Pick-up on {day}", day=day(_SHOWN.pickup_day)), class_name="mt-3 text-lg font-semibold"),
        ),
        rx.cond(
            (_SHOWN.status == ReturnStatus.PICKUP_CONFIRMED.value) & (_SHOWN.method == ReturnMethod.PICK_UP.value),
            rx.el.p(rx.cond(_SHOWN.pickup_day == "", _(PICKUP_DAY_OPEN), _(PICKUP_TEXTED)), class_name="mt-1"),
        ),
        rx.el.p(
            _("Order {number}, requested on {day}", number=_SHOWN.order_number, day=day(_SHOWN.requested)),
            class_name="mt-3",
        ),
        class_name="mt-8 rounded-panel bg-ink p-6 text-paper md:p-10",
    )


def _to_confirm() -> rx.Component:
    """It waits for the mailed link: nothing to follow yet, but the mail can be sent again (flow-standard F32)."""
    mail = _SHOWN.mail
    return rx.el.div(
        # On amber the badge of this tone would not be seen.
        rx.el.span(return_status(_SHOWN.status, _SHOWN.kind), class_name="badge bg-white text-warn"),
        rx.el.p(return_meaning(_SHOWN.status, _SHOWN.kind), class_name="mt-4 max-w-form text-h3"),
        rx.cond(
            mail.failed & ~mail.over,
            rx.el.div(
                notice(_(MESSAGES[Code.EMAIL_FAILED]), tone="err"),
                class_name="mt-4",
            ),
            rx.cond(
                mail.expired,
                rx.el.p(_("The link to {email} worked until {moment}.", **_sent()), class_name="mt-4"),
                rx.el.p(
                    _("We sent the link to {email}. It works until {moment}.", **_sent()),
                    " ",
                    _("Not received? Look in the folder for spam or unwanted email as well."),
                    class_name="mt-4 max-w-form",
                ),
            ),
        ),
        rx.cond(
            mail.over,
            ask_anew(_SHOWN.order_number),
            rx.el.div(resend_form(ReturnPage, _SHOWN.return_id), class_name="mt-6"),
        ),
        class_name="mt-8 rounded-panel border-2 border-warn-line bg-warn-bg p-6 md:p-10",
    )


def _sent() -> dict[str, rx.Var[str]]:
    return {"email": _SHOWN.mail.email, "moment": moment(_SHOWN.mail.expires_at)}


def _instructions() -> rx.Component:
    """A battery that must not travel: no label, no pick-up, but what to do now."""
    return rx.cond(
        _SHOWN.instructions & ~_SHOWN.closed,
        rx.el.div(
            unsafe_battery(_("Your battery is not safe: do this now")),
            class_name="mt-4",
        ),
    )


def _battery() -> rx.Component:
    """Of a withdrawal, which was received without a question: nothing may be sent before this is known."""
    form = battery_form(ReturnPage, refused(ReturnPage))
    return section(_("First look at the battery"), rx.el.div(rx.el.p(_(BATTERY_FIRST)), form, class_name="max-w-form"))


def _road() -> rx.Component:
    roads = {
        kind: [_(PHASE_NAMES[phase]) for phase in phases(kind)] for kind in (ReturnKind.RETURN, ReturnKind.EXCHANGE)
    }
    name, current = _own(_("How far your exchange is"), _("How far your return is")), _SHOWN.phase.to(int)
    return rx.cond(
        _SHOWN.kind == ReturnKind.EXCHANGE.value,
        tracker(roads[ReturnKind.EXCHANGE], current, name),
        tracker(roads[ReturnKind.RETURN], current, name),
    )


def _event(event: rx.vars.ObjectVar[ReturnEventView], newest: rx.Var[bool]) -> rx.Component:
    return happening(
        return_status(event.status, _SHOWN.kind),
        event.at,
        rx.el.p(return_meaning(event.status, _SHOWN.kind), class_name="mt-1 max-w-form"),
        note(event.note),
        newest=newest,
    )


def _cancel() -> rx.Component:
    """As long as nothing was picked up; asked again before it is done (flow-standard F58)."""
    return rx.el.div(
        rx.cond(~_SHOWN.waiting & ~_SHOWN.battery_asked, refused(ReturnPage)),
        rx.cond(
            _SHOWN.can_cancel,
            rx.el.div(
                confirm_button(
                    _own(_("Cancel exchange"), _("Cancel return")),
                    _own(_("Cancel this exchange?"), _("Cancel this return?")),
                    _own(
                        _("You keep what you have. While there is time you can request a new exchange."),
                        _(
                            "You keep the items and get no money back. "
                            "While there is time you can request a new return."
                        ),
                    ),
                    _own(_("Cancel exchange"), _("Cancel return")),
                    _own(_("Keep exchange"), _("Keep return")),
                    on_confirm=ReturnPage.cancel,
                ),
                class_name="mt-10",
            ),
        ),
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        skeleton("h-56 w-full rounded-panel"),
        skeleton("mt-8 h-24 w-full"),
        rx.el.div(
            skeleton("h-72 w-full rounded-card"),
            skeleton("h-56 w-full rounded-card"),
            class_name="mt-10 grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12",
        ),
        class_name="mt-8 appear",
        custom_attrs={"aria-busy": "true"},
    )


PAGES = [
    Page(
        "returns/[return_id]",
        return_page,
        detail_title(ReturnPage, _title()),
        on_load=[ReturnPage.load, ReturnPage.watch],
        first=ReturnPage,
    )
]

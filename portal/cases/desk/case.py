"""The page of one case: what the customer asked, what comes next, and what staff know about it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.cases.api import LONGEST_CASE_NOTE
from portal.cases.desk.case_components import (
    assignment,
    bike_panel,
    corrections_panel,
    customer_panel,
    handover_panel,
    hidden_panel,
    next_step,
    others_panel,
    timeline_panel,
    unsafe_battery,
)
from portal.cases.desk.case_state import CasePage
from portal.cases.desk.queue import promise
from portal.cases.desk.queue_state import LastList
from portal.conversations.desk.components import talk
from portal.desk.registry import DeskRoute
from portal.desk.viewer import file_tile
from portal.desk.views import back_line, desk_loaded, desk_page, panel, split, title
from portal.frontend.accounts import account_facts, amounts_box
from portal.i18n import _, choice, localized, moment
from portal.kernel.codes import MESSAGES, Code
from portal.staff.desk.revealing import Reveal, hides_on_leaving
from portal.ui import badge, notice
from portal.vocabulary.cases import CASE_LABELS, CaseKind


def case() -> rx.Component:
    """The page."""
    shown = CasePage.case
    return desk_page(
        hides_on_leaving(),
        desk_loaded(
            CasePage,
            rx.fragment(
                _changed(),
                unsafe_battery(),
                split(
                    [
                        _request(),
                        talk(CasePage, longest_note=LONGEST_CASE_NOTE, elsewhere=_elsewhere()),
                        timeline_panel(),
                    ],
                    [
                        assignment(),
                        customer_panel(),
                        bike_panel(),
                        hidden_panel(),
                        corrections_panel(),
                        handover_panel(),
                        others_panel(),
                    ],
                    first=next_step(),
                ),
            ),
            failure=_("The case couldn’t be loaded."),
        ),
        heading=rx.cond(shown.kind != "", _("{kind} {reference}", kind=_kind(), reference=shown.reference), _("Case")),
        count=rx.cond(shown.kind != "", _line()),
        beside=rx.cond(
            CasePage.also_here.length() > 0,
            rx.el.span(_("Also here: {names}", names=CasePage.also_here.join(", ")), role="status"),
        ),
        back=back_line(
            rx.cond(LastList.searched, _("Back to the search results"), _("Back to the list")),
            LastList.address,
        ),
    )


def _kind() -> rx.Var[str]:
    return choice(CasePage.case.kind, CASE_LABELS)


def _line() -> rx.Component:
    """Status and promise, beside the heading."""
    shown = CasePage.case
    return rx.el.span(
        badge(localized(shown.status), shown.tone.to(str)),
        rx.cond(shown.urgent, rx.el.span(" ", badge(_("Urgent"), "err"))),
        rx.cond(shown.promise != "", rx.el.span(" ", _("promised:"), " ", promise(shown), class_name="font-normal")),
        rx.cond(
            shown.opened_by != "",
            rx.el.span(" · ", _("sent by {name} for the customer", name=shown.opened_by), class_name="font-normal"),
        ),
    )


def _changed() -> rx.Component:
    """What somebody else changed, after a change was refused because of it."""
    return rx.cond(
        CasePage.changed.length() > 0,
        rx.el.div(
            notice(
                rx.el.p(_("Your change wasn’t made. Look at the case as it is now, then decide again.")),
                rx.el.ul(
                    rx.foreach(
                        CasePage.changed,
                        lambda event: rx.el.li(
                            rx.cond(event.who != "", event.who, rx.cond(event.by_customer, _("Customer"), _("Portal"))),
                            ": ",
                            localized(event.label),
                            " ",
                            localized(event.text),
                            " · ",
                            moment(event.at),
                        ),
                    ),
                    class_name="mt-2 list-disc pl-5",
                ),
                title=_("Someone else changed this case"),
                tone="warn",
                announced=True,
            ),
            class_name="mb-4",
        ),
    )


def _request() -> rx.Component:
    """What the customer told us, and what the customer was told."""
    shown = CasePage.case
    account = shown.account
    return panel(
        localized(account.title),
        rx.cond(
            localized(account.meaning) != "",
            rx.el.p(
                _("What the customer reads in the portal:"),
                " ",
                rx.el.q(localized(account.meaning)),
                class_name="mb-3 text-sm text-ink-600",
            ),
        ),
        rx.cond(
            shown.phase_number.to(int) > 0,
            rx.el.p(
                _(
                    "The customer is shown phase {x} of {y}: {name}",
                    x=shown.phase_number,
                    y=shown.phases,
                    name=localized(shown.phase),
                ),
                class_name="mb-3 text-sm text-ink-600",
            ),
        ),
        account_facts(account),
        _files(),
        amounts_box(account, _("Amounts")),
        rx.cond(
            account.next_steps.length() > 0,
            rx.el.details(
                rx.el.summary(_("What the customer was told to expect"), class_name="cursor-pointer"),
                rx.el.ol(
                    rx.foreach(account.next_steps, lambda step: rx.el.li(localized(step))),
                    class_name="mt-2 list-decimal space-y-1 pl-5",
                ),
                class_name="mt-4",
            ),
        ),
    )


def _elsewhere() -> rx.Component:
    """Where staff write instead, or why nobody reads a message: a battery alarm is about a return, which has one."""
    shown = CasePage.case
    of_return = rx.Var.create("/cases/return/").to(str) + shown.key.to(str).split("/")[1].to(str)
    return rx.cond(
        shown.kind == CaseKind.BATTERY_ALARM.value,
        rx.el.p(
            _("Write to the customer from the return’s case."),
            " ",
            rx.el.a(_("To the return"), to=of_return, class_name="desk-target"),
        ),
        rx.el.p(_(MESSAGES[Code.CUSTOMER_UNREACHABLE])),
    )


def _files() -> rx.Component:
    """Small pictures of the files; those that staff took of what arrived stand apart."""

    def group(heading: rx.Var[str], files: Any) -> rx.Component:
        return rx.cond(
            files.length() > 0,
            rx.el.div(
                rx.el.h3(heading, class_name="mt-4 font-normal text-ink-600"),
                rx.el.ul(
                    rx.foreach(
                        files, lambda file: rx.el.li(file_tile(file.address, file.preview, file.name, file.kind))
                    ),
                    class_name="mt-2 flex flex-wrap gap-3",
                ),
            ),
        )

    return rx.fragment(
        group(_("Photos and other files"), CasePage.case.files),
        group(_("Photos of what arrived"), CasePage.case.received),
    )


PAGES = [
    DeskRoute("cases/[kind]/[reference]", case, title(_("Case")), on_load=[Reveal.hide, CasePage.load, CasePage.watch]),
]

"""The first page of a return: what it costs and takes, what cannot come back, other ways."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal.domain.flow import Flow
from portal.i18n import Text, _, money
from portal.pages.returning.told import withdrawal_told
from portal.states.flow import FlowRun
from portal.states.page import LOADING
from portal.states.returning import Returning
from portal.ui import LINK

FREE = _("Bringing it to one of our stores is free")
"""Where there is a choice how it comes back."""


def intro(lead: Text, phases: rx.Component, notes: Sequence[Text]) -> rx.Component:
    """What to expect.

    Args:
        lead: what can be done here.
        phases: of the return.
        notes: what is good to know of this flow.
    """
    fee = _("Pick-up at home costs {amount}, once per request", amount=money(Returning.fee))
    return rx.fragment(
        rx.el.p(lead, class_name="mt-3 max-w-form text-lg"),
        rx.el.div(phases, class_name="mt-8"),
        rx.cond(FlowRun.face != LOADING, withdrawal_told()),
        rx.el.section(
            rx.el.h2(_("Good to know")),
            rx.el.ul(
                *[rx.el.li(note) for note in notes],
                rx.cond(Returning.fee != "", rx.el.li(fee)),
                rx.el.li(_("We take {depreciation_percent}% off the price of what has signs of use")),
                rx.el.li(_("You see what you get back before you send your request")),
                class_name="mt-3 list-disc space-y-1 pl-5",
            ),
            rx.el.p(
                _("It takes about 5 minutes. You can stop and go on later: every step is saved."), class_name="mt-4"
            ),
            class_name="mt-10 max-w-form",
        ),
    )


def below_intro(refused: rx.Component, *others: Flow) -> rx.Component:
    """What cannot come back, and other ways.

    Args:
        refused: what cannot come back, with its reasons.
        *others: flows that may be what the customer looks for.
    """
    links = [
        rx.el.li(rx.el.a(_(flow.title), to=flow.path, class_name=f"{LINK} inline-flex min-h-11 items-center"))
        for flow in others
    ]
    return rx.el.div(
        rx.cond(FlowRun.face != LOADING, refused),
        rx.el.section(
            rx.el.h2(_("Looking for something else?"), class_name="text-h3"),
            rx.el.ul(*links, class_name="mt-1 flex flex-wrap gap-x-8"),
        ),
        class_name="mt-12 max-w-form space-y-10",
    )

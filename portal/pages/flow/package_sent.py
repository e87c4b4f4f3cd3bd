"""The page after taking out a service package: the bike has it at once (flow-standard F31)."""

from __future__ import annotations

import reflex as rx

from portal.flows.service import SERVICE
from portal.flows.service_package import CHOICES
from portal.i18n import _, choice, moment, money
from portal.pages.flow.told import receipt_text
from portal.states.flow import FlowRun
from portal.ui import copy_button, link_button, page_frame, section
from portal.ui.flow import print_button
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES

_NAMES = {code.value: name for code, name in SERVICE_PACKAGE_NAMES.items() if code.value in CHOICES}
SENT_TITLE = _("Your service package has been taken out")


def package_sent() -> rx.Component:
    """Which package, what it costs, and how it is used."""
    receipt = FlowRun.receipt
    name = choice(receipt_text("package"), _NAMES)
    return page_frame(
        rx.el.div(
            # Text only: what can be done stands below (flow-standard F31).
            rx.el.h1(SENT_TITLE, tab_index=-1),
            rx.el.p(
                _(
                    "Your {bike} has the service package {package} from now on, for {monthly} a month.",
                    bike=receipt_text("bike"),
                    package=name,
                    monthly=money(receipt_text("monthly")),
                ),
                class_name="mt-3 text-lg",
            ),
            rx.el.p(_("Your reference number"), class_name="mt-4"),
            rx.el.p(receipt.spoken, class_name="text-h2 font-semibold tabular-nums tracking-wider"),
            class_name="rounded-panel border-2 border-ok-line bg-ok-bg p-6 text-ink md:p-10",
        ),
        rx.el.div(
            copy_button(receipt.reference, _("Copy reference number")),
            print_button(_("Print this page")),
            class_name="mt-4 flex flex-wrap items-center gap-4",
        ),
        rx.cond(
            receipt.email != "",
            rx.el.p(_("We have sent a confirmation to {email}.", email=receipt.email), class_name="mt-6 max-w-form"),
        ),
        rx.el.p(_("Sent on {moment}.", moment=moment(receipt.sent_at)), class_name="mt-1 text-ink-600"),
        section(
            _("What happens next"),
            rx.el.ol(
                rx.el.li(_("Your package stands on the page of your bike.")),
                rx.el.li(_("Request a service when your bike is due: the price is lowered at once.")),
                rx.el.li(_("Do you want another package later? Contact us.")),
                class_name="max-w-form list-decimal space-y-2 pl-5",
            ),
        ),
        rx.el.div(
            link_button(_("See your bike"), f"/bikes/{receipt_text('bike_id')}"),
            link_button(_(SERVICE.title), f"{SERVICE.path}?bike={receipt_text('bike_id')}", "secondary"),
            link_button(_("To overview"), "/dashboard", "secondary"),
            class_name="mt-10 flex flex-wrap gap-3",
        ),
    )

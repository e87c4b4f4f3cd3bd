"""The insurances for a bike, side by side, and how each bike stands (part-2 §2 Insurance request)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.flows.insurance import INSURANCE
from portal.i18n import _, choice, day, money
from portal.pages.layout import title
from portal.pages.parts.covers import covered, not_covered, per_month
from portal.pages.parts.faces import loaded
from portal.pages.parts.insurance import insurance_status, insurance_type, insurer_name
from portal.pages.parts.insured_bikes import REFUSALS, insured_bikes
from portal.pages.parts.request import live_line
from portal.pages.registry import Page
from portal.states.insurance_package import InsurancePackages
from portal.states.views.insurances import OfferCard, OfferGroup
from portal.ui import (
    back_link,
    badge,
    empty_state,
    error_block,
    illustrations,
    link_button,
    notice,
    page_frame,
    section,
    skeleton,
)

_TITLE = _("Bike insurance")
_FAILURE = _(MESSAGES[Code.INSURANCE_OPTIONS_FAILED])
_CHOSEN: Any = InsurancePackages.chosen


def insurance_package() -> rx.Component:
    """What the two insurers offer for a bike."""
    return page_frame(
        loaded(
            InsurancePackages,
            rx.fragment(
                live_line(InsurancePackages, seen=False),
                rx.cond(
                    InsurancePackages.bikes.length() > 0,
                    rx.fragment(_to_confirm(), _comparison(), insured_bikes()),
                    _no_bike(),
                ),
            ),
            failure=_FAILURE,
            waiting=_waiting(),
        ),
        title=_TITLE,
        lead=_("Compare two insurers. You can insure a bike up to {insurance_days} days after purchase."),
        back=back_link(_("Overview"), "/dashboard"),
    )


def _to_confirm() -> rx.Component:
    """Requests that wait for the customer come first."""
    return rx.foreach(
        InsurancePackages.bikes,
        lambda bike: rx.cond(
            bike.request.waiting,
            rx.el.section(
                rx.el.h2(bike.name, class_name="text-h3"),
                _frame(bike),
                rx.el.div(insurance_status(bike.request), class_name="mt-3"),
                class_name="card mt-8",
            ),
        ),
    )


def _frame(bike: Any) -> rx.Component:
    """Which of several bikes of the same name it is."""
    frame = rx.cond(bike.frame_number == "", _("unknown"), bike.frame_number).to(str)
    return rx.el.p(_("Frame number {frame}", frame=frame), class_name="text-ink-600 tabular-nums")


def _comparison() -> rx.Component:
    return section(
        _("Insurances for your {bike}", bike=_CHOSEN.name),
        _frame(_CHOSEN),
        rx.cond(
            InsurancePackages.failed,
            error_block(_FAILURE, on_retry=InsurancePackages.load),
            rx.fragment(rx.foreach(InsurancePackages.groups, _group), _ask()),
        ),
    )


def _group(group: rx.vars.ObjectVar[OfferGroup]) -> rx.Component:
    return rx.el.section(
        rx.el.h3(insurance_type(group.type)),
        rx.el.ul(rx.foreach(group.offers, _offer), class_name="mt-3 grid gap-4 md:grid-cols-2 md:gap-5"),
        class_name="mt-8 first:mt-2",
    )


def _offer(offer: rx.vars.ObjectVar[OfferCard]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h4(insurer_name(offer.insurer), class_name="text-lg font-semibold"),
            rx.cond(offer.most_chosen, badge(_("Most chosen"), "ok")),
            class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-1",
        ),
        rx.el.p(
            rx.el.span(money(offer.premium), class_name="text-h2 font-semibold tabular-nums"),
            " ",
            per_month(),
            class_name="mt-2",
        ),
        rx.el.p(
            rx.cond(
                offer.excess == "",
                _("No excess"),
                _("Excess {amount} for each damage", amount=money(offer.excess)),
            ),
            class_name="text-ink-600 tabular-nums",
        ),
        rx.el.div(
            covered(_("Covered"), offer.covers),
            not_covered(_("Not covered"), offer.covers_not),
            class_name="mt-5 grid gap-5 border-t border-line pt-5 lg:grid-cols-2",
        ),
        class_name=rx.cond(
            offer.most_chosen,
            "rounded-card border-2 border-ink bg-white p-6",
            "rounded-card border border-line bg-white p-6",
        ),
    )


def _ask() -> rx.Component:
    """Ask for one of them, or why that is not possible."""
    return rx.el.div(
        rx.cond(
            _CHOSEN.offered,
            rx.el.div(
                rx.el.p(_("You choose in the next steps. Nothing is taken out before you have confirmed it.")),
                link_button(_(INSURANCE.send), f"{INSURANCE.path}?bike={_CHOSEN.bike_id}", wide=True),
                rx.el.p(_("Possible until {day}.", day=day(_CHOSEN.until)), class_name="text-ink-600"),
                class_name="space-y-4",
            ),
            notice(
                rx.el.p(choice(_CHOSEN.refusal, REFUSALS)),
                title=_("You cannot ask for an insurance of this bike now"),
                tone="info",
            ),
        ),
        class_name="mt-8 max-w-form",
    )


def _no_bike() -> rx.Component:
    return empty_state(
        _("No bike to insure"),
        _("We do not find a bike in this account yet."),
        link_button(_("Your orders"), "/orders", "secondary"),
        illustrations.shield(),
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        skeleton("h-8 w-96 max-w-full"),
        rx.el.div(
            *[skeleton("h-96 w-full rounded-card") for _i in range(2)],
            class_name="mt-6 grid gap-4 md:grid-cols-2 md:gap-5",
        ),
        class_name="mt-10 appear",
        custom_attrs={"aria-busy": "true"},
    )


PAGES = [
    Page(
        "insurance-package",
        insurance_package,
        title(_TITLE),
        on_load=[InsurancePackages.load, InsurancePackages.watch],
        first=InsurancePackages,
    )
]

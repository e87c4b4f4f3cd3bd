"""Take out a service package (part-1 §2 Service package page; part-2 §3)."""

from __future__ import annotations

import reflex as rx

from portal.domain.service_packages import FAMILY_MEANINGS, FAMILY_NAMES, OFFERS, PackageFamily
from portal.flows.service_package import BIKE_STEP, CHOICES, PACKAGE_STEP, SERVICE_PACKAGE
from portal.i18n import _, money
from portal.pages.flow import SentPage, StepPage, flow_pages
from portal.pages.flow.bike import BIKE_SUBJECT, bike_aside, bike_body, bike_line, bike_rows
from portal.pages.flow.package_sent import SENT_TITLE, package_sent
from portal.pages.flow.packages import package_body, package_rows, package_to_check
from portal.pages.flow.told import told
from portal.pages.parts.covers import per_month
from portal.ui import badge, card
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES


def _intro() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            _("With a package you pay half for services, and more is arranged for your bike. One price a month."),
            class_name="mt-3 max-w-form text-lg",
        ),
        rx.el.div(*[_family(family) for family in PackageFamily], class_name="mt-8 grid gap-5 md:grid-cols-2"),
        rx.el.p(
            _("Choose your bike first. Then you see what is in every package, and what its services cost with it."),
            class_name="mt-8 max-w-form",
        ),
    )


def _family(family: PackageFamily) -> rx.Component:
    offers = [offer for offer in OFFERS if offer.family is family and offer.code.value in CHOICES]
    return card(
        rx.el.h2(_(FAMILY_NAMES[family]), class_name="text-h3"),
        rx.el.p(_(FAMILY_MEANINGS[family]), class_name="mt-1 text-ink-600"),
        rx.el.dl(
            *[
                rx.el.div(
                    rx.el.dt(
                        rx.el.span(_(SERVICE_PACKAGE_NAMES[offer.code]), class_name="mr-2 font-semibold"),
                        *([badge(_("Most chosen"), "ok")] if offer.most_chosen else []),
                    ),
                    rx.el.dd(
                        money(rx.Var.create(f"{offer.monthly:.2f}")),
                        " ",
                        per_month(),
                        class_name="shrink-0 tabular-nums",
                    ),
                    class_name="flex items-baseline justify-between gap-x-4",
                )
                for offer in offers
            ],
            class_name="mt-4 space-y-2 border-t border-line pt-4",
        ),
    )


PAGES = flow_pages(
    SERVICE_PACKAGE,
    intro=_intro,
    subject=BIKE_SUBJECT,
    steps=(
        StepPage(BIKE_STEP, body=lambda fields: bike_body(fields, topic="service_package"), rows=bike_rows),
        StepPage(PACKAGE_STEP, body=package_body, rows=package_rows, before=bike_line, wide=True),
    ),
    aside=bike_aside,
    before_sending=package_to_check,
    sent=SentPage(title=SENT_TITLE, follow=f"/bikes/{told('bike_id')}", page=package_sent),
)

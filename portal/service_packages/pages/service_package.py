"""Choosing a service package: the two series side by side, what is in each, and what a service then costs."""

from __future__ import annotations

import reflex as rx

from portal.domain.service_packages import (
    FAMILY_MEANINGS,
    FAMILY_NAMES,
    INCLUSION_TEXTS,
    OFFERS,
    PackageOffer,
)
from portal.flows.service_package import CHOICES, PACKAGE
from portal.i18n import _, choice, money
from portal.pages.flow.fields import answer, group
from portal.pages.flow.screens import StepFields
from portal.pages.parts.covers import included, mark_list, per_month
from portal.states.package_offers import FamilyView, PackageOffers, PackageView, ServicePrice
from portal.states.page import FAILED, LOADING
from portal.ui import Fact, badge, error_block, link_button, skeleton
from portal.ui.flow import arrival
from portal.vocabulary.services import JOB_NAMES, JOBS, SERVICE_PACKAGE_NAMES

_NAMES = {code.value: name for code, name in SERVICE_PACKAGE_NAMES.items() if code.value in CHOICES}
_FAMILIES = {family.value: name for family, name in FAMILY_NAMES.items()}
_MEANINGS = {family.value: text for family, text in FAMILY_MEANINGS.items()}
_INCLUSIONS = {entry.value: text for entry, text in INCLUSION_TEXTS.items()}
_JOBS = {job.value: JOB_NAMES[job] for job in JOBS}
_Package = rx.vars.ObjectVar[PackageView]


def package_body(fields: StepFields) -> rx.Component:
    """The packages for the chosen bike.

    Args:
        fields: of the step that asks for the package.
    """
    entry = fields[PACKAGE]
    families = rx.foreach(PackageOffers.families, lambda family: _family(entry.name, family))
    content = rx.cond(
        PackageOffers.face == LOADING,
        rx.el.div(
            rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
            *[skeleton("h-96 w-full rounded-card") for _i in range(2)],
            class_name="grid gap-6 appear lg:grid-cols-2",
        ),
        rx.cond(
            PackageOffers.face == FAILED,
            error_block(
                _("The service packages could not be loaded."),
                on_retry=PackageOffers.load,
                more=rx.el.div(
                    link_button(_("Contact us"), "/contact?topic=service_package", "secondary"), class_name="mt-4"
                ),
            ),
            group(entry, families, legend=None, columns="gap-x-6 gap-y-10 lg:grid-cols-2 lg:items-start"),
        ),
    )
    return rx.el.div(content, arrival(PackageOffers.load))


def _family(name: str, family: rx.vars.ObjectVar[FamilyView]) -> rx.Component:
    return rx.el.div(
        rx.el.h2(choice(family.family, _FAMILIES), class_name="text-h3"),
        rx.el.p(choice(family.family, _MEANINGS), class_name="mt-1 text-ink-600 lg:min-h-13"),
        rx.el.div(
            rx.foreach(family.packages, lambda package: _package(name, package)),
            class_name="mt-4 space-y-4",
        ),
        key=family.family,
        class_name="min-w-0",
    )


def _package(name: str, package: _Package) -> rx.Component:
    return rx.cond(package.choosable, _choosable(name, package), _none(package))


def _choosable(name: str, package: _Package) -> rx.Component:
    title, price, about = (f"{part}-{package.code}" for part in ("name", "price", "about"))
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=name,
            value=package.code,
            default_checked=answer(name) == package.code,
            class_name="mt-0.5 size-6 shrink-0 self-start accent-ink",
            custom_attrs={"aria-labelledby": f"{title} {price}", "aria-describedby": about},
        ),
        rx.el.span(
            rx.el.span(
                rx.el.span(
                    choice(package.code, _NAMES),
                    custom_attrs={"id": title},
                    class_name="mr-2 text-lg font-semibold",
                ),
                rx.cond(package.most_chosen, badge(_("Most chosen"), "ok")),
            ),
            rx.el.span(
                rx.el.span(money(package.monthly), class_name="text-lg font-semibold"),
                " ",
                per_month(),
                custom_attrs={"id": price},
                class_name="whitespace-nowrap tabular-nums",
            ),
            class_name="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-1 gap-y-1",
        ),
        rx.el.span(
            rx.el.span(
                rx.foreach(package.includes, lambda entry: included(choice(entry, _INCLUSIONS), inline=True)),
                class_name="mt-3 block space-y-1.5",
            ),
            _prices(package),
            custom_attrs={"id": about},
            class_name="col-span-2 block md:col-span-1 md:col-start-2",
        ),
        key=package.code,
        class_name="choice grid! grid-cols-[auto_minmax(0,1fr)] items-start",
    )


def _none(package: _Package) -> rx.Component:
    """Having no package: shown for comparison, there is nothing to take out."""
    return rx.el.div(
        rx.el.p(
            rx.el.span(_("No service package"), class_name="mr-2 text-lg font-semibold"),
            rx.cond(package.current, badge(_("What you have now"))),
            class_name="flex flex-wrap items-baseline gap-y-1",
        ),
        rx.el.p(_("You pay nothing a month, and the usual price for every service."), class_name="mt-1 text-ink-600"),
        _prices(package),
        key=package.code,
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _prices(package: _Package) -> rx.Component:
    return rx.el.span(
        rx.el.span(_("What a service then costs"), class_name="block font-semibold"),
        rx.foreach(package.services, _price),
        class_name="mt-4 block border-t border-line pt-3",
    )


def _price(service: rx.vars.ObjectVar[ServicePrice]) -> rx.Component:
    return rx.el.span(
        rx.el.span(choice(service.job, _JOBS)),
        rx.el.span(
            rx.cond(
                service.usual != "",
                rx.el.span(_("was {price}", price=money(service.usual)), class_name="mr-2 text-sm text-ink-600"),
            ),
            rx.el.span(money(service.price), class_name=rx.cond(service.usual != "", "font-semibold", "")),
            class_name="whitespace-nowrap tabular-nums",
        ),
        class_name="mt-1 flex flex-wrap justify-between gap-x-3 max-md:text-sm",
    )


def package_rows(fields: StepFields) -> list[Fact]:
    """The package on the check page."""
    return [Fact(_(fields[PACKAGE].label), choice(answer(PACKAGE), _NAMES))]


def package_to_check() -> rx.Component:
    """What is taken out: what it costs and what is in it."""
    return rx.el.section(
        rx.el.h2(_("Costs and contents"), class_name="text-h3"),
        *[
            rx.cond(answer(PACKAGE) == offer.code.value, _summary(offer))
            for offer in OFFERS
            if offer.code.value in CHOICES
        ],
        class_name="card mt-8 max-w-form",
    )


def _summary(offer: PackageOffer) -> rx.Component:
    half = [_(JOB_NAMES[job]) for job in offer.half_price]
    texts = [_("{job} at half the price", job=name) for name in half] + [
        _(INCLUSION_TEXTS[entry]) for entry in offer.includes
    ]
    return rx.fragment(
        rx.el.p(
            rx.el.span(money(rx.Var.create(f"{offer.monthly:.2f}")), class_name="text-h3 font-semibold tabular-nums"),
            " ",
            per_month(),
            class_name="mt-3",
        ),
        rx.el.div(mark_list([(True, text) for text in texts]), class_name="mt-1"),
        rx.el.p(
            _("It holds from the moment you take it out. Requesting a service, you see its price at once."),
            class_name="mt-4 border-t border-line pt-4",
        ),
    )

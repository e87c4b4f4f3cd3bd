"""Pages of the service package flow (part-1 §2 Service package page; part-2 §3)."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from portal import ui
from portal.bikes.pages.bike_step import BIKE_SUBJECT, LoadedForBike, bike_aside, bike_line, bike_page
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow
from portal.flow.pages import Intro, SentPage, StepPage, flow_pages
from portal.flow.pages.ends import keeping, mailed, panel, receipt_text
from portal.flow.pages.fields import answer, group
from portal.flow.pages.spec import StepFields
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import asks_when_shown, shows
from portal.frontend.load import FAILED, LOADING
from portal.frontend.load_views import help_card
from portal.frontend.texts import in_groups
from portal.i18n import Text, _, choice, moment, money
from portal.service_packages.api import PackageCard, PackageOptions, PackageService, ServicePackagesApi
from portal.service_packages.flow import (
    BIKE_STEP,
    CHOICES,
    PACKAGE,
    PACKAGE_STEP,
    SERVICE_PACKAGE,
    chosen_offer,
    offers,
)
from portal.service_packages.rules import FAMILY_MEANINGS, FAMILY_NAMES, FOR_WHOM, INCLUSION_TEXTS, PackageOffer
from portal.vocabulary.contracts import RIGHT_OF_WITHDRAWAL
from portal.vocabulary.services import JOB_NAMES, JOBS, SERVICE_PACKAGE_NAMES
from portal.work_orders.flow.service import SERVICE


class PackageOffers(LoadedForBike, rx.State):
    families: rx.Field[list[list[PackageCard]]] = rx.field(default_factory=list)

    async def _ask(self, token: str, bike: str) -> PackageOptions:
        return await ask(ServicePackagesApi).service_packages(token, bike)

    async def _show(self, answer: PackageOptions) -> None:
        self.families = [
            [card for card in answer.packages if card.family is family]
            for family in dict.fromkeys(card.family for card in answer.packages)
        ]
        if not self.families:
            self.view_state = FAILED


asks_when_shown(PACKAGE, PackageOffers.load)


class TodaysPackages(rx.State):
    offers: rx.Field[list[PackageOffer]] = rx.field(default_factory=list)
    chosen: rx.Field[PackageOffer | None] = rx.field(None)


@shows(TodaysPackages, SERVICE_PACKAGE.name)
def _today(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    return {"offers": offers(answers), "chosen": chosen_offer(answers)}


_NAMES = {code.value: name for code, name in SERVICE_PACKAGE_NAMES.items() if code.value in CHOICES}

SENT_TITLE = _("Your service package has been taken out")


def package_sent() -> rx.Component:
    receipt, name = FlowRun.receipt, choice(receipt_text("package"), _NAMES)
    head = panel(
        SENT_TITLE,
        ui.lead(
            _(
                "Your {bike} now has the service package {package}, for {monthly} a month.",
                bike=receipt_text("bike"),
                package=name,
                monthly=money(receipt_text("monthly")),
            ),
            top=3,
        ),
        above=[ui.strong(_("Request submitted"), bottom=2)],
        colors="border-ok-line bg-ok-bg",
    )
    said = ui.column(
        mailed(),
        ui.muted(_("Sent on {moment}.", moment=moment(receipt.sent_at)), top=1),
        keeping(),
        ui.section(
            _("What happens next"),
            rx.el.ol(
                rx.el.li(_("You’ll find your package on the page of your bike.")),
                rx.el.li(_("Request a service when your bike is due: the discount is taken off straight away.")),
                rx.el.li(
                    _("Want to withdraw, or cancel it later?"), " ", ui.text_link(_("Your contracts"), "/contracts")
                ),
                class_name="max-w-form list-decimal space-y-2 pl-5",
            ),
        ),
        ui.row(
            ui.link_button(_("View your bike"), f"/bikes/{receipt_text('bike_id')}"),
            ui.link_button(_(SERVICE.title), f"{SERVICE.path}?bike={receipt_text('bike_id')}", "secondary"),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
            top=10,
        ),
    )
    taken_out = ui.card(
        ui.subheading(_("Your contract")),
        ui.facts(
            ui.Fact(_("Service package"), name),
            ui.Fact(_("Bike"), receipt_text("bike")),
            ui.Fact(_("Price"), _("{amount} a month", amount=money(receipt_text("monthly")))),
            ui.Fact(_("Contract number"), in_groups(receipt.reference)),
            top=3,
        ),
    )
    side = rx.el.div(taken_out, help_card(in_groups(receipt.reference)), class_name=f"mt-10 lg:mt-6 {ui.BESIDE}")
    return ui.page_frame(head, rx.el.div(said, side, class_name=ui.COLUMNS))


_FAMILIES = {family.value: name for family, name in FAMILY_NAMES.items()}
_MEANINGS = {family.value: text for family, text in FAMILY_MEANINGS.items()}
_FOR_WHOM = {code.value: text for code, text in FOR_WHOM.items()}
_INCLUSIONS = {entry.value: text for entry, text in INCLUSION_TEXTS.items()}
_JOBS = {job.value: JOB_NAMES[job] for job in JOBS}
_Package = rx.vars.ObjectVar[PackageCard]
_CHOOSABLE = rx.Var.create(list(CHOICES))


def package_body(fields: StepFields) -> rx.Component:
    entry = fields[PACKAGE]
    families = rx.foreach(PackageOffers.families, lambda packages: _package_family(entry.name, packages))
    content = rx.cond(
        PackageOffers.view_state == LOADING,
        rx.el.div(
            ui.text(_("Loading…"), role="status", look="sr-only"),
            *[ui.skeleton("h-96 w-full rounded-card") for _i in range(2)],
            class_name="grid gap-6 appear lg:grid-cols-2",
        ),
        rx.cond(
            PackageOffers.view_state == FAILED,
            ui.error_block(
                _("The service packages couldn’t be loaded."),
                on_retry=PackageOffers.load,
                more=ui.stack(ui.link_button(_("Contact us"), "/contact?topic=service_package", "secondary"), top=4),
            ),
            group(entry, families, legend=None, columns="gap-x-6 gap-y-10 lg:grid-cols-2 lg:items-start"),
        ),
    )
    return rx.el.div(content, ui.when_shown(PackageOffers.load))


def _package_family(name: str, packages: rx.vars.ArrayVar[list[PackageCard]]) -> rx.Component:
    family = packages[0].family
    return ui.block(
        ui.subheading(choice(family, _FAMILIES)),
        ui.muted(choice(family, _MEANINGS), look="lg:min-h-13", top=1),
        ui.stack(rx.foreach(packages, lambda package: _package(name, package)), gap=4, top=4),
        key=family,
    )


def _package(name: str, package: _Package) -> rx.Component:
    return rx.cond(_CHOOSABLE.contains(package.code), _choosable(name, package), _none(package))


def _choosable(name: str, package: _Package) -> rx.Component:
    title, price, about = (f"{part}-{package.code}" for part in ("name", "price", "about"))
    return ui.radio_card(
        name,
        package.code,
        rx.el.span(
            rx.el.span(
                rx.el.span(
                    choice(package.code, _NAMES), custom_attrs={"id": title}, class_name="mr-2 text-lg font-semibold"
                ),
                ui.badge(_("Most chosen"), "ok", shown=package.most_chosen),
            ),
            rx.el.span(
                rx.el.span(money(package.monthly), class_name="text-lg font-semibold"),
                " ",
                ui.per_month(),
                custom_attrs={"id": price},
                class_name="whitespace-nowrap tabular-nums",
            ),
            class_name="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-1 gap-y-1",
        ),
        rx.el.span(
            ui.line(choice(package.code, _FOR_WHOM), look="text-ink-600"),
            rx.el.span(
                rx.foreach(package.includes, lambda entry: ui.included(choice(entry, _INCLUSIONS), inline=True)),
                class_name="mt-3 block space-y-1.5",
            ),
            _prices(package),
            custom_attrs={"id": about},
            class_name="col-span-2 block md:col-span-1 md:col-start-2",
        ),
        checked=answer(name) == package.code,
        tall=True,
        look="grid! grid-cols-[auto_minmax(0,1fr)] items-start",
        key=package.code,
        custom_attrs={"aria-labelledby": f"{title} {price}", "aria-describedby": about},
    )


def _none(package: _Package) -> rx.Component:
    return rx.el.div(
        ui.text(
            rx.el.span(_("No service package"), class_name="mr-2 text-lg font-semibold"),
            ui.badge(_("What you have now"), shown=package.current),
            look="flex flex-wrap items-baseline gap-y-1",
        ),
        ui.muted(_("You pay nothing per month, and the usual price for every service."), top=1),
        _prices(package),
        key=package.code,
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _prices(package: _Package) -> rx.Component:
    return rx.el.span(
        ui.line(_("What a service then costs"), look="font-semibold"),
        rx.foreach(package.services, _price),
        class_name="mt-4 block border-t border-line pt-3",
    )


def _price(service: rx.vars.ObjectVar[PackageService]) -> rx.Component:
    return rx.el.span(
        rx.el.span(choice(service.job, _JOBS)),
        rx.el.span(
            rx.cond(
                service.half,
                rx.el.span(_("was {price}", price=money(service.usual)), class_name="mr-2 text-sm text-ink-600"),
            ),
            rx.el.span(money(service.price), class_name=rx.cond(service.half, "font-semibold", "")),
            class_name="whitespace-nowrap tabular-nums",
        ),
        class_name="mt-1 flex flex-wrap justify-between gap-x-3 max-md:text-sm",
    )


def package_to_check() -> rx.Component:
    chosen = TodaysPackages.chosen
    return rx.el.section(
        ui.subheading(_("Costs and contents")),
        ui.text(
            rx.el.span(money(chosen.monthly), class_name="text-h3 font-semibold tabular-nums"),
            " ",
            ui.per_month(),
            top=3,
        ),
        rx.el.div(
            rx.foreach(
                chosen.half_price_jobs,
                lambda job: ui.included(_("{job} at half price", job=choice(job, _JOBS)), inline=True),
            ),
            rx.foreach(chosen.includes, lambda entry: ui.included(choice(entry, _INCLUSIONS), inline=True)),
            class_name="mt-4 space-y-1.5",
        ),
        ui.text(
            _(
                "Your package applies as soon as you take it out. When you request a service, you see "
                "the lower price straight away."
            ),
            look="border-t border-line pt-4",
            top=4,
        ),
        ui.text(_(RIGHT_OF_WITHDRAWAL), top=2),
        class_name="card mt-8 max-w-form",
    )


def _intro() -> Intro:
    return Intro(
        _(
            "With a package you pay half price for services, and more is taken care of for your "
            "bike. All for one monthly price."
        ),
        # The step shows the packages with the prices for the bike, so only a closed flow compares them here.
        below=lambda: rx.cond(FlowRun.closed != "", _comparison()),
    )


# On a phone the edge of the third package shows that there are more.
_HEAD = "sticky left-0 z-10 w-28 bg-white px-2 py-3 text-left max-md:text-sm md:w-56 md:px-5"
# The space above the name holds the mark of the package that is chosen most.
_TOP = "relative border-l border-line px-1 pt-10 pb-3 text-center align-top max-md:text-sm md:px-2"
_MARK = (
    "absolute inset-x-0 top-0 bg-ok-bg py-1 text-xs leading-5 font-semibold whitespace-nowrap text-ok "
    "max-md:tracking-tight md:text-sm md:leading-5"
)
_CELL = "border-l border-line px-1 py-3 text-center tabular-nums max-md:text-sm md:px-2"
# On a small screen only the packages are compared.
_WITHOUT = f"{_CELL} text-ink-600 max-md:hidden"


def _comparison() -> rx.Component:
    """All packages beside each other. On a small screen they scroll sideways, and the names of the rows stay."""
    offers = TodaysPackages.offers
    yes = _mark("✓", "font-semibold text-ok", _("included"))
    no = _mark("–", "text-ink-500", _("not included"))
    return rx.el.section(
        rx.el.h2(_("Compare the packages"), custom_attrs={"id": "packages"}),
        ui.muted(_("Swipe sideways to see all packages."), look="lg:hidden", top=1),
        rx.cond(
            offers.length() == 0,
            ui.stack(ui.skeleton("h-96 w-full rounded-card"), top=4),
            rx.el.div(
                rx.el.table(
                    rx.el.thead(
                        rx.el.tr(
                            rx.el.th(ui.hidden_text(_("Part of the package")), class_name=_HEAD),
                            rx.el.th(_("No package"), scope="col", class_name=f"{_TOP} text-ink-600 max-md:hidden"),
                            rx.foreach(offers, _column),
                        )
                    ),
                    rx.el.tbody(
                        _compared(
                            _("Price per month"),
                            money("0.00"),
                            lambda offer: rx.el.span(money(offer.monthly), class_name="font-semibold"),
                        ),
                        *[
                            _compared(
                                _(JOB_NAMES[job]),
                                _("usual price"),
                                lambda offer, job=job: rx.cond(
                                    offer.half_price_jobs.contains(job.value),
                                    rx.el.span(_("half price"), class_name="font-semibold text-ok"),
                                    rx.el.span(_("usual price"), class_name="text-ink-600"),
                                ),
                            )
                            for job in JOBS
                        ],
                        *[
                            _compared(
                                _(text),
                                no,
                                lambda offer, entry=entry: rx.cond(offer.includes.contains(entry.value), yes, no),
                            )
                            for entry, text in INCLUSION_TEXTS.items()
                        ],
                        class_name="divide-y divide-line",
                    ),
                    class_name="w-full min-w-[45rem] table-fixed border-collapse md:min-w-[60rem]",
                    custom_attrs={"aria-labelledby": "packages"},
                ),
                role="region",
                tab_index=0,
                custom_attrs={"aria-labelledby": "packages"},
                # Without `relative`, the texts for screen readers would widen the page.
                class_name="relative mt-4 overflow-x-auto rounded-card border border-line bg-white",
            ),
        ),
        class_name="mt-12",
    )


def _column(offer: rx.vars.ObjectVar[PackageOffer]) -> rx.Component:
    return rx.el.th(
        rx.cond(offer.most_chosen, rx.el.span(_("Most chosen"), class_name=_MARK)),
        ui.line(choice(offer.id, _NAMES), look="md:text-lg"),
        rx.el.span(choice(offer.id, _FOR_WHOM), class_name="mt-1 block text-xs font-normal text-ink-600 md:text-sm"),
        scope="col",
        key=offer.id,
        class_name=_TOP,
    )


def _compared(
    name: Text, without: Any, cell: Callable[[rx.vars.ObjectVar[PackageOffer]], rx.Component]
) -> rx.Component:
    return rx.el.tr(
        rx.el.th(name, scope="row", class_name=f"{_HEAD} font-normal"),
        rx.el.td(without, class_name=_WITHOUT),
        rx.foreach(TodaysPackages.offers, lambda offer: rx.el.td(cell(offer), key=offer.id, class_name=_CELL)),
        class_name="border-t border-line",
    )


def _mark(sign: str, color: str, text: Text) -> rx.Component:
    return rx.fragment(rx.el.span(sign, aria_hidden="true", class_name=color), ui.hidden_text(text))


PAGES = flow_pages(
    SERVICE_PACKAGE,
    intro=_intro,
    subject=BIKE_SUBJECT,
    steps=(
        bike_page(BIKE_STEP, topic="service_package"),
        StepPage(
            PACKAGE_STEP,
            body=package_body,
            rows=lambda fields: [ui.Fact(_(fields[PACKAGE].label), choice(answer(PACKAGE), _NAMES))],
            before=bike_line,
            wide=True,
        ),
    ),
    aside=bike_aside,
    before_sending=package_to_check,
    sent=SentPage(title=SENT_TITLE, follow=f"/bikes/{receipt_text('bike_id')}", page=package_sent),
)

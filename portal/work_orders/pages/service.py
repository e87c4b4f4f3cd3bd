"""The pages of the service flow (part-1 §2 Service request flow)."""

import reflex as rx

from portal import ui
from portal.account.pages.address_step import address_body, address_rows
from portal.bikes.flow import PIN_STEP
from portal.bikes.pages.bike_step import BIKE_SUBJECT, LoadedForBike, bike_aside, bike_page, pin_body, pin_rows
from portal.contract.errors import NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.flow.pages import Intro, SentPage, StepPage, flow_pages
from portal.flow.pages.fields import answer, group
from portal.flow.pages.spec import StepFields
from portal.flow.pages.step import costs_aside, costs_to_check
from portal.flow.pages.views import asks_when_shown
from portal.frontend.load import FAILED, LOADING
from portal.frontend.toasts import Toasts
from portal.i18n import _, choice, day, distance, lowered, money
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.locations.pages.location_step import handover_rows, location_body, location_rows, location_search
from portal.vocabulary.services import DRIVE_CONTENTS, JOB_CONTENTS, JOB_NAMES, JOBS, SERVICE_PACKAGE_NAMES, Drive
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.api import ServiceDue, ServiceOffer, ServiceProduct, WorkOrdersApi
from portal.work_orders.flow.service import ADDRESS_STEP, BIKE_STEP, JOB, JOB_STEP, LOCATION_STEP, SERVICE
from portal.work_orders.pages.repair import sent_account, sent_handover, sent_phases

FAILURE = N_("Service product could not be retrieved.")


class ServiceJobs(LoadedForBike, rx.State):
    """The maintenance jobs for the bike of the draft.

    `problem`: code of the refusal; empty if loading failed for another reason.
    """

    problem: rx.Field[str] = rx.field("")
    offer: rx.Field[ServiceOffer | None] = rx.field(None)

    async def _ask(self, token: str, bike: str) -> ServiceOffer:
        return await ask(WorkOrdersApi).service_products(token, bike)

    async def _show(self, answer: ServiceOffer) -> None:
        self.offer = answer
        if not answer.products:
            self.view_state = FAILED
            (await self.get_state(Toasts))._add("error", FAILURE)

    async def _fail(self, error: ProviderError) -> None:
        self.problem = error.code.value if isinstance(error, Refused | NotFound) else ""
        (await self.get_state(Toasts))._add("error", FAILURE)


asks_when_shown(JOB, ServiceJobs.load)


_OFFER = ServiceJobs.offer
_DUE = _OFFER.due.to(ServiceDue)
_NAMES = {job.value: JOB_NAMES[job] for job in JOBS}
_CONTENTS = {job.value: JOB_CONTENTS[job] for job in JOBS}
_PACKAGES = {package.value: name for package, name in SERVICE_PACKAGE_NAMES.items()}
_WRONG_BIKE = Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID


def job_body(fields: StepFields) -> rx.Component:
    """Show the job that the bike needs next, and below it the jobs to choose from."""
    entry, products = fields[JOB], _OFFER.products.to(list[ServiceProduct])
    content = ui.when(
        ServiceJobs.view_state == LOADING,
        ui.skeleton("h-24 w-full appear"),
        ui.skeleton_cards(4, "h-32"),
        otherwise=rx.cond(
            ServiceJobs.view_state == FAILED,
            _failed(),
            rx.fragment(
                _due(),
                group(entry, rx.foreach(products, lambda job: _job(entry.name, job)), legend=None, columns=""),
                ui.muted(
                    _(
                        "Prices include the discount of your service package {name}.",
                        name=choice(_OFFER.service_package, _PACKAGES),
                    ),
                    shown=_OFFER.service_package,
                ),
            ),
        ),
    )
    return ui.stack(content, ui.when_shown(ServiceJobs.load), gap=6)


def _failed() -> rx.Component:
    wrong = ui.text(_(MESSAGES[_WRONG_BIKE]), top=4, shown=ServiceJobs.problem == _WRONG_BIKE.value)
    return ui.error_block(
        _("Service product could not be retrieved."),
        on_retry=ServiceJobs.load,
        more=rx.fragment(
            wrong, ui.stack(ui.link_button(_("Contact us"), "/contact?topic=service", "secondary"), top=4)
        ),
    )


def _due() -> rx.Component:
    due = _DUE
    name = choice(due.job, _NAMES)
    rows = rx.fragment(
        rx.cond(
            due.by_distance,
            ui.text(
                _(
                    "Your bike has covered {distance}: the first service is due at {first_service_km} km.",
                    distance=distance(due.mileage),
                )
            ),
            rx.cond(
                due.urgency == "now",
                ui.text(_("It was due on {day}.", day=day(due.day))),
                rx.cond(
                    due.job == JOBS[0].value,
                    ui.text(_("Before {day}, or at {first_service_km} km if that comes first.", day=day(due.day))),
                    ui.text(_("Before {day}.", day=day(due.day))),
                ),
            ),
        ),
        ui.muted(
            _("Last known: {distance} on {day}.", distance=distance(due.mileage), day=day(due.mileage_at)),
            shown=due.mileage.is_not_none() & ~due.by_distance,
        ),
        ui.muted(_("Last service: {day}.", day=day(due.last)), shown=due.last),
    )
    title = _("Next for this bike: {job}", job=lowered(name))
    return rx.cond(
        (due.urgency == "now") | (due.urgency == "soon"),
        ui.notice(rows, title=title, tone="warn"),
        ui.notice(rows, title=title, tone="info"),
    )


def _job(name: str, job: rx.vars.ObjectVar[ServiceProduct]) -> rx.Component:
    electric = _OFFER.drive == Drive.E_BIKE.value
    return ui.radio_card(
        name,
        job.job,
        ui.grow(
            rx.el.span(
                rx.el.span(
                    rx.el.span(
                        choice(job.job, _NAMES), custom_attrs={"id": f"job-{job.job}"}, class_name="mr-2 font-semibold"
                    ),
                    ui.badge(_("Next for this bike"), "ok", shown=job.job == _DUE.job),
                    class_name="min-w-0",
                ),
                _price(job),
                class_name="flex flex-wrap items-start justify-between gap-x-6 gap-y-1",
            ),
            rx.el.span(
                choice(job.job, _CONTENTS),
                ui.when(electric, " ", _(DRIVE_CONTENTS[Drive.E_BIKE])),
                custom_attrs={"id": f"about-{job.job}"},
                class_name="mt-1 block text-ink-600",
            ),
        ),
        checked=answer(name) == job.job,
        tall=True,
        custom_attrs={"aria-labelledby": f"job-{job.job} price-{job.job}", "aria-describedby": f"about-{job.job}"},
        key=job.job,
    )


def _price(job: rx.vars.ObjectVar[ServiceProduct]) -> rx.Component:
    return rx.el.span(
        ui.when(
            job.reduced,
            rx.el.span(money(job.reduced), class_name="font-semibold"),
            rx.el.span(_("was {price}", price=money(job.price)), class_name="ml-2 text-sm text-ink-600"),
            otherwise=rx.el.span(money(job.price), class_name="font-semibold"),
        ),
        custom_attrs={"id": f"price-{job.job}"},
        class_name="whitespace-nowrap tabular-nums",
    )


def job_rows(fields: StepFields) -> list[ui.Fact]:
    return [ui.Fact(_(fields[JOB].label), choice(answer(JOB), _NAMES))]


def _intro() -> Intro:
    return Intro(
        _("Choose a service and a location near you. The location will contact you to make an appointment."),
        _("Good to know"),
        (
            _(
                "The first service is due within {first_service_months} months or "
                "{first_service_km} km, then every year"
            ),
            _("You’ll see which service your bike needs now, and what it costs"),
            _("Our own stores can pick up your bike and bring it back"),
        ),
        minutes=5,
        phases=lambda: ui.request_phases(RequestKind.SERVICE, _("How services work")),
    )


PAGES = flow_pages(
    SERVICE,
    intro=_intro,
    subject=BIKE_SUBJECT,
    phases=sent_phases,
    steps=(
        bike_page(BIKE_STEP, topic="service"),
        StepPage(PIN_STEP, body=pin_body, rows=pin_rows),
        StepPage(JOB_STEP, body=job_body, rows=job_rows),
        StepPage(ADDRESS_STEP, body=address_body, rows=address_rows),
        StepPage(
            LOCATION_STEP,
            body=location_body,
            rows=lambda fields: [*location_rows(fields), *handover_rows(fields)],
            before=location_search,
            half=True,
        ),
    ),
    aside=lambda: rx.fragment(bike_aside(), costs_aside()),
    before_sending=costs_to_check,
    sent=SentPage(more=sent_account, beside=sent_handover),
)

"""The page that compares insurances and lists the bikes (part-2 §2 Insurance request)."""

from typing import ClassVar

import reflex as rx

from portal import ui
from portal.bikes.pages.bikes import bike_lines, bike_mark, frame_line
from portal.contract.errors import NotFound, Unavailable
from portal.contract.registry import ask
from portal.conversations.pages.components import request_page_link
from portal.frontend.layout import title
from portal.frontend.live import Live, live_line
from portal.frontend.load import COUNTS, Paginated, Question, page_asked
from portal.frontend.load_views import loaded
from portal.frontend.registry import PageRoute
from portal.frontend.texts import insurance
from portal.i18n import _, choice, day, money
from portal.insurance.api import InsuranceApi, InsuranceBike, InsuranceBikes, InsuranceOptions, InsuranceRequest
from portal.insurance.flow import INSURANCE, REFUSALS
from portal.insurance.pages.status import insurer_name, is_open, product_information, request_status, waits_for_link
from portal.insurance.rules import InsuranceOffer
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.validation import is_short_id
from portal.pictures.pages import picture
from portal.vocabulary.actions import Topic
from portal.vocabulary.insurance import INSURANCE_TYPES

BIKE_PARAMETER = "bike"


_Answer = tuple[InsuranceBikes, InsuranceBike | None, InsuranceOptions | None]
"""The bikes, the chosen one, and the insurances for it."""


class InsurancePackages(Live, Paginated, rx.State):
    """A page of the bikes, and the insurances for one bike.

    `chosen`: the bike whose premiums are shown: the one in the address, else the first that can be insured.
    `groups`: its insurances by type, the most chosen first; empty if there are none, or if they could not be loaded.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES, Topic.MESSAGES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("bikes", "waiting", "chosen", "groups", "failed", *COUNTS)
    bikes: rx.Field[list[InsuranceBike]] = rx.field(default_factory=list)
    waiting: rx.Field[list[InsuranceBike]] = rx.field(default_factory=list)
    chosen: rx.Field[InsuranceBike | None] = rx.field(None)
    groups: rx.Field[list[list[InsuranceOffer]]] = rx.field(default_factory=list)
    failed: rx.Field[bool] = rx.field(False)

    def _about(self) -> str:
        text = str(self.router.url.query_parameters.get(BIKE_PARAMETER, ""))
        return text if is_short_id(text) else ""

    def _question(self) -> Question[_Answer]:
        named, page = self._about(), page_asked(self)

        async def question(token: str) -> _Answer:
            bikes = await ask(InsuranceApi).insurance_bikes(token, page)
            for bike_id in filter(None, (named, bikes.suggested)):
                try:
                    options = await ask(InsuranceApi).insurance_options(token, bike_id)
                except NotFound:
                    continue  # Somebody else's bike: the customer sees one of their own.
                except Unavailable:
                    # The status of the bikes is shown without the premiums.
                    known = (bike for bike in (*bikes.items, *bikes.waiting) if bike.bike_id == bike_id)
                    return bikes, next(known, next(iter(bikes.items), None)), None
                return bikes, options.bike, options
            return bikes, None, None

        return question

    def _show(self, answer: _Answer) -> None:
        bikes, self.chosen, options = answer
        self.bikes, self.waiting = bikes.items, bikes.waiting
        offers = sorted(options.offers if options else (), key=lambda offer: not offer.most_chosen)
        kinds = dict.fromkeys(offer.type for offer in offers)
        self.groups = [[offer for offer in offers if offer.type is kind] for kind in kinds]
        self.failed = bool(self.bikes) and not self.groups
        self._count(bikes)


_REFUSALS = {code.value: MESSAGES[code] for code in REFUSALS}


def _insured_bikes() -> rx.Component:
    return ui.section(
        _("Your bikes"),
        ui.item_list(
            InsurancePackages.bikes, _bike, look="divide-y divide-line rounded-card border border-line bg-white"
        ),
        ui.pagination(
            InsurancePackages.page,
            InsurancePackages.pages,
            to=lambda page: f"/insurance-package?bike={_CHOSEN.bike_id}&page=" + page.to_string(),
        ),
    )


def _bike(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    return rx.el.li(
        picture(bike.picture, "8rem", "w-20 sm:w-32"),
        rx.el.div(ui.small_heading(bike.name), ui.text(bike_lines(bike)), class_name="min-w-0 md:w-80 md:shrink-0"),
        rx.el.div(
            rx.cond(bike.insurance != "", _insured(bike), _not_insured(bike)),
            class_name="min-w-0 grow max-md:basis-full",
        ),
        class_name="flex flex-wrap items-start gap-x-6 gap-y-3 p-4 md:flex-nowrap md:p-6",
    )


def _insured(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    request = bike.request.to(InsuranceRequest)
    return rx.el.div(
        ui.badge(_("Insured"), "ok"),
        ui.strong(insurance(bike.insurance), top=2),
        ui.text(
            _("Policy number {number}, from {day}", number=bike.policy_number, day=day(bike.insurance_start)),
            look="tabular-nums",
            shown=bike.policy_number != "",
        ),
        rx.el.div(product_information(request.document_id, bike.name)),
        ui.text(request_page_link(request.reference), shown=request),
        ui.tall_link(_("View your bike"), to=f"/bikes/{bike.bike_id}"),
    )


def _not_insured(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    request = bike.request.to(InsuranceRequest)
    return rx.fragment(
        ui.stack(request_status(request), bottom=3, shown=request.bool() & ~waits_for_link(request)),
        ui.badge(_("Waiting for your confirmation"), "warn", shown=waits_for_link(request)),
        rx.cond(
            bike.refusal,
            rx.cond(~is_open(request), _refused(bike)),
            rx.fragment(
                ui.badge(_("Can be insured"), "info"),
                ui.text(_("You can do this until {day}.", day=day(bike.until)), top=2),
                ui.tall_link(
                    _("View the premiums"),
                    ui.hidden_text(": ", bike.name, bike_mark(bike)),
                    to=f"/insurance-package?bike={bike.bike_id}",
                    shown=bike.bike_id != _CHOSEN.bike_id,
                ),
            ),
        ),
    )


def _refused(bike: rx.vars.ObjectVar[InsuranceBike]) -> rx.Component:
    over = bike.refusal == Code.INSURANCE_TERM_OVER.value
    return rx.fragment(
        ui.badge(_("Can’t be insured")),
        ui.text(choice(bike.refusal, _REFUSALS), top=2),
        ui.text(_("This was possible until {day}.", day=day(bike.until)), shown=over),
        ui.tall_link(_("Contact us"), ui.hidden_text(": ", bike.name, bike_mark(bike)), to="/contact?topic=insurance"),
    )


_TITLE = _("Bike insurance")
_FAILURE = _(MESSAGES[Code.INSURANCE_OPTIONS_FAILED])
_CHOSEN = InsurancePackages.chosen


def insurance_package() -> rx.Component:
    return ui.page_frame(
        loaded(
            InsurancePackages,
            rx.fragment(
                live_line(InsurancePackages, seen=False),
                ui.when(
                    InsurancePackages.bikes.length() > 0,
                    _to_confirm(),
                    _comparison(),
                    _insured_bikes(),
                    otherwise=_no_bike(),
                ),
            ),
            failure=_FAILURE,
            loading=_loading(),
        ),
        title=_TITLE,
        lead=_("Compare the cover. You can insure a bike up to {insurance_days} days after buying it."),
        back=ui.back_link(_("Overview"), "/dashboard"),
    )


def _to_confirm() -> rx.Component:
    return rx.foreach(
        InsurancePackages.waiting,
        lambda bike: rx.cond(
            waits_for_link(bike.request.to(InsuranceRequest)),
            rx.el.section(
                rx.el.div(
                    picture(bike.picture, "(min-width: 40rem) 8rem, 5rem", "w-20 sm:w-32"),
                    ui.block(ui.subheading(bike.name), ui.text(bike_lines(bike))),
                    class_name="flex items-center gap-4",
                ),
                ui.stack(request_status(bike.request.to(InsuranceRequest)), top=4),
                class_name="card mt-8",
            ),
        ),
    )


def _comparison() -> rx.Component:
    return ui.section(
        _("Insurance for your {bike}", bike=_CHOSEN.name),
        ui.text(frame_line(_CHOSEN.frame_number)),
        rx.cond(
            InsurancePackages.failed,
            ui.error_block(_FAILURE, on_retry=InsurancePackages.load),
            rx.fragment(rx.foreach(InsurancePackages.groups, _group), _ask()),
        ),
    )


def _group(offers: rx.vars.ArrayVar[list[InsuranceOffer]]) -> rx.Component:
    return rx.el.section(
        rx.el.h3(choice(offers[0].type, INSURANCE_TYPES)),
        ui.item_list(offers, _offer, top=3, look="grid gap-4 md:grid-cols-2 md:gap-5"),
        class_name="mt-8 first:mt-2",
    )


def _offer(offer: rx.vars.ObjectVar[InsuranceOffer]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h4(insurer_name(offer.insurer), class_name="text-lg font-semibold"),
            ui.badge(_("Most chosen"), "ok", shown=offer.most_chosen),
            class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-1",
        ),
        ui.text(
            rx.el.span(money(offer.premium), class_name="text-h2 font-semibold tabular-nums"),
            " ",
            ui.per_month(),
            top=2,
        ),
        ui.muted(excess_of(offer), look="tabular-nums"),
        rx.el.div(
            ui.covered(_("Covered"), offer.covers),
            ui.not_covered(_("Not covered"), offer.covers_not),
            class_name="mt-5 grid gap-5 border-t border-line pt-5 lg:grid-cols-2",
        ),
        ui.stack(product_information(offer.document_id, insurer_name(offer.insurer)), top=4),
        class_name=rx.cond(
            offer.most_chosen,
            "rounded-card border-2 border-ink bg-white p-6",
            "rounded-card border border-line bg-white p-6",
        ),
    )


def excess_of(offer: rx.vars.ObjectVar[InsuranceOffer]) -> rx.Var[str]:
    amount = _("{amount} excess per claim", amount=money(offer.excess))
    return rx.cond(offer.excess.to(float) > 0, amount, _("No excess")).to(str)


def _ask() -> rx.Component:
    return rx.el.div(
        rx.cond(
            _CHOSEN.refusal,
            ui.notice(
                ui.text(choice(_CHOSEN.refusal, _REFUSALS)),
                title=_("You can’t request insurance for this bike right now"),
                tone="info",
            ),
            ui.stack(
                ui.text(_("You make your choice in the next steps. Nothing is taken out until you confirm it.")),
                ui.link_button(_(INSURANCE.send), f"{INSURANCE.path}?bike={_CHOSEN.bike_id}", wide=True),
                ui.muted(_("You can do this until {day}.", day=day(_CHOSEN.until))),
                gap=4,
            ),
        ),
        class_name="mt-8 max-w-form",
    )


def _no_bike() -> rx.Component:
    return ui.empty_state(
        _("No bike to insure"),
        _("You can do this once your bike has arrived."),
        ui.link_button(_("Your orders"), "/orders", "secondary"),
        ui.illustrations.shield(),
    )


def _loading() -> rx.Component:
    return ui.loading_block(
        ui.skeleton("h-8 w-96 max-w-full"),
        rx.el.div(
            *[ui.skeleton("h-96 w-full rounded-card") for _i in range(2)],
            class_name="mt-6 grid gap-4 md:grid-cols-2 md:gap-5",
        ),
        class_name="mt-10",
    )


PAGES = [
    PageRoute(
        "insurance-package",
        insurance_package,
        title(_TITLE),
        on_load=[InsurancePackages.load, InsurancePackages.watch],
        first=InsurancePackages,
    )
]

"""States of the insurance pages: comparison, actions, choice, sent request."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import reflex as rx

from portal.bikes.flow import BIKE, BIKES
from portal.bikes.pages.state import BikeChoice
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError, Unavailable
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.flow import AnswerContext, Flow, Iban
from portal.flow.pages.views import Failure, fails, shows
from portal.frontend.live import Live
from portal.frontend.load import COUNTS, Paginated, Question, page_asked
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import Toasts
from portal.insurance.api import InsuranceApi, InsuranceBike, InsuranceBikes, InsuranceOptions, InsuranceRequest
from portal.insurance.flow import IBAN, INSURANCE, chosen_offer, offers
from portal.insurance.rules import BIKE_NOT_INSURED, InsuranceOffer
from portal.kernel.texts import N_
from portal.kernel.validation import is_short_id
from portal.vocabulary.actions import Topic

BIKE_PARAMETER = "bike"
"""Query parameter with the id of the bike."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Data of the comparison. `options` is None if the premiums of the chosen bike are not available."""

    bikes: InsuranceBikes
    chosen: InsuranceBike | None
    options: InsuranceOptions | None


class InsurancePackages(Live, Paginated, rx.State):
    """A page of the bikes, and the insurances for one bike.

    Attributes:
        bikes: newest order first.
        waiting: the bikes whose request waits for the link in the mail; at most one page.
        chosen: the bike whose premiums are shown: the one in the address, else the first that can be insured.
        groups: its insurances by type, the most chosen first; empty if there are none, or if they could not be loaded.
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

    def _question(self) -> Question[Comparison]:
        named, page = self._about(), page_asked(self)

        async def question(token: str) -> Comparison:
            bikes = await ask(InsuranceApi).insurance_bikes(token, page)
            for bike_id in filter(None, (named, bikes.suggested)):
                try:
                    options = await ask(InsuranceApi).insurance_options(token, bike_id)
                except NotFound:
                    continue  # Somebody else's bike: the customer sees one of their own.
                except Unavailable:
                    # The status of the bikes is shown without the premiums.
                    known = (bike for bike in (*bikes.items, *bikes.waiting) if bike.bike_id == bike_id)
                    return Comparison(bikes, next(known, next(iter(bikes.items), None)), None)
                return Comparison(bikes, options.bike, options)
            return Comparison(bikes, None, None)

        return question

    def _show(self, answer: Comparison) -> None:
        self.bikes, self.waiting, self.chosen = answer.bikes.items, answer.bikes.waiting, answer.chosen
        offers = sorted(answer.options.offers if answer.options else (), key=lambda offer: not offer.most_chosen)
        kinds = dict.fromkeys(offer.type for offer in offers)
        self.groups = [[offer for offer in offers if offer.type is kind] for kind in kinds]
        self.failed = bool(self.bikes) and not self.groups
        self._count(answer.bikes)


SENT_AGAIN = N_("The email has been sent again.")
CANCELLED = N_("Your request has been cancelled.")


class InsuranceActs(rx.State):
    """Actions on a request, and the result of the last one.

    Attributes:
        sent_to: address to which the link was mailed again; else empty.
        again_at: when the mail can be requested once more; None if unknown.
    """

    about: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    again_at: rx.Field[datetime | None] = rx.field(None)
    refusal: rx.Field[str] = rx.field("")
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def resend(self, reference: str) -> None:
        """Mail the link again."""
        async with self:
            token = session_token(self)
        try:
            sent = await ask(InsuranceApi).resend_insurance(token, reference)
        except ProviderError as error:
            async with self:
                await self._refuse(reference, error)
            return
        async with self:
            self._start_result(reference)
            self.sent_to, self.again_at = sent.email, sent.resend_at
            (await self.get_state(Toasts))._add("success", SENT_AGAIN)

    @rx.event(background=True)
    @customer
    async def cancel(self, reference: str) -> None:
        async with self:
            token = session_token(self)
        try:
            await ask(InsuranceApi).cancel_insurance(token, reference)
        except ProviderError as error:
            async with self:
                await self._refuse(reference, error)
            return
        async with self:
            self._start_result(reference)
            (await self.get_state(Toasts))._add("success", CANCELLED)

    def _start_result(self, reference: str) -> None:
        self.about, self.sent_to, self.again_at, self.refusal = reference, "", None, ""

    async def _refuse(self, reference: str, error: ProviderError) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        self._start_result(reference)
        self.refusal, self.again_at = error.code.value, error.retry_at
        self.attempt += 1


class InsuranceChoice(rx.State):
    """What the steps show of the current answers.

    Attributes:
        offers: by key of the package.
        chosen: the chosen insurance; None while none is chosen.
        key_number: the known key number of the chosen bike; empty if unknown.
    """

    offers: rx.Field[dict[str, InsuranceOffer]] = rx.field(default_factory=dict)
    chosen: rx.Field[InsuranceOffer | None] = rx.field(None)
    key_number: rx.Field[str] = rx.field("")
    iban: rx.Field[str] = rx.field("")


@shows(InsuranceChoice, INSURANCE.name)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    return {
        "offers": offers(answers),
        "chosen": chosen_offer(answers),
        "key_number": str(answers.entry(BIKES, BIKE).get("key_number") or ""),
        "iban": Iban.written(answers.text(IBAN)),
    }


@fails(INSURANCE.name)
async def _failure(state: rx.State) -> Failure | None:
    bike = (await state.get_state(BikeChoice)).chosen
    return (BIKE_NOT_INSURED, {"bike": bike.name}) if bike else None


class InsuranceSent(Live, rx.State):
    """The newest requests, for the page after sending."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.INSURANCES, Topic.MESSAGES)
    requests: rx.Field[dict[str, InsuranceRequest]] = rx.field(default_factory=dict)

    def _question(self) -> Question[Page[InsuranceRequest]]:
        return lambda token: ask(InsuranceApi).insurance_requests(token)

    def _show(self, part: Page[InsuranceRequest]) -> None:
        self.requests = {request.reference: request for request in part.items}

"""The account of a request, and what happens next, by kind, status and handover (part-1 §4)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_mark
from portal.backend.letter import localized_weekday, opening_hours, size, weekday
from portal.backend.sessions import Owner
from portal.bikes.flow import BIKE
from portal.bikes.provider.queries import waiting
from portal.contract.account import (
    Account,
    AccountAmount,
    AccountFact,
    AccountHandover,
    AccountMoney,
    Direction,
    LocalizedText,
)
from portal.contract.errors import NotFound
from portal.contract.models import Locale
from portal.flow.api import RequestItem
from portal.flow.provider.handler import (
    HANDLERS,
    CurrentRequest,
    FlowHandler,
    HeldFile,
    StoredRequest,
    SummaryLine,
    lines_of,
    rows_of,
)
from portal.kernel.address import address_lines
from portal.kernel.days import today
from portal.kernel.texts import COST_NAMES, LOCALES, N_, Cost, CostKind, gettext_for, total
from portal.kernel.validation import in_groups
from portal.tables.bikes import BikeRow
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.departures import OF_REQUESTS, Departure, Effect, outcome
from portal.vocabulary.locations import HANDOVER_TEXTS, Handover
from portal.vocabulary.work_orders import (
    CLOSED_WORK_ORDER,
    PHASES,
    REQUEST_LABELS,
    RequestKind,
    WorkOrderStatus,
    names_day,
    phase,
    status_words,
)
from portal.work_orders.flow.claim import NOW, WAIT
from portal.work_orders.provider.queries import own_request
from portal.work_orders.provider.warranty import warranty_facts

_S = WorkOrderStatus
_NO_ANSWER = N_(
    "Heard nothing after {repair_answer_days} working days? Call us. If it takes longer than {silence_weeks} weeks, "
    "we’ll find out why."
)
_SILENCE = N_("Is it taking longer than {silence_weeks} weeks? Call us, and we’ll find out why.")

ByHandover = Mapping[Handover | None, str]
"""A sentence by handover; the one of None if the customer did not choose a handover."""

_ANSWER = N_("A mechanic will look at your request and contact you within {repair_answer_days} working days.")
_APPOINTMENT = N_("{location} will contact you to make an appointment.")
_QUOTE = N_("A mechanic looks at the damage and prepares a quote.")
_REVIEW: dict[str, str] = {
    WAIT: N_("Your insurer reviews the quote. We wait for approval before we start."),
    NOW: N_("Happy with it? Then we repair your bike, and you pay us the full amount."),
}
_PAYMENT: dict[str, str] = {
    WAIT: N_("Once it’s approved, we repair your bike. The insurer pays us; you only pay us the excess."),
    NOW: N_("Your insurer reviews the claim and pays you back, minus the excess."),
}
_PAYMENT_OF_REPAIR: dict[str, str] = {
    WAIT: N_("The insurer pays us; you only pay us the excess."),
    NOW: N_("You pay us the full amount. Your insurer pays you back, minus the excess."),
}

_AGREED: ByHandover = {
    None: N_("Together you’ll agree when and where your bike is repaired."),
    Handover.BRING: N_("Together you’ll agree on a day for you to bring your bike to {location}."),
    Handover.PICK_UP: N_("Together you’ll agree on a day for us to pick up your bike."),
    Handover.CALL_OUT: N_("Together you’ll agree on a day for the mechanic to come to you."),
}
_SERVICED: ByHandover = {
    None: N_("Your bike is serviced on the day you agree."),
    Handover.BRING: N_("You bring your bike to {location} on the day you agree."),
    Handover.PICK_UP: N_("We pick up your bike on the day you agree."),
    Handover.CALL_OUT: N_("The mechanic comes to you on the day you agree."),
}
_ON_THE_DAY: ByHandover = {
    None: N_("The work is planned for {day}."),
    Handover.BRING: N_("Bring your bike to {location} on {day}."),
    Handover.PICK_UP: N_("We’ll pick up your bike on {day}. Have the bike and its keys ready."),
    Handover.CALL_OUT: N_("The mechanic will come to you on {day}. Have the bike and its keys ready."),
}
_NO_DAY: ByHandover = {
    **_AGREED,
    None: N_("Bring your bike during opening hours."),
    Handover.BRING: N_("Bring your bike to {location} during opening hours."),
}
_READY: ByHandover = {
    None: N_("We’ll email you when your bike is ready."),
    Handover.BRING: N_("We’ll email you when you can collect your bike."),
    Handover.PICK_UP: N_("We’ll email you when your bike is ready. Then we’ll bring it back to you."),
    Handover.CALL_OUT: N_("We’ll email you when the work is done."),
}
_GOES_ON: ByHandover = {
    None: N_("The workshop will contact you to carry on with the work."),
    Handover.BRING: N_("The workshop will tell you when you can bring your bike again."),
    Handover.PICK_UP: N_("The workshop will tell you when we’ll pick up your bike again."),
    Handover.CALL_OUT: N_("The mechanic will make a new appointment with you."),
}
_PARTS = N_("We’ll get on with the work as soon as the parts arrive.")
_BACK: ByHandover = {
    None: N_("The workshop will tell you how you get your bike back."),
    Handover.BRING: N_("Collect your bike from {location} during opening hours."),
    Handover.PICK_UP: N_("We’ll make an appointment with you to bring your bike back."),
    Handover.CALL_OUT: N_("You already have your bike: there’s nothing more you need to do."),
}


def next_steps(
    kind: RequestKind,
    status: WorkOrderStatus,
    handover: Handover | None,
    *,
    handling: str = "",
    location: str = "",
    planned: date | None = None,
    answer_days: int,
) -> list[LocalizedText]:
    """What happens next, in order; empty once the request is closed."""
    if status in CLOSED_WORK_ORDER or status is _S.UNKNOWN:
        return []
    texts = _steps(kind, status, handover, handling, planned)
    return [
        LocalizedText.of(
            text,
            location=location,
            day=lambda locale: weekday(planned, locale) if planned else "",
            repair_answer_days=answer_days,
        )
        for text in (*texts, _patience(texts, status, handover))
        if text and (location or "{location}" not in text)
    ]


def _patience(texts: tuple[str, ...], status: WorkOrderStatus, handover: Handover | None) -> str:
    """When to call us; empty if the customer has the bike or can collect it."""
    if status is _S.WAIT_FOR_CUSTOMER and handover in {Handover.BRING, Handover.CALL_OUT}:
        return ""
    return _NO_ANSWER if _ANSWER in texts else _SILENCE


def _steps(
    kind: RequestKind, status: WorkOrderStatus, handover: Handover | None, handling: str, planned: date | None
) -> tuple[str, ...]:
    visit = _ON_THE_DAY[handover] if planned else ""
    pays = _PAYMENT_OF_REPAIR.get(handling, "") if kind is RequestKind.CLAIM else ""
    if status in {_S.NEW, _S.ACCEPTED} and kind is RequestKind.CLAIM:
        quote = _QUOTE if status is _S.NEW else ""
        return (quote, _REVIEW.get(handling, ""), _PAYMENT.get(handling, ""), visit)
    if status in {_S.NEW, _S.ACCEPTED}:
        service = kind is RequestKind.SERVICE
        answer = "" if status is _S.ACCEPTED or visit else _APPOINTMENT if service else _ANSWER
        return (answer, visit or (_SERVICED if service else _AGREED)[handover])
    if status is _S.WAIT_FOR_OBJECT:
        return (visit or _NO_DAY[handover], _READY[handover], pays)
    if status is _S.WAIT_FOR_PARTS:
        return (_PARTS, _READY[handover], pays)
    if status is _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR:
        return (_GOES_ON[handover], pays)
    if status is _S.WAIT_FOR_CUSTOMER:
        return (_BACK[handover], pays)
    agreed = _AGREED[handover] if names_day(status, handover) else ""
    return (visit or agreed, _READY[handover], pays)


FLOW_OF: dict[RequestKind, str] = {
    RequestKind.REPAIR: "repair-request",
    RequestKind.SERVICE: "service-request",
    RequestKind.CLAIM: "claim-request",
}
"""Id of the flow for each kind of request."""

_FEES = {Handover.PICK_UP: CostKind.PICK_UP, Handover.CALL_OUT: CostKind.CALL_OUT}


def account_of(
    request: RequestRow,
    bike: BikeRow,
    partner: PartnerRow | None,
    *,
    status: WorkOrderStatus | None = None,
    planned: date | None = None,
    departure: Departure | None = None,
) -> Account:
    status = status or request.status
    method = handover_of(request)
    planned = day_ahead(request, status, planned)
    stored: dict[Locale, StoredRequest] = {
        locale: _naming(StoredRequest.of(request.details, locale), bike) for locale in LOCALES
    }
    costs = stored["nl"].costs
    location = partner.name if partner else str(_stored_location(request).get("name", ""))
    current = phase(request.kind, status)
    label, meaning = status_of(request, status, planned)
    account = Account(
        reference=in_groups(request.reference),
        title=LocalizedText.of(
            N_("{kind}: {bike}"), kind=LocalizedText.of(REQUEST_LABELS[request.kind]), bike=bike.name_in
        ),
        status=label,
        meaning=meaning,
        phases=[] if current is None else [LocalizedText.of(name) for name in PHASES[request.kind]],
        phase=current,
        handover=_handover(request, partner, method, status, planned, costs),
        facts=_facts(request, stored),
        money=_money(request.kind, costs),
        next_steps=next_steps(
            request.kind,
            status,
            method,
            handling=stored["nl"].text("handling"),
            location=location,
            planned=planned,
            answer_days=request.answer_days,
        ),
    )
    return account if status in CLOSED_WORK_ORDER else waiting(account, departure, OF_REQUESTS[request.kind])


def waits(request: RequestRow, departure: Departure | None) -> bool:
    """Whether an open request waits, because its bike goes back."""
    effect = outcome(departure, OF_REQUESTS[request.kind]).effect
    return request.status not in CLOSED_WORK_ORDER and effect is Effect.WAITS


def _naming(stored: StoredRequest, bike: BikeRow) -> StoredRequest:
    """The details with the bike as the reader calls it: at sending it was named in the language of the customer."""
    if BIKE not in stored.words:
        return stored
    named = "\n".join(part for part in (bike.name_in(stored.locale), bike_mark(bike, stored.locale)) if part)
    return replace(stored, words={**stored.words, BIKE: named})


def status_of(
    request: RequestRow, status: WorkOrderStatus, planned: date | None
) -> tuple[LocalizedText, LocalizedText]:
    """Label and meaning of a status in the account of a request, given the planned day."""
    label, meaning = status_words(request.kind, status, handover_of(request), planned=planned is not None)
    return LocalizedText.of(label), LocalizedText.of(meaning)


def day_ahead(request: RequestRow, status: WorkOrderStatus | None = None, planned: date | None = None) -> date | None:
    """The planned day on which the bike changes hands or the mechanic comes; None if there is none ahead.

    Other arguments as of `account_of`.
    """
    day = planned or request.planned_date
    return day if day and day >= today() and names_day(status or request.status, handover_of(request)) else None


async def current_request(session: AsyncSession, owner: Owner, reference: str) -> CurrentRequest | None:
    """A request of this customer as it holds now; None if it no longer exists."""
    try:
        found = await own_request(session, owner.customer_id, reference)
    except NotFound:
        return None
    account = account_of(found.request, found.bike, found.partner, departure=found.departure)
    return CurrentRequest(account, [RequestItem(name=found.bike.name_in(owner.locale), picture=found.picture)])


def handover_of(request: RequestRow) -> Handover | None:
    """The handover that the customer chose; None if the flow does not ask for one, or staff entered the request."""
    method = (request.details or {}).get("handed_over")
    return Handover(method) if method in set(Handover) else None


def _stored_location(request: RequestRow) -> dict[str, object]:
    return dict((request.details or {}).get("service_location") or {})


def _handover(
    request: RequestRow,
    partner: PartnerRow | None,
    method: Handover | None,
    status: WorkOrderStatus,
    planned: date | None,
    costs: Sequence[Cost],
) -> AccountHandover | None:
    if method is None and partner is None and planned is None:
        return None
    return AccountHandover(
        how=LocalizedText.of(HANDOVER_TEXTS[method]) if method else LocalizedText(),
        place=_place(request, partner, method),
        when=_when(partner, method, status, planned),
        cost=next((cost.amount for cost in costs if method and cost.kind is _FEES.get(method)), Decimal("0.00")),
        day=planned,
    )


def _when(
    partner: PartnerRow | None, method: Handover | None, status: WorkOrderStatus, planned: date | None
) -> LocalizedText:
    """The day on which the bike changes hands or the mechanic comes, or what is known of it; empty during the work."""
    if planned:
        return localized_weekday(planned)
    collected = status is WorkOrderStatus.WAIT_FOR_CUSTOMER and method is Handover.BRING
    if collected or (status is WorkOrderStatus.WAIT_FOR_OBJECT and method in {None, Handover.BRING}):
        hours = opening_hours(partner.opening_hours or "") if partner else LocalizedText()
        return hours or LocalizedText.of(N_("during opening hours"))
    back = status is WorkOrderStatus.WAIT_FOR_CUSTOMER and method is Handover.PICK_UP
    paused = status is WorkOrderStatus.WAIT_FOR_REPAIR_AFTER_IN_REPAIR
    if names_day(status, method) or back or paused:
        return LocalizedText.of(N_("we’ll agree this with you"))
    return LocalizedText()


def _place(request: RequestRow, partner: PartnerRow | None, method: Handover | None) -> list[str]:
    """Where the bike changes hands, or where the mechanic comes: the customer's address, or the location."""
    if method in _FEES:
        return [line for line in address_lines((request.details or {}).get("home") or {}) if line]
    if partner:
        return [partner.name, *address_lines(partner)]
    location = _stored_location(request)
    return [str(location["name"]), *address_lines(location["address"])] if location else []


def _facts(request: RequestRow, stored: dict[Locale, StoredRequest]) -> list[AccountFact]:
    handler = HANDLERS.get(FLOW_OF.get(request.kind, ""))
    rows = {locale: _rows(request, entry, handler) for locale, entry in stored.items()}
    answers = [_fact(nl, en) for nl, en in zip(rows["nl"], rows["en"], strict=True)]
    return [*answers, *_files(stored), *warranty_facts(request)]


def _files(stored: dict[Locale, StoredRequest]) -> list[AccountFact]:
    """The names of the files that the customer sent."""
    files = stored["nl"].files
    if not files:
        return []

    def line(file: HeldFile) -> LocalizedText:
        return LocalizedText.each(lambda locale: f"{file.name} ({size(file.size, locale)})")

    label = LocalizedText.of(N_("Photos and other files"))
    return [AccountFact(label=label, lines=[line(file) for file in files], files=True)]


def _rows(request: RequestRow, stored: StoredRequest, handler: FlowHandler | None) -> list[SummaryLine]:
    _ = gettext_for(stored.locale)
    rows = rows_of(handler.flow, stored, handler.rows) if handler and stored.answers else []
    if not rows:
        # Staff entered this request for the customer, so it has a description but no answers.
        rows = [SummaryLine(_("Description"), (request.title, *lines_of(request.description)))]
    return rows


def _fact(nl: SummaryLine, en: SummaryLine) -> AccountFact:
    return AccountFact(
        label=LocalizedText(nl=nl.label, en=en.label),
        lines=[LocalizedText(nl=dutch, en=english) for dutch, english in zip(nl.lines, en.lines, strict=True)],
    )


def _money(kind: RequestKind, costs: Sequence[Cost]) -> AccountMoney:
    """The costs that the customer accepted by sending. A repair has further costs, which a mechanic estimates."""
    if not costs:
        return AccountMoney()
    notes = [N_("All amounts include VAT.")]
    if any(cost.kind is CostKind.CALL_OUT for cost in costs):
        notes.append(N_("You pay the call-out fee through a payment request we’ll email you."))
    if kind is RequestKind.REPAIR:
        notes.append(N_("The cost of the repair itself comes on top."))
    return AccountMoney(
        lines=[AccountAmount(label=LocalizedText.of(COST_NAMES[cost.kind]), amount=cost.amount) for cost in costs],
        direction=Direction.CUSTOMER_PAYS,
        total=total(costs),
        label=LocalizedText.of(N_("Total")),
        note=LocalizedText.each(lambda locale: " ".join(gettext_for(locale)(note) for note in notes)),
    )

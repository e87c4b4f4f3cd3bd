"""The account of a repair, a service or a claim: built once from the stored rows, rendered by every channel.

Confirmation, list, status page, overview, mails, PDF and calendar file take title, status, phases, handover, answers,
amounts and next steps from here (part-1 §2, §4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.letter import localized_weekday, opening_hours, size
from portal.backend.sessions import Owner
from portal.bikes.flow import BIKE
from portal.bikes.provider.departures import waiting
from portal.bikes.provider.wording import bike_mark
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
    StoredFile,
    StoredRequest,
    SummaryLine,
    lines_of,
    rows_of,
)
from portal.kernel.address import address_lines
from portal.kernel.days import today
from portal.kernel.money import COST_NAMES, Cost, CostKind, total
from portal.kernel.texts import LOCALES, N_, gettext_for
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
from portal.work_orders.provider.next_steps import next_steps
from portal.work_orders.provider.queries import own_request
from portal.work_orders.provider.warranty import warranty_facts

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

    def line(file: StoredFile) -> LocalizedText:
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

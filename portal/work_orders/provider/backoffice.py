"""Back office: change a work order, end those of bikes that left, tell the case, and notify the customer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.backoffice import (
    BackOfficeCase,
    CurrentStatus,
    Departed,
    NotAllowed,
    Transition,
    TransitionRequest,
    known_reference,
)
from portal.backend.bike_names import bike_called, bike_mark
from portal.backend.cases import CaseFacts, record
from portal.backend.context import Context
from portal.backend.letter import account_values, localized_weekday, subject_line
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.bikes.provider.queries import bike_picture, departure_of_bike
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput
from portal.contract.models import Locale
from portal.kernel.address import readable_phone
from portal.kernel.codes import Code
from portal.kernel.days import end_of_day, in_working_days
from portal.kernel.texts import N_, gettext_for, known_locale
from portal.pictures.provider.lookup import mail_picture, pictures_of_lines
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow, WorkOrderEventRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.departures import OF_REQUESTS, Departure, Dependent, Effect, outcome, refusal
from portal.vocabulary.work_orders import (
    CLOSED_WORK_ORDER,
    MAILED_STATUSES,
    WORK_ORDERS,
    Actor,
    RequestKind,
    WorkOrderStatus,
)
from portal.work_orders.provider import queries
from portal.work_orders.provider.account import account_of
from portal.work_orders.provider.queries import WorkOrderMatch
from portal.work_orders.provider.warranty import covered, extended_until

KIND_OF_REQUEST = {
    RequestKind.REPAIR: CaseKind.REPAIR,
    RequestKind.SERVICE: CaseKind.SERVICE,
    RequestKind.CLAIM: CaseKind.CLAIM,
}
_S = WorkOrderStatus
_BEFORE_THE_WORK = frozenset({_S.NEW, _S.ACCEPTED, _S.WAIT_FOR_OBJECT, _S.WAIT_FOR_REPAIR})


def facts_of(request: RequestRow) -> CaseFacts:
    """The facts of a work order.

    Promised is the planned day until the work begins. Without a day a repair is answered within working days, as the
    customer was told.
    """
    promised: datetime | None = None
    if request.planned_date and request.status in _BEFORE_THE_WORK:
        promised = end_of_day(request.planned_date)
    elif request.kind is RequestKind.REPAIR and request.status is _S.NEW:
        promised = in_working_days(request.created_at, request.answer_days)
    return CaseFacts(
        kind=KIND_OF_REQUEST[request.kind],
        reference=request.reference,
        customer_id=request.customer_id,
        status=request.status.value,
        final=request.status in WORK_ORDERS[request.kind].ends,
        partner_id=request.partner_id,
        promised_at=promised,
    )


async def record_case(
    session: AsyncSession,
    request: RequestRow,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: Mapping[str, object] | None = None,
) -> None:
    """Bring the case of a work order up to date, in the transaction of the change."""
    await record(session, facts_of(request), happened, now, by_customer=by_customer, details=details)


_NOTHING = LocalizedText()


@dataclass(frozen=True, slots=True)
class StatusNotice:
    """Content of a status mail.

    `note`: message from the back office; empty if there is none.
    `day`: the planned day, if there is one.
    `partner`: the assigned service location, if there is one.
    `warranty`: what staff found about the warranty; empty if nothing.
    `news`: what happened without a new status; empty if the status is the news.
    """

    status: WorkOrderStatus
    note: str = ""
    day: date | None = None
    partner: PartnerRow | None = None
    warranty: LocalizedText = _NOTHING
    news: LocalizedText = _NOTHING


async def notify_customer(context: Context, session: AsyncSession, found: WorkOrderMatch, notice: StatusNotice) -> None:
    """Put the status mail into the outbox, in the transaction that changes the work order."""
    customer = found.customer
    locale: Locale = "en" if customer.locale == "en" else "nl"
    pictures = await pictures_of_lines(session, found.bike.customer_id, [found.bike.order_line_id])
    picture = bike_picture(found.bike, pictures)
    await Outbox(context).post(
        session,
        Template.WORK_ORDER_STATUS,
        recipient=customer.email,
        locale=locale,
        customer_id=customer.id,
        details={
            **notice_details(
                found,
                notice,
                locale,
                await bike_called(session, found.bike),
                await departure_of_bike(session, found.bike),
            ),
            "picture": mail_picture(picture, found.bike.name_in(locale), bike_mark(found.bike, locale)),
        },
    )


def notice_details(
    found: WorkOrderMatch,
    notice: StatusNotice,
    locale: Locale,
    called: LocalizedText,
    departure: Departure | None = None,
) -> dict[str, Any]:
    """The values of a status mail in one language. They are stored, because the mail reports this change."""
    request = found.request
    # Once the work order is closed, its place and day no longer matter.
    ended = notice.status in CLOSED_WORK_ORDER
    partner = None if ended else notice.partner
    account = account_of(
        request, found.bike, notice.partner, status=notice.status, planned=notice.day, departure=departure
    )
    says = notice.news or account.meaning
    values = account_values(account, locale, subject_line(says, called))
    return {
        "bike": found.bike.name_in(locale),
        "subject": values["subject"],
        "meaning": says.text(locale),
        "note": notice.note,
        "covered": notice.warranty.text(locale),
        "next_steps": values["next_steps"],
        "handover": None if ended else values["handover"],
        "partner": partner.name if partner else "",
        "partner_phone": readable_phone(partner.phone) if partner and partner.phone else "",
        "reference": request.reference,
    }


async def current_status(context: Context, reference: str) -> CurrentStatus:
    async with context.database.session() as session:
        found = await queries.get(session, known_reference(reference))
    return _current_status(reference, found.request.kind, found.request.status)


async def move(context: Context, session: AsyncSession, reference: str, transition: TransitionRequest) -> Transition:
    """Change the status of a work order, plan a day, assign a service location, or send the customer a note.

    A change that was already made has no effect: the result then has `changed` False.
    """
    plan = await _look(session, reference, transition, _target(transition))
    if isinstance(plan, Transition):
        return plan
    await _do(context, session, plan)
    current = _current_status(reference, plan.found.request.kind, plan.target)
    return current.after(plan.before, changed=True)


WORK_ORDER = BackOfficeCase("work-order", WorkOrderStatus, current_status, move)


@dataclass(frozen=True, slots=True)
class _TransitionPlan:
    """A checked change that can be stored.

    `before`: status when the work order was read.
    `partner`: the service location to assign; None to keep the current one.
    """

    found: queries.WorkOrderMatch
    before: WorkOrderStatus
    target: WorkOrderStatus
    partner: PartnerRow | None
    assigned: PartnerRow | None
    transition: TransitionRequest

    @property
    def recorded(self) -> bool:
        """Whether the history gets an entry. A mark about the warranty alone says nothing that it could show."""
        asked = self.transition
        return self.before != self.target or bool(asked.note or asked.planned_date or self.partner)

    @property
    def mailed(self) -> bool:
        """Whether to mail the customer.

        A new status is mailed if it is in `MAILED_STATUSES`. Changes that keep the status are always mailed.
        """
        return self.target in MAILED_STATUSES if self.before != self.target else True


async def _look(
    session: AsyncSession, reference: str, transition: TransitionRequest, target: WorkOrderStatus
) -> _TransitionPlan | Transition:
    """Check a change. Returns a plan, or the result if nothing is left to change."""
    found = await queries.get(session, known_reference(reference))
    request = found.request
    partner = await _partner(session, transition)
    assigned = partner or (await session.get(PartnerRow, request.partner_id) if request.partner_id else None)
    events = await queries.history(session, request.id)
    departure = await departure_of_bike(session, found.bike)
    if (request.status != target or transition.planned_date) and target not in allowed(
        (target,), departure, request.status
    ):
        raise Conflict(refusal(departure, Dependent.BACK_OFFICE) or Code.STATUS_CHANGED)
    if transition.seen and transition.seen != request.status:
        raise Conflict(Code.STATUS_CHANGED)
    if request.status == target:
        new_day = transition.planned_date not in {None, request.planned_date}
        new_partner = partner is not None and partner.id != request.partner_id
        new_warranty = transition.under_warranty not in {None, request.under_warranty}
        new_note = bool(transition.note) and (not events or events[-1].note != transition.note)
        if not (new_day or new_partner or new_note or new_warranty):
            current = _current_status(reference, request.kind, request.status)
            return current.after(request.status, changed=False)
    elif not WORK_ORDERS[request.kind].allows(request.status, target):
        raise NotAllowed(request.status, target, _possible(request.kind, request.status))
    return _TransitionPlan(found, request.status, target, partner, assigned, transition)


async def _do(context: Context, session: AsyncSession, plan: _TransitionPlan) -> None:
    request, now = plan.found.request, context.clock()
    values: dict[str, object] = {"status": plan.target}
    if plan.partner is not None:
        values["partner_id"] = plan.partner.id
    if plan.transition.planned_date is not None:
        values["planned_date"] = plan.transition.planned_date
    asked = plan.transition.under_warranty
    values["under_warranty"] = under_warranty = request.under_warranty if asked is None else asked
    until = await extended_until(session, request, plan.target, under_warranty=under_warranty)
    if until:
        values["warranty_until"] = until
    if not await queries.change(session, request, now, **values):
        raise Conflict(Code.STATUS_CHANGED)
    if plan.recorded:
        session.add(
            WorkOrderEventRow(
                request_id=request.id,
                status=plan.target,
                actor=Actor.BACK_OFFICE,
                note=plan.transition.note,
                planned_date=plan.transition.planned_date,
                happened_at=now,
            )
        )
    await session.flush()
    await live.publish(session, request.customer_id, Topic.REQUESTS, now)
    day = plan.transition.planned_date or request.planned_date
    await session.refresh(request)
    await record_case(session, request, _happened(plan), now, details=_details(plan))
    if plan.mailed:
        warranty = covered(until=until or request.warranty_until, under_warranty=under_warranty)
        status = StatusNotice(plan.target, plan.transition.note, day, plan.assigned, warranty, _news(plan))
        await notify_customer(context, session, plan.found, status)


def allowed(
    statuses: Iterable[WorkOrderStatus], departure: Departure | None, status: WorkOrderStatus
) -> list[WorkOrderStatus]:
    """Those of the statuses that staff can set: for a bike that has left, only those that end the work."""
    closed = refusal(departure, Dependent.BACK_OFFICE) and status not in CLOSED_WORK_ORDER
    return [each for each in statuses if not closed or each in CLOSED_WORK_ORDER]


def _happened(plan: _TransitionPlan) -> CaseEventType:
    if plan.before is not plan.target:
        return CaseEventType.STATUS_CHANGED
    if plan.transition.planned_date:
        return CaseEventType.PLANNED
    if plan.partner:
        return CaseEventType.MOVED_TO_STORE
    return CaseEventType.MESSAGE_FROM_STAFF if plan.transition.note else CaseEventType.CORRECTED


def _news(plan: _TransitionPlan) -> LocalizedText:
    """What the mail about a change of the same status says first; empty if the status itself is the news."""
    asked = plan.transition
    if plan.before is not plan.target:
        return LocalizedText()
    if asked.planned_date:
        return LocalizedText.of(N_("The work is planned for {day}."), day=localized_weekday(asked.planned_date))
    if plan.partner:
        return LocalizedText.of(N_("{location} will work on your bike."), location=plan.partner.name)
    return LocalizedText.of(N_("The workshop has a message for you.")) if asked.note else LocalizedText()


def _details(plan: _TransitionPlan) -> dict[str, object]:
    """What changed besides the status."""
    planned = plan.transition.planned_date
    return {
        **({"planned_date": planned.isoformat()} if planned else {}),
        **({"store": plan.partner.name} if plan.partner else {}),
    }


def _target(transition: TransitionRequest) -> WorkOrderStatus:
    if transition.status not in WORK_ORDER.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    return WorkOrderStatus(transition.status)


async def _partner(session: Any, transition: TransitionRequest) -> PartnerRow | None:
    if not transition.partner:
        return None
    partner = await queries.partner(session, transition.partner)
    if partner is None:
        raise InvalidInput(Code.INVALID_INPUT, fields={"partner": Code.NOT_FOUND})
    return partner


def _possible(kind: RequestKind, status: WorkOrderStatus) -> list[str]:
    return [target.value for target in WORK_ORDERS[kind].following(status)]


def _current_status(reference: str, kind: RequestKind, status: WorkOrderStatus) -> CurrentStatus:
    return CurrentStatus(reference=reference, status=status, possible=_possible(kind, status))


async def end_requests(context: Context, session: AsyncSession, departed: Departed) -> None:
    """Cancel what is open for the bikes, and mail the customer. What was repaired already is completed."""
    query = select(RequestRow.reference).where(
        col(RequestRow.bike_id).in_(departed.bike_ids), col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER))
    )
    for reference in (await session.exec(query.order_by(col(RequestRow.id)))).all():
        found = await queries.get(session, reference)
        cell = outcome(departed.final, OF_REQUESTS[found.request.kind])
        if cell.effect is Effect.ENDS:
            note = gettext_for(known_locale(found.customer.locale))(cell.customer)
            await _end(context, session, found, note)


async def _end(context: Context, session: AsyncSession, found: queries.WorkOrderMatch, note: str) -> None:
    request, now = found.request, context.clock()
    cancels = WORK_ORDERS[request.kind].allows(request.status, WorkOrderStatus.CANCELLED)
    status = WorkOrderStatus.CANCELLED if cancels else WorkOrderStatus.COMPLETED
    await queries.change(session, request, now, status=status)
    session.add(
        WorkOrderEventRow(request_id=request.id, status=status, actor=Actor.BACK_OFFICE, note=note, happened_at=now)
    )
    await session.flush()
    await live.publish(session, request.customer_id, Topic.REQUESTS, now)
    await session.refresh(request)
    await record_case(session, request, CaseEventType.STATUS_CHANGED, now)
    await notify_customer(context, session, found, StatusNotice(status, note))

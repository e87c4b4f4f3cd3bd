"""Moving a work order: along its graph, once, with a line in its history and a mail where the customer wants one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import IntegrityError

from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.domain.codes import Code
from portal.domain.identifiers import is_reference
from portal.domain.status_graph import StatusGraph
from portal.provider.backoffice.moves import Movable, Moved, OffGraph, Standing, Wish
from portal.provider.backoffice.status_mail import Told, tell_customer
from portal.provider.context import Context
from portal.provider.repositories import changes
from portal.provider.repositories import work_orders as rows
from portal.provider.tables.partners import PartnerRow
from portal.provider.tables.work_orders import WorkOrderEventRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import TOLD_BY_MAIL, WORK_ORDERS, Actor, RequestKind, WorkOrderStatus


async def stand(context: Context, reference: str) -> Standing:
    """Where a work order stands.

    Raises:
        NotFound: there is none.
    """
    async with context.database.session() as session:
        found = await rows.get(session, _known(reference))
    return Standing(**_standing(reference, found.request.kind, found.request.status))


async def move(context: Context, reference: str, wish: Wish, key: str = "") -> Moved:
    """Move a work order, plan a day, assign a service location, tell the customer something.

    Raises:
        NotFound: there is no such work order.
        InvalidInput: a status, service location or key that cannot be used; `fields` says which.
        OffGraph: `status_not_allowed`, the status cannot follow.
        Conflict: `status_changed`, somebody else moved it meanwhile.
    """
    target = _target(wish)
    plan = await _look(context, reference, wish, target, key)
    if isinstance(plan, Moved):
        return plan
    try:
        await _do(context, plan)
    except (Conflict, IntegrityError):
        # The same key twice at the same moment: one of the two did it, and that is what both wanted.
        again = await _look(context, reference, wish, target, key) if key else None
        if isinstance(again, Moved):
            return again
        raise Conflict(Code.STATUS_CHANGED) from None
    return Moved(before=plan.before.value, changed=True, **_standing(reference, plan.found.request.kind, target))


WORK_ORDER = Movable("work-order", WorkOrderStatus, stand, move)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is going to be done. `partner` is a new one, `assigned` the one it will have."""

    found: rows.Found
    before: WorkOrderStatus
    target: WorkOrderStatus
    partner: PartnerRow | None
    assigned: PartnerRow | None
    wish: Wish
    key: str

    @property
    def mailed(self) -> bool:
        """Whether the customer is told by mail: of a status they wait for, and of whatever else is told here."""
        return self.target in TOLD_BY_MAIL if self.before != self.target else True


async def _look(context: Context, reference: str, wish: Wish, target: WorkOrderStatus, key: str) -> _Plan | Moved:
    """What has to be done, or what was done already."""
    async with context.database.session() as session:
        found = await rows.get(session, _known(reference))
        request = found.request
        if key and (event := await rows.by_key(session, key)):
            if event.request_id != request.id or event.status != target:
                raise InvalidInput(Code.INVALID_INPUT, fields={"key": Code.INVALID_INPUT})
            return _as_it_is(reference, request.kind, request.status)
        partner = await _partner(session, wish)
        assigned = partner or await rows.assigned(session, request)
        last = await rows.last_event(session, request.id or 0)
    if wish.seen and wish.seen != request.status:
        raise Conflict(Code.STATUS_CHANGED)
    if request.status == target:
        new_day = wish.planned_date not in {None, request.planned_date}
        new_partner = partner is not None and partner.id != request.partner_id
        new_note = bool(wish.note) and (last is None or last.note != wish.note)
        if not (new_day or new_partner or new_note):
            return _as_it_is(reference, request.kind, request.status)
    elif not _graph(request.kind).allows(request.status, target):
        raise OffGraph(request.status, target, _possible(request.kind, request.status))
    return _Plan(found, request.status, target, partner, assigned, wish, key)


async def _do(context: Context, plan: _Plan) -> None:
    request, now = plan.found.request, context.clock()
    values: dict[str, Any] = {"status": plan.target}
    if plan.partner is not None:
        values["partner_id"] = plan.partner.id
    if plan.wish.planned_date is not None:
        values["planned_date"] = plan.wish.planned_date
    async with context.database.transaction() as session:
        if not await rows.change(session, request, now, **values):
            raise Conflict(Code.STATUS_CHANGED)
        session.add(
            WorkOrderEventRow(
                request_id=request.id or 0,
                status=plan.target,
                actor=Actor.BACK_OFFICE,
                note=plan.wish.note,
                planned_date=plan.wish.planned_date,
                key=plan.key or None,
                happened_at=now,
            )
        )
        await session.flush()
        await changes.tell(session, request.customer_id, Topic.REQUESTS, now)
        if plan.mailed:
            day = plan.wish.planned_date or request.planned_date
            status = Told(plan.target, plan.wish.note, day, plan.assigned)
            await tell_customer(context, session, plan.found, status)


def _target(wish: Wish) -> WorkOrderStatus:
    if wish.status not in WORK_ORDER.targets:
        raise InvalidInput(Code.INVALID_INPUT, fields={"status": Code.INVALID_CHOICE})
    return WorkOrderStatus(wish.status)


async def _partner(session: Any, wish: Wish) -> PartnerRow | None:
    if not wish.partner:
        return None
    partner = await rows.partner(session, wish.partner)
    if partner is None:
        raise InvalidInput(Code.INVALID_INPUT, fields={"partner": Code.NOT_FOUND})
    return partner


def _known(reference: str) -> str:
    if not is_reference(reference):
        raise NotFound
    return reference


def _graph(kind: RequestKind) -> StatusGraph[WorkOrderStatus]:
    return WORK_ORDERS[kind]


def _possible(kind: RequestKind, status: WorkOrderStatus) -> list[str]:
    return [target.value for target in _graph(kind).following(status)]


def _standing(reference: str, kind: RequestKind, status: WorkOrderStatus) -> dict[str, Any]:
    return {"reference": reference, "status": status.value, "possible": _possible(kind, status)}


def _as_it_is(reference: str, kind: RequestKind, status: WorkOrderStatus) -> Moved:
    return Moved(before=status.value, changed=False, **_standing(reference, kind, status))

"""Staff in a session of a customer: what they may call there, and in whose name it is recorded.

The check stands in front of every operation of customers (`portal.provider.registry.Dispatcher`). It reads the signed
token, so that sessions of customers cost nothing more.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from pydantic import BaseModel

from portal.backend.cases import hide
from portal.backend.context import Context
from portal.backend.sessions import Sessions, Visit
from portal.backend.staff import StaffMember, StaffSessions, acting, in_name, write_audit
from portal.contract.account import Account
from portal.contract.errors import NotAuthenticated, Refused
from portal.contract.operations import InVisit, Operation, ParameterPlace
from portal.kernel.codes import Code
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.staff import CONCEALED, HiddenNumber, Right, VisitMode

Method = Callable[..., Awaitable[Any]]
_NAMES = frozenset(HiddenNumber)
"""Fields with such numbers, in every model, in facts, and in the answers of drafts."""


def concealed(answer: Any) -> Any:
    """The answer of an operation without the numbers that staff reveal on their own site (decision 0084).

    Policy numbers also stand in histories, so they are hidden wherever they stand.
    """
    return _without(answer, frozenset(_policy_numbers(answer)))


def _policy_numbers(answer: Any) -> Iterator[str]:
    for name, value in _parts(answer):
        if name == HiddenNumber.POLICY_NUMBER and value:
            yield value
        yield from _policy_numbers(value)


def _parts(answer: Any) -> Iterable[tuple[str, Any]]:
    """Fields of a model, entries of facts, or the parts of a list."""
    if isinstance(answer, BaseModel):
        return answer
    if isinstance(answer, dict):
        return answer.items()
    return [("", part) for part in answer] if isinstance(answer, list) else []


def _without(answer: Any, numbers: frozenset[str]) -> Any:
    """The answer with dots in place of what is hidden."""
    if isinstance(answer, str):
        return CONCEALED if answer in numbers else answer
    if isinstance(answer, Account):
        return hide(answer)
    if isinstance(answer, list):
        return [_without(part, numbers) for part in answer]
    if not isinstance(answer, BaseModel | dict):
        return answer
    shown = {
        name: CONCEALED if name in _NAMES and value else _without(value, numbers) for name, value in _parts(answer)
    }
    return answer.model_copy(update=shown) if isinstance(answer, BaseModel) else shown


class Visits:
    """Admits staff to operations of customers."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._sessions = sessions
        self._staff = StaffSessions(context)

    def admitted(self, declared: Operation, method: Method) -> Method:
        """Wrap the method of an operation with a customer's token; others stay as they are.

        Its calls raise `Refused` (`read_only`) for what staff may not do in the session, and `NotAuthenticated` if the
        person may no longer act for customers. What changes something is in the audit before it is done. Answers hide
        what staff see only after they asked for it.
        """
        token = next((each.name for each in declared.at(ParameterPlace.TOKEN)), "")
        if not token or declared.right is not None:
            return method
        reads = declared.method == "GET" or declared.in_visit is InVisit.ALWAYS
        place = list(inspect.signature(declared.function).parameters).index(token) - 1  # without `self`

        @wraps(method)
        async def call(*values: Any, **named: Any) -> Any:
            visit = self._sessions.visit(values[place] if place < len(values) else named[token])
            if visit is None:
                return await method(*values, **named)
            if declared.in_visit is InVisit.NEVER or not (reads or visit.mode is VisitMode.IN_NAME):
                raise Refused(Code.READ_ONLY)
            if reads:
                return concealed(await method(*values, **named))
            before, spoken = acting.set(await self._begun(visit, declared)), in_name.set(True)
            try:
                return concealed(await method(*values, **named))
            finally:
                in_name.reset(spoken)
                acting.reset(before)

        return call

    async def _begun(self, visit: Visit, declared: Operation) -> StaffMember:
        """The person, after the call was written to the audit."""
        async with self._context.database.transaction() as session:
            member = await self._staff.by_id(session, visit.staff_id)
            if member is None or not member.may(Right.ACT_FOR_CUSTOMERS):
                raise NotAuthenticated(Code.SESSION_ENDED)
            details = {"operation": declared.name}
            await write_audit(session, member, AuditAction.IN_NAME, "customer", visit.customer, details=details)
        return member

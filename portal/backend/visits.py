"""Staff in a session of a customer: what they may call there, and in whose name it is recorded.

The check stands in front of every operation of customers (`portal.provider.registry.Dispatcher`). It reads the signed
token, so that sessions of customers cost nothing more.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

from pydantic import BaseModel

from portal.backend import audit
from portal.backend.cases import hide
from portal.backend.context import Context
from portal.backend.sessions import Sessions, Visit
from portal.backend.staff import StaffMember, StaffSessions, acting
from portal.contract.account import Account
from portal.contract.errors import NotAuthenticated, Refused
from portal.contract.operations import InVisit, Operation, ParameterPlace
from portal.kernel.codes import Code
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.staff import CONCEALED, HiddenNumber, Right, VisitMode

Method = Callable[..., Awaitable[Any]]
_ANSWERS = "answers"
"""Name of the field with the answers of a draft, in every model."""


def concealed(answer: Any, mode: VisitMode) -> Any:
    """The answer of an operation without the numbers that staff reveal on their own site.

    A policy number is hidden wherever it stands. Drafts also hold what the customer entered. Who only looks sees no
    number there; who acts in the customer's name fills them in, and sees what was filled in.
    """
    hidden = _Hidden(frozenset(HiddenNumber), frozenset(_policy_numbers(answer)), mode is VisitMode.READ_ONLY)
    return _without(answer, hidden)


@dataclass(frozen=True, slots=True)
class _Hidden:
    """What an answer must not show.

    Attributes:
        names: fields with such numbers, in every model and in facts.
        numbers: policy numbers, which also stand in histories.
        answers: whether the answers of drafts are hidden, too.
    """

    names: frozenset[str]
    numbers: frozenset[str]
    answers: bool


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


def _without(answer: Any, hidden: _Hidden) -> Any:
    """The answer with dots in place of what is hidden."""
    if isinstance(answer, str):
        return CONCEALED if answer in hidden.numbers else answer
    if isinstance(answer, Account):
        return hide(answer)
    if isinstance(answer, list):
        return [_without(part, hidden) for part in answer]
    if not isinstance(answer, BaseModel | dict):
        return answer
    shown = {name: _field(name, value, hidden) for name, value in _parts(answer)}
    return answer.model_copy(update=shown) if isinstance(answer, BaseModel) else shown


def _field(name: str, value: Any, hidden: _Hidden) -> Any:
    if name == _ANSWERS and not hidden.answers:
        return value
    return CONCEALED if name in hidden.names and value else _without(value, hidden)


class Visits:
    """Admits staff to operations of customers."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        """Use the database of the context and these sessions of customers."""
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
                return concealed(await method(*values, **named), visit.mode)
            before = acting.set(await self._begun(visit, declared))
            try:
                return concealed(await method(*values, **named), visit.mode)
            finally:
                acting.reset(before)

        return call

    async def _begun(self, visit: Visit, declared: Operation) -> StaffMember:
        """The person, after the call was written to the audit."""
        async with self._context.database.transaction() as session:
            member = await self._staff.by_id(session, visit.staff_id)
            if member is None or not member.may(Right.ACT_FOR_CUSTOMERS):
                raise NotAuthenticated(Code.SESSION_ENDED)
            details = {"operation": declared.name}
            await audit.write(session, member, AuditAction.IN_NAME, "customer", visit.customer, details=details)
        return member

"""State of the page about privacy rights."""

from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.frontend.live import Live
from portal.frontend.load import Question, text_in
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.kernel.codes import Code
from portal.kernel.validation import in_groups
from portal.privacy.api import ErasureCode, PersonalData, PrivacyApi
from portal.vocabulary.actions import Topic
from portal.vocabulary.privacy import ENDED_IN_CONTRACTS, NAMED_BY_REFERENCE
from portal.web.session import checks

ERASED_PATH = "/data-erased"
CLOSED, CODE = "", "code"
"""Steps of the erasure: explained, and waiting for the mailed code."""

_SPENT = frozenset({Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE})


@dataclass(frozen=True, slots=True)
class ExportView:
    """The copy of the data. `status` is empty if there is none; `megabytes` has one decimal; times are ISO 8601."""

    export_id: str = ""
    status: str = ""
    megabytes: str = ""
    expires_at: str = ""


@dataclass(frozen=True, slots=True)
class RunningView:
    """Something that is not finished. `until` is the last day of a cancelled contract (ISO 8601), else empty."""

    kind: str = ""
    name: str = ""
    until: str = ""


class MyPrivacy(Live, rx.State):
    """The copy of the customer's data, and the erasure.

    Attributes:
        export_problem: error code if a copy could not be asked for.
        expires_at: when the code expires (ISO 8601, UTC).
        resend_at: time from which another code can be requested (ISO 8601, UTC).
        retry_at: time from which another try is allowed (ISO 8601, UTC); empty if unknown.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.PERSONAL_DATA, Topic.CONTRACTS)
    export: rx.Field[ExportView] = rx.field(default_factory=ExportView)
    running: rx.Field[list[RunningView]] = rx.field(default_factory=list)
    has_contracts: rx.Field[bool] = rx.field(False)
    export_problem: rx.Field[str] = rx.field("")
    step: rx.Field[str] = rx.field(CLOSED)
    sent_to: rx.Field[str] = rx.field("")
    expires_at: rx.Field[str] = rx.field("")
    resend_at: rx.Field[str] = rx.field("")
    problem: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    spent: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def ask_for_export(self) -> None:
        """Have a copy made."""
        async with self:
            token = session_token(self)
        try:
            data = await ask(PrivacyApi).ask_for_export(token)
        except ProviderError as error:
            async with self:
                self.export_problem = error.code.value
                self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
                self.attempt += 1
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
            return
        async with self:
            self.export_problem, self.retry_at = "", ""
            self._show(data)

    @rx.event(background=True)
    @customer
    async def request_erasure(self) -> None:
        """Send the code that confirms the erasure."""
        async with self:
            token = session_token(self)
        try:
            sent = await ask(PrivacyApi).request_erasure(token)
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return
        async with self:
            self.step, self.sent_to = CODE, sent.email
            self.expires_at, self.resend_at = sent.expires_at.isoformat(), sent.resend_at.isoformat()
            self.problem, self.retry_at, self.spent = "", "", False
            self.answered += 1

    @rx.event(background=True)
    @customer
    async def confirm_erasure(self, form: dict[str, Any]) -> Any:
        """Erase the data with the code, and leave: every session has ended."""
        async with self:
            token = session_token(self)
        try:
            await ask(PrivacyApi).confirm_erasure(token, ErasureCode(code=text_in(form, "code")))
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return None
        checks.ended(token)
        return rx.redirect(ERASED_PATH, is_external=True)

    @rx.event
    @customer
    async def stop(self) -> None:
        self.step, self.problem, self.retry_at, self.spent = CLOSED, "", "", False

    async def _refuse(self, error: ProviderError) -> None:
        self.answered += 1
        self.attempt += 1
        self.problem = error.fields.get("code", error.code).value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        self.spent = error.code in _SPENT
        if isinstance(error, NotAuthenticated):
            await session_ended(self)

    def _question(self) -> Question[PersonalData]:
        return lambda token: ask(PrivacyApi).personal_data(token)

    def _show(self, data: PersonalData) -> None:
        found = data.export
        self.export = (
            ExportView()
            if found is None
            else ExportView(
                found.export_id,
                found.status.value,
                f"{max(found.size / 1_000_000, 0.1):.1f}",
                found.expires_at.isoformat(),
            )
        )
        self.running = [
            RunningView(
                entry.kind.value,
                in_groups(entry.name) if entry.kind in NAMED_BY_REFERENCE else entry.name,
                entry.until.isoformat() if entry.until else "",
            )
            for entry in data.running
        ]
        self.has_contracts = any(entry.kind in ENDED_IN_CONTRACTS for entry in data.running)

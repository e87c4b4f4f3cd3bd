"""States of the pages of imports."""

import asyncio
from typing import Any, ClassVar
from urllib.parse import urlencode

import reflex as rx

from portal.contract.errors import NotFound, ProviderError
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.downloads import failed_download
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.load import READY, Form, Paginated, Question, last_part, page_asked
from portal.frontend.models import computed, viewed
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.imports.api import (
    MAX_RECORD,
    CorrectedRecord,
    Difference,
    Differences,
    DifferenceSearch,
    ImportLine,
    ImportRun,
    ImportRunReport,
    ImportsApi,
    ImportSearch,
    ProblemReason,
    RejectedChoice,
    RejectedContent,
    RejectedRecord,
    Settlement,
    WaitingRecord,
)
from portal.imports.rules.reasons import reason_texts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.exchange import IMPORT_KINDS, ImportOutcome, ImportState, Side
from portal.vocabulary.staff import Right

IMPORTS = "/imports"
REJECTED, WAITING, DIFFERENCES = f"{IMPORTS}/rejected", f"{IMPORTS}/waiting", f"{IMPORTS}/differences"
KIND, SOURCE, FORM, FILE, CONTENT = "kind", "source", "form", "file", "content"
FIELDS = (KIND, SOURCE, FORM, FILE)

AGAIN = "again"
"""Name of the form of a corrected record while it is rejected again."""

_EVERY_SECONDS = 1.5
"""How often the page of a running import asks for its report."""


class ShownRun(ImportRun):
    """An import; `why` says in both languages why its file could not be read."""

    @computed
    def running(self) -> bool:
        return self.state in {ImportState.WAITING, ImportState.RUNNING, ImportState.RECEIVING}

    @computed
    def why(self) -> dict[str, str]:
        return {**reason_texts(self.failure_code, self.failure_values)} if self.failure else {}


class _Reasoned(ProblemReason):
    @computed
    def why(self) -> dict[str, str]:
        """The reason in both languages; a code that this version does not know in English."""
        found = reason_texts(self.code, self.values)
        return {locale: text or self.reason for locale, text in found.items()}


class ShownProblem(_Reasoned, ImportLine):
    """A record of which there is something to say."""


class ShownRecord(_Reasoned, RejectedRecord):
    """A rejected record."""


class OfKind(DeskPage, mixin=True):
    """A list that can be limited to a kind of records. The kind is in the address. `kind`: the kind; empty for all."""

    kind: rx.Field[str] = rx.field("")
    _path: ClassVar[str] = IMPORTS

    @rx.event
    @staff(Right.MANAGE_SHOP)
    def narrow(self, kind: str) -> Any:
        """Open the list of another kind."""
        return rx.redirect(f"{self._path}?{urlencode({KIND: kind})}" if kind in IMPORT_KINDS else self._path)

    def _kind_asked(self) -> str:
        asked = str(self.router.url.query_parameters.get(KIND, ""))
        self.kind = asked if asked in IMPORT_KINDS else ""
        return self.kind


class ImportsPage(Paginated, DeskForms, OfKind, rx.State):
    """The list of imports, and the form that sends a file. `lines`: imports, newest first."""

    lines: rx.Field[list[ShownRun]] = rx.field(default_factory=list)
    typed: rx.Field[dict[str, str]] = rx.field(default_factory=dict)

    def _before_load(self) -> bool:
        # The form is posted over HTTP; the address tells why it was refused.
        given = self.router.url.query_parameters
        code = str(given.get("error", ""))[:40]
        self.typed = {each: str(given.get(each, ""))[:40] for each in (KIND, SOURCE, FORM, "dry") if code}
        wrong = {name: str(given.get(f"wrong-{name}", ""))[:40] for name in FIELDS}
        self.errors = {name: found for name, found in wrong.items() if found}
        self.refusal = code if code and not self.errors else ""
        self.attempt = int(bool(code))
        return True

    def _question(self) -> Question[Page[ImportRun]]:
        refused = bool(self.router.url.query_parameters.get("error"))
        asked = ImportSearch(kind="" if refused else self._kind_asked(), page=page_asked(self))
        return lambda token: ask(ImportsApi).imports(token, asked)

    def _show(self, answer: Page[ImportRun]) -> None:
        self._count(answer)
        self.lines = [viewed(ShownRun, run) for run in answer.items]


class ImportRunPage(DeskPage, rx.State):
    """The report of one import; while it runs, the page loads it again.

    `problems`: the first records of which there is something to say, by what became of them; `records`: the others.
    `failed`: code of the download that failed.
    """

    run: rx.Field[ShownRun | None] = rx.field(None)
    problems: rx.Field[list[ShownProblem]] = rx.field(default_factory=list)
    records: rx.Field[list[ImportLine]] = rx.field(default_factory=list)
    failed: rx.Field[str] = rx.field("")

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def watch(self) -> None:
        """Load the report again until the import has ended, while the page is open."""
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            async with self:
                visit, question = self._visit, self._question()
                if self.view_state == READY and not (self.run and self.run.running):
                    return
                token = await self._token_or_end()
            if not token:
                return
            try:
                found = await question(token)
            except NotFound:
                return
            except ProviderError:
                continue
            async with self:
                if self._visit != visit:
                    return
                self._show(found)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[ImportRunReport]:
        about = self._about()
        return lambda token: ask(ImportsApi).import_run(token, about)

    def _show(self, answer: ImportRunReport) -> None:
        self.run = viewed(ShownRun, answer.run)
        self.failed = failed_download(self)
        self.problems = [viewed(ShownProblem, line) for line in sorted(answer.problems, key=_by_outcome)]
        self.records = sorted(answer.records, key=_by_outcome)


_OUTCOMES = list(ImportOutcome)


def _by_outcome(line: ImportLine) -> int:
    return _OUTCOMES.index(line.outcome)


class RejectedPage(Paginated, DeskForms, OfKind, rx.State):
    """The rejected records.

    `lines`: of this page, newest first.
    `source`: name of the shop of all records of this page; empty if there are several, or no kind is chosen.
    """

    _path: ClassVar[str] = REJECTED
    lines: rx.Field[list[ShownRecord]] = rx.field(default_factory=list)
    source: rx.Field[str] = rx.field("")

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def send_all(self) -> Any:
        """Send all rejected records of the kind and the shop again."""
        async with self:
            kind, source = self.kind, self.source
        if not kind or not source:
            return None
        choice = RejectedChoice(source=source, kind=kind)
        made = await self._answer("", lambda token: ask(ImportsApi).send_rejected_again(token, choice))
        return rx.redirect(f"{IMPORTS}/run/{made.import_id}") if made else None

    def _question(self) -> Question[Page[RejectedRecord]]:
        asked = ImportSearch(kind=self._kind_asked(), page=page_asked(self))
        return lambda token: ask(ImportsApi).rejected_records(token, asked)

    def _show(self, answer: Page[RejectedRecord]) -> None:
        self._count(answer)
        self.lines = [viewed(ShownRecord, record) for record in answer.items]
        sources = {line.source for line in self.lines}
        self.source = sources.pop() if self.kind and len(sources) == 1 else ""


class RejectedRecordPage(DeskForms, DeskPage, rx.State):
    record: rx.Field[ShownRecord | None] = rx.field(None)
    content: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = (CONTENT,)

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def correct(self, form: Form) -> Any:
        content = form.get(CONTENT, "")
        corrected = CorrectedRecord(content=content[: MAX_RECORD + 1] if isinstance(content, str) else "")
        async with self:
            record_id = self.record.record_id if self.record else ""
        done = await self._answer("", lambda token: ask(ImportsApi).correct_record(token, record_id, corrected))
        if done is None:
            return None
        async with self:
            if done.record is not None:
                self.record = viewed(ShownRecord, done.record)
                self._refuse_form(AGAIN, Code.INVALID_INPUT, {})
                return None
            text = N_("It’s waiting for another record") if done.waiting else N_("The record is stored")
            (await self.get_state(Toasts))._add("success", text)
        return rx.redirect(REJECTED)

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def discard(self) -> Any:
        async with self:
            record_id = self.record.record_id if self.record else ""
        done, _nothing = await self._send(
            "", lambda token: ask(ImportsApi).discard_record(token, record_id), N_("Removed")
        )
        return rx.redirect(REJECTED) if done else None

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[RejectedContent]:
        about = self._about()
        return lambda token: ask(ImportsApi).rejected_record(token, about)

    def _show(self, answer: RejectedContent) -> None:
        self.record, self.content = viewed(ShownRecord, answer.record), answer.content
        self._forget_errors()


class WaitingPage(Paginated, OfKind, rx.State):
    """The records that wait, the oldest first."""

    _path: ClassVar[str] = WAITING
    lines: rx.Field[list[WaitingRecord]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[WaitingRecord]]:
        asked = ImportSearch(kind=self._kind_asked(), page=page_asked(self))
        return lambda token: ask(ImportsApi).waiting_records(token, asked)

    def _show(self, answer: Page[WaitingRecord]) -> None:
        self._count(answer)
        self.lines = answer.items


class DifferencesPage(DeskForms, OfKind, rx.State):
    """Values that both the shop and the portal changed. `lines`: open differences, the oldest first."""

    _path: ClassVar[str] = DIFFERENCES
    lines: rx.Field[list[Difference]] = rx.field(default_factory=list)
    next_after: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def settle(self, difference_id: str, keep: str) -> None:
        """Take the value of the shop, or keep that of the portal."""
        if keep not in set(Side):
            return
        settlement = Settlement(keep=Side(keep))
        text = N_("The shop’s value is used") if keep == Side.SHOP else N_("The portal’s value is kept")
        done, _nothing = await self._send(
            "", lambda token: ask(ImportsApi).settle_difference(token, difference_id, settlement), text
        )
        async with self:
            changed = self.refusal == Code.STATUS_CHANGED.value
        if done or changed:
            await self._ask()

    def _question(self) -> Question[Differences]:
        after = str(self.router.url.query_parameters.get("after", ""))
        number = int(after) if after.isascii() and after.isdigit() and len(after) < 16 else 0
        asked = DifferenceSearch(kind=self._kind_asked(), after=number)
        return lambda token: ask(ImportsApi).import_differences(token, asked)

    def _show(self, answer: Differences) -> None:
        self.next_after = answer.next_after or 0
        self.lines = answer.items

"""The base of the flow state: the lookup of a page's data, the variables of the pages, and how they change."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from functools import cache
from typing import Any

import reflex as rx
from reflex.event import EventSpec

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.models import Picture
from portal.contract.registry import ask
from portal.flow.api import Draft, DraftSummary, FlowApi, FlowStart, Receipt
from portal.flow.facts import AnswerContext
from portal.flow.journey import FLOWS, Journey
from portal.flow.model import CONFIRMATION, INTRO, OPTIONAL_FIELDS, Field, Flow, Step
from portal.flow.pages.form import PageAddress, redirect_to, step_url
from portal.flow.pages.views import codes, file_views, journey_of, journey_view, show_draft, show_receipt
from portal.frontend.file_views import FileView
from portal.frontend.load import FAILED, LOADING, READY
from portal.frontend.session import session_ended
from portal.kernel.codes import Code
from portal.kernel.days import now, today
from portal.kernel.texts import both
from portal.reflex_adapter.state import assign_changed

SENT = "sent"
"""The `view_state` of a step whose request was already sent."""

JUST_SENT = timedelta(hours=1)
"""How long after sending a step shows `SENT` in a tab that does not know the draft."""


class Destination(Enum):
    """Where a customer who opens a page of a flow should go."""

    HERE = "here"
    SENT = "sent"
    TO_INTRO = "intro"
    TO_NEXT = "next"
    """The first open step of the draft in the address."""


@dataclass(frozen=True, slots=True)
class PageLookup:
    """The data of a page. `drafts`: number of drafts of which the newest was taken; 0 if the tab knew the draft."""

    destination: Destination
    draft: Draft | None = None
    start: FlowStart | None = None
    receipt: Receipt | None = None
    drafts: int = 0


async def look_up(token: str, page: PageAddress, known: str) -> PageLookup:
    if page.step is page.flow.intro_step:
        return await _intro(token, page)
    if page.last_part == CONFIRMATION:
        return await _confirmation(token, page, known)
    draft, drafts = await _draft(token, known) if known else None, 0
    if draft is None:
        start = await ask(FlowApi).flow_start(token, page.flow.name)
        drafts = len(start.drafts)
        if start.drafts:
            draft = await _draft(token, start.drafts[0].draft_id)
        elif start.receipt is not None and now() - start.receipt.sent_at < JUST_SENT:
            return PageLookup(Destination.SENT, receipt=start.receipt)
        if draft is None:
            return PageLookup(Destination.TO_INTRO, start=start)
    if draft.receipt is not None:
        return PageLookup(Destination.SENT, receipt=draft.receipt)
    return PageLookup(Destination.HERE, draft=draft, drafts=drafts)


async def _intro(token: str, page: PageAddress) -> PageLookup:
    if wanted := page.query.get("draft", ""):
        draft = await _draft(token, wanted)
        if draft is not None and draft.receipt is None and draft.flow == page.flow.name:
            return PageLookup(Destination.TO_NEXT, draft=draft)
    return PageLookup(Destination.HERE, start=await ask(FlowApi).flow_start(token, page.flow.name))


async def _confirmation(token: str, page: PageAddress, known: str) -> PageLookup:
    draft = await _draft(token, known) if known else None
    if draft is not None and draft.receipt is not None:
        return PageLookup(Destination.HERE, receipt=draft.receipt)
    start = await ask(FlowApi).flow_start(token, page.flow.name)
    return PageLookup(Destination.HERE, start=start, receipt=start.receipt)


async def _draft(token: str, draft_id: str) -> Draft | None:
    try:
        return await ask(FlowApi).draft(token, draft_id)
    except NotFound:
        return None


class FlowDisplay(rx.State, mixin=True):
    """The variables of the pages of a flow. `texts`: single-value answers by field; empty if there is none."""

    flow: rx.Field[str] = rx.field("")
    view_state: rx.Field[str] = rx.field(LOADING)
    problem: rx.Field[str] = rx.field("")
    draft: rx.Field[str] = rx.field("")
    version: rx.Field[int] = rx.field(0)
    marks: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    open: rx.Field[list[str]] = rx.field(default_factory=list)
    binds: rx.Field[bool] = rx.field(False)
    path: rx.Field[list[str]] = rx.field(default_factory=list)
    asked: rx.Field[list[str]] = rx.field(default_factory=list)
    texts: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    lists: rx.Field[dict[str, list[str]]] = rx.field(default_factory=dict)
    files: rx.Field[dict[str, list[FileView]]] = rx.field(default_factory=dict)
    optional: rx.Field[list[str]] = rx.field(default_factory=list)
    numbers: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    total: rx.Field[int] = rx.field(0)
    back: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    ahead: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    warnings: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    alerted: rx.Field[list[str]] = rx.field(default_factory=list)
    refusal: rx.Field[str] = rx.field("")
    changed: rx.Field[bool] = rx.field(False)
    dropped: rx.Field[list[dict[str, str]]] = rx.field(default_factory=list)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    drafts: rx.Field[list[DraftSummary]] = rx.field(default_factory=list)
    wanted: rx.Field[str] = rx.field("")
    closed: rx.Field[str] = rx.field("")
    receipt: rx.Field[Receipt | None] = rx.field(None)
    sent_picture: rx.Field[Picture] = rx.field(default_factory=Picture)
    _key: str = ""
    _given: rx.Field[list[str]] = rx.field(default_factory=list)
    _next_path: str = ""
    _next_socket: str = ""
    _choices: int = 0
    _saving: str = ""
    _visit: int = 0
    _found_early: str = ""
    _alerted_for: rx.Field[list[str]] = rx.field(default_factory=list)

    def _switch_flow(self, page: PageAddress) -> None:
        if self.flow != page.flow.name:
            if self.flow:  # A reset also sends what has not changed, and would empty a drawn page for a moment.
                self.reset()
            self.flow = page.flow.name
        assign_changed(self, {"wanted": page.flow.subject_in(page.query, {})})

    async def _begin(self, page: PageAddress, found: PageLookup) -> str:
        self._switch_flow(page)
        return await self._place(page, found)

    async def _arrive(self, page: PageAddress, found: PageLookup) -> EventSpec | None:
        elsewhere = await self._place(page, found)
        return redirect_to(elsewhere, replace=True) if elsewhere else None

    async def _place(self, page: PageAddress, found: PageLookup) -> str:
        if found.start is not None:
            self.drafts = found.start.drafts
            self.wanted = page.flow.subject_in(page.query, found.start.facts)
            refusal = page.flow.closed(found.start.facts)
            self.closed = refusal.value if refusal else ""
            other = page.flow.instead(page.query, found.start.facts)
            if page.step is page.flow.intro_step and other and not self.drafts:
                return FLOWS[other].path
            await show_draft(page.flow, self, AnswerContext({}, found.start.facts, today()))
        if found.receipt is not None:
            await self._show_receipt(found.receipt)
        if found.destination is Destination.SENT:
            self.view_state = SENT
            return ""
        self.view_state, self.problem = READY, ""
        if found.draft is None:
            if page.step is not None:
                self._forget_draft()
                self.open = [INTRO]
            return page.flow.path if found.destination is Destination.TO_INTRO else ""
        before = self.draft, self.version
        journey = await self._show_draft(found.draft)
        self.changed = before[0] == self.draft and before[1] != self.version
        if page.step and journey.may_open(page.step) and found.destination is not Destination.TO_NEXT:
            return ""
        return step_url(page.flow, journey.next_open)

    async def _show_draft(self, draft: Draft, as_it_is: Step | None = None) -> Journey:
        day = today()
        journey = journey_of(draft, day)
        flow = journey.flow
        shown: dict[str, Any] = {
            "flow": flow.name,
            "view_state": READY,
            "draft": draft.draft_id,
            "version": draft.version,
        }
        shown |= journey_view(journey, draft.version)
        shown |= {"files": file_views(flow, draft.facts), "optional": list(draft.facts.get(OPTIONAL_FIELDS, ()))}
        shown["_key"] = draft.key
        given = [name for name, value in draft.answers.items() if value]
        gone = {*self._given} - {*given} if draft.draft_id == self.draft else set()
        dropped = [both(entry.label) for entry in _dependent(flow) if entry.name in gone]
        shown |= {"_given": given, "dropped": dropped}
        if as_it_is and as_it_is.name in self.marks:
            shown["marks"][as_it_is.name] = self.marks[as_it_is.name]
        assign_changed(self, shown)
        await show_draft(flow, self, AnswerContext(draft.answers, draft.facts, day))
        return journey

    def _show_files(self, draft: Draft) -> None:
        flow = FLOWS[draft.flow]
        shown: dict[str, object] = {"files": file_views(flow, draft.facts)}
        if draft.version == self.version:
            journey = journey_of(draft, today())
            shown |= {
                name: value for name, value in journey_view(journey, draft.version).items() if name in {"open", "lists"}
            }
        assign_changed(self, shown)

    def _go_on(self, journey: Journey, answered: Step | None = None, *, changing: bool = False) -> EventSpec:
        """Redirect to the step after the one that was answered, or to the first open step of a new draft."""
        self._forget_findings()
        step = journey.following(answered, changing=changing) if answered else journey.next_open
        self._expect(journey.flow.url(step))
        return redirect_to(step_url(journey.flow, step, changing=changing))

    def _expect(self, path: str) -> None:
        """Redirect to a page whose data are here already, unless the browser loads it anew."""
        self._next_path, self._next_socket = path, self.router.session.session_id

    def _stays_for_warnings(self, step: Step, saved: Draft, form: dict[str, str | list[str]]) -> bool:
        """Whether to stay on the step to show a warning. The same answers are warned about once."""
        fields = [entry.name for entry in step.fields if entry.name in saved.warnings]
        values = [str(form.get(entry.name)) for entry in step.fields] if fields else []
        if not fields or self._alerted_for == values:
            assign_changed(self, {"_alerted_for": []})
            return False
        self._alerted_for = values
        self._forget_findings()
        self.alerted = fields
        self.attempt += 1
        return True

    async def _refuse_form(
        self, error: ProviderError, newer: Draft | None = None, step: Step | None = None, *, sending: bool = False
    ) -> None:
        """Show why a form was refused; the form keeps its input."""
        self.answered += 1
        self.attempt += 1
        self._forget_findings()
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        elif isinstance(error, InvalidInput) and error.fields and not sending:
            self.errors = codes(error.fields)
            self.refusal = "" if error.code in _shown_at_fields() else error.code.value
        elif newer is not None and newer.receipt is not None:
            self._forget_draft()
            self.draft, self.view_state = newer.draft_id, SENT
            await self._show_receipt(newer.receipt)
        elif newer is not None:
            # The form keeps its input. Saving again overwrites the change of the other tab.
            await self._show_draft(newer, as_it_is=step)
            self.changed = True
        else:
            self.refusal = error.code.value

    def _note_findings(self, page: PageAddress) -> None:
        """Remember that the page shows findings before the events that load it have run: these must keep them.

        This happens when a form is sent before the socket is open.
        """
        assign_changed(self, {"_found_early": "" if self.is_hydrated else page.path})

    async def _refuse_page(self, error: ProviderError, visit: int) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        if self._visit == visit:
            self.view_state, self.problem = FAILED, error.code.value

    async def _show_receipt(self, receipt: Receipt) -> None:
        texts = {name: str(value) for name, value in receipt.summary.items() if not isinstance(value, dict | list)}
        picture = receipt.items[0].picture if receipt.items else Picture()
        assign_changed(self, {"receipt": receipt.model_copy(update={"summary": texts}), "sent_picture": picture})
        await show_receipt(self, receipt)

    def _forget_draft(self) -> None:
        self.draft, self.version, self._key = "", 0, ""
        self.open, self.path, self.asked, self.texts, self.lists = [], [], [], {}, {}
        self.files = {}

    def _forget_findings(self) -> None:
        assign_changed(self, {"errors": {}, "alerted": [], "refusal": "", "changed": False})


@cache
def _dependent(flow: Flow) -> tuple[Field, ...]:
    """The fields whose answers are deleted when an answer to an earlier step changes."""
    return tuple(
        entry
        for step in flow.steps
        for entry in step.fields
        if set(entry.belongs_to) - {other.name for other in step.fields}
    )


@cache
def _shown_at_fields() -> frozenset[Code]:
    """Codes that need no message of their own, because the errors at the fields explain them."""
    return frozenset({Code.INVALID_INPUT, *(step.invalid for flow in FLOWS.values() for step in flow.steps)})

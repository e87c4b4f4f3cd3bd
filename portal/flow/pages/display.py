"""What a tab shows of a journey, and how that changes."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from functools import cache
from typing import Any

import reflex as rx
from reflex.event import EventSpec

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.flow.api import Draft, FlowApi, FlowStart, Receipt
from portal.flow.journey import Journey
from portal.flow.model import CONFIRMATION, INTRO, OPTIONAL_FIELDS, Step
from portal.flow.pages.form import PageAddress, to, url
from portal.flow.pages.views import (
    DraftCard,
    FileView,
    ReceiptView,
    codes,
    draft_card,
    file_views,
    journey_of,
    journey_view,
    receipt_view,
    show,
    show_receipt,
)
from portal.flow.registry import FLOWS
from portal.flow.rules import AnswerContext
from portal.frontend.session import session_ended
from portal.frontend.state import FAILED, LOADING, READY
from portal.kernel.codes import Code
from portal.kernel.days import now, today
from portal.reflex_adapter.state import assign_changed

JUST_SENT = timedelta(hours=1)
"""How long a step of a request that was sent says so, when the tab itself does not remember it."""


class Destination(Enum):
    """Where the customer should be."""

    HERE = "here"
    SENT = "sent"
    TO_INTRO = "intro"
    TO_NEXT = "next"
    """At the first open step of the draft that the address names."""


@dataclass(frozen=True, slots=True)
class PageLookup:
    """What was found.

    Attributes:
        destination: where the customer should be.
        draft: the request that is being filled in.
        start: what is known of the flow itself.
        receipt: the request that was sent.
    """

    destination: Destination
    draft: Draft | None = None
    start: FlowStart | None = None
    receipt: Receipt | None = None


async def look_up(token: str, place: PageAddress, known: str) -> PageLookup:
    """Look up what a page needs.

    Args:
        token: of the session.
        place: the page.
        known: the draft that this tab worked on; empty when it does not remember one.
    """
    if place.step is place.flow.intro_step:
        return await _intro(token, place)
    if place.last_part == CONFIRMATION:
        return await _confirmation(token, place, known)
    draft = await _draft(token, known) if known else None
    if draft is None:
        start = await ask(FlowApi).flow_start(token, place.flow.name)
        if start.drafts:
            draft = await _draft(token, start.drafts[0].draft_id)
        elif start.receipt is not None and now() - start.receipt.sent_at < JUST_SENT:
            return PageLookup(Destination.SENT, receipt=start.receipt)
        if draft is None:
            return PageLookup(Destination.TO_INTRO, start=start)
    if draft.receipt is not None:
        return PageLookup(Destination.SENT, receipt=draft.receipt)
    return PageLookup(Destination.HERE, draft=draft)


async def _intro(token: str, place: PageAddress) -> PageLookup:
    if wanted := place.query.get("draft", ""):
        draft = await _draft(token, wanted)
        if draft is not None and draft.receipt is None and draft.flow == place.flow.name:
            return PageLookup(Destination.TO_NEXT, draft=draft)
    return PageLookup(Destination.HERE, start=await ask(FlowApi).flow_start(token, place.flow.name))


async def _confirmation(token: str, place: PageAddress, known: str) -> PageLookup:
    draft = await _draft(token, known) if known else None
    if draft is not None and draft.receipt is not None:
        return PageLookup(Destination.HERE, receipt=draft.receipt)
    start = await ask(FlowApi).flow_start(token, place.flow.name)
    return PageLookup(Destination.HERE, start=start, receipt=start.receipt)


async def _draft(token: str, draft_id: str) -> Draft | None:
    try:
        return await ask(FlowApi).draft(token, draft_id)
    except NotFound:
        return None


SENT = "sent"
"""Face of a step of a request that was sent already."""


class FlowDisplay(rx.State, mixin=True):
    """What the pages of a flow show.

    Attributes:
        flow: name of the flow that all of this is about.
        view_state: `LOADING`, `READY`, `FAILED` or `SENT`.
        problem: why loading failed, a code of the catalogue.
        draft, version: the ticket of the forms; see `flow_place.FormVersion`.
        marks: for each step what its form was filled with, so that it starts anew with other answers.
        open: names of the steps that may be shown.
        path: names of the steps on the way.
        asked: names of the fields that are asked on the way.
        texts: answers of one value, by field; empty where there is none.
        lists: answers of several values, by field.
        files: files that arrived, by field; optional: names of fields that this shop lets stay empty.
        numbers: number of each step on the way, by name; total: how many there are.
        back, ahead: address of the step before and after, by name.
        errors: codes of what is wrong with the step on the screen, by field.
        warnings: codes of what to look at again, by field; alerted: the fields that the step on the screen warns of.
        refusal: why the whole form was refused, a code; changed: it was changed in another tab.
        answered: counts the answers to the form; attempt: counts those that the customer has to look at.
        drafts: requests to go on with; wanted: the subject that the address of the intro names.
        closed: why the flow cannot be started, a code.
        receipt: the request that was sent.
    """

    flow: rx.Field[str] = rx.field("")
    view_state: rx.Field[str] = rx.field(LOADING)
    problem: rx.Field[str] = rx.field("")
    draft: rx.Field[str] = rx.field("")
    version: rx.Field[int] = rx.field(0)
    marks: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    open: rx.Field[list[str]] = rx.field(default_factory=list)
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
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    drafts: rx.Field[list[DraftCard]] = rx.field(default_factory=list)
    wanted: rx.Field[str] = rx.field("")
    closed: rx.Field[str] = rx.field("")
    receipt: rx.Field[ReceiptView] = rx.field(default_factory=ReceiptView)
    _key: str = ""
    _arriving: str = ""
    _saving: str = ""
    _visit: int = 0
    _alerted_for: rx.Field[list[str]] = rx.field(default_factory=list)

    def _turn_to(self, place: PageAddress) -> None:
        """Forget the other flow that this tab showed before."""
        if self.flow != place.flow.name:
            self.reset()
            self.flow = place.flow.name
        self.wanted = place.flow.subject_in(place.query, {})

    async def _arrive(self, place: PageAddress, found: PageLookup) -> EventSpec | None:
        if found.start is not None:
            self.drafts = [draft_card(entry) for entry in found.start.drafts]
            self.wanted = place.flow.subject_in(place.query, found.start.facts)
            refusal = place.flow.closed(found.start.facts)
            self.closed = refusal.value if refusal else ""
            await show(place.flow, self, AnswerContext({}, found.start.facts, today()))
        if found.receipt is not None:
            await self._show_receipt(found.receipt)
        if found.destination is Destination.SENT:
            self.view_state = SENT
            return None
        self.view_state, self.problem = READY, ""
        if found.draft is None:
            if place.step is not None:
                self._forget_draft()
                self.open = [INTRO]
            return to(place.flow.path, replace=True) if found.destination is Destination.TO_INTRO else None
        before = self.draft, self.version
        journey = await self._take(found.draft)
        self.changed = before[0] == self.draft and before[1] != self.version
        if place.step and journey.may_open(place.step) and found.destination is not Destination.TO_NEXT:
            return None
        return to(url(place.flow, journey.next_open), replace=True)

    async def _take(self, draft: Draft, as_it_is: Step | None = None) -> Journey:
        """Show a draft.

        Args:
            draft: the draft.
            as_it_is: a step whose form stays on the screen with what was typed into it.
        """
        journey = journey_of(draft, today())
        flow = journey.flow
        self._key = draft.key
        shown = {"flow": flow.name, "view_state": READY, "draft": draft.draft_id, "version": draft.version}
        shown |= journey_view(journey)
        shown |= {"files": file_views(flow, draft.facts), "optional": list(draft.facts.get(OPTIONAL_FIELDS, ()))}
        if as_it_is and as_it_is.name in self.marks:
            shown["marks"][as_it_is.name] = self.marks[as_it_is.name]
        assign_changed(self, shown)
        await show(flow, self, AnswerContext(draft.answers, draft.facts, today()))
        return journey

    def _take_files(self, draft: Draft) -> None:
        """Show the files of a draft, and what may be opened with them. Forms stay as they are."""
        flow = FLOWS[draft.flow]
        shown: dict[str, Any] = {"files": file_views(flow, draft.facts)}
        if draft.version == self.version:
            journey = journey_of(draft, today())
            shown |= {name: value for name, value in journey_view(journey).items() if name in {"open", "lists"}}
        assign_changed(self, shown)

    def _go(self, journey: Journey, answered: Step | None = None, *, changing: bool = False) -> EventSpec:
        """Go on: to the step after the one that was answered, or to the first open one of a draft just opened."""
        self._forget_findings()
        step = journey.following(answered, changing=changing) if answered else journey.next_open
        self._arriving = journey.flow.url(step)
        return to(url(journey.flow, step, changing=changing))

    def _alerts(self, step: Step, saved: Draft, form: dict[str, str | list[str]]) -> bool:
        """Whether to stay, so that the customer sees a warning. It is shown once for the same answers."""
        concerned = [entry.name for entry in step.fields if entry.name in saved.warnings]
        same = [str(form.get(name)) for name in (entry.name for entry in step.fields)]
        if not concerned or self._alerted_for == same:
            self._alerted_for = []
            return False
        self._alerted_for = same
        self._forget_findings()
        self.alerted = concerned
        self.attempt += 1
        return True

    async def _refuse_form(
        self, error: ProviderError, newer: Draft | None = None, step: Step | None = None, *, sending: bool = False
    ) -> None:
        """Say what is wrong; nothing typed is lost. A request that is sent has no fields on the screen."""
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
            # The fields keep what was typed here; pressed again, it takes the place of what the other tab saved.
            await self._take(newer, as_it_is=step)
            self.changed = True
        else:
            self.refusal = error.code.value

    async def _refuse_page(self, error: ProviderError, visit: int) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        if self._visit == visit:
            self.view_state, self.problem = FAILED, error.code.value

    async def _show_receipt(self, receipt: Receipt) -> None:
        """Show what a request became."""
        assign_changed(self, {"receipt": receipt_view(receipt)})
        await show_receipt(self, receipt)

    def _forget_draft(self) -> None:
        """Show no answers any more."""
        self.draft, self.version, self._key = "", 0, ""
        self.open, self.path, self.asked, self.texts, self.lists = [], [], [], {}, {}
        self.files = {}

    def _forget_findings(self) -> None:
        assign_changed(self, {"errors": {}, "alerted": [], "refusal": "", "changed": False})


@cache
def _shown_at_fields() -> frozenset[Code]:
    """Codes of steps whose fields say what is wrong."""
    return frozenset({Code.INVALID_INPUT, *(step.invalid for flow in FLOWS.values() for step in flow.steps)})

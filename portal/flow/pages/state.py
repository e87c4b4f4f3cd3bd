"""The journey of this tab through a flow. One state serves all flows: a tab shows one at a time.

The draft in the provider is the truth. What is kept here may vanish at any moment and is then looked up again.
"""

from itertools import count

import reflex as rx
from reflex.event import EventSpec

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.flow.pages.display import SENT, FlowDisplay, look_up
from portal.flow.pages.form import Form, Saving, address, form_version, keep, take, to
from portal.flow.pages.views import failure, show, show_refusal
from portal.flow.rules import AnswerContext
from portal.frontend.session import customer, session_ended, session_token
from portal.frontend.state import READY
from portal.kernel.days import today
from portal.reflex_adapter.state import BaseState, unwrap

_visits = count(1)


class FlowRun(FlowDisplay, rx.State):
    """What the pages of a flow ask for."""

    @rx.event
    @customer
    async def enter(self) -> EventSpec | None:
        """Arrive at a page of a flow. Whom Next has just brought here needs nothing looked up."""
        place = address(self)
        if place is None:
            return None
        arriving, self._arriving = self._arriving, ""
        self._forget_findings()
        if self.view_state in {READY, SENT} and self.flow == place.flow.name and arriving == place.path:
            return None
        return FlowRun.load  # type: ignore[return-value]  # an event without arguments is one

    @rx.event(background=True)
    @customer
    async def load(self) -> EventSpec | None:
        """Look up what the page shows, or where the customer should be instead."""
        async with self:
            place = address(self)
            if place is None:
                return None
            self._turn_to(place)
            visit = self._visit = next(_visits)
            known, token = self.draft, session_token(self)
        try:
            found = await look_up(token, place, known)
        except ProviderError as error:
            async with self:
                await self._refuse_page(error, visit)
            return None
        async with self:
            return await self._arrive(place, found) if self._visit == visit else None

    @rx.event(background=True)
    @customer
    async def begin(self, subject: str = "", anew: bool = False) -> EventSpec | None:
        """Begin a request and go to its first question.

        Args:
            subject: what it is about, when that is known.
            anew: throw away what was begun before.
        """
        async with self:
            place, token = address(self), session_token(self)
        if place is None:
            return None
        try:
            draft = await ask(FlowApi).open_draft(token, DraftStart(flow=place.flow.name, subject=subject, anew=anew))
        except ProviderError as error:
            async with self:
                await self._refuse_form(error)
            return None
        async with self:
            return self._go(await self._take(draft))

    @rx.event(background=True)
    @customer
    async def discard(self, draft_id: str) -> None:
        """Throw a request away, and show what is left."""
        async with self:
            token = session_token(self)
        try:
            await ask(FlowApi).discard_draft(token, draft_id)
        except NotFound:
            pass  # Gone already, which is what was wanted.
        except ProviderError as error:
            async with self:
                await self._refuse_form(error)
            return
        async with self:
            self.drafts = [card for card in self.drafts if card.draft_id != draft_id]
            if self.draft == draft_id:
                self._forget_draft()

    @rx.event
    @customer
    async def next(self, form: Form) -> EventSpec | None:
        """Save the step and go to the next one. What was typed stays in the fields when it is refused.

        In the foreground, because that costs half as much; a save that takes longer than a moment is waited for in the
        background, so that the tab stays free.

        Args:
            form: values by field, with the ticket of the draft.
        """
        place, shown = address(self), form_version(form)
        if place is None or place.step is None or not shown.draft:
            return None
        saving = Saving(session_token(self), place, shown.draft, form, shown.version)
        if await saving.is_done_soon():
            return await self._saved(saving)
        self._saving = keep(saving)
        return FlowRun.wait  # type: ignore[return-value]  # an event without arguments is one

    @rx.event(background=True)
    @customer
    async def wait(self) -> EventSpec | None:
        """Wait for the save that this tab began."""
        async with self:
            saving = take(unwrap(self)._saving)
        if saving is None:
            return None
        await saving.is_done()
        async with self:
            return await unwrap(self)._saved(saving)

    @rx.event(background=True)
    @customer
    async def files_changed(self) -> None:
        """Look up which files the draft has; nothing else on the page changes."""
        async with self:
            known, token = self.draft, session_token(self)
        if not known:
            return
        try:
            draft = await ask(FlowApi).draft(token, known)
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
            return
        async with self:
            if self.draft == draft.draft_id and draft.receipt is None:
                self._take_files(draft)

    async def _saved(self, saving: Saving) -> EventSpec | None:
        """Show what became of a save."""
        place = saving.place
        self._turn_to(place)
        try:
            saved = saving.result()
        except ProviderError as error:
            await self._refuse_form(error, saving.newer, place.step)
            await show_refusal(self, error)
            return None
        self.answered += 1
        self._visit = next(_visits)  # what is being looked up for this page is out of date now
        stays = self._alerts(place.step, saved, saving.form) if place.step else False
        journey = await self._take(saved, as_it_is=place.step if stays else None)
        return None if stays else self._go(journey, place.step, changing=place.changing)

    @rx.event(background=True)
    @customer
    async def send(self, form: Form) -> EventSpec | None:
        """Send the request. Pressed twice, replayed or from two tabs, it is one request.

        Args:
            form: the ticket of the draft.
        """
        async with self:
            place, token = address(self), session_token(self)
            draft = form_version(form).draft
            key = self._key if draft == self.draft else ""
        if place is None or not draft:
            return None
        try:
            key = key or (await ask(FlowApi).draft(token, draft)).key
            receipt = await ask(FlowApi).submit_draft(token, draft, Submission(key=key))
        except ProviderError as error:
            newer = await _look_again(token, draft)
            async with self:
                await self._refuse_form(error, sending=True)
                if newer is not None:
                    # What is shown beside the answers, such as a price, may be the reason.
                    await show(place.flow, self, AnswerContext(newer.answers, newer.facts, today()))
                named = await failure(place.flow, self)
                title, names = named or (place.flow.failure, {})
                await show_refusal(self, error, title, "" if named else place.flow.advice, names)
            return None
        async with self:
            self.answered += 1
            self._visit = next(_visits)
            self._turn_to(place)
            self._forget_draft()
            self.draft, self.view_state = draft, SENT
            await self._show_receipt(receipt)
            self._forget_findings()
            self._arriving = place.flow.confirmation
            return to(place.flow.confirmation, replace=True)


async def forget_findings(root: BaseState) -> None:
    """What was found wrong with a form is not known of a form that is new.

    Args:
        root: the state tree of the tab.
    """
    (await root.get_state(FlowRun))._forget_findings()


async def _look_again(token: str, draft_id: str) -> Draft | None:
    """The draft as it is now, after it was refused; none when that cannot be told, or when it was sent."""
    try:
        draft = await ask(FlowApi).draft(token, draft_id)
    except ProviderError:
        return None
    return None if draft.receipt else draft

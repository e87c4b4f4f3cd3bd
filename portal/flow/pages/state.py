"""The state of the flow that a tab shows. One state serves all flows, because a tab shows one at a time.

The provider stores the draft. This state may be lost at any moment; it is then loaded again.
"""

import time
from itertools import count

import reflex as rx
from reflex.event import EventSpec

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.contract.session import SessionCheck
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.flow.facts import AnswerContext
from portal.flow.journey import FLOWS
from portal.flow.model import Flow
from portal.flow.pages.display import SENT, FlowDisplay, look_up
from portal.flow.pages.form import (
    PageAddress,
    Saving,
    current_page,
    form_page,
    form_version,
    redirect_to,
    store_saving,
    take_saving,
)
from portal.flow.pages.views import failure, forget_shown, loads_more, show_draft, show_refusal
from portal.frontend.file_views import FileLists
from portal.frontend.first_data import DocumentData, DocumentRequest
from portal.frontend.load import READY, Form
from portal.frontend.policies import customer
from portal.frontend.session import SessionState, describe, language_choices, session_ended, session_token
from portal.kernel.days import today
from portal.reflex_adapter.state import BaseState, assign_changed, changes_below, new_tree, unwrap
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession

_visits = count(1)


class FlowRun(FileLists, FlowDisplay, rx.State):
    @rx.event
    @customer
    async def enter(self) -> EventSpec | None:
        """Open a page of a flow. After a redirect by `next` or `send` there is nothing to load."""
        page = current_page(self)
        if page is None:
            return None
        self._visit = next(_visits)  # a running lookup for another page is now outdated
        expected_path, self._next_path = self._next_path, ""
        is_known = self._knows(page.flow)
        early, self._found_early = self._found_early, ""
        if early != page.path:
            self._forget_findings()
        is_same_document = self._next_socket == self.router.session.session_id
        # A language chosen while the answer was on its way: its names are in the language from before.
        is_same_language = self._choices == await language_choices(self)
        if is_known and expected_path == page.path and is_same_document and is_same_language:
            return None
        return FlowRun.load  # pyrefly: ignore[bad-return]  # an event without arguments is one

    @rx.event(background=True)
    @customer
    async def load(self) -> EventSpec | None:
        async with self:
            page = current_page(self)
            if page is None or self._leaves(page):
                return None
            self._switch_flow(page)
            visit = self._visit = next(_visits)
            known, token, asked_at = self.draft, session_token(self), time.time()
        try:
            found = await look_up(token, page, known)
        except ProviderError as error:
            async with self:
                await self._refuse_page(error, visit)
            return None
        async with self:
            if self._visit != visit:
                return None
            files = self.files
            then = await self._arrive(page, found)
            if self._is_newest_list(asked_at) or self.draft != known:
                return then
            assign_changed(self, {"files": files})
            # Which steps may be opened depends on the files, too.
            return then or FlowRun.files_changed  # pyrefly: ignore[bad-return]  # an event without arguments is one

    @rx.event(background=True)
    @customer
    async def begin(self, subject: str = "", anew: bool = False, flow: str = "") -> EventSpec | None:
        async with self:
            page, token = current_page(self), session_token(self)
            self._choices = await language_choices(self)
        if page is None or (flow and flow not in FLOWS):
            return None
        start = DraftStart(flow=flow or page.flow.name, subject=subject[:40], anew=anew)
        try:
            draft = await ask(FlowApi).open_draft(token, start)
        except ProviderError as error:
            async with self:
                await self._refuse_form(error)
                self._note_findings(page)
            return None
        async with self:
            self._visit = next(_visits)  # a running lookup for the intro would forget the draft
            return self._go_on(await self._show_draft(draft))

    @rx.event(background=True)
    @customer
    async def discard(self, draft_id: str) -> EventSpec | None:
        async with self:
            token = session_token(self)
        try:
            await ask(FlowApi).discard_draft(token, draft_id)
        except NotFound:
            pass  # It is already deleted.
        except ProviderError as error:
            async with self:
                await self._refuse_form(error)
            return None
        async with self:
            self.drafts = [card for card in self.drafts if card.draft_id != draft_id]
            if self.draft == draft_id:
                self._forget_draft()
        # A lookup that is running may have found it before.
        return FlowRun.load  # pyrefly: ignore[bad-return]  # an event without arguments is one

    @rx.event
    @customer
    async def next(self, form: Form) -> EventSpec | None:
        """Save the step and go to the next one. After a refusal the form keeps its input.

        This runs in the foreground, which takes half the time of a background event. A slow save is awaited in the
        background, so that the tab can handle other events.
        """
        page = form_page(self, form)
        if page is None or page.step is None or not form_version(form)[0]:
            return None
        self._choices = await language_choices(self)
        saving = Saving(session_token(self), page, form)
        if await saving.is_done_soon():
            return await self._saved(saving)
        self._saving = store_saving(saving)
        return FlowRun.wait  # pyrefly: ignore[bad-return]  # an event without arguments is one

    @rx.event(background=True)
    @customer
    async def wait(self) -> EventSpec | None:
        async with self:
            saving = take_saving(unwrap(self)._saving)
        if saving is None:
            return None
        await saving.wait()
        async with self:
            return await unwrap(self)._saved(saving)

    @rx.event(background=True)
    @customer
    async def files_changed(self) -> None:
        async with self:
            known, token, asked_at = self.draft, session_token(self), time.time()
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
            if self.draft == draft.draft_id and draft.receipt is None and self._is_newest_list(asked_at):
                self._show_files(draft)

    async def _saved(self, saving: Saving) -> EventSpec | None:
        page = saving.page
        self._switch_flow(page)
        try:
            saved = saving.result()
        except ProviderError as error:
            await self._refuse_form(error, saving.newer, page.step)
            self._note_findings(page)
            await show_refusal(self, error)
            return None
        self.answered += 1
        self._visit = next(_visits)  # a running lookup for this page is now outdated
        stays = self._stays_for_warnings(page.step, saved, saving.form) if page.step else False
        if stays:
            self._note_findings(page)
        journey = await self._show_draft(saved, as_it_is=page.step if stays else None)
        return None if stays else self._go_on(journey, page.step, changing=page.changing)

    def _leaves(self, page: PageAddress) -> bool:
        return self._knows(page.flow) and self._next_path not in {"", page.path}

    def _knows(self, flow: Flow) -> bool:
        return self.view_state in {READY, SENT} and self.flow == flow.name

    @rx.event(background=True)
    @customer
    async def send(self, form: Form) -> EventSpec | None:
        """Send the request. Repeated events and several tabs create one request."""
        async with self:
            page, token = current_page(self), session_token(self)
            self._choices = await language_choices(self)
            draft, _version = form_version(form)
            key = self._key if draft == self.draft else ""
        if page is None or not draft:
            return None
        try:
            key = key or (await ask(FlowApi).draft(token, draft)).key
            receipt = await ask(FlowApi).submit_draft(token, draft, Submission(key=key))
        except ProviderError as error:
            newer = await _look_again(token, draft)
            async with self:
                await self._refuse_form(error, sending=True)
                self._note_findings(page)
                if newer is not None:
                    # The refusal may be caused by a fact that the page shows, such as a price.
                    current = AnswerContext(newer.answers, newer.facts, today())
                    await show_draft(page.flow, self, current)
                named = await failure(page.flow, self)
                title, names = named or (page.flow.failure, {})
                await show_refusal(self, error, title, "" if named else page.flow.advice, names)
            return None
        async with self:
            self.answered += 1
            self._visit = next(_visits)
            self._switch_flow(page)
            self._forget_draft()
            self.draft, self.view_state = draft, SENT
            await self._show_receipt(receipt)
            self._forget_findings()
            self._expect(page.flow.confirmation)
            return redirect_to(page.flow.confirmation, replace=True)


async def _look_again(token: str, draft_id: str) -> Draft | None:
    try:
        draft = await ask(FlowApi).draft(token, draft_id)
    except ProviderError:
        return None
    return None if draft.receipt else draft


async def first_step(request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]) -> DocumentData:
    """What a page of a flow shows in a tab that knows no draft; see `first_data`.

    There is no data if the tab may know better: where the customer is to be taken elsewhere, with several drafts of
    this flow, or if the step loads more when it appears.
    """
    root = new_tree(request.route, request.address, request.host, request.cookies)
    describe(await root.get_state(SessionState), request.host, fingerprint(token), checked)
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is None:
        return DocumentData()
    found = await look_up(token, page, "")
    if elsewhere := await run._begin(page, found):
        # No tab of the customer can know a draft of the flow, or a request that it would show as sent.
        is_known = found.start is None or found.start.drafts or found.start.receipt is not None
        at_once = found.draft is None and (page.step is page.flow.intro_step or not is_known)
        return DocumentData(elsewhere=elsewhere if at_once else "")
    if found.drafts > 1 or (page.step and loads_more(page.step)):
        return DocumentData()
    return DocumentData(changes_below(root))


async def forget_other_page(root: BaseState) -> None:
    """Clear what a tab that loads a new document knows of another flow, and its errors and warnings."""
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is not None and run.flow not in {"", page.flow.name}:
        run.reset()
        await forget_shown(root)  # Otherwise the first event would bring what they showed into the drawn page.
    run._forget_findings()

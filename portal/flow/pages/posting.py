"""Steps that a browser without scripts posts: the rules of `FlowRun`; the answer is a redirect or a page."""

from __future__ import annotations

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.contract.session import SessionCheck
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.flow.model import Control, Step
from portal.flow.pages.display import Destination, PageLookup, look_up
from portal.flow.pages.first import new_run, plain, with_draft
from portal.flow.pages.form import ABOUT, OF_FLOW, Form, PageAddress, Saving, current_page, form_version, step_url
from portal.flow.pages.showing import show_draft
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import journey_of
from portal.flow.registry import FLOWS
from portal.flow.rules import AnswerContext, Files
from portal.frontend.first_data import DocumentData, DocumentRequest
from portal.kernel.days import today
from portal.reflex_adapter.state import BaseState, assign_changed
from portal.web.session import CheckedSession

_LONGEST_VALUE = 4000
"""Characters of a value that are read, as in `forms.js`. Every field allows far less."""

_TYPED = frozenset({Control.LINE, Control.AREA, Control.PHONE, Control.EMAIL})
"""Controls whose text every subject can show, also one that is refused."""


async def post_step(
    request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck], form: Form
) -> DocumentData:
    """Answer a posted form of a flow: begin a request on the intro, send it on the check page, else save the step.

    What is refused comes back as the page with everything that was typed, and what is accepted leads on. Repeating a
    form changes nothing.
    """
    root, run = await new_run(request, checked, token)
    page = current_page(run)
    if page is None or page.step is None:
        raise NotFound
    if page.step is page.flow.intro_step:
        return await _begun(root, run, page, token, form)
    sent = form_version(form)
    if not sent.draft:
        return DocumentData(elsewhere=request.address)
    saving: Saving | None = None
    try:
        if page.step is page.flow.check_step:
            draft = await ask(FlowApi).draft(token, sent.draft)
            await ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
            return DocumentData(elsewhere=page.flow.confirmation)
        saving = Saving(token, page, _cut(form))
        await saving.wait()
        saved = saving.result()
    except NotAuthenticated:
        raise
    except ProviderError as error:
        return await _refused(root, run, page, token, form, error, saving.newer if saving else None)
    warned = [entry.name for entry in page.step.fields if entry.name in saved.warnings]
    # Who posts the same answers again has seen the warning.
    if warned and saved.version != sent.version:
        await run._begin(page, PageLookup(Destination.HERE, draft=saved))
        assign_changed(run, {"alerted": warned, "attempt": 1})
        return await plain(root, page)
    after = journey_of(saved, today()).following(page.step, changing=page.changing)
    return DocumentData(elsewhere=step_url(page.flow, after, changing=page.changing))


async def _begun(root: BaseState, run: FlowRun, page: PageAddress, token: str, form: Form) -> DocumentData:
    found = await look_up(token, page, "")
    if elsewhere := await run._begin(page, found):
        return DocumentData(elsewhere=elsewhere)
    try:
        about, of_flow = (str(form.get(name, ""))[:40] for name in (ABOUT, OF_FLOW))
        flow = FLOWS.get(of_flow, page.flow)
        draft = await ask(FlowApi).open_draft(token, DraftStart(flow=flow.name, subject=about or run.wanted))
    except NotAuthenticated:
        raise
    except ProviderError as error:
        await run._refuse_form(error)
        return await plain(root, page, error.status)
    step = step_url(flow, journey_of(draft, today()).next_open)
    others = found.start is not None and found.start.drafts
    return DocumentData(elsewhere=with_draft(step, draft.draft_id) if others else step)


async def _refused(
    root: BaseState,
    run: FlowRun,
    page: PageAddress,
    token: str,
    form: Form,
    error: ProviderError,
    newer: Draft | None,
) -> DocumentData:
    """The page with the reason and with what was typed, or a redirect if the draft is elsewhere by now."""
    found = await look_up(token, page, form_version(form).draft)
    if elsewhere := await run._begin(page, found):
        return DocumentData(elsewhere=with_draft(elsewhere, found.draft.draft_id if found.draft else ""))
    if found.draft is not None:
        step = page.step if page.step is not page.flow.check_step else None
        await run._refuse_form(error, newer, step, sending=step is None)
        if step is not None:
            await _show_typed(run, page, step, newer or found.draft, _cut(form))
    return await plain(root, page, error.status)


async def _show_typed(run: FlowRun, page: PageAddress, step: Step, draft: Draft, form: Form) -> None:
    texts, lists, typed = dict(run.texts), dict(run.lists), {}
    for entry in step.fields:
        given = form.get(entry.name, "")
        values = given if isinstance(given, list) else [given]
        if isinstance(entry.rule, Files):
            continue  # the draft says which files there are
        if entry.rule.several:
            lists[entry.name] = [value for value in values if value]
            continue
        texts[entry.name] = values[0]
        if entry.control in _TYPED:
            typed[entry.name] = values[0]
    assign_changed(run, {"texts": texts, "lists": lists})
    # Other states show parts of the step. They understand texts, and what the rules accept.
    accepted = journey_of(draft, today()).accepted(step, form)
    answers = AnswerContext({**draft.answers, **typed, **accepted}, draft.facts, today())
    await show_draft(page.flow, run, answers)


def _cut(form: Form) -> Form:
    return {
        name: [value[:_LONGEST_VALUE] for value in given] if isinstance(given, list) else given[:_LONGEST_VALUE]
        for name, given in form.items()
    }

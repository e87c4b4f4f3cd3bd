"""Where Next would lead, asked while the customer pauses: the next step is then shown before its save is answered."""

from typing import Any

import reflex as rx

from portal.contract.errors import ProviderError
from portal.contract.registry import ask
from portal.flow.api import Draft, FlowApi, StepEntry
from portal.flow.model import Step
from portal.flow.pages.form import Form, form_page, form_version
from portal.flow.pages.showing import shows_the_same
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import journey_of, journey_view, loads_more
from portal.flow.rules import AnswerContext
from portal.frontend.load import READY
from portal.frontend.policies import customer
from portal.frontend.session import session_token
from portal.kernel.days import today
from portal.reflex_adapter.state import differing, in_message, unwrap


class Foresight(rx.State):
    """What the pages of the flow would show after Next. A state of its own, because an answer redraws what follows it.

    Attributes:
        question: the question of the browser that is answered.
        following: address of the step that would follow; empty if only saving shows.
        view: what the pages would then show, as in a message to the browser.
    """

    question: rx.Field[str] = rx.field("")
    following: rx.Field[str] = rx.field("")
    view: rx.Field[dict[str, dict[str, Any]]] = rx.field(default_factory=dict)

    @rx.event(background=True)
    @customer
    async def ask(self, form: Form, question: str) -> None:
        """Find out where Next would lead with what is in the form now. Nothing is saved, and nothing is said about it.

        Args:
            form: values by field, with the hidden fields of the draft.
            question: identifies the question.
        """
        async with self:
            token, page, sent = session_token(self), form_page(self, form), form_version(form)
        if page is None or page.step is None or page.changing or not sent.draft or len(question) > _LONGEST:
            return
        entry = StepEntry(step=page.last_part, answers=form, version=sent.version)
        try:
            preview = (await ask(FlowApi).preview_step(token, sent.draft, entry)).draft
        except ProviderError:
            preview = None  # Saving will say so.
        async with self:
            run = await unwrap(self).get_state(FlowRun)
            is_shown = (run.flow, run.draft, run.version) == (page.flow.name, sent.draft, sent.version)
            found = await _following(run, page.step, preview) if preview and is_shown else None
            following, shown = ("", {}) if found is None else found
            run._remember(list(shown))
            self.question, self.following, self.view = question, following, in_message(run, shown)


_LONGEST = 20
"""Most characters of the name of a question."""

_VIEW = frozenset({"open", "path", "asked", "texts", "lists", "numbers", "total", "back", "ahead", "binds"})
"""What a step shows of the draft. Its version is shown once it is saved, and the form that is left is not rebuilt."""


async def _following(run: FlowRun, step: Step, preview: Draft) -> tuple[str, dict[str, Any]] | None:
    """The address of the step after this one, and the variables that change on the way.

    None if the browser cannot show that step yet: it shows a price or a search that follow from these answers, or
    something has to be said on this step first.
    """
    day = today()
    journey = journey_of(preview, day)
    following = journey.following(step)
    said = run.refusal or run.changed or run.alerted or any(entry.name in preview.warnings for entry in step.fields)
    if said or run.view_state != READY or following is journey.flow.check_step or loads_more(following):
        return None
    filled_in = journey.proposed
    before = {
        name: value
        for name, value in (run.texts | run.lists).items()
        if value and (name in preview.answers or filled_in.get(name) != value)
    }
    own = {entry.name for entry in step.fields}
    if {name: before[name] for name in before.keys() - own} != {
        name: value for name, value in preview.answers.items() if value and name not in own
    }:
        return None  # Answers to other steps would be deleted, and their forms rebuilt.
    shown, then = (AnswerContext(answers, preview.facts, day) for answers in (before, preview.answers))
    if not shows_the_same(journey.flow, shown, then):
        return None
    view = {name: value for name, value in journey_view(journey, preview.version).items() if name in _VIEW}
    return journey.flow.address(following), differing(run, view)

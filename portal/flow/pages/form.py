"""Which flow and step an address names, and how the answers of its form are saved."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from functools import lru_cache

import reflex as rx
from reflex.event import EventSpec

from portal.contract.errors import Conflict, ProviderError
from portal.contract.registry import ask
from portal.flow.api import Draft, FlowApi, StepEntry
from portal.flow.model import Flow, Step
from portal.flow.registry import FLOWS
from portal.reflex_adapter.state import address_of

CHANGE = "change"
"""Query of a step that was opened from the check page: `?change=1`."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where a tab is.

    Attributes:
        flow: whose pages these are.
        last_part: of the path, empty for the intro.
        changing: opened from the check page, to change an answer.
        query: everything behind the question mark.
    """

    flow: Flow
    last_part: str
    changing: bool
    query: dict[str, str]

    @property
    def step(self) -> Step | None:
        """The step, unless it is the page after sending."""
        return self.flow.step_at(self.last_part)

    @property
    def path(self) -> str:
        """The path."""
        return f"{self.flow.path}/{self.last_part}".rstrip("/")


DRAFT, VERSION = "draft-id", "draft-version"
"""Hidden fields of every form of a flow."""

Form = dict[str, str | list[str]]


@dataclass(frozen=True, slots=True)
class FormVersion:
    """Which draft a form was made for, and which version of it the customer saw.

    The page carries it along, so that a form that was sent while the server was away still finds its draft.
    """

    draft: str
    version: int


def form_version(form: Form) -> FormVersion:
    """Read the ticket of a form; without a draft when there is none."""
    draft, version = form.get(DRAFT, ""), form.get(VERSION, "")
    known = isinstance(version, str) and version.isascii() and version.isdigit()
    return FormVersion(draft if isinstance(draft, str) else "", int(str(version)[:9]) if known else 0)


def address(state: rx.State) -> PageAddress | None:
    """Where the tab of this state is; none when that is no page of a flow."""
    here = address_of(state)
    name, _, last_part = here.path.strip("/").partition("/")
    flow = FLOWS.get(name)
    if flow is None:
        return None
    query = {str(key): str(value) for key, value in here.query_parameters.items()} if here.query else {}
    return PageAddress(flow, last_part, CHANGE in query, query)


@lru_cache(maxsize=1024)
def to(path: str, *, replace: bool = False) -> EventSpec:
    """Let the browser go to a page of the portal."""
    return rx.redirect(path, replace=replace)


def url(flow: Flow, step: Step, *, changing: bool = False) -> str:
    """The address of a step."""
    return flow.url(step) + (f"?{CHANGE}=1" if changing and step is not flow.check_step else "")


SOON_SECONDS = 0.25
"""A tab that waits so long for its save takes no other event meanwhile."""

_MOST_STORED = 1000


class Saving:
    """The answers to one step, on their way to the provider.

    Attributes:
        place: the step.
        form: what was sent.
        newer: the draft as it is, when it was changed or sent elsewhere in the meantime.
    """

    def __init__(self, token: str, place: PageAddress, draft_id: str, form: Form, version: int) -> None:
        """Begin."""
        self.place = place
        self.form = form
        self.newer: Draft | None = None
        self._token = token
        self._draft_id = draft_id
        entry = StepEntry(step=place.last_part, answers=form, version=version)
        self._task = asyncio.create_task(self._save(entry), name="save step")

    async def is_done_soon(self) -> bool:
        """Wait for a moment; whether it is done."""
        await asyncio.wait({self._task}, timeout=SOON_SECONDS)
        return self._task.done()

    async def is_done(self) -> bool:
        """Wait until it is done."""
        await asyncio.wait({self._task})
        return True

    def result(self) -> Draft:
        """The draft with these answers.

        Raises:
            ProviderError: it was refused.
        """
        return self._task.result()

    async def _save(self, entry: StepEntry) -> Draft:
        try:
            return await ask(FlowApi).save_step(self._token, self._draft_id, entry)
        except Conflict:
            try:
                self.newer = await ask(FlowApi).draft(self._token, self._draft_id)
            except ProviderError:
                self.newer = None
            raise


_stored: dict[str, Saving] = {}


def keep(saving: Saving) -> str:
    """Keep a save that takes longer; returns the name under which this process finds it again."""
    while len(_stored) >= _MOST_STORED:
        _stored.pop(next(iter(_stored)))
    name = secrets.token_urlsafe(16)
    _stored[name] = saving
    return name


def take(name: str) -> Saving | None:
    """The save of this name, once."""
    return _stored.pop(name, None)

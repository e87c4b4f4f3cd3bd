"""The addresses of flow pages, the form of a step, and the saving of its answers."""

import asyncio
import secrets
from dataclasses import dataclass

import reflex as rx
from reflex.event import EventSpec

from portal.contract.errors import Conflict, ProviderError
from portal.contract.registry import ask
from portal.flow.api import Draft, FlowApi, StepEntry
from portal.flow.journey import FLOWS
from portal.flow.model import Flow, Step
from portal.frontend.load import Form

CHANGE = "change"
"""Query parameter of a step that was opened from the check page: `?change=1`."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The address of a flow page. `last_part`: last part of the path; empty for the intro."""

    flow: Flow
    last_part: str
    changing: bool
    query: dict[str, str]

    @property
    def step(self) -> Step | None:
        return self.flow.step_at(self.last_part)

    @property
    def path(self) -> str:
        return f"{self.flow.path}/{self.last_part}".rstrip("/")


DRAFT, VERSION, PLACE = "draft-id", "draft-version", "draft-place"
"""Names of the hidden fields in every form of a flow. `PLACE` is the path of its step."""

CHANGING = "draft-change"
"""Added by the browser when the step was opened from the check page to change an answer."""


def form_version(form: Form) -> tuple[str, int]:
    """The draft of a form, and the version that the customer saw.

    The form carries both, so that a form submitted after a restart of the server still finds its draft.
    """
    draft, version = form.get(DRAFT, ""), form.get(VERSION, "")
    known = isinstance(version, str) and version.isascii() and version.isdigit()
    return draft if isinstance(draft, str) else "", int(str(version)[:9]) if known else 0


def form_page(state: rx.State, form: Form) -> PageAddress | None:
    """The page that sent a form; the tab may show another one by now."""
    current, place = current_page(state), form.get(PLACE, "")
    if not isinstance(place, str) or not place or (current is not None and current.path == place):
        return current
    name, _, last_part = place.strip("/").partition("/")
    return PageAddress(FLOWS[name], last_part, changing=CHANGING in form, query={}) if name in FLOWS else None


def current_page(state: rx.State) -> PageAddress | None:
    location = state.router.url
    name, _, last_part = location.path.strip("/").partition("/")
    flow = FLOWS.get(name)
    if flow is None:
        return None
    query = {str(key): str(value) for key, value in location.query_parameters.items()} if location.query else {}
    return PageAddress(flow, last_part, CHANGE in query, query)


def redirect_to(path: str, *, replace: bool = False) -> EventSpec:
    return rx.redirect(path, replace=replace)


def step_url(flow: Flow, step: Step, *, changing: bool = False) -> str:
    return flow.url(step) + (f"?{CHANGE}=1" if changing and step is not flow.check_step else "")


SOON_SECONDS = 0.25
"""How long the foreground event waits for a save. The tab handles no other event meanwhile."""

_MAX_STORED = 1000


class Saving:
    """A task that saves the answers to one step.

    `newer`: the current draft, if it was changed or sent elsewhere in the meantime.
    """

    def __init__(self, token: str, page: PageAddress, form: Form) -> None:
        self._draft_id, version = form_version(form)
        self.page = page
        self.form = form
        self.newer: Draft | None = None
        self._token = token
        entry = StepEntry(step=page.last_part, answers=form, version=version)
        self._task = asyncio.create_task(self._save(entry), name="save step")

    async def is_done_soon(self) -> bool:
        await asyncio.wait({self._task}, timeout=SOON_SECONDS)
        return self._task.done()

    async def wait(self) -> None:
        await asyncio.wait({self._task})

    def result(self) -> Draft:
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


def store_saving(saving: Saving) -> str:
    while len(_stored) >= _MAX_STORED:
        _stored.pop(next(iter(_stored)))
    name = secrets.token_urlsafe(16)
    _stored[name] = saving
    return name


def take_saving(name: str) -> Saving | None:
    return _stored.pop(name, None)

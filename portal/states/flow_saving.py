"""A save that is under way: soon done as a rule, waited for in the background when not."""

from __future__ import annotations

import asyncio
import secrets

from portal.contract.drafts import Draft, StepEntry
from portal.contract.errors import Conflict, ProviderError
from portal.contract.flow_api import FlowApi
from portal.contract.registry import ask
from portal.states.flow_place import Address, Form

SOON_SECONDS = 0.25
"""A tab that waits so long for its save takes no other event meanwhile."""
_MOST_KEPT = 1000


class Saving:
    """The answers to one step, on their way to the provider.

    Attributes:
        place: the step.
        form: what was sent.
        newer: the draft as it is, when it was changed or sent elsewhere in the meantime.
    """

    def __init__(self, token: str, place: Address, draft_id: str, form: Form, version: int) -> None:
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


_kept: dict[str, Saving] = {}


def keep(saving: Saving) -> str:
    """Keep a save that takes longer; returns the name under which this process finds it again."""
    while len(_kept) >= _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    name = secrets.token_urlsafe(16)
    _kept[name] = saving
    return name


def take(name: str) -> Saving | None:
    """The save of this name, once."""
    return _kept.pop(name, None)

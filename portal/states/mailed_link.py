"""A mailed link that confirms a request: looked at, confirmed by a button, mailed again.

Looking changes nothing, so that a mail scanner does no harm (part-2 §10). The end of the link is
read from the address of the page for each question, and is kept nowhere else.
"""

from typing import Any

import reflex as rx

from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused
from portal.contract.links import LinkEntry, LinkView
from portal.contract.links_api import LinksApi
from portal.contract.registry import ask
from portal.domain.codes import Code
from portal.domain.identifiers import spoken
from portal.states.credential import fingerprint
from portal.states.page import FAILED, LOADING
from portal.states.policy import public
from portal.states.views.customer import text_in
from portal.vocabulary.links import PATHS, LinkState

REFUSED = "refused"
"""A rule says no by now: nothing was confirmed, and the link stays as it was."""
FACTS = (
    "reference",
    "status",
    "return_id",
    "order_number",
    "items",
    "pickup_day",
    "original_day",
    "new_day",
    "from_time",
    "until_time",
    "battery",
    "bike",
    "insurer",
    "type",
    "premium",
)
"""What a provider may tell of a request; the page of each purpose knows its own."""
ANSWER = "battery"
"""Name of the field of the one purpose that asks something."""
_UNKNOWN = frozenset({Code.INVALID_HASH, Code.MISSING_HASH, Code.HASH_NOT_FOUND})


def _no_facts() -> dict[str, str]:
    return dict.fromkeys(FACTS, "")


class MailedLink(rx.State):
    """What the page of a link shows.

    Attributes:
        face: a value of `LinkState`, or `LOADING`, `FAILED`, `REFUSED`.
        facts: what the link is about, by `FACTS`; empty texts for what was not told.
        email: where it was sent, masked.
        expires_at: until when it confirms (ISO 8601, UTC).
        problem: why the last press of a button did not do it, a code of the catalogue.
        wrong: code of what is wrong with the answer, for a purpose that asks something.
        retry_at: when to try again, when the provider said so (ISO 8601, UTC).
        sent_to: where a new link has just been mailed, masked; `sent_until`: until when that one confirms.
        turn: counts the answers to a button.
        failures: counts those that changed nothing.
    """

    face: rx.Field[str] = rx.field(LOADING)
    facts: rx.Field[dict[str, str]] = rx.field(default_factory=_no_facts)
    email: rx.Field[str] = rx.field("")
    expires_at: rx.Field[str] = rx.field("")
    problem: rx.Field[str] = rx.field("")
    wrong: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    sent_until: rx.Field[str] = rx.field("")
    turn: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    _mark: str = ""

    @rx.event
    @public
    async def load(self) -> None:
        """Look what the link is good for. Done again, as after a lost connection, what was confirmed stays so."""
        if self._mark != (mark := fingerprint(self.router.url.path)):
            self.reset()
            self._mark = mark
        await self._look()

    @rx.event
    @public
    async def confirm(self, form: dict[str, Any]) -> None:
        """Confirm what the link is about, with the answer where its purpose asks something."""
        if self.face != LinkState.CONFIRMED:
            self._begin()
            try:
                self._show(await ask(LinksApi).confirm_link(self._entry(text_in(form, ANSWER))))
            except ProviderError as error:
                await self._refuse(error)
        self.turn += 1

    @rx.event
    @public
    async def resend(self, form: dict[str, Any]) -> None:  # noqa: ARG002
        """Have a new link mailed to the same address."""
        self._begin()
        try:
            sent = await ask(LinksApi).resend_link(self._entry())
        except ProviderError as error:
            await self._refuse(error)
        else:
            self.sent_to, self.sent_until = sent.email, sent.expires_at.isoformat()
        self.turn += 1

    async def _look(self) -> None:
        self._begin()
        try:
            self._show(await ask(LinksApi).link(self._entry()))
        except (Refused, NotFound, InvalidInput):
            self.face = LinkState.INVALID.value
        except ProviderError:
            if self.face == LOADING:
                self.face = FAILED

    def _entry(self, answer: str = "") -> LinkEntry:
        path = f"{self.router.url.path}/"
        purpose, start = next(entry for entry in PATHS.items() if path.startswith(f"{entry[1]}/"))
        return LinkEntry(purpose=purpose, hash=path.removeprefix(start).strip("/")[:1000], answer=answer)

    def _begin(self) -> None:
        self.problem = self.wrong = self.retry_at = ""

    def _show(self, view: LinkView) -> None:
        if self.face == LinkState.CONFIRMED and view.state is LinkState.USED:
            return  # by this very page
        self.face = view.state.value
        told = {name: str(view.about[name]) for name in FACTS if view.about.get(name) is not None}
        self.facts = _no_facts() | told | {"reference": spoken(told.get("reference", ""))}
        self.email = view.email
        self.expires_at = view.expires_at.isoformat() if view.expires_at else ""

    async def _refuse(self, error: ProviderError) -> None:
        """Say why nothing happened. Who lost a race looks again: the page then says how it stands."""
        self.problem, self.failures = error.code.value, self.failures + 1
        self.wrong = next((code.value for code in error.fields.values()), "") if isinstance(error, InvalidInput) else ""
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        if error.code in _UNKNOWN or isinstance(error, NotFound):
            self.face = LinkState.INVALID.value
        elif error.code is Code.LINK_USED or isinstance(error, Conflict):
            await self._look()
        elif isinstance(error, Refused):
            self.face = REFUSED

"""States of the pages of webhooks."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

import reflex as rx
from pydantic import ValidationError

from portal.contract.errors import NotFound
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage, T
from portal.exports.api import (
    LONGEST_DESCRIPTION,
    LONGEST_URL,
    DeliverySearch,
    Replay,
    Webhook,
    WebhookDelivery,
    WebhookEntry,
    WebhooksApi,
)
from portal.frontend.load import Paginated, Question, last_part, page_asked, text_in
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups
from portal.vocabulary.cases import CaseKind, kind_path
from portal.vocabulary.exports import EVENT_TYPES, TEST_EVENT, DeliveryState
from portal.vocabulary.staff import Right

WEBHOOKS, NEW = "/webhooks", "new"
URL, DESCRIPTION, EVENTS = "url", "description", "events"
FIELDS = (URL, DESCRIPTION, EVENTS)
CHOSEN = tuple(type_ for type_ in EVENT_TYPES if type_ != TEST_EVENT)
"""Types of events that somebody can choose."""

WORKS, FAILS, PAUSED, OFF = "works", "fails", "paused", "off"
"""How a webhook does."""

_SHORTLY = 1.5
"""Seconds after which the log is loaded again: by then most receivers have answered."""


@dataclass(frozen=True, slots=True)
class WebhookLine:
    """A webhook; `since` is the moment (ISO 8601, UTC) since when it fails or is paused."""

    webhook_id: str = ""
    name: str = ""
    url: str = ""
    description: str = ""
    state: str = WORKS
    since: str = ""
    pending: int = 0
    events: int = 0


@dataclass(frozen=True, slots=True)
class DeliveryLine:
    """An event in the log. Moments are ISO 8601 in UTC.

    Attributes:
        subject: what it is about, readable; `address` is the page of the case, or empty.
        answer: the beginning of the last answer; `status` is its HTTP status, or empty.
        problem: why there was no answer; empty if there was one.
    """

    delivery_id: str
    type: str
    subject: str
    address: str
    state: str
    created_at: str
    attempts: int
    status: str
    answer: str
    milliseconds: int
    next_attempt_at: str
    problem: str = ""


class WebhooksPage(DeskPage, rx.State):
    lines: rx.Field[list[WebhookLine]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[Webhook]]:
        return lambda token: ask(WebhooksApi).webhooks(token)

    def _show(self, answer: list[Webhook]) -> None:
        self.lines = [_line(webhook) for webhook in answer]


class WebhookPage(Paginated, DeskForms, DeskPage, rx.State):
    """One webhook with its log, or a new one.

    Attributes:
        webhook: as stored; without an id for a new one.
        chosen: types of events that it receives; empty for all.
        deliveries: a page of the log, newest first.
        state_asked: state of the deliveries that are shown; empty for all.
    """

    webhook: rx.Field[WebhookLine] = rx.field(default_factory=WebhookLine)
    chosen: rx.Field[list[str]] = rx.field(default_factory=list)
    secret: rx.Field[str] = rx.field("")
    deliveries: rx.Field[list[DeliveryLine]] = rx.field(default_factory=list)
    state_asked: rx.Field[str] = rx.field("")
    _created_at: str = ""
    _fields: ClassVar[tuple[str, ...]] = FIELDS

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def save(self, form: dict[str, Any]) -> None:
        """Store a new or a changed webhook."""
        async with self:
            webhook_id, active = self.webhook.webhook_id, self.webhook.state != OFF
        url, description = text_in(form, URL).strip(), text_in(form, DESCRIPTION).strip()
        if wrong := _wrong(url, description):
            async with self:
                self._refuse_form("", Code.INVALID_INPUT, {name: code.value for name, code in wrong.items()})
            return
        chosen = [type_ for type_ in CHOSEN if text_in(form, f"event-{type_}")]
        entry = WebhookEntry(url=url, description=description, events=chosen, active=active)
        if webhook_id:
            changed = await self._answer(
                "", lambda token: ask(WebhooksApi).change_webhook(token, webhook_id, entry), N_("Saved")
            )
            if changed is not None:
                async with self:
                    self._show_webhook(changed)
            return
        added = await self._answer("", lambda token: ask(WebhooksApi).add_webhook(token, entry))
        if added is not None:
            async with self:
                self.secret, self.webhook = added.secret, WebhookLine(added.id, _name(entry), url, description)

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def switch(self, active: bool) -> None:
        async with self:
            shown = self.webhook
            entry = WebhookEntry(
                url=shown.url, description=shown.description, events=list(self.chosen), active=bool(active)
            )
        await self._act(
            lambda token, webhook_id: ask(WebhooksApi).change_webhook(token, webhook_id, entry), N_("Saved")
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def resume(self) -> None:
        """Send to a paused webhook again."""
        await self._act(
            lambda token, webhook_id: ask(WebhooksApi).resume_webhook(token, webhook_id), N_("Sending events again")
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def rotate(self) -> None:
        """Replace the secret, and show the new one."""
        _done, found = await self._change(lambda token, webhook_id: ask(WebhooksApi).rotate_secret(token, webhook_id))
        if found is not None:
            async with self:
                self.secret = found.secret

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def remove(self) -> Any:
        done, _nothing = await self._change(
            lambda token, webhook_id: ask(WebhooksApi).remove_webhook(token, webhook_id), N_("Removed")
        )
        return rx.redirect(WEBHOOKS) if done else None

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def test(self) -> None:
        """Send an event to try the webhook."""
        await self._act(
            lambda token, webhook_id: ask(WebhooksApi).test_webhook(token, webhook_id), N_("Test event sent")
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def send_again(self, delivery_id: str) -> None:
        try:
            again = Replay(delivery=delivery_id)
        except ValidationError:
            return
        await self._act(lambda token, webhook_id: ask(WebhooksApi).replay(token, webhook_id, again), N_("Sent again"))

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def send_failed(self) -> None:
        """Send all events again that were given up."""
        async with self:
            again = Replay.model_validate({"since": self._created_at or None, "failed_only": True})
        _done, found = await self._change(lambda token, webhook_id: ask(WebhooksApi).replay(token, webhook_id, again))
        if found is not None:
            async with self:
                (await self.get_state(Toasts))._add("success", N_("Sent again: {count}"), count=found.count)
            await self._again_shortly()

    async def _act(self, act: Callable[[str, str], Awaitable[Any]], done: str) -> None:
        """Run an operation on the webhook, say that it is done, and load the log again."""
        if (await self._change(act, done))[0]:
            await self._again_shortly()

    async def _change(self, act: Callable[[str, str], Awaitable[T]], done: str = "") -> tuple[bool, T | None]:
        """Run an operation on the webhook; the rest is as in `_send`."""
        async with self:
            webhook_id = self.webhook.webhook_id
        return await self._send("", lambda token: act(token, webhook_id), done)

    async def _again_shortly(self) -> None:
        """Load the page again, if it is still open: at once, and when the receiver may have answered."""
        for pause in (0.0, _SHORTLY):
            async with self:
                visit = self._visit
            await asyncio.sleep(pause)
            async with self:
                left = self._visit != visit or not visit  # 0: another page is open.
            if left or not await self._ask():
                return

    def _before_load(self) -> bool:
        self.secret = ""
        self._forget_errors()
        return True

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[Webhook, Page[WebhookDelivery]] | None]:
        about = self._about()
        state = str(self.router.url.query_parameters.get("state", ""))
        known = {each.value: each for each in DeliveryState if each is not DeliveryState.UNKNOWN}
        asked = DeliverySearch(state=known.get(state), page=page_asked(self))

        async def ask_for(token: str) -> tuple[Webhook, Page[WebhookDelivery]] | None:
            if about == NEW:
                return None
            every = await ask(WebhooksApi).webhooks(token)
            found = next((webhook for webhook in every if webhook.id == about), None)
            if found is None:
                raise NotFound
            return found, await ask(WebhooksApi).deliveries_of_webhook(token, about, asked)

        self.state_asked = asked.state.value if asked.state else ""
        return ask_for

    def _show(self, answer: tuple[Webhook, Page[WebhookDelivery]] | None) -> None:
        if answer is None:
            self.webhook, self.chosen, self.deliveries = WebhookLine(), [], []
            return
        webhook, log = answer
        self._show_webhook(webhook)
        self._count(log)
        self.deliveries = [_delivery(entry) for entry in log.items]

    def _show_webhook(self, webhook: Webhook) -> None:
        self.webhook, self.chosen = _line(webhook), list(webhook.events)
        self._created_at = webhook.created_at.isoformat()


def _wrong(url: str, description: str) -> dict[str, Code]:
    wrong: dict[str, Code] = {}
    if not url:
        wrong[URL] = Code.REQUIRED
    elif len(url) > LONGEST_URL:
        wrong[URL] = Code.TOO_LONG
    if len(description) > LONGEST_DESCRIPTION:
        wrong[DESCRIPTION] = Code.TOO_LONG
    return wrong


def _name(entry: WebhookEntry) -> str:
    return entry.description or urlsplit(entry.url).hostname or entry.url


def _line(webhook: Webhook) -> WebhookLine:
    since = webhook.paused_at or webhook.failing_since
    state = PAUSED if webhook.paused_at else FAILS if webhook.failing_since else WORKS
    if not webhook.active:
        since, state = None, OFF
    return WebhookLine(
        webhook.id,
        _name(webhook),
        webhook.url,
        webhook.description,
        state,
        since.isoformat() if since else "",
        webhook.pending,
        len(webhook.events),
    )


def _delivery(entry: WebhookDelivery) -> DeliveryLine:
    last = entry.attempts[-1] if entry.attempts else None
    kind, _, reference = entry.subject.partition(" ")
    is_case = kind in set(CaseKind)
    return DeliveryLine(
        entry.id,
        entry.type,
        in_groups(reference) if is_case else entry.subject,
        f"/cases/{kind_path(CaseKind(kind))}/{reference}" if is_case else "",
        entry.state.value,
        entry.created_at.isoformat(),
        len(entry.attempts),
        str(last.status) if last and last.status is not None else "",
        last.answer if last and last.status is not None else "",
        last.milliseconds if last else 0,
        entry.next_attempt_at.isoformat() if entry.next_attempt_at else "",
        last.answer.partition(":")[0] if last and last.status is None else "",
    )

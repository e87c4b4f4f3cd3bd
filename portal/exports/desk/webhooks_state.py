"""States of the pages of webhooks."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

import reflex as rx
from pydantic import ValidationError

from portal.contract.errors import NotFound
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage, T, typed
from portal.exports.api import (
    DeliverySearch,
    Replay,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEntry,
    WebhooksApi,
    WebhookSecret,
)
from portal.frontend.load import Form, Paginated, Question, last_part, page_asked, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.kernel.days import now
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups
from portal.vocabulary.cases import CaseKind, kind_path
from portal.vocabulary.exchange import EVENT_TYPES, TEST_EVENT, DeliveryState
from portal.vocabulary.staff import Right

WEBHOOKS, NEW = "/webhooks", "new"
URL, DESCRIPTION, EVENTS = "url", "description", "events"
CHOSEN = tuple(type_ for type_ in EVENT_TYPES if type_ != TEST_EVENT)
WORKS, FAILS, PAUSED, OFF = "works", "fails", "paused", "off"
_SHORTLY = 1.5
"""Seconds after which the log is loaded again: by then most receivers have answered."""


class ShownWebhook(Webhook):
    @computed
    def name(self) -> str:
        return self.description or urlsplit(self.url).hostname or self.url

    @computed
    def state(self) -> str:
        if not self.active:
            return OFF
        return PAUSED if self.paused_at else FAILS if self.failing_since else WORKS

    @computed
    def since(self) -> datetime | None:
        return (self.paused_at or self.failing_since) if self.active else None


class ShownDelivery(WebhookDelivery):
    @computed
    def about(self) -> str:
        return in_groups(self.subject.partition(" ")[2]) if self.address else self.subject

    @computed
    def address(self) -> str:
        kind, _, reference = self.subject.partition(" ")
        return f"/cases/{kind_path(CaseKind(kind))}/{reference}" if kind in set(CaseKind) else ""

    @computed
    def last(self) -> WebhookAttempt | None:
        return self.attempts[-1] if self.attempts else None


class WebhooksPage(DeskPage, rx.State):
    lines: rx.Field[list[ShownWebhook]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[Webhook]]:
        return lambda token: ask(WebhooksApi).webhooks(token)

    def _show(self, answer: list[Webhook]) -> None:
        self.lines = [viewed(ShownWebhook, webhook) for webhook in answer]


class WebhookPage(Paginated, DeskForms, DeskPage, rx.State):
    """One webhook with its log, or a new one.

    `webhook`: as stored; None for a new one.
    `deliveries`: a page of the log, newest first.
    `state_asked`: state of the deliveries that are shown; empty for all.
    """

    webhook: rx.Field[ShownWebhook | None] = rx.field(None)
    secret: rx.Field[str] = rx.field("")
    deliveries: rx.Field[list[ShownDelivery]] = rx.field(default_factory=list)
    state_asked: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = (URL, DESCRIPTION, EVENTS)

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def save(self, form: Form) -> None:
        async with self:
            known = self.webhook
        chosen = [type_ for type_ in CHOSEN if text_in(form, f"event-{type_}")]

        def entry() -> WebhookEntry:
            return typed(WebhookEntry, form, events=chosen, active=known is None or known.active)

        def changed(webhook: Webhook) -> None:
            self.webhook = viewed(ShownWebhook, webhook)

        def added(webhook: WebhookSecret) -> None:
            self.secret = webhook.secret
            self.webhook = ShownWebhook(**dict(entry()), id=webhook.id, created_at=now())

        if known:
            await self._answer(
                "", lambda token: ask(WebhooksApi).change_webhook(token, known.id, entry()), N_("Saved"), changed
            )
        else:
            await self._answer("", lambda token: ask(WebhooksApi).add_webhook(token, entry()), show=added)

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def switch(self, active: bool) -> None:
        async with self:
            shown = self.webhook
        if shown is None:
            return
        entry = WebhookEntry(url=shown.url, description=shown.description, events=shown.events, active=bool(active))
        await self._act(
            lambda token, webhook_id: ask(WebhooksApi).change_webhook(token, webhook_id, entry), N_("Saved")
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def resume(self) -> None:
        await self._act(
            lambda token, webhook_id: ask(WebhooksApi).resume_webhook(token, webhook_id), N_("Sending events again")
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_WEBHOOKS)
    async def rotate(self) -> None:
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
        async with self:
            again = Replay(since=self.webhook.created_at if self.webhook else None, failed_only=True)
        _done, found = await self._change(lambda token, webhook_id: ask(WebhooksApi).replay(token, webhook_id, again))
        if found is not None:
            async with self:
                (await self.get_state(Toasts))._add("success", N_("Sent again: {count}"), count=found.count)
            await self._again_shortly()

    async def _act(self, act: Callable[[str, str], Awaitable[Any]], done: str) -> None:
        if (await self._change(act, done))[0]:
            await self._again_shortly()

    async def _change(self, act: Callable[[str, str], Awaitable[T]], done: str = "") -> tuple[bool, T | None]:
        async with self:
            webhook_id = self.webhook.id if self.webhook else ""
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
            self.webhook, self.deliveries = None, []
            return
        webhook, log = answer
        self.webhook = viewed(ShownWebhook, webhook)
        self._count(log)
        self.deliveries = [viewed(ShownDelivery, entry) for entry in log.items]

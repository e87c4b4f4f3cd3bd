"""Commands about webhooks: `python -m portal.provider webhook add URL`, and `events`, which prints their schema."""

from __future__ import annotations

import argparse
import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.staff import write_audit
from portal.contract.errors import InvalidInput, NotFound
from portal.exports.api import Replay, WebhookEntry
from portal.exports.provider import webhooks
from portal.exports.provider.webhooks import resume, rotate
from portal.exports.rules import schema
from portal.provider.cases import TransitionRefused, in_application
from portal.settings import Settings
from portal.tables.exchange import WebhookRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import EVENT_TYPES

ACTOR = "command line"

Act = Callable[[Context, AsyncSession, WebhookRow, argparse.Namespace], Awaitable[str]]


def add_webhook_commands(commands: Any) -> None:
    events = commands.add_parser("events", help="print the JSON Schema of the events that webhooks receive")
    events.set_defaults(run=lambda *_: print(json.dumps(schema(), indent=2)))
    actions = commands.add_parser("webhook", help="manage where events are sent").add_subparsers(
        required=True, metavar="action"
    )
    add = actions.add_parser("add", help="add a webhook and print its secret")
    add.add_argument("url", help="address that receives events: https, on a public host")
    add.add_argument("--events", nargs="*", default=[], metavar="type", help=", ".join(EVENT_TYPES))
    add.add_argument("--description", default="", help="what receives the events")
    add.set_defaults(run=_add)
    actions.add_parser("list", help="print all webhooks").set_defaults(run=_list)
    for name, act, action, explained in (
        ("remove", _remove, AuditAction.REMOVE_WEBHOOK, "remove a webhook with its log"),
        ("rotate", _rotate, AuditAction.ROTATE_SECRET, "replace its secret and print the new one"),
        ("resume", _resume, AuditAction.RESUME_WEBHOOK, "start sending to a paused webhook again"),
        ("test", _test, AuditAction.TEST_WEBHOOK, "send an event to test it"),
        ("replay", _replay, AuditAction.REPLAY, "send events again"),
    ):
        command = actions.add_parser(name, help=explained)
        command.add_argument("webhook", help="id of the webhook")
        command.set_defaults(run=_command(action, act))
        if name == "replay":
            command.add_argument("--delivery", default="", help="webhook-id of one event")
            command.add_argument("--since", type=_moment, help="start of a period, such as 2026-03-31T08:00+02:00")
            command.add_argument("--until", type=_moment, help="end of the period")
            command.add_argument("--failed", action="store_true", help="only events that failed")


def _add(options: Settings, asked: argparse.Namespace) -> None:
    async def act(context: Context) -> str:
        async with context.database.transaction() as session:
            entry = WebhookEntry(url=asked.url, description=asked.description, events=asked.events)
            row, secret = await webhooks.add(session, context.settings, entry, context.clock())
            await _record(context, session, AuditAction.ADD_WEBHOOK, row)
            return f"webhook {row.public_id}: {secret}"

    try:
        print(in_application(options, act))
    except InvalidInput as refusal:
        wrong = "the URL" if "url" in refusal.fields else "a type of event"
        raise TransitionRefused(f"{wrong} cannot be used") from None


def _list(options: Settings, _asked: argparse.Namespace) -> None:
    async def act(context: Context) -> list[str]:
        async with context.database.session() as session:
            found = await webhooks.all_webhooks(session)
        return [
            f"{each.id}  {'paused' if each.paused_at else 'on' if each.active else 'off'}  "
            f"{each.pending} pending  {each.url}  {' '.join(each.events) or 'all events'}"
            for each in found
        ]

    print("\n".join(in_application(options, act)) or "there are no webhooks")


def _command(action: AuditAction, act: Act) -> Callable[[Settings, argparse.Namespace], None]:
    def run(options: Settings, asked: argparse.Namespace) -> None:
        async def in_transaction(context: Context) -> str:
            async with context.database.transaction() as session:
                row = await webhooks.find(session, asked.webhook, lock=True)
                await _record(context, session, action, row)
                return await act(context, session, row, asked)

        try:
            print(f"webhook {asked.webhook}: {in_application(options, in_transaction)}")
        except NotFound:
            raise TransitionRefused(f"there is no webhook {asked.webhook}, or no such event") from None
        except InvalidInput:
            raise TransitionRefused("give an event with --delivery, or a period with --since") from None

    return run


async def _remove(_context: Context, session: AsyncSession, row: WebhookRow, _asked: argparse.Namespace) -> str:
    await session.delete(row)
    return "removed"


async def _rotate(context: Context, session: AsyncSession, row: WebhookRow, _asked: argparse.Namespace) -> str:
    return await rotate(session, row, context.clock())


async def _resume(context: Context, session: AsyncSession, row: WebhookRow, _asked: argparse.Namespace) -> str:
    return f"events on their way: {await resume(session, row, context.clock())}"


async def _test(context: Context, session: AsyncSession, row: WebhookRow, _asked: argparse.Namespace) -> str:
    await webhooks.test(session, row, context.clock())
    return "test event on its way"


async def _replay(context: Context, session: AsyncSession, row: WebhookRow, asked: argparse.Namespace) -> str:
    replay = Replay(delivery=asked.delivery, since=asked.since, until=asked.until, failed_only=asked.failed)
    return f"events on their way: {await webhooks.replay_events(session, row, replay, context.clock())}"


async def _record(context: Context, session: AsyncSession, action: AuditAction, row: WebhookRow) -> None:
    await write_audit(session, None, action, webhooks.AUDITED, row.public_id, actor=ACTOR, moment=context.clock())


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise argparse.ArgumentTypeError("write a moment as 2026-03-31T08:00+02:00")
    return moment

"""Templates of messages: those delivered with the portal, replaced and completed by those of the shop."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.account import LocalizedText
from portal.contract.models import Locale
from portal.conversations.api import MessageTemplate
from portal.conversations.rules import DAY, fields_in
from portal.tables.conversations import MessageTemplateRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.conversations import Asks

FILE = Path(__file__).resolve().parents[1] / "data" / "templates.toml"


@cache
def delivered() -> dict[str, MessageTemplate]:
    """The templates that are delivered with the portal, by name, in the order of the file."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["template"]
    return {entry["name"]: _read(entry) for entry in entries}


def _read(entry: dict[str, object]) -> MessageTemplate:
    found = MessageTemplate.model_validate(entry)
    text = LocalizedText(nl=found.text.nl.strip(), en=found.text.en.strip())
    return found.model_copy(update={"text": text, "needs_day": needs_day(text)})


def needs_day(text: LocalizedText) -> bool:
    return DAY in fields_in(text.nl) | fields_in(text.en)


async def all_templates(session: AsyncSession) -> list[MessageTemplate]:
    """All templates: the delivered ones as the shop changed them, then those that the shop added."""
    rows = (await session.exec(select(MessageTemplateRow).order_by(col(MessageTemplateRow.id)))).all()
    return list((delivered() | {row.name: template_of(row) for row in rows}).values())


async def templates_for(session: AsyncSession, kind: CaseKind) -> list[MessageTemplate]:
    """The templates that staff can choose for a kind of case."""
    found = await all_templates(session)
    return [entry for entry in found if not entry.hidden and (not entry.kinds or kind in entry.kinds)]


def template_of(row: MessageTemplateRow) -> MessageTemplate:
    """Map a template of the shop."""
    text = LocalizedText(nl=row.text_nl, en=row.text_en)
    return MessageTemplate(
        name=row.name,
        title=LocalizedText(nl=row.title_nl, en=row.title_en),
        text=text,
        asks=row.asks or Asks.NOTHING,
        kinds=[CaseKind(kind) for kind in row.kinds.split()],
        needs_day=needs_day(text),
        own=True,
        hidden=row.hidden,
    )


def text_for(template: MessageTemplate, locale: Locale) -> str:
    """The text of a template in the customer's language."""
    return template.text.text(locale)

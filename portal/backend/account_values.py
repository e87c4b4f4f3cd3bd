"""An account in one language, for mails and documents."""

from __future__ import annotations

import re
from typing import Any, TypedDict

from portal.backend.letter import money
from portal.contract.account import Account, AccountHandover, LocalizedText
from portal.contract.models import Locale
from portal.kernel.texts import gettext_for


class HandoverValues(TypedDict):
    """How, where and when something is handed over, and what that costs; what is unknown is empty."""

    how: str
    place: list[str]
    when: str
    cost: str


def subject_line(says: LocalizedText, about: LocalizedText) -> LocalizedText:
    """The subject of a mail about a status, a sentence: "Je fiets is gerepareerd: Duinroos Zilt".

    Args:
        says: what happened; its first sentence is used.
        about: the bike, the items or the order.
    """
    return LocalizedText.each(lambda locale: f"{_first(says.text(locale))}: {about.text(locale)}")


def _first(text: str) -> str:
    return re.split(r"[.:] ", text)[0].rstrip(".")


def account_values(account: Account, locale: Locale, subject: LocalizedText | None = None) -> dict[str, Any]:
    """The texts and amounts of an account, for the templates of mails and documents. JSON can hold them.

    Args:
        account: the account.
        locale: the language.
        subject: of the mail; documents have none.

    Returns:
        `subject`, `title`, `status`, `meaning`, `reference`, `handover` (None without one), `facts` (label and lines),
        `costs` (label and amount), `total` (label and amount), `note` (who pays whom and when) and `next_steps`.
    """
    amounts = account.money
    return {
        "subject": (subject or account.title).text(locale),
        "title": account.title.text(locale),
        "status": account.status.text(locale),
        "meaning": account.meaning.text(locale),
        "reference": account.reference,
        "handover": handover_values(account.handover, locale) if account.handover else None,
        "facts": [(fact.label.text(locale), [line.text(locale) for line in fact.lines]) for fact in account.facts],
        "costs": [(line.label.text(locale), money(line.amount, locale)) for line in amounts.lines],
        "total": (amounts.label.text(locale), money(amounts.total, locale)),
        "note": amounts.note.text(locale),
        "next_steps": [step.text(locale) for step in account.next_steps],
    }


def handover_values(handover: AccountHandover, locale: Locale) -> HandoverValues:
    """One handover in one language. Its cost is told if the way was chosen; free is told too."""
    _ = gettext_for(locale)
    cost = money(handover.cost, locale) if handover.cost else _("Free")
    return HandoverValues(
        how=handover.how.text(locale),
        place=[line for line in handover.place if line],
        when=handover.when.text(locale),
        cost=cost if handover.how else "",
    )

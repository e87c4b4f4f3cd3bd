"""An account in one language, for mails and documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portal.backend.letter import money
from portal.contract.account import Account, AccountHandover
from portal.contract.models import Locale
from portal.kernel.texts import gettext_for


@dataclass(frozen=True, slots=True)
class HandoverValues:
    """How, where and when something is handed over, and what that costs; what is unknown is empty."""

    how: str
    place: list[str]
    when: str
    cost: str


def account_values(account: Account, locale: Locale) -> dict[str, Any]:
    """The texts and amounts of an account, for the templates of mails and documents.

    Args:
        account: the account.
        locale: the language.

    Returns:
        `title`, `status`, `meaning`, `handover` (None without one), `facts` (label and lines), `costs` (label and
        amount), `total` (label and amount), `note` and `next_steps`.
    """
    amounts = account.money
    return {
        "title": account.title.text(locale),
        "status": account.status.text(locale),
        "meaning": account.meaning.text(locale),
        "handover": handover_values(account.handover, locale) if account.handover else None,
        "facts": [(fact.label.text(locale), [line.text(locale) for line in fact.lines]) for fact in account.facts],
        "costs": [(line.label.text(locale), money(line.amount, locale)) for line in amounts.lines],
        "total": (amounts.label.text(locale), money(amounts.total, locale)),
        "note": amounts.note.text(locale),
        "next_steps": [step.text(locale) for step in account.next_steps],
    }


def handover_values(handover: AccountHandover, locale: Locale) -> HandoverValues:
    """One handover in one language. Its cost is told if the way was chosen; free is told too."""
    free = gettext_for(locale)("Free")
    cost = money(handover.cost, locale) if handover.cost else free
    return HandoverValues(
        how=handover.how.text(locale),
        place=[line for line in handover.place if line],
        when=handover.when.text(locale),
        cost=cost if handover.how else "",
    )

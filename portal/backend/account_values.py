"""An account in one language, for mails and documents."""

from __future__ import annotations

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


def subject_line(account: Account, about: str = "") -> LocalizedText:
    """The subject of a mail about a status: "Reparatie: Duinroos Zilt · Gerepareerd".

    Args:
        account: of the request.
        about: what it is about, for an account whose title says the status: "Je fiets is verzekerd · Duinroos Zilt".
    """
    return LocalizedText.each(lambda locale: f"{account.title.text(locale)} · {about or account.status.text(locale)}")


def account_values(account: Account, locale: Locale, about: str = "") -> dict[str, Any]:
    """The texts and amounts of an account, for the templates of mails and documents. JSON can hold them.

    Args:
        account: the account.
        locale: the language.
        about: as in `subject_line`.

    Returns:
        `subject`, `title`, `status`, `meaning`, `reference`, `handover` (None without one), `facts` (label and lines),
        `costs` (label and amount), `total` (label and amount), `note` (who pays whom and when) and `next_steps`.
    """
    amounts = account.money
    return {
        "subject": subject_line(account, about).text(locale),
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
    free = gettext_for(locale)("Free")
    cost = money(handover.cost, locale) if handover.cost else free
    return HandoverValues(
        how=handover.how.text(locale),
        place=[line for line in handover.place if line],
        when=handover.when.text(locale),
        cost=cost if handover.how else "",
    )

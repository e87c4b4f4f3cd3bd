"""Compares the channels of an account word for word and figure for figure.

A channel is rendered to its plain text. `parts_of` lists what an account says, in the language of the channel; each
channel names the parts that it shows. `unsaid` lists what another account would say and this one must not.
"""

import html
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from portal.backend.letter import money
from portal.contract.account import Account, AccountAmount, LocalizedText
from portal.contract.models import Locale

T = TypeVar("T")


def plain(text: str) -> str:
    """A text as a reader sees it: without markup, with single blanks."""
    without = re.sub(r"<(style|title)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(without).replace("\N{NO-BREAK SPACE}", " ").split())


def parts_of(account: Account, locale: Locale) -> dict[str, list[str]]:
    """What an account says, by part: the texts that a channel with this part shows, in order."""
    way, amounts = account.handover, account.money

    def words(*texts: LocalizedText) -> list[str]:
        return [plain(text.text(locale)) for text in texts if text]

    def figures(lines: Iterable[AccountAmount]) -> list[str]:
        return [text for line in lines for text in (*words(line.label), plain(money(line.amount, locale)))]

    return {
        "reference": [account.reference],
        "title": words(account.title),
        "status": words(account.status),
        "meaning": words(account.meaning),
        "phases": words(*account.phases),
        "way": words(way.how, way.when) if way else [],
        "place": [*way.place, *words(way.country)] if way else [],
        "cost": [plain(money(way.cost, locale))] if way and way.cost else [],
        "facts": [text for fact in account.facts for text in words(fact.label, *fact.lines)],
        "amounts": figures(amounts.lines),
        "total": [*words(amounts.label), plain(money(amounts.total, locale))] if amounts.lines else [],
        "besides": figures(amounts.besides),
        "note": words(amounts.note),
        "steps": words(*account.next_steps),
    }


def view_text(account: Account, locale: Locale) -> str:
    """The texts and figures that a page gets for an account; the browser adds none."""
    parts = parts_of(account, locale)
    return " ".join(words for part in parts if part not in {"reference", "phases"} for words in parts[part])


@dataclass(frozen=True)
class Channel(Generic[T]):
    """One channel of a subject.

    Attributes:
        render: its plain text for a case, in a language; empty where it does not exist.
        parts: the parts of the account that it shows.
    """

    render: Callable[[T, Locale], str]
    parts: frozenset[str]


def missing(said: Mapping[str, list[str]], parts: Iterable[str], text: str) -> list[str]:
    """What an account says (`parts_of`) in these parts and a channel leaves out."""
    return [words for part in sorted(parts) for words in said[part] if words not in text]


def said_wrongly(said: Mapping[str, list[str]], others: Iterable[str], text: str) -> list[str]:
    """What a channel says although the account does not.

    Args:
        said: what the account says (`parts_of`).
        others: plain texts that some account of the subject says, such as all notes about payment.
        text: plain text of the channel.
    """
    own = {words for part in said.values() for words in part}
    return [words for words in others if words not in own and words in text]

"""A table of what pages say about deliveries and insurances (part-2 §8), and how it comes to that."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from typing import Any

import reflex as rx

from portal.contract.account import LocalizedText
from portal.contract.errors import ProviderError
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from tests.support.connections import Shop
from tests.support.doubles import answering
from tests.support.people import DAAN
from tests.support.pipeline import Pipeline, Tab, signed_in


@dataclass(frozen=True)
class Connections:
    """Tabs of customers of one shop."""

    tabs: Pipeline
    shop: Shop

    async def open(self, page: Any, path: str, who: tuple[str, str] = DAAN) -> Tab:
        """A tab in which a customer has opened a page."""
        tab = signed_in(self.tabs.tab(f"{path}-{who[1]}"), await self.shop.token(*who))
        return await tab.send(page.load, path=path)


Provoke = Callable[[Connections], Awaitable[str]]
"""Brings it about, looks at what the state says, and gives back what the customer is shown then."""


@dataclass(frozen=True)
class PageMessage:
    """A message of a page: its words, and how it comes to them."""

    english: str
    dutch: str
    code: Code | None
    provoke: Provoke

    @property
    def words(self) -> str:
        """How a page holds a text: in both languages, the one of the visitor is shown."""
        return _in_both(self.dutch, self.english)


def _in_both(dutch: str, english: str) -> str:
    return f"t(lang, {dumps(dutch)}, {dumps(english)}"


PAGE_MESSAGES: dict[str, PageMessage] = {}


def says(name: str, english: str, dutch: str, code: Code | None = None) -> Callable[[Provoke], Provoke]:
    """Enter what follows into the table. `code`: what of the catalogue of refusals it is the text of."""

    def enter(provoke: Provoke) -> Provoke:
        assert name not in PAGE_MESSAGES
        PAGE_MESSAGES[name] = PageMessage(english, dutch, code, provoke)
        return provoke

    return enter


def written(component: Any) -> str:
    """Everything that a page or a text can say."""
    # Inside a rendered component a backslash is written twice.
    return str(component.render()).replace(r"\\", "\\") if isinstance(component, rx.Component) else str(component)


def at(text: Any, value: str) -> str:
    """What a text that follows a value says for one of its values."""
    _before, found, rest = written(text).partition(f'["{value}"] : (')
    assert found, f"nothing is said for {value}"
    return rest.partition(") [")[0].partition('")')[0] + '"'


def translated(text: LocalizedText) -> str:
    """A text that the server sent in every language, as a page would hold it."""
    return _in_both(text.nl, text.en)


def toasted(tab: Tab) -> str:
    """The newest notification, as a page would hold it."""
    toast = tab.shown(Toasts, "items")[-1]
    return " ".join(_in_both(texts["nl"], texts["en"]) for texts in (toast["title"], toast["text"]) if texts)


@contextmanager
def refusing(operation: str, error: ProviderError) -> Iterator[None]:
    """A provider that answers one operation with a refusal."""

    async def refuse(*_: Any) -> Any:
        raise error

    with answering(**{operation: refuse}):
        yield

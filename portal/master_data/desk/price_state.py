"""States of the pages with prices: the list of a kind, and one price with its form."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

import reflex as rx
from pydantic import Field

from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.load import Form, Question, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import staff
from portal.kernel.texts import N_
from portal.master_data.api import ALL_SHOPS, PriceEntry, PriceHistory, PriceList, PricesApi, PriceState
from portal.master_data.rules import PRICE_FIELDS, FieldForm
from portal.vocabulary.prices import PriceKind
from portal.vocabulary.staff import Right

PRICES = "/prices"

VALID_FROM = "valid_from"
WITHDRAWAL = "withdrawal"


_FORMS = {entry.name: entry.form for entries in PRICE_FIELDS.values() for entry in entries}
_LISTS = [name for name, form in _FORMS.items() if form is FieldForm.CHOICES]


class ShownState(PriceState):
    """A price from a day on, with its values as a form has them: 'yes' for true."""

    @computed
    def texts(self) -> dict[str, str]:
        found = {name: value for name, value in self.values.items() if name not in _LISTS}
        return {
            name: ("yes" if value else "") if _FORMS[name] is FieldForm.YES else str(value)
            for name, value in found.items()
        }

    @computed
    def lists(self) -> dict[str, list[str]]:
        """Every list of any kind, because the page goes through those of a kind that has one."""
        return {name: [str(each) for each in self.values.get(name) or ()] for name in _LISTS}


class ShownPrice(PriceHistory):
    """What has a price; `parts` is what identifies it, such as insurer, type and kind of bike."""

    now: ShownState | None = None
    # pyrefly: ignore[bad-override]  # the model is frozen, so its list is only read
    announced: list[ShownState] = Field(default_factory=list)
    # pyrefly: ignore[bad-override]  # as above
    earlier: list[ShownState] = Field(default_factory=list)

    @computed
    def parts(self) -> list[str]:
        return [str(value).lower() if isinstance(value, bool) else str(value) for value in self.about.values()]


class PricesPage(DeskPage, rx.State):
    """All prices of the kind in the address.

    `shops`: the further shops; `shop` is the one whose own prices are shown, empty for the common ones.
    """

    kind: rx.Field[str] = rx.field("")
    lines: rx.Field[list[ShownPrice]] = rx.field(default_factory=list)
    shops: rx.Field[list[str]] = rx.field(default_factory=list)
    shop: rx.Field[str] = rx.field("")

    def _about(self) -> str:
        return "?".join((_part(self, 1), _shop(self)))

    def _question(self) -> Question[PriceList]:
        kind, _, shop = self._about().partition("?")
        return lambda token: ask(PricesApi).prices(token, shop or ALL_SHOPS, kind)

    def _show(self, answer: PriceList) -> None:
        self.kind, self.shops, self.shop = answer.kind.value, answer.shops, answer.shop
        self.lines = [viewed(ShownPrice, found.model_copy(update={"earlier": []})) for found in answer.prices]


class PricePage(DeskForms, DeskPage, rx.State):
    """One price.

    `shop`: the further shop whose own price it is; empty for the common one.
    `today`: local day, the earliest from which a change holds.
    """

    kind: rx.Field[str] = rx.field("")
    line: rx.Field[ShownPrice | None] = rx.field(None)
    shop: rx.Field[str] = rx.field("")
    today: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = (
        VALID_FROM,
        *(entry.name for entries in PRICE_FIELDS.values() for entry in entries),
    )

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def change(self, form: Form) -> None:
        async with self:
            kind = PriceKind(self.kind) if self.kind in set(PriceKind) else PriceKind.SERVICE_PRODUCTS
        typed = {entry.name: _typed(form, entry.name) for entry in PRICE_FIELDS[kind]}
        entry = PriceEntry(values=typed, valid_from=text_in(form, VALID_FROM))
        await self._change(
            "", lambda token, shop, kind, key: ask(PricesApi).change_price(token, shop, kind, key, entry), N_("Saved")
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def withdraw(self, valid_from: str) -> None:
        day = valid_from[:10]
        await self._change(
            WITHDRAWAL,
            lambda token, shop, kind, key: ask(PricesApi).withdraw_price(token, shop, kind, key, day),
            N_("Taken back"),
        )

    async def _change(self, form: str, change: Callable[[str, str, str, str], Awaitable[PriceList]], done: str) -> None:
        async with self:
            price = (self.shop or ALL_SHOPS, self.kind, self.line.key if self.line else "")
        await self._answer(form, lambda token: change(token, *price), done, self._show)

    def _about(self) -> str:
        return "?".join((_part(self, 1), _part(self, 2), _shop(self)))

    def _question(self) -> Question[PriceList]:
        kind, key, shop = self._about().split("?")
        return lambda token: ask(PricesApi).price(token, shop or ALL_SHOPS, kind, key)

    def _show(self, answer: PriceList) -> None:
        (found,) = answer.prices
        self.kind, self.shop, self.today = answer.kind.value, answer.shop, str(answer.today)
        self.line = viewed(ShownPrice, found)
        self._forget_errors()


def _part(state: rx.State, place: int) -> str:
    """A part of the path: the kind, then the key of a price."""
    parts = state.router.url.path.strip("/").split("/")
    return parts[place][:200] if place < len(parts) else ""


def _shop(state: rx.State) -> str:
    return str(state.router.url.query_parameters.get("shop", ""))[:40]


def _typed(form: Form, name: str) -> list[str]:
    value = form.get(name)
    if isinstance(value, list):
        return [entry[:100] for entry in value[:50] if isinstance(entry, str)]
    return [text_in(form, name)] if value else []

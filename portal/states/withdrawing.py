"""Withdrawing from a purchase in two steps: say what, then confirm it (part-2 §11)."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import reflex as rx

from portal.contract.errors import ProviderError
from portal.contract.withdrawals import Withdrawable, WithdrawalReceipt
from portal.domain.codes import Code
from portal.states.views.customer import text_in
from portal.states.views.withdrawals import OfferedItem, ReceiptView, lines_of, offered_items, receipt_view

FIND, DECLARE, CHECK, RECEIPT, CLOSED = "find", "declare", "check", "receipt", "closed"
"""Which order it is about, what is withdrawn from, the confirmation, what was received; or that it is not possible."""
WHOLE, PART = "whole", "part"
"""Everything that can be withdrawn from, or single items."""
SCOPE, ITEM, COUNT, NAME = "scope", "item", "count-", "name"
"""Names of the fields; the one for a number ends with the item."""
BATTERY = "battery"
"""Name of the field that is asked after the receipt."""
FIELDS = (NAME, "order_number", "email")
"""Fields whose errors the provider tells."""
OVER = frozenset({Code.WITHDRAWAL_PERIOD_OVER, Code.NOTHING_FOUND})
"""Reasons for which nothing can be withdrawn from at all."""
_LONGEST_NAME = 180


class Withdrawing(rx.State, mixin=True):
    """A declaration, from the choice to its receipt.

    Attributes:
        step: one of `FIND`, `DECLARE`, `CHECK`, `RECEIPT`, `CLOSED`.
        order_number: of the order it is about.
        until: last day on which it is possible (ISO 8601); empty while something of the order is still to come.
        offered: what can be withdrawn from, with what is chosen of it.
        scope: `WHOLE`, `PART`, or empty.
        name: of the person who declares.
        lines: what is withdrawn from, in words.
        errors: code of what is wrong with a field, by name.
        refusal: why the last try was refused, a code of the catalogue.
        retry_at: when to try again, when the provider said so (ISO 8601, UTC).
        receipt: what was received.
        battery_error: code of what is wrong with the answer about a battery.
        answered: counts the answers to a form.
        failures: counts those that say what is wrong.
        turn: counts the steps, so that the focus can follow.
    """

    step: rx.Field[str] = rx.field(DECLARE)
    order_number: rx.Field[str] = rx.field("")
    until: rx.Field[str] = rx.field("")
    offered: rx.Field[list[OfferedItem]] = rx.field(default_factory=list)
    scope: rx.Field[str] = rx.field("")
    name: rx.Field[str] = rx.field("")
    lines: rx.Field[list[str]] = rx.field(default_factory=list)
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    receipt: rx.Field[ReceiptView] = rx.field(default_factory=ReceiptView)
    battery_error: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    turn: rx.Field[int] = rx.field(0)
    _chosen: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    _key: str = ""

    def _offer(self, found: Withdrawable) -> None:
        """Show what can be withdrawn from."""
        self.order_number = found.order_number
        self.until = found.until.isoformat() if found.until else ""
        self.offered = offered_items(found, self._chosen)
        self.step = DECLARE

    def _close(self, code: Code) -> None:
        """Say why nothing can be withdrawn from."""
        self.step, self.refusal = CLOSED, code.value

    def _take(self, form: Mapping[str, Any]) -> None:
        """Read what is withdrawn from; go on to the confirmation when it is complete."""
        self._answered()
        self.scope, self.name = text_in(form, SCOPE), text_in(form, NAME).strip()
        chosen = _chosen_in(form, self.offered)
        errors: dict[str, str] = {}
        if self.scope not in (WHOLE, PART):
            errors[SCOPE] = Code.REQUIRED.value
        elif self.scope == PART and not chosen:
            errors[ITEM] = Code.REQUIRED.value
        if not self.name:
            errors[NAME] = Code.REQUIRED.value
        elif len(self.name) > _LONGEST_NAME:
            errors[NAME] = Code.TOO_LONG.value
        self._chosen = chosen if self.scope == PART else {}
        if errors:
            self._wrong(errors)
            return
        self.lines = lines_of(self.offered, self._chosen)
        self._key = secrets.token_urlsafe(16)
        self._go(CHECK)

    def _go(self, step: str) -> None:
        self.step, self.turn = step, self.turn + 1

    def _answered(self) -> None:
        self.answered += 1
        self.errors, self.refusal, self.retry_at = {}, "", ""

    def _wrong(self, errors: dict[str, str]) -> None:
        self.errors, self.failures = errors, self.failures + 1

    def _received(self, found: WithdrawalReceipt) -> None:
        """Show the receipt. What was typed is forgotten."""
        self.receipt = receipt_view(found)
        self._chosen, self._key, self.name, self.lines, self.offered = {}, "", "", [], []
        self._go(RECEIPT)

    def _battery(self, *, asked: bool, unsafe: bool) -> None:
        """Show whether what has a battery may be sent."""
        self.receipt = replace(self.receipt, battery=asked, unsafe=unsafe)
        self.turn += 1

    def _refuse(self, error: ProviderError) -> None:
        """Say what is wrong with a field, or why nothing was done."""
        self.failures += 1
        self.errors = {name: code.value for name, code in error.fields.items() if name in FIELDS}
        self.refusal = "" if self.errors else error.code.value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        if NAME in self.errors:
            self._go(DECLARE)


def _chosen_in(form: Mapping[str, Any], offered: list[OfferedItem]) -> dict[str, int]:
    """How many of each item were chosen; what is not offered is left out."""
    wanted = form.get(ITEM, [])
    names = {wanted} if isinstance(wanted, str) else {name for name in wanted if isinstance(name, str)}
    found: dict[str, int] = {}
    for item in offered:
        if item.item_id in names:
            text = text_in(form, COUNT + item.item_id)
            count = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
            found[item.item_id] = min(max(1, count), item.most)
    return found

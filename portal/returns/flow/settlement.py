"""The settlement of a draft: applies `rules.settlement` to the answers and facts of a flow."""

from __future__ import annotations

from decimal import Decimal

from portal.flow import AnswerContext, Condition
from portal.returns.flow.items import STATE, Chosen, at_our_expense, chosen, picked_up
from portal.returns.rules.settlement import ComputedSettlement, Returned, Terms, Worth, settle
from portal.vocabulary.returns import ItemState


def settlement(
    answers: AnswerContext,
    *,
    has_pick_up: Condition = picked_up,
    new_item: str = "",
    new_price: Decimal | None = None,
) -> ComputedSettlement:
    """Settle the answers so far; without lines until an item is chosen."""
    items = chosen(answers)
    if not items:
        return ComputedSettlement()
    terms = Terms(
        signs_of_use=answers.text(STATE) == ItemState.USED_WITH_SIGNS,
        pick_up=has_pick_up(answers),
        at_our_expense=at_our_expense(answers),
        fee=Decimal(answers.facts.get("fee", "0.00")),
        outstanding={entry["id"]: Decimal(entry["outstanding"]) for entry in answers.facts.get("orders", ())},
        new_item=new_item,
        new_price=new_price,
    )
    return settle([_returned(item) for item in items], terms)


def _returned(item: Chosen) -> Returned:
    worths = tuple(Worth(*(Decimal(amount) for amount in unit)) for unit in item.entry["worths"][: item.count])
    return Returned(item.entry["name"], worths, item.entry["order"])

"""What a return is worth: one computation for page, request, mail and document."""

from __future__ import annotations

from decimal import Decimal

from portal.flow import AnswerContext, Condition
from portal.returns.flow.items import STATE, Chosen, chosen, picked_up
from portal.returns.rules.settlement import ComputedSettlement, Returned, Terms, Worth, settle
from portal.vocabulary.returns import ItemState


def settlement(
    answers: AnswerContext,
    *,
    comes: Condition = picked_up,
    new_item: str = "",
    new_price: Decimal | None = None,
) -> ComputedSettlement:
    """What it is worth, as far as that is known; no lines while nothing was chosen.

    Args:
        answers: answers and facts.
        comes: whether somebody comes for it, which costs a fee.
        new_item: what is delivered instead.
        new_price: what that costs, where it is not the same one.
    """
    items = chosen(answers)
    if not items:
        return ComputedSettlement()
    terms = Terms(
        signs_of_use=answers.text(STATE) == ItemState.USED_WITH_SIGNS,
        pick_up=comes(answers),
        fee=Decimal(answers.facts.get("fee", "0.00")),
        outstanding={entry["id"]: Decimal(entry["outstanding"]) for entry in answers.facts.get("orders", ())},
        new_item=new_item,
        new_price=new_price,
    )
    return settle([_returned(item) for item in items], terms)


def _returned(item: Chosen) -> Returned:
    worths = tuple(Worth(*(Decimal(amount) for amount in unit)) for unit in item.entry["worths"][: item.count])
    return Returned(item.entry["name"], worths, item.entry["order"])

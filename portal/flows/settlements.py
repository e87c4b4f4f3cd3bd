"""What a return is worth, flow by flow: one computation for page, request, mail and document."""

from __future__ import annotations

from decimal import Decimal

from portal.domain.flow import Asked
from portal.domain.returns.settlement import Returned, Settlement, Terms, settle
from portal.domain.returns.shares import Worth
from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import CATALOGUE, EXCHANGE, PRODUCT, for_another
from portal.flows.order_return import ORDER_RETURN
from portal.flows.returned import STATE, Chosen, chosen, entry_of, is_safe, picked_up
from portal.flows.returns import RETURN
from portal.vocabulary.returns import ItemState

SETTLED = frozenset({RETURN.name, ACCESSORIES.name, EXCHANGE.name, ORDER_RETURN.name})
"""Flows that have amounts to show."""


def settlement_of(flow: str, asked: Asked) -> Settlement:
    """The amounts as far as they are known; no lines while nothing was chosen.

    Args:
        flow: its name.
        asked: answers and facts.
    """
    items = chosen(asked)
    if flow not in SETTLED or not items:
        return Settlement()
    new_item, new_price = _new_item(flow, asked, items)
    comes = is_safe(asked) if flow == ORDER_RETURN.name else picked_up(asked)
    terms = Terms(
        signs_of_use=asked.text(STATE) == ItemState.USED_WITH_SIGNS,
        pick_up=comes,
        fee=Decimal(asked.facts.get("fee", "0.00")),
        outstanding={entry["id"]: Decimal(entry["outstanding"]) for entry in asked.facts.get("orders", ())},
        new_item=new_item,
        new_price=new_price,
    )
    return settle([_returned(item) for item in items], terms)


def _returned(item: Chosen) -> Returned:
    worths = tuple(Worth(*(Decimal(amount) for amount in unit)) for unit in item.entry["worths"][: item.count])
    return Returned(item.entry["name"], worths, item.entry["order"])


def _new_item(flow: str, asked: Asked, items: list[Chosen]) -> tuple[str, Decimal | None]:
    if flow != EXCHANGE.name:
        return "", None
    if not for_another(asked):
        return items[0].entry["name"], None
    product = entry_of(asked.facts, CATALOGUE, asked.text(PRODUCT))
    return (product["name"], Decimal(product["price"])) if product else (items[0].entry["name"], None)

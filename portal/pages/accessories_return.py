"""Return accessories (part-2 §2 Accessory return)."""

from __future__ import annotations

from portal.flows.accessories import ACCESSORIES, CONDITION, ITEMS_STEP, METHOD_STEP, PICKUP
from portal.flows.exchange import EXCHANGE
from portal.flows.returns import RETURN
from portal.i18n import _
from portal.pages.flow import StepPage
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.items import chosen_rows, items_body
from portal.pages.returning.screens import return_pages
from portal.pages.returning.told import refunded, withdrawal_told
from portal.vocabulary.returns import ReturnKind

PAGES = return_pages(
    ACCESSORIES,
    ReturnKind.ACCESSORIES,
    goes=_("How a return goes"),
    lead=_("Send back accessories, several at once, up to {return_days} days after they were shipped."),
    others=(RETURN, EXCHANGE),
    steps=(
        StepPage(ITEMS_STEP, body=items_body, rows=chosen_rows),
        StepPage(CONDITION, body=condition_body, rows=condition_rows, before=withdrawal_told),
    ),
    method=METHOD_STEP,
    pickup=PICKUP,
    last=refunded(),
)

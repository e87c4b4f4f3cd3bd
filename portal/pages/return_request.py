"""Return a bike or a part (part-2 §2 Return request)."""

from __future__ import annotations

from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import EXCHANGE
from portal.flows.returns import CONDITION, ITEM_STEP, METHOD_STEP, PICKUP, REASON_STEP, RETURN
from portal.i18n import _
from portal.pages.flow import StepPage
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.items import chosen_rows, item_body
from portal.pages.returning.screens import PIN_PAGE, return_pages
from portal.pages.returning.told import refunded, withdrawal_told
from portal.vocabulary.returns import ReturnKind

PAGES = return_pages(
    RETURN,
    ReturnKind.RETURN,
    goes=_("How a return goes"),
    lead=_("Send back a bike, a battery or a part of a set, up to {return_days} days after it was shipped."),
    others=(ACCESSORIES, EXCHANGE),
    steps=(
        StepPage(ITEM_STEP, body=item_body, rows=chosen_rows),
        StepPage(REASON_STEP, before=withdrawal_told),
        StepPage(CONDITION, body=condition_body, rows=condition_rows),
        PIN_PAGE,
    ),
    method=METHOD_STEP,
    pickup=PICKUP,
    last=refunded(),
)

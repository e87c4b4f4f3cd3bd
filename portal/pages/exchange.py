"""Exchange a bike or a part, for the same one or another (part-2 §2 Exchange request)."""

from __future__ import annotations

from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import CONDITION, EXCHANGE, ITEM_STEP, METHOD_STEP, PICKUP, PRODUCT_STEP, REASON_STEP
from portal.flows.returns import RETURN
from portal.i18n import _
from portal.pages.flow import StepPage
from portal.pages.returning.condition import condition_body, condition_rows
from portal.pages.returning.exchanged import exchange_body, exchange_rows
from portal.pages.returning.items import chosen_rows, item_body
from portal.pages.returning.screens import PIN_PAGE, return_pages
from portal.pages.returning.told import withdrawal_told
from portal.vocabulary.returns import ReturnKind

PAGES = return_pages(
    EXCHANGE,
    ReturnKind.EXCHANGE,
    goes=_("How an exchange goes"),
    lead=_("Exchange a bike or a part for the same one, or choose another one from our shop."),
    notes=(_("Choosing something else? You see at once what you pay or get back"),),
    others=(RETURN, ACCESSORIES),
    steps=(
        StepPage(ITEM_STEP, body=item_body, rows=lambda fields: chosen_rows(fields, _("You send back"))),
        StepPage(PRODUCT_STEP, body=exchange_body, rows=exchange_rows),
        StepPage(REASON_STEP, before=withdrawal_told),
        StepPage(CONDITION, body=condition_body, rows=condition_rows),
        PIN_PAGE,
    ),
    method=METHOD_STEP,
    pickup=PICKUP,
    last=_("As soon as we have checked it, we deliver your new item."),
)

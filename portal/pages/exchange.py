"""Exchange a bike or a part, for the same one or another (part-2 §2 Exchange request)."""

from __future__ import annotations

from portal.flows.exchange import EXCHANGE
from portal.i18n import _
from portal.pages.flow import flow_pages
from portal.pages.returning.exchanged import exchange_body, exchange_rows
from portal.pages.returning.items import chosen_rows, item_body
from portal.pages.returning.screens import return_screens
from portal.vocabulary.returns import ReturnKind

_STEPS = {step.slug: step for step in EXCHANGE.steps}

SCREENS = return_screens(
    EXCHANGE,
    __name__,
    ReturnKind.EXCHANGE,
    goes=_("How an exchange goes"),
    lead=_("Exchange a bike or a part for the same one, or choose another one from our shop."),
    notes=(_("Choosing something else? You see at once what you pay or get back"),),
    others=("return-request", "return-accessories-request"),
    reason="step-3",
    condition="step-4",
    method="step-5",
    pickup="step-6",
    bodies={
        "step-1": lambda: item_body(*_STEPS["step-1"].fields),
        "step-2": lambda: exchange_body(_STEPS["step-2"]),
    },
    rows={
        "step-1": lambda: chosen_rows(_("You send back")),
        "step-2": exchange_rows,
    },
    last=_("As soon as we have checked it, we deliver your new item."),
)
PAGES = flow_pages(SCREENS)

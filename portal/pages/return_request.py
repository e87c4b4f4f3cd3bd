"""Return a bike or a part (part-2 §2 Return request)."""

from __future__ import annotations

from portal.flows.returns import RETURN
from portal.i18n import _
from portal.pages.flow import flow_pages
from portal.pages.returning.items import item_body
from portal.pages.returning.screens import return_screens
from portal.pages.returning.told import refunded
from portal.vocabulary.returns import ReturnKind

_STEPS = {step.slug: step for step in RETURN.steps}

SCREENS = return_screens(
    RETURN,
    __name__,
    ReturnKind.RETURN,
    goes=_("How a return goes"),
    lead=_("Send back a bike, a battery or a part of a set, up to {return_days} days after it was shipped."),
    others=("return-accessories-request", "exchange-request"),
    reason="step-2",
    condition="step-3",
    method="step-4",
    pickup="step-5",
    bodies={"step-1": lambda: item_body(*_STEPS["step-1"].fields)},
    last=refunded(),
)
PAGES = flow_pages(SCREENS)

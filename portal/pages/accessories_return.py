"""Return accessories (part-2 §2 Accessory return)."""

from __future__ import annotations

from portal.flows.accessories import ACCESSORIES
from portal.i18n import _
from portal.pages.flow import flow_pages
from portal.pages.flow.check import row_of
from portal.pages.returning.condition import condition_rows
from portal.pages.returning.items import items_body
from portal.pages.returning.screens import return_screens
from portal.pages.returning.told import refunded
from portal.vocabulary.returns import ReturnKind

_STEPS = {step.slug: step for step in ACCESSORIES.steps}
_FIELDS = {entry.name: entry for entry in ACCESSORIES.fields}

SCREENS = return_screens(
    ACCESSORIES,
    __name__,
    ReturnKind.ACCESSORIES,
    goes=_("How a return goes"),
    lead=_("Send back accessories, several at once, up to {return_days} days after they were shipped."),
    others=("return-request", "exchange-request"),
    reason="step-2",
    condition="step-2",
    method="step-3",
    pickup="step-4",
    bodies={"step-1": lambda: items_body(*_STEPS["step-1"].fields)},
    rows={"step-2": lambda: [row_of(_FIELDS["reason"]), *condition_rows()]},
    last=refunded(),
)
PAGES = flow_pages(SCREENS)

"""A handler that can never be used stops the import, with the name of its step."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from portal.flow import FlowError
from portal.flow.journey import FLOWS
from portal.flow.provider.handler import FlowHandler, HandlerRegistry, StepHandler, StoredRequest, SummaryLine
from portal.provider.application import FLOW_HANDLERS
from portal.work_orders.flow import claim
from portal.work_orders.flow.repair import ADDRESS_STEP, DAMAGE, PHOTOS, REPAIR


async def _nothing(*_given: Any) -> Any:
    return {}


def _no_rows(_stored: StoredRequest) -> Sequence[SummaryLine]:
    return []


@pytest.mark.parametrize(
    ("steps", "because"),
    [
        ((StepHandler(claim.HANDLING, check=_nothing),), "repair-request: handling is no step of it"),
        ((StepHandler(REPAIR.check_step, check=_nothing),), "repair-request: check is no step of it"),
        ((StepHandler(DAMAGE, check=_nothing),) * 2, "repair-request: a step has two handlers"),
        ((StepHandler(DAMAGE),), "repair-request: damage has a handler that does nothing"),
        ((StepHandler(ADDRESS_STEP, lookup=_nothing),), "repair-request: address has a lookup, but no field"),
        ((StepHandler(DAMAGE, rows=_no_rows),), "repair-request: damage has rows, but"),
    ],
)
def test_a_handler_that_can_never_be_used_is_refused(steps: tuple[StepHandler, ...], because: str) -> None:
    with pytest.raises(FlowError, match=because):
        FlowHandler(REPAIR, facts=_nothing, submit=_nothing, steps=steps)


def test_a_field_depends_on_an_existing_setting() -> None:
    photos = replace(PHOTOS, fields=(replace(PHOTOS.fields[0], required_by="uploads_wanted"),))
    flow = replace(REPAIR, steps=tuple(photos if step is PHOTOS else step for step in REPAIR.steps))
    with pytest.raises(FlowError, match="photos depends on an unknown setting"):
        FlowHandler(flow, facts=_nothing, submit=_nothing)


def test_every_flow_has_one_handler() -> None:
    known = HandlerRegistry()
    known.register(FLOW_HANDLERS)
    known.register(FLOW_HANDLERS)
    assert set(known) == set(FLOWS)
    with pytest.raises(FlowError, match="the flow has two handlers"):
        known.register([FlowHandler(REPAIR, facts=_nothing, submit=_nothing)])

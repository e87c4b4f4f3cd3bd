"""What is sent before all is answered is refused by the first step that lacks something; letters that fail are told."""

from __future__ import annotations

import pytest

from portal.contract.errors import InvalidInput
from portal.deliveries.api import DeliveriesApi
from portal.flow.api import DraftStart, FlowApi
from portal.kernel.codes import Code
from portal.tables.messages import OutboxMail
from tests.insurance.test_service import ACCOUNT, CHOICE, NEW
from tests.support.application import refusal
from tests.support.entries import step_entry
from tests.support.living import DAAN, FLEUR, OPEN, Living


@pytest.mark.parametrize(
    ("flow", "steps"),
    [
        (
            "insurance-request",
            [
                (Code.MISSING_INSURANCE_BIKE, ("bike", {})),
                (Code.MISSING_INSURANCE, CHOICE),
                (Code.MISSING_IBAN, ACCOUNT),
            ],
        ),
        (
            "service-package",
            [(Code.MISSING_PACKAGE, ("bike", {})), (Code.MISSING_PACKAGE, ("package", {"package": "SERVICE31"}))],
        ),
    ],
)
async def test_a_request_that_lacks_an_answer_is_refused_by_the_code_of_its_step(
    living: Living, flow: str, steps: list[tuple[Code, tuple[str, dict[str, str]]]]
) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    draft = await living.ask(FlowApi).open_draft(token, DraftStart(flow=flow, anew=True))
    for code, (step, answers) in steps:
        caught = await refusal(living.send(token, draft))
        assert isinstance(caught, InvalidInput)
        assert caught.code is code
        entry = step_entry(draft, step, answers or {"bike": bike})
        draft = await living.ask(FlowApi).save_step(token, draft.draft_id, entry)
    assert (await living.send(token, draft)).reference


async def test_a_mail_that_could_not_be_sent_is_reported_and_its_date_change_stays(living: Living) -> None:
    token = await living.log_in(DAAN)
    await living.request_day(token)
    await living.change(OutboxMail, {"dropped_at": living.clock.now}, template="confirm_delivery_date")
    change = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).change
    assert change
    assert change.model_dump()[Code.EMAIL_FAILED]

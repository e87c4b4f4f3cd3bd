"""The text beside an empty field of a flow."""

from __future__ import annotations

import json

import pytest

from portal.flow import Control, Field
from portal.flow.journey import FLOWS
from portal.flow.pages.spec import error_of
from portal.kernel.texts import catalogue
from portal.work_orders.flow.claim import REPAYMENT

_CHOICES = {
    f"{flow.name}-{field.name}": field
    for flow in FLOWS.values()
    for field in flow.fields
    if field.control in {Control.RADIO, Control.CHECKBOX, Control.SELECT} and not field.optional
}


@pytest.mark.parametrize("field", _CHOICES.values(), ids=_CHOICES)
def test_an_empty_choice_says_what_to_choose(field: Field) -> None:
    text = str(error_of(field))
    assert "is required" not in text
    assert json.dumps(field.ask)[1:-1] in text
    assert "is verplicht" not in catalogue("nl").gettext(field.ask)


def test_an_empty_text_says_that_it_is_required() -> None:
    assert "{label} is required." in str(error_of(REPAYMENT.field("account_holder")))

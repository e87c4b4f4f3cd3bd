"""Which refusals count as declared; `tests.support.refusals` fails every test that meets another."""

from __future__ import annotations

import pytest

from portal.contract.errors import (
    Conflict,
    InvalidInput,
    NotAuthenticated,
    NotFound,
    ProviderError,
    Refused,
    Unavailable,
)
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.settings import Settings
from tests.contract.operations import ALL
from tests.support import refusals
from tests.support.declared import DECLARED, is_declared


@pytest.mark.parametrize(
    ("name", "error", "declared"),
    [
        ("cancel_return", Refused(Code.RETURN_NOT_CANCELLABLE), True),
        ("cancel_return", Refused(Code.LINK_USED), False),
        ("cancel_return", Conflict(Code.RETURN_NOT_CANCELLABLE), False),
        ("cancel_return", NotAuthenticated(Code.SESSION_ENDED), True),
        ("cancel_return", NotFound(), False),
        ("cancel_return", Unavailable(), True),
        ("cancel_return", Unavailable(Code.PDF_FAILED), False),
        ("return_label", Unavailable(Code.PDF_FAILED), True),
        ("order", NotFound(), True),
        ("link", NotAuthenticated(Code.SESSION_ENDED), False),
        ("submit_draft", Refused(Code.AMOUNTS_CHANGED), True),
        ("request_email_change", InvalidInput(Code.INVALID_INPUT, fields={"email": Code.TOO_LONG}), True),
        ("request_email_change", InvalidInput(Code.INVALID_INPUT, fields={"email": Code.INVALID_IBAN}), False),
        ("logout", InvalidInput(Code.INVALID_INPUT), False),
    ],
)
def test_a_refusal_is_declared_or_goes_without_saying(name: str, error: ProviderError, declared: bool) -> None:
    assert is_declared(DECLARED[name], error) is declared


async def test_a_refusal_that_is_not_declared_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise Refused(Code.LINK_USED)

    monkeypatch.setattr("portal.bikes.provider.service.BikesService.bikes", refuse)
    with pytest.raises(Refused):
        await ALL["bikes"](Application(Settings()).services, "token")
    assert refusals._undeclared == {"bikes: Refused(link_used)"}
    refusals._undeclared.clear()

"""Which refusals count as declared; `tests.support.refusals` fails every test that meets another."""

import pytest

from portal.contract.errors import Refused
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.settings import Settings
from tests.contract.operations import ALL
from tests.support import refusals


async def test_a_refusal_that_is_not_declared_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise Refused(Code.LINK_USED)

    monkeypatch.setattr("portal.bikes.provider.service.BikesService.bikes", refuse)
    with pytest.raises(Refused):
        await ALL["bikes"](Application(Settings()).services, "token")
    assert refusals._undeclared == {"bikes: Refused(link_used)"}
    refusals._undeclared.clear()

"""Every refusal of deliveries and insurances (part-2 §8) is provoked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import portal
from portal.kernel.codes import Code
from tests.deliveries import refused
from tests.insurance import refused as refused_insurances
from tests.support.application import refusal
from tests.support.living import Living
from tests.support.messages import PROVOKED

FILLED_BY = (refused, refused_insurances)


@pytest.mark.parametrize("code", PROVOKED)
async def test_it_is_refused_by_its_code(living: Living, code: Code) -> None:
    caught = await refusal(PROVOKED[code](living))
    assert code in {caught.code, *caught.fields.values()}


def test_the_table_holds_every_refusal_that_deliveries_and_insurances_know() -> None:
    application = Path(portal.__file__).parent
    about = re.compile(r"/(deliveries|insurance)/(?!pages|api)|/vocabulary/(deliveries|insurance)")
    known = {
        Code[name]
        for path in application.rglob("*.py")
        if about.search(path.as_posix())
        for name in re.findall(r"\bCode\.([A-Z_]+)", path.read_text())
    }
    assert len(known) > 20
    assert known <= set(PROVOKED), f"nothing provokes {known - set(PROVOKED)}"

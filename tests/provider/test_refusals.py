"""Every refusal of deliveries and insurances (part-2 §8) is provoked, and told in its own words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import portal
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from tests.deliveries import refused
from tests.insurance import refused as refused_insurances
from tests.support.application import refusal
from tests.support.living import Living
from tests.support.messages import MESSAGES_BY_CODE

FILLED_BY = (refused, refused_insurances)


@pytest.mark.parametrize("code", MESSAGES_BY_CODE)
async def test_it_is_refused_with_its_own_words(living: Living, code: Code) -> None:
    message = MESSAGES_BY_CODE[code]
    caught = await refusal(message.provoke(living))
    assert code in {caught.code, *caught.fields.values()}
    assert catalogue("en").gettext(MESSAGES[code]) == message.english
    assert catalogue("nl").gettext(MESSAGES[code]) == message.dutch


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
    assert known <= set(MESSAGES_BY_CODE), f"nothing provokes {known - set(MESSAGES_BY_CODE)}"

"""Every refusal of deliveries and insurances (part-2 §8) is provoked, and told in its own words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import portal
from portal.domain.codes import MESSAGES, Code
from portal.texts import catalogue
from tests.provider.aftercare import refused_deliveries, refused_insurances
from tests.provider.aftercare.living import Living
from tests.provider.aftercare.messages import TOLD
from tests.provider.login.house import refusal

FILLED_BY = (refused_deliveries, refused_insurances)


@pytest.mark.parametrize("code", TOLD)
async def test_it_is_refused_with_its_own_words(living: Living, code: Code) -> None:
    message = TOLD[code]
    caught = await refusal(message.provoke(living))
    assert code in {caught.code, *caught.fields.values()}
    assert catalogue("domain", "en").gettext(MESSAGES[code]) == message.english
    assert catalogue("domain", "nl").gettext(MESSAGES[code]) == message.dutch


def test_the_table_holds_every_refusal_that_deliveries_and_insurances_know() -> None:
    house = Path(portal.__file__).parent
    about = re.compile(r"deliver(?!y_options)|date_change|insurance")
    known = {
        Code[name]
        for folder in ("provider", "flows", "domain")
        for path in (house / folder).rglob("*.py")
        if about.search(path.stem)
        for name in re.findall(r"\bCode\.([A-Z_]+)", path.read_text())
    }
    assert len(known) > 20
    assert known <= set(TOLD), f"nothing provokes {known - set(TOLD)}"

"""The passport of a battery: a safe link, and a QR code that a phone reads."""

from __future__ import annotations

import re

import pytest
import segno

from portal.bikes.pages.battery_passport import BatteryPassportView, battery_passport_view
from portal.bikes.pages.state import bike_view
from tests.bikes.test_views import a_bike

URL = "https://accupaspoort.example/PT-123456789"


def test_the_code_of_a_passport_draws_the_modules_of_its_address() -> None:
    view = battery_passport_view(URL)
    drawn = {
        (int(x) + step, int(y))
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", view.code)
        for step in range(int(width))
    }
    code = segno.make_qr(URL, error="m")
    expected = {(x, y) for y, row in enumerate(code.matrix_iter(border=4)) for x, module in enumerate(row) if module}
    assert drawn == expected
    assert view.box == f"0 0 {len(code.matrix) + 8} {len(code.matrix) + 8}"


@pytest.mark.parametrize("url", ["", "http://plain.example/1", "javascript:alert(1)", "//evil.example"])
def test_a_passport_that_is_no_https_address_is_not_shown(url: str) -> None:
    assert bike_view(a_bike(battery_passport=url)).passport == BatteryPassportView()


def test_a_bike_shows_the_passport_of_its_battery() -> None:
    assert bike_view(a_bike(battery_passport=URL)).passport.url == URL

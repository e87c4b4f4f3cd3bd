"""A shop with other periods than the installation: pages say what holds today, before and after their scripts."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.journeys.login_steps import SANNE
from tests.journeys.test_account import word
from tests.journeys.test_first_data import KEPT, WATCH, settled
from tests.support.browser import CROSSWISE, Visit, Visitor, split
from tests.support.server import FAST_LOGIN, PortalServer
from tests.support.stored import execute

PERIODS = {"return_days": 173, "withdrawal_days": 31, "insurance_days": 67}


@pytest.fixture(scope="module")
def generous(built: object, served_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PortalServer]:
    """A portal whose shop is more generous than its settings say."""
    assert built
    server = PortalServer(tmp_path_factory.mktemp("terms"), FAST_LOGIN, served_shop)
    for term, value in PERIODS.items():
        execute(
            server,
            "INSERT INTO shop_terms (shop, term, valid_from, value) VALUES ('', ?, '2026-01-01', ?)",
            term, value,
        )  # fmt: skip
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=CROSSWISE)
def anybody(request: pytest.FixtureRequest, visit: Visit, generous: PortalServer) -> Visitor:
    """A visitor of that portal, in both languages."""
    language, width = split(request.param)
    return visit(language=language, width=width, server=generous)


def test_terms_and_conditions_name_the_periods_of_today(anybody: Visitor) -> None:
    page = anybody.page()
    page.goto("/terms")
    told = page.get_by_role("main")
    for term in ("return_days", "withdrawal_days"):
        expect(told).to_contain_text(word(anybody, f"{PERIODS[term]} dagen", f"{PERIODS[term]} days"))
    expect(told).not_to_contain_text(re.compile(word(anybody, r"\b100 dagen", r"\b100 days")))


@pytest.mark.fresh_windows
def test_a_drawn_page_begins_with_the_periods_of_today_and_keeps_them(anybody: Visitor) -> None:
    anybody.log_in(*SANNE)
    page = anybody.page()
    page.add_init_script(WATCH)
    assert settled(page, "/insurance-package")
    days = word(anybody, f"{PERIODS['insurance_days']} dagen", f"{PERIODS['insurance_days']} days")
    assert days in page.evaluate("window.drawn.html")
    assert page.evaluate(KEPT) == {"changed": [], "html": True, "nodes": True}
    expect(page.get_by_role("main")).to_contain_text(days)

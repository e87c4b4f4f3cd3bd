"""Every page can be built, without any setting, and keeps its address."""

from __future__ import annotations

from typing import Any

import pytest

from portal.flow.journey import FLOWS
from portal.frontend.actions import OLDER_RETURN, STARTS
from portal.frontend.registry import PageRoute, pages_of
from portal.settings import Settings
from portal.subjects import MODULES

PAGES = pages_of(MODULES)

ADDRESSES = {
    "repair-request": "step-1 pincode-step step-2 step-3 step-4 step-5 step-6 step-7 step-8",
    "service-request": "step-1 pincode-step step-2 step-3 step-4 step-5",
    "claim-request": "step-1 step-2 step-3 step-4 pincode-step step-5 step-6 step-7 step-8",
    "return-request": "step-1 step-2 step-3 step-4 step-5 pincode-step summary",
    "return-accessories-request": "step-1 step-2 step-3 step-4 step-5",
    "exchange-request": "step-1 step-2 step-3 step-4 step-5 step-6 pincode-step summary",
    "order-return": "step-1 step-2 step-3 step-4 step-5 summary",
    "insurance-request": "step-1 step-2 step-3 step-4",
    "service-package": "step-1 step-2 step-3",
}
"""By name of the flow: what follows its name in an address, from the first question to the check page. Customers
bookmark them, so a change must be a decision."""


@pytest.mark.parametrize("page", PAGES, ids=[page.route or "index" for page in PAGES])
def test_a_page_can_be_built_and_reads_no_setting(page: PageRoute, monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[str] = set()

    def noting(options: Settings, name: str) -> Any:
        read.add(name)
        return object.__getattribute__(options, name)

    monkeypatch.setattr(Settings, "__getattribute__", noting)
    assert str(page.body()) != ""
    monkeypatch.undo()
    known = sorted(read & set(Settings.model_fields))
    assert not known, f"the page is built with {known}: show it with `setting`, from portal/shown_settings.py"


def test_every_flow_keeps_its_addresses() -> None:
    missing = sorted(set(FLOWS) - set(ADDRESSES))
    assert not missing, f"add the addresses of {missing} to ADDRESSES in tests/complete/test_pages.py"
    for flow, addresses in ADDRESSES.items():
        found = [page.route for page in PAGES if page.route.split("/")[0] == flow]
        routes = [route for route in found if route != f"{flow}/confirm/[hash]"]  # the page of a mailed link
        expected = [flow, *(f"{flow}/{address}" for address in [*addresses.split(), "confirmation"])]
        assert routes == expected, f"the steps of {flow} changed: write its line in ADDRESSES anew"


def test_actions_lead_to_existing_pages() -> None:
    lost = {*STARTS.values(), OLDER_RETURN, *(flow.path for flow in FLOWS.values())} - {
        f"/{page.route}" for page in PAGES
    }
    assert not lost, f"{sorted(lost)} has no page: name the pages of its subject in portal/subjects.py"

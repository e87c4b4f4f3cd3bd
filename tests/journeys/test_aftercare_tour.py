"""Insurance and service package from end to end: the standard of every flow, looked at in one walk a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.journeys.test_flow_tour import FAILED, NUMBER
from tests.support.aftercare_flows import AFTERCARE, forget_aftercare
from tests.support.browser import assert_fits
from tests.support.flows import FlowCase
from tests.support.keyboard import by_keyboard
from tests.support.server import PortalServer
from tests.support.tours import Stop, Touring
from tests.support.walks import Walking, begin_button
from tests.support.windows import CROSSWISE

pytestmark = pytest.mark.timeout(200)


@pytest.fixture(params=AFTERCARE, ids=str)
def case(request: pytest.FixtureRequest) -> FlowCase:
    return request.param


@pytest.fixture(autouse=True)
def _afresh(portal_server: PortalServer) -> Iterator[None]:
    forget_aftercare(portal_server)
    yield
    forget_aftercare(portal_server)


@pytest.mark.parametrize(("case", "window"), list(zip(AFTERCARE, CROSSWISE, strict=True)), indirect=["case"], ids=str)
def test_the_whole_way_keeps_the_standard(tour: Touring, window: str) -> None:
    found = tour(window)
    say, flow, language = found.walk.say, found.walk.flow, window[:2]
    assert not found.problems
    assert (found.half_empty(), found.heavy()) == ({}, {})
    y, before = len(found.stops) + 1, flow.path
    for x, stop in enumerate(found.stops, 1):
        number = NUMBER[language].format(x, y)
        title = f"{say(stop.step.title)} – {number} – {say(flow.title)} – Bovenbuis"
        assert stop.arrived["headings"] == [say(stop.step.title)]
        assert (stop.arrived["title"], stop.wrong["title"]) == (title, FAILED[language] + title)
        assert stop.arrived["counter"].startswith(f"{number} · ")
        assert stop.arrived["back"] == before
        before = flow.url(stop.step)
        _is_refused_well(stop)
        _behaves(stop)
    # Both flows cost something every month.
    assert found.check["button"]["text"] == say("{action} with obligation to pay").format(action=say(flow.send))
    assert say("We only receive your request when you press the button.") in " ".join(found.check["text"].split())
    assert found.confirmation["headings"] != found.check["headings"]


def _is_refused_well(stop: Stop) -> None:
    summary = stop.wrong["summary"]
    assert summary["focused"]
    assert summary["links"] == stop.wrong["inline"] != []
    assert all(named == focused and in_sight for named, focused, in_sight in stop.links)
    for error in stop.wrong["tied"]:
        assert error["count"] == 1
        assert error["group"] or error["invalid"] == "true"
    assert stop.kept
    assert (stop.tabbed, stop.reloaded["invalid"]) == ([], 0)


def _behaves(stop: Stop) -> None:
    assert (stop.arrived["checked"], stop.arrived["unnamed"], stop.stayed, stop.hidden) == (0, 0, True, [])
    assert stop.arrowed in {None, True}
    assert "number" not in {control["type"] for control in stop.arrived["controls"].values()}
    assert (stop.arrived["button"]["disabled"], stop.ahead) == (False, True)


def test_it_is_done_with_the_keyboard_alone_on_the_narrowest_screen(walk: Walking) -> None:
    walking = walk(width=320)
    by_keyboard(walking)
    assert_fits(walking.page)


def test_somebody_who_cannot_begin_learns_why(walk: Walking, case: FlowCase) -> None:
    for customer, reason in case.closed.items():
        walking = walk(customer=customer)
        walking.open("intro")
        main = walking.page.locator("main")
        expect(main).to_contain_text(reason)
        expect(begin_button(walking.page)).to_have_count(0)

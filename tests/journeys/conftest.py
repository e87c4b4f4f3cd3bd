"""Browsers for the journeys: `visit`, `page`, `visitor_crosswise`, and the same for somebody who is logged in."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from portal.reflex_adapter.build import Build
from tests.journeys.file_steps import Begin, walk_to_files
from tests.journeys.gallery_page import Gallery
from tests.support.browser import CROSSWISE, PATIENCE, TOURED, Place, Visit, Visitor, Windows, launch, split
from tests.support.flows import CASES, FlowCase
from tests.support.gallery import GalleryServer
from tests.support.server import FAST_LOGIN, PortalServer
from tests.support.stored import forget_requests
from tests.support.tours import SMALL, Tour, Touring
from tests.support.walks import Walk, Walking

SANNE = ("900000001", "sanne@example.com")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for this test process."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="module", autouse=True)
def _renewed(portal_server: PortalServer) -> None:
    """No file of tests finds what another one left in the shop."""
    portal_server.renew_shop()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """The windows of that browser."""
    return Windows(browser)


@pytest.fixture
def visit(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open browser windows: `visit(language="en", width=375, server=…)`; errors in any fail the test."""
    opened: list[Visitor] = []

    def open_window(
        *,
        language: str = "nl",
        width: int = 1280,
        server: PortalServer | None = None,
        timezone: str = "Europe/Amsterdam",
        address: str = "",
        scripts: bool = True,
    ) -> Visitor:
        portal = server or request.getfixturevalue("portal_server")
        fresh = request.node.get_closest_marker("fresh_windows") is not None
        opened.append(
            Visitor(windows, portal, Place(address or portal.base_url, language, width, timezone, scripts), fresh=fresh)
        )
        return opened[-1]

    yield open_window
    for visitor in opened:
        visitor.close()


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """A visitor with a Dutch browser and a wide screen."""
    return visit()


@pytest.fixture
def nothing_sent(visitor: Visitor) -> Iterator[None]:
    """Nobody has ever begun or sent anything through a flow, before this visitor and after."""
    forget_requests(visitor.server)
    yield
    forget_requests(visitor.server)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """A tab in Dutch at 1280 px; nobody is logged in."""
    return visitor.page()


@pytest.fixture(params=CROSSWISE)
def visitor_crosswise(request: pytest.FixtureRequest, visit: Visit) -> Visitor:
    """A visitor in both languages and on both screens, each once."""
    language, width = split(request.param)
    return visit(language=language, width=width)


@pytest.fixture
def sanne(visitor: Visitor) -> Visitor:
    """The customer who has everything, logged in, in Dutch at 1280 px."""
    visitor.log_in(*SANNE)
    return visitor


@pytest.fixture
def sanne_crosswise(visitor_crosswise: Visitor) -> Visitor:
    """The customer who has everything, logged in, in both languages and at both widths, each once."""
    visitor_crosswise.log_in(*SANNE)
    return visitor_crosswise


@pytest.fixture
def abroad(visit: Visit) -> Visitor:
    """A visitor in English on a small screen: all that `visitor` is not, for what is the same in every window."""
    return visit(language="en", width=375)


@pytest.fixture
def sanne_abroad(abroad: Visitor) -> Visitor:
    """The customer who has everything, logged in, in English on a small screen."""
    abroad.log_in(*SANNE)
    return abroad


@pytest.fixture
def open_gallery(windows: Windows, gallery_server: GalleryServer) -> Iterator[Callable[..., Gallery]]:
    """Open windows with the gallery of components: `open_gallery(language="en", width=375)`."""
    opened: list[Gallery] = []

    def window(language: str = "nl", width: int = 1280) -> Gallery:
        opened.append(Gallery(windows, gallery_server, language, width))
        return opened[-1]

    yield window
    for gallery in opened:
        gallery.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a journey marked `each_flow` through every flow in turn."""
    if metafunc.definition.get_closest_marker("each_flow") and "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=str)


@pytest.fixture
def case() -> FlowCase:
    """The longest flow: one is enough for what the same pages and states do in every flow."""
    return CASES[0]


@pytest.fixture
def walk(visit: Visit, case: FlowCase) -> Iterator[Walking]:
    """A customer of the flow, logged in; begins with nothing."""
    forgotten = []

    def begin(customer: tuple[str, str] | None = None, **window: object) -> Walk:
        visitor = visit(**window)
        if not forgotten:
            forget_requests(visitor.server)
            forgotten.append(visitor.server)
        visitor.log_in(*(customer or case.customer))
        return Walk(visitor, case)

    yield begin
    for server in forgotten:
        forget_requests(server)


@pytest.fixture(scope="session")
def tours() -> dict[tuple[str, str], Tour]:
    """The tours that this test process took, by flow and window."""
    return {}


@pytest.fixture
def tour(tours: dict[tuple[str, str], Tour], walk: Walking, case: FlowCase) -> Touring:
    """The tour of the flow in its window or another one: `tour("en-1280")`; taken once."""

    def taken(window: str = TOURED.get(str(case), "nl-375")) -> Tour:
        name = str(case), window
        if name not in tours:
            language, width = split(window)
            walking = walk(language=language, width=width)
            if width == SMALL["width"]:
                walking.page.set_viewport_size(SMALL)
            tours[name] = Tour(walking).take()
        return tours[name]

    return taken


@pytest.fixture(scope="session")
def _unsteady(built: Build, served_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PortalServer]:
    assert built
    server = PortalServer(tmp_path_factory.mktemp("unsteady"), FAST_LOGIN, served_shop)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def unsteady(_unsteady: PortalServer) -> PortalServer:
    """A portal of its own for tests that stop and start it; it runs, whatever became of it in the test before."""
    if not _unsteady.runs:
        _unsteady.start()
    return _unsteady


@pytest.fixture(scope="session")
def _hesitant(built: Build, served_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PortalServer]:
    assert built
    server = PortalServer(tmp_path_factory.mktemp("hesitant"), {"PORTAL_CODE_WAIT_SECONDS": "12"}, served_shop)
    server.start()
    server.keep_shop()
    yield server
    server.stop()


@pytest.fixture
def hesitant(_hesitant: PortalServer) -> PortalServer:
    """A portal that sends codes at least twelve seconds apart, and five an hour; nobody has asked for one."""
    _hesitant.renew_shop()
    return _hesitant


@pytest.fixture
def at_files(visit: Visit) -> Iterator[Begin]:
    """A customer at the question for photos: `at_files(language="en", width=375)`."""
    opened: list[Visitor] = []

    def begin(**window: object) -> Walk:
        opened.append(visit(**window))
        return walk_to_files(opened[-1])

    yield begin
    for visitor in opened:
        forget_requests(visitor.server)

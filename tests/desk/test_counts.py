"""The numbers of the navigation follow the cases while a page is open."""

import asyncio

import pytest

from portal.contract.errors import NotAuthenticated
from portal.desk import session
from portal.desk.session import NavigationCounts, SavedLink, Sources, StaffSession
from portal.desk.state import DeskCounts
from portal.kernel.codes import Code
from portal.vocabulary.staff import Role
from tests.frontend.test_live import begin
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.pipeline import Pipeline, on_duty
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Cases:
    """Cases whose numbers change when the test says so."""

    def __init__(self) -> None:
        self.mark, self.new, self.ended = 1, 3, False
        self._changed = asyncio.Event()

    async def changes(self, _token: str, mark: int, wait_seconds: int) -> int:
        """Wait for a change."""
        if mark == self.mark and wait_seconds:
            await self._changed.wait()
            self._changed.clear()
        if self.ended:
            raise NotAuthenticated(Code.SESSION_ENDED)
        return self.mark

    async def counts(self, _token: str) -> NavigationCounts:
        """The numbers."""
        return NavigationCounts({"new": self.new}, [SavedLink("E-bikes", "/cases?kind=repair", self.new)])

    def change(self, *, ended: bool = False) -> None:
        """Another case arrives, or the session ends."""
        self.mark, self.new, self.ended = self.mark + 1, self.new + 1, ended
        self._changed.set()


@pytest.fixture
def cases(desk_tabs: Pipeline, monkeypatch: pytest.MonkeyPatch) -> Cases:
    """Cases that the frame asks."""
    assert desk_tabs
    found = Cases()
    member = session.sources().member
    monkeypatch.setattr(session, "_connected", [Sources(member=member, changes=found.changes, counts=found.counts)])
    return found


async def test_numbers_and_saved_links_are_shown_and_follow_a_change(
    desk_tabs: Pipeline, shop: Shop, cases: Cases
) -> None:
    tab = on_duty(desk_tabs.tab("counts"), await hire(shop, Role.MECHANIC))
    watching = await begin(tab, DeskCounts.watch, "/cases")
    await until(lambda: tab.shown(DeskCounts, "numbers") == {"new": 3})
    assert tab.shown(DeskCounts, "saved") == [SavedLink("E-bikes", "/cases?kind=repair", 3)]
    cases.change()
    await until(lambda: tab.shown(DeskCounts, "numbers") == {"new": 4})
    watching.cancel()


async def test_the_end_of_the_session_ends_the_numbers(desk_tabs: Pipeline, shop: Shop, cases: Cases) -> None:
    tab = on_duty(desk_tabs.tab("counts-end"), await hire(shop, Role.MECHANIC))
    await begin(tab, DeskCounts.watch, "/cases")
    await until(lambda: tab.shown(DeskCounts, "numbers") is not None)
    cases.change(ended=True)
    await until(lambda: tab.shown(StaffSession, "signed_out") is True)

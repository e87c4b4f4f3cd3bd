"""Which socket speaks for a tab."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from portal.reflex_adapter.tokens import TakeoverTokenManager
from portal.web.cookies import session_token


class Sockets:
    """The handshakes of some sockets, and which were closed."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}
        self.closed: list[str] = []

    def cookie_of(self, sid: str) -> str:
        return self.cookies.get(sid, "")

    async def close(self, sid: str) -> None:
        self.closed.append(sid)


@pytest.fixture
def sockets() -> Sockets:
    return Sockets()


@pytest.fixture
def manager(sockets: Sockets) -> TakeoverTokenManager:
    return TakeoverTokenManager(sockets.cookie_of, sockets.close, partial(session_token, secure=False))


async def test_a_socket_of_the_same_session_takes_over_and_the_old_one_is_closed(
    manager: TakeoverTokenManager, sockets: Sockets
) -> None:
    sockets.cookies = {"old": "session=a", "new": "lang=en; session=a"}
    assert await manager.link_token_to_sid("tab", "old") is None
    assert await manager.link_token_to_sid("tab", "new") is None
    assert manager.token_to_socket["tab"].sid == "new"
    assert "old" not in manager.sid_to_token
    await asyncio.sleep(0)
    assert sockets.closed == ["old"]
    await manager.disconnect_token("tab", "old")
    assert manager.token_to_socket["tab"].sid == "new", "the late farewell of the old socket changes nothing"


@pytest.mark.parametrize("cookie", ["", "session=b", "__Host-session=a"])
async def test_a_stolen_tab_token_gets_another_tab_while_the_owner_is_there(
    manager: TakeoverTokenManager, sockets: Sockets, cookie: str
) -> None:
    sockets.cookies = {"owner": "session=a", "thief": cookie}
    await manager.link_token_to_sid("tab", "owner")
    other = await manager.link_token_to_sid("tab", "thief")
    assert other
    assert other != "tab"
    assert manager.token_to_socket["tab"].sid == "owner"
    assert manager.sid_to_token["thief"] == other
    assert sockets.closed == []


@pytest.mark.parametrize("cookie", ["", "session=b"])
async def test_a_stolen_tab_token_gets_another_tab_after_the_owner_left(
    manager: TakeoverTokenManager, sockets: Sockets, cookie: str
) -> None:
    sockets.cookies = {"owner": "session=a", "thief": cookie, "back": "session=a"}
    await manager.link_token_to_sid("tab", "owner")
    await manager.disconnect_token("tab", "owner")
    assert await manager.link_token_to_sid("tab", "thief") != "tab"
    assert "tab" not in manager.token_to_socket, "an answer under way has nowhere to go"
    assert await manager.link_token_to_sid("tab", "back") is None


async def test_a_tab_that_was_opened_before_the_login_cannot_listen_afterwards(
    manager: TakeoverTokenManager, sockets: Sockets
) -> None:
    sockets.cookies = {"thief": "", "victim": "session=a", "again": ""}
    await manager.link_token_to_sid("tab", "thief")
    given = await manager.link_token_to_sid("tab", "victim")
    assert given, "the victim does not share the tab of the thief"
    assert await manager.link_token_to_sid(given, "again") not in {None, given}


async def test_a_visitor_who_logs_in_keeps_the_tab(manager: TakeoverTokenManager, sockets: Sockets) -> None:
    sockets.cookies = {"before": "", "after": "session=a"}
    await manager.link_token_to_sid("tab", "before")
    await manager.disconnect_token("tab", "before")
    assert await manager.link_token_to_sid("tab", "after") is None


async def test_what_is_remembered_of_tabs_does_not_grow_for_ever(sockets: Sockets) -> None:
    moment = [0.0]
    manager = TakeoverTokenManager(
        sockets.cookie_of, sockets.close, partial(session_token, secure=False), clock=lambda: moment[0]
    )
    for number in range(100):
        moment[0] = number * 1000.0
        await manager.link_token_to_sid(f"tab-{number}", f"socket-{number}")
        await manager.disconnect_token(f"tab-{number}", f"socket-{number}")
    assert len(manager._sessions) <= 9

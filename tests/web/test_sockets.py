"""One address or one session cannot take all sockets of the process."""

from starlette.requests import HTTPConnection

from portal.web.session import SocketLimit


def opened(limit: SocketLimit, number: int, address: str, session: str = "") -> bool:
    headers = [(b"cookie", f"session={session}".encode())] if session else []
    scope = {"type": "websocket", "path": "/_event", "headers": headers, "client": (address, 1)}
    return limit.take(f"{address} {session} {number}", HTTPConnection(scope))


def limit_of(per_address: int, per_session: int) -> SocketLimit:
    return SocketLimit(lambda cookie: cookie.removeprefix("session="), per_address, per_session)


def test_an_address_has_so_many_sockets_and_others_are_not_touched() -> None:
    limit = limit_of(3, 2)
    assert [opened(limit, number, "192.0.2.1") for number in range(4)] == [True, True, True, False]
    assert opened(limit, 0, "192.0.2.2")


def test_a_session_has_so_many_sockets_wherever_they_come_from() -> None:
    limit = limit_of(3, 2)
    assert [opened(limit, 0, f"192.0.2.{number}", "a.b.c") for number in range(3)] == [True, True, False]
    assert opened(limit, 0, "192.0.2.0", "d.e.f")


def test_room_comes_back_once_for_each_socket_that_closed() -> None:
    limit = limit_of(1, 1)
    for _ in range(3):
        assert [opened(limit, number, "192.0.2.1", "a.b.c") for number in range(2)] == [True, False]
        for number in (1, 0, 0):
            limit.release(f"192.0.2.1 a.b.c {number}")
    assert not limit._open

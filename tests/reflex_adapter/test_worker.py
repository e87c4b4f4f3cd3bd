"""The server of granian that shares one open port with its successors."""

from __future__ import annotations

import inspect
import os
import socket

from granian.constants import Interfaces
from granian.server.mp import MPServer

from portal.reflex_adapter.worker import PortServer, SharedPort, is_free
from tests.support.ports import free_port


def test_granian_still_shares_a_socket_in_these_fields() -> None:
    assert "((self._ssp, self._shd), self._sso)" in inspect.getsource(MPServer._spawn_worker)
    assert "self._init_shared_socket()" in inspect.getsource(MPServer.startup)
    assert "self._sso.close()" in inspect.getsource(MPServer._drop_shared_socket)


def test_granian_still_replaces_workers_in_this_method() -> None:
    assert "self._respawn_workers(workers, spawn_target, target_loader)" in inspect.getsource(MPServer._serve_loop)
    given = list(inspect.signature(MPServer._respawn_workers).parameters)
    assert given == ["self", "workers", "spawn_target", "target_loader", "delay"]
    assert MPServer("portal", interface=Interfaces.ASGI).respawned_wrks == {}


def test_the_port_stays_open_when_a_server_ends() -> None:
    port = free_port()
    shared = SharedPort("127.0.0.1", port)
    for _ in range(2):
        server = PortServer(
            "portal", address="127.0.0.1", port=port, shared=shared, most_deaths=5, interface=Interfaces.ASGI
        )
        server._init_shared_socket()
        assert server._sfd is not None
        assert not os.get_inheritable(server._sfd)
        assert not os.get_inheritable(shared.holder.get_fd())
        server._sso.listen()  # pyrefly: ignore[missing-attribute]  # as the worker does
        server._drop_shared_socket()
        with socket.create_connection(("127.0.0.1", port), timeout=60):
            pass  # It waits for whoever accepts.
    assert not is_free("127.0.0.1", port)
    assert not shared.holder.is_uds()


def test_a_request_to_stop_is_known_by_a_public_name() -> None:
    server = MPServer("portal", interface=Interfaces.ASGI)
    assert not server.interrupt_signal
    server.signal_handler_interrupt()
    assert server.interrupt_signal
    assert list(inspect.signature(server.serve).parameters) == ["spawn_target", "target_loader", "wrap_loader"]

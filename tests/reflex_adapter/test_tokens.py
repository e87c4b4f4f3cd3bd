"""The token manager of Reflex, in whose place ours stands."""

from __future__ import annotations

import dataclasses
import inspect

import socketio
from reflex import app as reflex_app
from reflex.utils.token_manager import LocalTokenManager, RedisTokenManager, SocketRecord, TokenManager

import portal.portal
from portal.reflex_adapter.tokens import TakeoverTokenManager


def test_the_manager_of_the_app_is_ours() -> None:
    namespace = portal.portal.app.event_namespace
    assert namespace
    assert isinstance(namespace._token_manager, TakeoverTokenManager)
    assert namespace.app is portal.portal.app


def test_what_reflex_calls_of_a_token_manager() -> None:
    namespace = inspect.getsource(reflex_app.EventNamespace)
    for used in ("_token_manager.link_token_to_sid(token, sid)", "_token_manager.token_to_socket.get(", "sid_to_token"):
        assert used in namespace
    for method in ("link_token_to_sid", "disconnect_token"):
        assert list(inspect.signature(getattr(TokenManager, method)).parameters) == ["self", "token", "sid"]
        assert inspect.iscoroutinefunction(getattr(LocalTokenManager, method))
    assert {field.name for field in dataclasses.fields(SocketRecord)} == {"instance_id", "sid"}


def test_what_ours_uses_of_the_one_for_several_workers() -> None:
    for name in ("_fetch_socket_record", "_get_redis_key", "_ensure_socket_record_task", "emit_lost_and_found"):
        assert callable(getattr(RedisTokenManager, name))
    assert "self.token_expiration" in inspect.getsource(RedisTokenManager.__init__)


def test_the_handshake_of_a_socket_can_be_looked_up() -> None:
    assert list(inspect.signature(socketio.AsyncServer.get_environ).parameters) == ["self", "sid", "namespace"]

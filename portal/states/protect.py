"""Puts the guard in front of an app: called once, when all pages are registered."""

from __future__ import annotations

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.utils.token_manager import RedisTokenManager

from portal.settings import settings
from portal.states.guard import Guard
from portal.states.log_filter import quiet_logs
from portal.states.memory import HoldingMemory
from portal.states.policy import require_policies
from portal.states.shared_tokens import SharedTakeoverTokenManager
from portal.states.together import send_through
from portal.states.token_manager import TakeoverTokenManager


def protect(app: rx.App) -> None:
    """Deny by default from here on.

    Raises:
        UndeclaredHandlers: A handler does not say who may call it.
    """
    require_policies()
    quiet_logs()
    app.add_middleware(Guard())
    namespace = app.event_namespace
    if namespace is None:
        return  # an app without states has no socket
    send_through(namespace.emit_update)
    if isinstance(app._state_manager, StateManagerMemory):
        app._state_manager = HoldingMemory()

    def cookie_of(sid: str) -> str:
        environ = namespace.app.sio.get_environ(sid, namespace.namespace) if namespace.app.sio else None
        headers = (environ or {}).get("asgi.scope", {}).get("headers", [])
        return "; ".join(value.decode("latin-1") for name, value in headers if name == b"cookie")

    async def close_socket(sid: str) -> None:
        await namespace.disconnect(sid)

    secure, default = settings().secure, namespace._token_manager
    namespace._token_manager = (
        SharedTakeoverTokenManager(default.redis, cookie_of, close_socket, secure=secure)
        if isinstance(default, RedisTokenManager)
        else TakeoverTokenManager(cookie_of, close_socket, secure=secure)
    )

"""Who may call an event handler. Every public method of a state is an endpoint of the socket.

So each handler says so itself, with `@public` or `@customer` below `@rx.event`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from portal.reflex_adapter.events import all_handlers, as_plain_value, handler_named

Handler = TypeVar("Handler", bound=Callable[..., Any])
_MARK = "_portal_policy"
_LONGEST_TEXT = 4000
"""Characters in one text of a payload; every field of the portal is far shorter."""


class Policy(StrEnum):
    """Who may call a handler."""

    PUBLIC = "public"
    CUSTOMER = "customer"
    FRAMEWORK = "framework"


class UndeclaredHandlers(RuntimeError):
    """Handlers that do not say who may call them, or what they accept; the start stops."""


class WrongPayload(ValueError):
    """A payload that a handler does not accept."""


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", str_max_length=_LONGEST_TEXT, arbitrary_types_allowed=True)


def public(handler: Handler) -> Handler:
    """Let anybody call this handler. Stands below `@rx.event`."""
    setattr(handler, _MARK, Policy.PUBLIC)
    return handler


def customer(handler: Handler) -> Handler:
    """Let only the customer call this handler who owns the page. Stands below `@rx.event`."""
    setattr(handler, _MARK, Policy.CUSTOMER)
    return handler


def policy_of(name: str) -> Policy | None:
    """The policy of a handler by its full event name; nothing when none was declared, or for `setvar`."""
    handler = handler_named(name)
    if handler is None:
        return None
    return Policy.FRAMEWORK if handler.of_framework else getattr(handler.function, _MARK, None)


def check_payload(name: str, payload: Mapping[str, Any]) -> None:
    """Hold a payload against the type hints of its handler; the framework itself does not.

    Raises:
        WrongPayload: An unknown handler, a missing or an extra value, one of another type, or a text that is too long.
    """
    handler = handler_named(name)
    if handler is None:
        raise WrongPayload(name)
    try:
        _model(handler.function).model_validate({key: as_plain_value(value) for key, value in payload.items()})
    except (ValidationError, TypeError, ValueError) as error:
        raise WrongPayload(name) from error


@cache
def _model(function: Callable[..., Any]) -> type[BaseModel]:
    hints = get_type_hints(function)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.name not in hints or parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            raise UndeclaredHandlers(f"{function.__qualname__}: what is {parameter.name}?")
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    return create_model(function.__qualname__, __base__=_Payload, **fields)


def require_policies() -> None:
    """Stop the start when a handler does not say who may call it.

    Raises:
        UndeclaredHandlers: Names every such handler.
    """
    undeclared: list[str] = []
    for name, handler in all_handlers().items():
        policy = policy_of(name)
        if policy is None:
            undeclared.append(_readable(handler.function))
        elif policy is not Policy.FRAMEWORK:
            _model(handler.function)
    if undeclared:
        raise UndeclaredHandlers(
            "these handlers need @public or @customer below @rx.event: " + ", ".join(sorted(undeclared))
        )


def _readable(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"

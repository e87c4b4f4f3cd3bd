"""The policies of event handlers: who may call them, and with what payload. The guard enforces them.

Every public method of a state can be called by any browser, so a handler without a policy stops the start.
"""

import inspect
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from portal.reflex_adapter.events import all_handlers, as_plain_value, handler_named
from portal.vocabulary.staff import Right

Handler = TypeVar("Handler", bound=Callable[..., Any])

_MARK = "_portal_policy"
_MAX_TEXT = 4000
"""Most characters in one text of a payload; every field of the portal is far shorter."""


class Policy(StrEnum):
    """Who may call a handler."""

    PUBLIC = "public"
    CUSTOMER = "customer"
    FRAMEWORK = "framework"


class UndeclaredHandlers(RuntimeError):
    """Handlers without a policy or without type hints. The app then does not start."""


class WrongPayload(ValueError):
    """A payload that a handler does not accept."""


class _Payload(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", str_max_length=_MAX_TEXT, arbitrary_types_allowed=True, defer_build=True
    )


class _FrameworkPayload(_Payload):
    """An error that a page reports may be long; the log cuts it."""

    model_config = ConfigDict(str_max_length=None)


def public(handler: Handler) -> Handler:
    setattr(handler, _MARK, Policy.PUBLIC)
    return handler


def customer(handler: Handler) -> Handler:
    """Let only the logged-in customer who owns the tab call this handler. Goes below `@rx.event`."""
    setattr(handler, _MARK, Policy.CUSTOMER)
    return handler


def staff(right: Right) -> Callable[[Handler], Handler]:
    """Let only a logged-in member of staff with this right call a handler. Goes below `@rx.event`.

    What everybody may do, such as loading a page, is `Right.OWN_ACCOUNT`; the operations that the handler calls check
    their own rights again.
    """

    def mark(handler: Handler) -> Handler:
        setattr(handler, _MARK, right)
        return handler

    return mark


def policy_of(name: str) -> Policy | Right | None:
    """Who may call a handler, given its full event name: a right of staff, a policy, or none, as for `setvar`."""
    handler = handler_named(name)
    if handler is None:
        return None
    return Policy.FRAMEWORK if handler.of_framework else getattr(handler.function, _MARK, None)


def check_payload(name: str, payload: Mapping[str, Any]) -> None:
    """Check a payload against the type hints of its handler. The framework does not."""
    handler = handler_named(name)
    if handler is None:
        raise WrongPayload(name)
    try:
        base = _FrameworkPayload if handler.of_framework else _Payload
        _model(handler.function, base).model_validate({key: as_plain_value(value) for key, value in payload.items()})
    except (ValidationError, TypeError, ValueError) as error:
        raise WrongPayload(name) from error


@cache
def _model(function: Callable[..., Any], base: type[BaseModel]) -> type[BaseModel]:
    hints = get_type_hints(function)
    fields: dict[str, Any] = {}
    for parameter in _parameters(function):
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    return create_model(function.__qualname__, __base__=base, **fields)


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    for parameter in parameters:
        has_hint = parameter.annotation is not inspect.Parameter.empty
        if not has_hint or parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            raise UndeclaredHandlers(f"{function.__qualname__}: {parameter.name} needs a type hint")
    return parameters


def require_policies() -> None:
    undeclared: list[str] = []
    for name, handler in all_handlers().items():
        policy = policy_of(name)
        if policy is None:
            undeclared.append(_readable(handler.function))
        else:
            _parameters(handler.function)
    if undeclared:
        raise UndeclaredHandlers(
            "these handlers need @public, @customer or @staff(…) below @rx.event: " + ", ".join(sorted(undeclared))
        )


def _readable(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"

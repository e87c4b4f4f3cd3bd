"""Who is behind this page: the session, its language, and which events it may send (part-1 §3 Session state).

The token lives in an HttpOnly cookie and never in a var. `SessionState._owner` binds everything kept for this tab to
the session that it was loaded for; the guard sees to that before any handler runs.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, get_type_hints

import reflex as rx
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import LocaleChoice, UserData
from portal.contract.session_api import SessionApi
from portal.kernel.codes import Code
from portal.kernel.texts import known_locale
from portal.reflex_adapter.events import all_handlers, as_plain_value, handler_named
from portal.reflex_adapter.state import headers_of
from portal.settings import settings
from portal.web.cookies import session_token as _read_token

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


@dataclass(frozen=True)
class Profile:
    """The part of `userData` that shell and forms use (part-1 §3): the customer, their address, the login order."""

    first_name: str = ""
    prefix: str = ""
    last_name: str = ""
    email: str = ""
    phone: str = ""
    post_code: str = ""
    house_number: str = ""
    house_number_addon: str = ""
    street: str = ""
    city: str = ""
    country_code: str = ""
    order_number: str = ""
    invoiced_at: str = ""


class SessionState(rx.State):
    """Set by the guard, read by every page.

    Attributes:
        authenticated: Whether the page belongs to a customer who is logged in.
        signed_out: The session ended while the page was open; the browser loads the page anew and gets the login.
        unavailable: The provider could not say whether the session is alive; nothing is shown and nothing is lost.
        variant: `mijn` or `retouren`, from the host name.
        passwords: Whether passwords are offered beside login codes.
        idle_until: When the session ends without further use (ISO 8601, UTC); a minute exact.
        expires_at: When it ends in any case (ISO 8601, UTC).
        user_data_loaded: Whether `profile` holds the customer's data.
        user_data_failed: Whether loading it failed the last time.
        profile: The customer's data; empty until loaded.
    """

    authenticated: bool = False
    signed_out: bool = False
    unavailable: bool = False
    variant: str = "mijn"
    passwords: bool = False
    idle_until: str = ""
    expires_at: str = ""
    user_data_loaded: bool = False
    user_data_failed: bool = False
    profile: Profile = Profile()
    _owner: str = ""

    @rx.event
    @customer
    async def load(self) -> None:
        """Fetch the customer's data once after login; later calls reuse it (part-1 §4)."""
        if not self.user_data_loaded:
            await self._fetch()

    @rx.event
    @customer
    async def reload(self) -> None:
        """Fetch the customer's data again."""
        await self._fetch()

    @rx.event
    @customer
    async def stay(self) -> None:
        """Stay logged in: calling the handler counts as use of the session, the guard has done it already."""

    async def _fetch(self) -> None:
        try:
            self._remember(await ask(SessionApi).customer_info(session_token(self)))
        except NotAuthenticated:
            self.signed_out = True
        except ProviderError:
            self.user_data_failed = True

    def _remember(self, data: UserData) -> None:
        """Keep what pages use of the customer's data, after it was loaded or changed."""
        person, address = data.customer, data.customer.address
        self.profile = Profile(
            first_name=person.first_name,
            prefix=person.prefix,
            last_name=person.last_name,
            email=person.email,
            phone=address.phone,
            post_code=address.post_code,
            house_number=address.house_number,
            house_number_addon=address.house_number_addon,
            street=address.street,
            city=address.city,
            country_code=address.country_code.value,
            order_number=data.order.order_number if data.order else "",
            invoiced_at=data.order.invoiced_at.isoformat() if data.order and data.order.invoiced_at else "",
        )
        self.user_data_loaded, self.user_data_failed = True, False


def session_token(state: rx.State) -> str:
    """The session token of the browser that this state belongs to, for calls of the provider.

    Raises:
        NotAuthenticated: There is none.
    """
    if token := _read_token(headers_of(state).cookie, secure=settings().secure):
        return token
    raise NotAuthenticated(Code.SESSION_ENDED)


async def session_ended(state: rx.State) -> None:
    """Tell the page that its session has ended, when an operation raised `NotAuthenticated`."""
    (await state.get_state(SessionState)).signed_out = True


class Language(rx.State):
    """Holds nothing: the browser keeps the language in a cookie, the provider keeps it with the customer."""

    @rx.event
    @customer
    async def choose(self, language: str) -> None:
        """Keep the chosen language with the customer.

        Args:
            language: `nl` or `en`; anything else counts as the default.
        """
        try:
            await ask(SessionApi).change_locale(session_token(self), LocaleChoice(locale=known_locale(language)))
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError:
            # The page already speaks the chosen language; the next choice tells the provider again.
            return

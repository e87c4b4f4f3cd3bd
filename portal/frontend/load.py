"""How the state of a page loads its data from the provider, for customers' pages and for staff pages.

A site adds who may load, and where its session token is: `portal.frontend.live` for customers.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any, ClassVar, TypeAlias, TypeVar

import reflex as rx

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.models import Page
from portal.kernel.codes import Code
from portal.reflex_adapter.state import forget_changes

LOADING, READY, FAILED, MISSING = "loading", "ready", "failed", "missing"
"""Values of `view_state`. `MISSING`: the subject does not exist or belongs to another customer."""

COUNTS = ("page", "pages", "total")
"""Variables of a `Paginated` page."""

_LAST_PAGE = 100_000
_MAX_WAIT_SECONDS = 30.0
_PAUSE_SECONDS = 0.05
_visits = count(1)

T = TypeVar("T")
Question: TypeAlias = Callable[[str], Awaitable[T]]
"""Loads the data of a page from the provider, given the session token."""


async def wait_until(is_loaded: Callable[[], Awaitable[bool]]) -> None:
    latest = time.monotonic() + _MAX_WAIT_SECONDS
    while time.monotonic() < latest:
        if await is_loaded():
            return
        await asyncio.sleep(_PAUSE_SECONDS)


class PageState(rx.State):
    """The name of the one page state that has data in this tab. Several pages would fill the memory.

    The browser keeps its copy of a page, and shows it on return until the new data arrive.
    """

    _holder: str = ""


class Loading(rx.State, mixin=True):
    """A page that loads its data from the provider.

    A site defines `load`, `_session_token` and `_session_ended`; a page defines `_question` and `_show`.

    `subject`: the subject of the page, such as the order number in the address.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    busy: rx.Field[bool] = rx.field(False)
    problem: rx.Field[str] = rx.field("")
    subject: rx.Field[str] = rx.field("")
    _visit: int = 0
    _kept: str | None = None
    _browser_keeps: ClassVar[tuple[str, ...]] = ()
    """Variables that the browser keeps of a page that was left, and shows on return until the new data arrive.

    `_show` sets each of them, always.
    """

    def _session_token(self) -> str:
        raise NotImplementedError

    async def _session_ended(self) -> None:
        raise NotImplementedError

    def _before_load(self) -> bool:
        return True

    async def _after_load(self, *, shown: bool) -> Any:
        """Run after loading. A returned event is sent."""

    async def _ask(self) -> bool:
        """Load the data and show them. Call it in a background event, so that the tab can handle other events."""
        return (await self._exchange(opening=False))[0]

    async def _loaded(self) -> None:
        """Wait until the open page has loaded or failed. Call it first in a background event that needs its data.

        A press can come before them: a document is drawn with its data, and a server that was restarted has forgotten
        the tab. Without the wait, such a press would be answered as if there were no data.
        """

        async def is_loaded() -> bool:
            async with self:
                return self.view_state != LOADING and not self.busy and self.subject == self._about()

        await wait_until(is_loaded)

    async def _exchange(self, *, opening: bool) -> tuple[bool, Any]:
        async with self:
            if opening and not self._before_load():
                return False, None
            question = self._question()
            visit = await self._enter(self._about())
            token = await self._token_or_end()
            if not token:
                return False, await self._after_load(shown=False) if opening else None
        problem: ProviderError | None = None
        answer: Any = None
        try:
            answer = await question(token)
        except ProviderError as error:
            problem = error
        except BaseException:
            async with self:
                self._fail(visit, FAILED, Code.GENERAL_ERROR)
            raise
        async with self:
            shown = await self._settle(visit, answer, problem)
            return shown, await self._after_load(shown=shown) if opening else None

    async def _settle(self, visit: int, answer: Any, problem: ProviderError | None) -> bool:
        if self._visit != visit:
            return False
        if problem is None:
            self._show(answer)
            self.view_state, self.busy, self.problem = READY, False, ""
            return True
        if isinstance(problem, NotAuthenticated):
            await self._session_ended()
        self._fail(visit, MISSING if isinstance(problem, NotFound) else FAILED, problem.code)
        return False

    async def _token_or_end(self) -> str:
        try:
            return self._session_token()
        except NotAuthenticated:
            await self._session_ended()
            return ""

    def _about(self) -> str:
        return ""

    def _question(self) -> Question[Any]:
        raise NotImplementedError

    def _show(self, answer: Any, /) -> None:
        raise NotImplementedError

    def _show_newest(self, answer: Any) -> None:
        """Show the answer to what the customer did. What is being loaded meanwhile is older and no longer shown."""
        self._visit = next(_visits)
        self._show(answer)
        self.view_state, self.busy, self.problem = READY, False, ""

    async def _enter(self, about: str) -> int:
        """Begin a visit: reset the page that was open before, and this one if its subject changed or it had failed."""
        held = await self.get_state(PageState)
        name = self.__class__.get_full_name()  # not type(): in the background `self` is a proxy
        if held._holder != name:
            if held._holder:
                (await self.get_state(_class_of(held._holder)))._leave()
            held._holder = name
        shown = self._kept if self._kept is not None else self.subject
        has_data = self._kept is not None or self.view_state == READY
        if self.view_state in {FAILED, MISSING} or (has_data and shown != about):
            self.reset()
        self._kept = None
        self.subject = about
        self._visit, self.busy = next(_visits), self.view_state == READY
        return self._visit

    def _leave(self) -> None:
        subject, kept = self.subject, bool(self._browser_keeps) and self.view_state == READY
        self.reset()
        if kept:
            self._kept = subject
            forget_changes(self, {"view_state", "subject", *self._browser_keeps})

    def _fail(self, visit: int, view_state: str, code: Code) -> None:
        if self._visit == visit:
            self.view_state, self.busy, self.problem = view_state, False, code.value


class Paginated(rx.State, mixin=True):
    page: rx.Field[int] = rx.field(1)
    pages: rx.Field[int] = rx.field(1)
    total: rx.Field[int] = rx.field(0)

    def _count(self, part: Page[Any]) -> None:
        self.page, self.pages, self.total = part.page, part.pages, part.total


def _class_of(name: str) -> type[Any]:
    return rx.State.get_class_substate(tuple(name.split(".")))


def page_asked(state: rx.State) -> int:
    """The page number in the address (`?page=2`); 1 if it is missing or invalid."""
    text = str(state.router.url.query_parameters.get("page", ""))
    return min(int(text), _LAST_PAGE) if text.isascii() and text.isdigit() and int(text) > 0 else 1


def last_part(state: rx.State) -> str:
    """The last part of the path: the number or id of the subject of a detail page."""
    return state.router.url.path.rstrip("/").rpartition("/")[2]


_MAX_LENGTH = 1000


def text_in(form: Mapping[str, Any], name: str) -> str:
    """The value of a form field. A very long text is cut, but stays long enough to be refused as too long."""
    value = form.get(name, "")
    return value[:_MAX_LENGTH] if isinstance(value, str) else ""

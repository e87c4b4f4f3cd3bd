"""The base of every page state: it asks the provider, and is loading, shown, failed or missing."""

from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any, ClassVar, TypeAlias, TypeVar

import reflex as rx

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.models import Page
from portal.frontend.session import customer, session_ended, session_token
from portal.kernel.codes import Code
from portal.reflex_adapter.state import forget_changes

LOADING, READY, FAILED, MISSING = "loading", "ready", "failed", "missing"
"""The faces of a page: nothing known yet, shown, could not be loaded, not there (or not this customer's)."""

COUNTS = ("page", "pages", "total")
"""What a `Paginated` page knows of its list."""

_LAST_PAGE = 100_000

_visits = count(1)

T = TypeVar("T")

Question: TypeAlias = Callable[[str], Awaitable[T]]
"""What a page asks, with the session token."""


class PageState(rx.State):
    """Which page holds data for this tab. Only one does: lists would add up in the memory of every session.

    The browser keeps what a list showed, and shows it at once when the customer comes back, until the answer is there.
    """

    _holder: str = ""


class Loadable(rx.State, mixin=True):
    """A page that shows an answer of the provider. It says what it asks (`_question`) and how to show it (`_show`).

    Attributes:
        view_state: one of `LOADING`, `READY`, `FAILED`, `MISSING`.
        busy: an answer is awaited while an older one is shown.
        problem: why loading failed, a code of the catalogue.
        subject: what the page is about, such as the number of the order that the address names.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    busy: rx.Field[bool] = rx.field(False)
    problem: rx.Field[str] = rx.field("")
    subject: rx.Field[str] = rx.field("")
    _visit: int = 0
    _browser_keeps: ClassVar[tuple[str, ...]] = ()
    """What the browser keeps of an answer when the customer leaves: of lists, which are looked at again and again."""

    @rx.event(background=True)
    @customer
    async def load(self) -> Any:
        """Ask for what the page shows, when it is opened and when the customer tries again."""
        return (await self._exchange(opening=True))[1]

    def _before_load(self) -> bool:
        """Forget what must not be seen again. Whether the page is to be asked for at all."""
        return True

    async def _after_load(self, *, shown: bool) -> Any:
        """Do what follows once the page was asked for; an event that it returns is sent.

        Args:
            shown: whether the answer is shown, as `_ask` tells.
        """

    async def _ask(self) -> bool:
        """Ask the question of the page and show the answer. Runs in a background event: the tab stays free meanwhile.

        Returns:
            Whether the answer is shown: false after a failure, or when the customer has left the page.
        """
        return (await self._exchange(opening=False))[0]

    async def _exchange(self, *, opening: bool) -> tuple[bool, Any]:
        async with self:
            if opening and not self._before_load():
                return False, None
            question = self._question()
            visit = await self._enter(self._about())
            token = await _token_or_end(self)
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
            await session_ended(self)
        self._fail(visit, MISSING if isinstance(problem, NotFound) else FAILED, problem.code)
        return False

    def _about(self) -> str:
        """What the address says that the page is about; empty for a page that is about one thing only."""
        return ""

    def _question(self) -> Question[Any]:
        """What the page asks for this address. A page that has it can be shown by its first data (`first`)."""
        raise NotImplementedError

    def _show(self, answer: Any, /) -> None:
        """Put the answer into the state."""
        raise NotImplementedError

    async def _enter(self, about: str) -> int:
        """Begin a visit: empty the page that was open before, and this one when it showed something else."""
        held = await self.get_state(PageState)
        name = self.__class__.get_full_name()  # not type(): in the background `self` is a proxy
        if held._holder != name:
            if held._holder:
                (await self.get_state(_class_of(held._holder)))._leave()
            held._holder = name
        if self.view_state != LOADING and (self.view_state != READY or self.subject != about):
            self.reset()
        self.subject = about
        self._visit, self.busy = next(_visits), self.view_state == READY
        return self._visit

    def _leave(self) -> None:
        """Forget what the page shows, as the customer has gone to another one."""
        stored = {"view_state", *self._browser_keeps} if self._browser_keeps and self.view_state == READY else set()
        self.reset()
        forget_changes(self, stored)

    def _fail(self, visit: int, view_state: str, code: Code) -> None:
        if self._visit == visit:
            self.view_state, self.busy, self.problem = view_state, False, code.value


class Paginated(rx.State, mixin=True):
    """A page that shows a list, a part at a time.

    Attributes:
        page: which part this is, from 1.
        pages: how many there are.
        total: how many entries there are in all.
    """

    page: rx.Field[int] = rx.field(1)
    pages: rx.Field[int] = rx.field(1)
    total: rx.Field[int] = rx.field(0)

    def _count(self, part: Page[Any]) -> None:
        self.page, self.pages, self.total = part.page, part.pages, part.total


async def _token_or_end(state: rx.State) -> str:
    try:
        return session_token(state)
    except NotAuthenticated:
        await session_ended(state)
        return ""


def _class_of(name: str) -> type[Any]:
    return rx.State.get_class_substate(tuple(name.split(".")))


def page_asked(state: rx.State) -> int:
    """The page of a list that the address asks for (`?page=2`); 1 for anything else."""
    text = str(state.router.url.query_parameters.get("page", ""))
    return min(int(text), _LAST_PAGE) if text.isascii() and text.isdigit() and int(text) > 0 else 1


def last_part(state: rx.State) -> str:
    """The last part of the address: the number or id that a detail page is about."""
    return state.router.url.path.rstrip("/").rpartition("/")[2]


_LONGEST = 1000


def text_in(form: Mapping[str, Any], name: str) -> str:
    """What was typed into a field. Far too long a text is cut; what is left is still too long and refused as such."""
    value = form.get(name, "")
    return value[:_LONGEST] if isinstance(value, str) else ""

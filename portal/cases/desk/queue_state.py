"""States of the queue and of the results of a search."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlencode

import reflex as rx
from pydantic import ValidationError

from portal.cases.api import (
    FILTERS,
    QUEUE_PAGE,
    Batch,
    BatchResult,
    CaseChoices,
    CaseFilter,
    CaseName,
    CasesApi,
    ChosenCases,
    CommonChoices,
    CountsFilter,
    Queue,
    QueueEntry,
    QueuePage,
    SavedViewEntry,
    ShopName,
    case_filter,
)
from portal.cases.models import NextStep, StaffName, StoreName
from portal.contract.errors import ProviderError
from portal.contract.registry import ask
from portal.desk.downloads import failed_download
from portal.desk.session import NavigationCounts, SavedLink, session_token
from portal.desk.shell import SEARCH, DeskSearch
from portal.desk.state import DeskCounts, DeskForms, LiveDeskPage, typed
from portal.frontend.load import LOADING, Form, Question, last_part, page_asked, text_in
from portal.frontend.models import computed
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.kernel.texts import N_
from portal.settings import settings
from portal.vocabulary.cases import STATUSES_OF, CaseKind, CaseState, kind_path
from portal.vocabulary.staff import Right

QUEUE = "/cases"

_PAGE = "page"
BATCH = "batch"
VIEW_NAME = "view-name"


PROMISED, LATE, SOON, STILL = "promised", "late", "soon", "still"
"""How a promise is kept: so far, too late, due within a day, or on hold."""


def promise_state(state: CaseState, promised_at: datetime | None, now: datetime) -> str:
    """How a promise is kept; empty where none was given."""
    if promised_at is None or state is CaseState.DONE:
        return STILL if state is CaseState.WAITING else ""
    if promised_at < now:
        return LATE
    if state is CaseState.WAITING:
        return STILL
    return SOON if (promised_at - now).days < 1 else PROMISED


class QueueRow(QueueEntry):
    """A row of the queue; `key` is the end of its address, and `place` its store without the brand."""

    promise: str

    @computed
    def key(self) -> str:
        return f"{kind_path(self.kind)}/{self.reference}"

    @computed
    def place(self) -> str:
        return self.store.name.removeprefix(f"{settings().brand.name} ") if self.store else ""


@dataclass(frozen=True, slots=True)
class Around:
    """The neighbours of a case in the list that was open last.

    `previous`: address of the case before it; empty without one.
    `place`: place in the list, from 1; 0 if the case is not in it. `total`: number of cases in the list.
    """

    previous: str = ""
    following: str = ""
    place: int = 0
    total: int = 0


class LastList(rx.State):
    address: rx.Field[str] = rx.field(QUEUE)
    searched: rx.Field[bool] = rx.field(False)
    _keys: tuple[str, ...] = ()
    _saved: tuple[str, ...] = ()
    _before: int = 0
    _total: int = 0
    _next_page: str = ""

    @rx.event
    @staff(Right.SEE_CASES)
    def remember(self) -> None:
        self.searched = last_part(self) == SEARCH.strip("/")
        page = {_PAGE: str(number)} if (number := page_asked(self)) > 1 else {}
        path, filters = (SEARCH, {}) if self.searched else (QUEUE, filters_of(self))
        address = _address(dict(sorted({**filters, **page}.items())), path)
        if address != self.address:
            self.address, self._keys, self._saved = address, (), ()

    def _remember(self, rows: "CaseRows") -> None:
        self._keys, self._saved = tuple(row.key for row in rows.rows), tuple(rows.chosen)
        self._before, self._total = (rows.page - 1) * QUEUE_PAGE, rows.total
        path, _, query = self.address.partition("?")
        further = {**dict(parse_qsl(query)), _PAGE: str(rows.page + 1)}
        self._next_page = _address(dict(sorted(further.items())), path) if rows.page < rows.pages else ""

    def _look(self, key: str) -> "Around":
        if key not in self._keys:
            return Around()
        place = self._keys.index(key)
        return Around(
            previous=_case_address(self._keys[place - 1]) if place else "",
            following=_case_address(self._keys[place + 1]) if place + 1 < len(self._keys) else self._next_page,
            place=self._before + place + 1,
            total=self._total,
        )


_NOTHING = CommonChoices(steps=[], people=[])


class CaseRows(DeskForms, LiveDeskPage, mixin=True):
    """A list of cases: its rows, and those that are chosen.

    `common`: what can be done with all chosen cases.
    `stores`, `shops`: what the list can be narrowed to; no shops where there is only one.
    """

    rows: rx.Field[list[QueueRow]] = rx.field(default_factory=list)
    page: rx.Field[int] = rx.field(1)
    pages: rx.Field[int] = rx.field(1)
    total: rx.Field[int] = rx.field(0)
    more: rx.Field[bool] = rx.field(False)
    chosen: rx.Field[list[str]] = rx.field(default_factory=list)
    people: rx.Field[list[StaffName]] = rx.field(default_factory=list)
    common: rx.Field[CommonChoices] = rx.field(default_factory=lambda: _NOTHING)
    stores: rx.Field[list[StoreName]] = rx.field(default_factory=list)
    shops: rx.Field[list[ShopName]] = rx.field(default_factory=list)
    target: rx.Field[NextStep | None] = rx.field(None)
    unchanged: rx.Field[list[BatchResult]] = rx.field(default_factory=list)

    @rx.event
    @staff(Right.WORK_ON_CASES)
    async def choose(self, key: str, chosen: bool) -> Any:
        if key not in {row.key for row in self.rows}:
            return None
        return await self._choose([each for each in self.chosen if each != key] + ([key] if chosen else []))

    @rx.event
    @staff(Right.WORK_ON_CASES)
    async def choose_all(self, chosen: bool) -> Any:
        return await self._choose([row.key for row in self.rows] if chosen else [])

    async def _choose(self, keys: list[str]) -> Any:
        self.chosen, self.unchanged = keys, []
        (await self.get_state(LastList))._remember(self)
        return self.__class__.find_targets

    @rx.event
    @staff(Right.WORK_ON_CASES)
    def pick(self, status: str) -> None:
        self.target = next((step for step in self.common.steps if step.status == status), None)

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def find_targets(self) -> None:
        await self._find_targets()

    async def _find_targets(self) -> None:
        async with self:
            chosen, names = self.chosen, self._names()
        found = await self._common(names) if names else _NOTHING
        async with self:
            if self.chosen == chosen:
                self.common = found
                self.pick(self.target.status if self.target else "")

    async def _common(self, names: list[CaseName]) -> CommonChoices:
        """What cases have in common; nothing when that cannot be asked."""
        try:
            async with self:
                token = session_token(self)
            return await ask(CasesApi).common_choices(token, ChosenCases(cases=names))
        except ProviderError:
            return _NOTHING

    @rx.event
    @staff(Right.WORK_ON_CASES)
    async def release(self) -> None:
        self.chosen, self.common, self.target, self.unchanged = [], _NOTHING, None, []
        (await self.get_state(LastList))._remember(self)

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def give(self, form: Form) -> None:
        await self._change(person=text_in(form, "person"))

    @rx.event(background=True)
    @staff(Right.WORK_ON_CASES)
    async def move(self, form: Form) -> None:
        if status := text_in(form, "status"):
            await self._change(status=status)

    async def _change(self, *, status: str = "", person: str = "") -> None:
        async with self:
            names = self._names()
        if not names:
            return
        try:
            batch = Batch(cases=names, status=status, person=person)
        except ValidationError:
            return
        results = await self._answer(BATCH, lambda token: ask(CasesApi).change_cases(token, batch))
        if results is None:
            return
        refused = {f"{kind_path(each.kind)}/{each.reference}": each for each in results if each.code}
        async with self:
            self.unchanged, self.chosen = list(refused.values()), list(refused)
            self.common, self.target = _NOTHING, None
            if done := len(results) - len(refused):
                (await self.get_state(Toasts))._add("success", N_("Changed: {count}"), count=done)
        await self._ask()
        if refused:
            await self._find_targets()

    async def _settle(self, visit: int, answer: Any, problem: ProviderError | None) -> bool:
        """Show an answer. A list that is opened again has the rows chosen that were chosen before."""
        last = await self.get_state(LastList)
        if self.view_state == LOADING:
            self.chosen = list(last._saved)
        shown = await super()._settle(visit, answer, problem)
        if shown:
            last._remember(self)
        return shown

    async def _after_load(self, *, shown: bool) -> Any:
        return self.__class__.find_targets if shown and self.chosen else None

    def _names(self) -> list[CaseName]:
        chosen = (row for key in self.chosen for row in self.rows if row.key == key)
        return [CaseName(kind=row.kind, reference=row.reference, seen=row.version) for row in chosen]

    def _show_rows(self, queue: Queue, choices: CaseChoices) -> None:
        self.rows = [
            QueueRow(**dict(entry), promise=promise_state(entry.state, entry.promised_at, queue.now))
            for entry in queue.items
        ]
        self.page, self.pages, self.total, self.more = queue.page, queue.pages, queue.total, queue.more
        keys = {row.key for row in self.rows}
        self.chosen = [key for key in self.chosen if key in keys]
        self.people, self.stores, self.shops = choices.people, choices.stores, choices.shops


class CaseQueue(CaseRows, rx.State):
    """The queue. Its filters are in the address, so that a list can be kept and shared.

    `query`: all of them as a query, without the page; it tells whether the person saved this view.
    """

    filters: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    query: rx.Field[str] = rx.field("")
    failed: rx.Field[str] = rx.field("")
    _fields: ClassVar[tuple[str, ...]] = (VIEW_NAME,)

    @rx.event
    @staff(Right.SEE_CASES)
    def narrow(self, name: str, value: str) -> Any:
        if name not in FILTERS:
            return None
        kept = {**self.filters, name: value}
        if name == "kind" and kept.get("status") not in _statuses(value):
            kept.pop("status", None)
        return rx.redirect(_address({key: text for key, text in kept.items() if text}))

    @rx.event(background=True)
    @staff(Right.SEE_CASES)
    async def keep(self, form: Form) -> Any:
        async with self:
            asked = _asked(self.filters, 1)
        kept = CaseFilter.model_validate(asked.model_dump(exclude={"search", "page"}))
        saved = await self._answer(
            "view",
            lambda token: ask(CasesApi).save_view(token, typed(SavedViewEntry, form, "view", filter=kept)),
            N_("View saved"),
        )
        return DeskCounts.count if saved else None

    @rx.event(background=True)
    @staff(Right.SEE_CASES)
    async def forget(self) -> Any:
        async with self:
            here = f"{QUEUE}?{self.query}"
            saved = [view.view_id for view in (await self.get_state(DeskCounts)).saved if view.path == here]
        for view_id in saved:
            done, _nothing = await self._send(
                "view", lambda token, view_id=view_id: ask(CasesApi).delete_view(token, view_id), N_("View removed")
            )
            if not done:
                return None
        return DeskCounts.count

    def _about(self) -> str:
        return urlencode(sorted(filters_of(self).items()))

    def _question(self) -> Question[tuple[Queue, CaseChoices]]:
        asked = _asked(filters_of(self), page_asked(self))

        async def question(token: str) -> tuple[Queue, CaseChoices]:
            return await ask(CasesApi).queue(token, asked), await ask(CasesApi).case_choices(token)

        return question

    def _show(self, answer: tuple[Queue, CaseChoices]) -> None:
        self._show_rows(*answer)
        self.filters, self.failed = filters_of(self), failed_download(self)
        self.query = query_of(case_filter(self.filters))


class FoundCases(CaseRows, rx.State):
    """The cases that a search finds, wherever they stand.

    `searched`: what was searched for; empty before, and after the page was loaded anew.
    """

    searched: rx.Field[str] = rx.field("")

    def _question(self) -> Question[tuple[Queue, CaseChoices, str] | None]:
        page = page_asked(self)

        async def question(token: str) -> tuple[Queue, CaseChoices, str] | None:
            async with self:
                text = (await self.get_state(DeskSearch)).text
            if not text:
                return None
            asked = QueuePage(search=text[:120], page=page)
            return await ask(CasesApi).queue(token, asked), await ask(CasesApi).case_choices(token), text

        return question

    def _show(self, answer: tuple[Queue, CaseChoices, str] | None) -> None:
        if answer is None:
            self.rows, self.chosen, self.searched = [], [], ""
            return
        queue, choices, self.searched = answer
        self._show_rows(queue, choices)


def _statuses(kind: str) -> set[str]:
    return {str(status) for status in STATUSES_OF[CaseKind(kind)]} if kind in set(CaseKind) else set()


def _asked(given: dict[str, str], page: int) -> QueuePage:
    return QueuePage.model_validate({**case_filter(given).model_dump(), "page": page})


def query_of(kept: CaseFilter) -> str:
    """The filters of a view as a query; those that leave nothing out are not in it."""
    given = kept.model_dump(mode="json", exclude_defaults=True)
    return urlencode(sorted((name, str(value)) for name, value in given.items()))


def filters_of(page: rx.State) -> dict[str, str]:
    found = page.router.url.query_parameters
    return {name: str(found.get(name, ""))[:40] for name in FILTERS if found.get(name)}


def _case_address(key: str) -> str:
    return f"{QUEUE}/{key}"


def _address(values: dict[str, str], path: str = QUEUE) -> str:
    return f"{path}?{urlencode(values)}" if values else path


async def case_counts(token: str) -> NavigationCounts:
    """How many cases stand behind each link. A saved link has the address of its view."""
    found = await ask(CasesApi).counts(token, CountsFilter())
    views = {entry.view.value: entry.count for entry in found.views}
    kinds = {entry.kind.value: entry.count for entry in found.kinds}
    saved = [SavedLink(view.name, f"{QUEUE}?{query_of(view.filter)}", view.count, view.view_id) for view in found.saved]
    return NavigationCounts({**views, **kinds}, saved)

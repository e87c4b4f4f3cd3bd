"""Draws documents with a process of bun that is started, warmed up, watched and replaced here."""

from __future__ import annotations

import asyncio
import json
import secrets
import struct
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

import structlog

from portal.contract.models import Locale
from portal.kernel.processes import confined
from portal.web.headers import page_policy, with_styles

_QUESTION, _ANSWER = struct.Struct(">I"), struct.Struct(">IBI")
_NUMBERS = 2**32
_MAX_LENGTH = 8_000_000
"""Bytes of a document that is believed; a longer one is rubbish."""


class NotDrawn(Exception):
    """The document could not be drawn. The message is the reason, in the words of the counters."""


@dataclass(frozen=True, slots=True)
class DrawOrder:
    """A document to draw.

    `data`: the first data, as JSON; empty for none.
    `nonce`: of the styles in the document; without one its style sheet holds up the first paint.
    """

    address: str
    locale: Locale
    data: str
    packed: bool
    terms: str = ""
    nonce: str = ""


@dataclass(frozen=True, slots=True)
class _Question:
    number: int
    asked_at: float
    answer: asyncio.Future[bytes]


class DrawingProcess:
    """A running process. It answers in the order of the questions, and ends with its input."""

    def __init__(
        self, process: asyncio.subprocess.Process, questions: asyncio.StreamWriter, answers: asyncio.StreamReader
    ) -> None:
        self._process, self._questions, self._answers = process, questions, answers
        self._waiting: deque[_Question] = deque()
        self._asked = 0
        self.runs = True
        """Whether it can still answer."""
        self._reader = asyncio.create_task(self._read(), name="read drawn documents")

    @classmethod
    async def started(cls, command: Sequence[str], environment: Mapping[str, str]) -> Self:
        """Start a process, confined: it draws what customers wrote."""
        process = await asyncio.create_subprocess_exec(
            *confined(command),
            env=dict(environment),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Nothing of a customer gets into the log.
            stderr=asyncio.subprocess.DEVNULL,
        )
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipes")
        return cls(process, process.stdin, process.stdout)

    @property
    def waiting(self) -> int:
        """Number of questions without an answer, including those that nobody waits for any more."""
        return len(self._waiting)

    @property
    def late_seconds(self) -> float:
        """For how long the oldest question has had no answer, in the milliseconds that the loop counts."""
        return round(asyncio.get_running_loop().time() - self._waiting[0].asked_at, 3) if self._waiting else 0.0

    async def draw(self, order: DrawOrder, seconds: float) -> bytes:
        ordered = [order.address, order.locale, order.data, order.packed, order.terms, order.nonce]
        return await self._ask(ordered, seconds)

    async def tell(self, settings: Mapping[str, str], seconds: float) -> None:
        """Tell it what pages show of settings."""
        await self._ask([settings], seconds)

    async def _ask(self, ordered: Sequence[object], seconds: float) -> bytes:
        loop = asyncio.get_running_loop()
        self._asked = (self._asked + 1) % _NUMBERS
        question = _Question(self._asked, loop.time(), loop.create_future())
        text = json.dumps([question.number, *ordered]).encode()
        try:
            self._questions.write(_QUESTION.pack(len(text)) + text)
        except (OSError, RuntimeError) as error:  # it ended a moment ago
            raise NotDrawn("ended") from error
        self._waiting.append(question)
        try:
            async with asyncio.timeout(seconds):
                return await question.answer
        except TimeoutError:
            raise NotDrawn("slow") from None

    async def stop(self) -> None:
        self._kill()
        await asyncio.wait({self._reader})

    def _kill(self) -> None:
        if self.runs:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def _read(self) -> None:
        try:
            while True:
                number, drawn, length = _ANSWER.unpack(await self._answers.readexactly(_ANSWER.size))
                # An answer to another question would show somebody the page of somebody else.
                if not self._waiting or number != self._waiting[0].number or length > _MAX_LENGTH:
                    self._kill()
                    break
                page = await self._answers.readexactly(length)
                answer = self._waiting.popleft().answer
                if answer.done():  # nobody waits for it any more
                    continue
                if drawn:
                    answer.set_result(page)
                else:
                    answer.set_exception(NotDrawn("failed"))
        except asyncio.IncompleteReadError:
            pass
        finally:
            self.runs = False
            for question in self._waiting:
                if not question.answer.done():
                    question.answer.set_exception(NotDrawn("ended"))
            self._waiting.clear()
            await self._process.wait()


MAX_WAITING = 32
"""Documents that may wait for the process; what comes on top is served as it was built."""

HANGING_SECONDS = 5.0
"""A process that has not answered for so long is replaced."""

_WARM_UP_SECONDS = 60.0
"""Patience with a process that starts: a busy machine takes its time, and no customer waits for it."""

_PAUSE_SECONDS = (1.0, 2.0, 5.0, 15.0, 60.0)
"""How long to wait before a process is started again, by the number of times that it was not warmed up."""

_SAMPLE_NONCE = "sample"

_log = structlog.get_logger(__name__)


class Drawer:
    """Draws documents. Whatever goes wrong is `NotDrawn`, at once or after `patience` seconds."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        samples: Mapping[str, str],
        patience: float,
        styled: Collection[str] = (),
        settings: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._settings = settings
        self._styled = frozenset(styled)
        self._command, self._environment, self._samples = command, environment, samples
        self._patience = patience
        self._process: DrawingProcess | None = None
        self._policies: dict[str, str] = {}
        self._keeper: asyncio.Task[None] | None = None
        self._needed = asyncio.Event()
        self._started = 0
        self.counts: Counter[str] = Counter()
        """Documents by how they were served: `drawn`, or the reason why not."""

    def start(self) -> None:
        if self._command:
            self._keeper = asyncio.create_task(self._keep(), name="keep a process that draws")

    async def stop(self) -> None:
        if self._keeper:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
            self._keeper = None

    @property
    def state(self) -> dict[str, object]:
        """Process state, starts and document counts, for `/ready`."""
        status = "off" if self._keeper is None else "ready" if self._process else "starting"
        return {"process": status, "started": self._started, "documents": dict(sorted(self.counts.items()))}

    async def draw(
        self, route: str, address: str, locale: Locale, data: str, *, packed: bool, terms: str = ""
    ) -> tuple[bytes, str]:
        """Draw a document. Every call counts in `counts`."""
        try:
            process = self._free_process()
            # The policy was learnt from the page without data, so that no data can add a script to it.
            policy = self._policies.get(route)
            if policy is None:
                raise NotDrawn("unknown")
            nonce = secrets.token_urlsafe(16) if route in self._styled else ""
            page = await process.draw(DrawOrder(address, locale, data, packed, terms, nonce), self._patience)
        except NotDrawn as error:
            self.counts[str(error)] += 1
            raise
        self.counts["drawn"] += 1
        return page, with_styles(policy, nonce)

    def _free_process(self) -> DrawingProcess:
        process = self._process
        if process is None or not process.runs:
            self._needed.set()
            raise NotDrawn("off" if self._keeper is None else "starting")
        late = process.late_seconds
        if late > HANGING_SECONDS:
            self._needed.set()
        if late >= self._patience:
            raise NotDrawn("slow")
        if process.waiting >= MAX_WAITING:
            raise NotDrawn("busy")
        return process

    async def _keep(self) -> None:
        failures = 0
        while True:
            try:
                process = await DrawingProcess.started(self._command, self._environment)
            except OSError as error:
                _log.warning("documents are not drawn", error=type(error).__name__)
                process = None
            self._started += 1
            if process:
                try:
                    self._needed.clear()
                    if await self._warmed_up(process):
                        failures = 0
                        self._process = process
                        await self._while_it_answers(process)
                finally:
                    self._process = None
                    await process.stop()
            failures += 1
            _log.warning("the process that draws documents is replaced", attempt=failures)
            await asyncio.sleep(_PAUSE_SECONDS[min(failures, len(_PAUSE_SECONDS)) - 1])

    async def _warmed_up(self, process: DrawingProcess) -> bool:
        """Draw every page without data: so the process knows it, and we its policy."""
        try:
            await process.tell(self._settings(), _WARM_UP_SECONDS)
        except NotDrawn:
            return False
        policies = {}
        for route, sample in self._samples.items():
            nonce = _SAMPLE_NONCE if route in self._styled else ""
            try:
                page = await process.draw(DrawOrder(sample, "nl", "", packed=False, nonce=nonce), _WARM_UP_SECONDS)
            except NotDrawn as error:
                _log.warning("a page is not drawn", route=route, reason=str(error))
                if not process.runs or str(error) == "slow":
                    return False
                continue
            policies[route] = page_policy(page.decode())
        self._policies = policies
        return True

    async def _while_it_answers(self, process: DrawingProcess) -> None:
        while process.runs and process.late_seconds <= HANGING_SECONDS:
            # A question that finds it late or ended wakes us; otherwise there is no hurry.
            self._needed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(HANGING_SECONDS):
                    await self._needed.wait()

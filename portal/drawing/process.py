"""One process of bun that draws documents, and the questions that wait for it."""

from __future__ import annotations

import asyncio
import json
import struct
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from portal.contract.models import Locale
from portal.kernel.processes import confined

_QUESTION, _ANSWER = struct.Struct(">I"), struct.Struct(">IBI")
_NUMBERS = 2**32
_LONGEST = 8_000_000
"""Bytes of a document that is believed; a longer one is rubbish."""


class NotDrawn(Exception):
    """The document could not be drawn. The message is the reason, in the words of the counters."""


@dataclass(frozen=True, slots=True)
class Order:
    """A document to draw.

    Attributes:
        data: the first data, as JSON; empty for none.
        nonce: of the styles in the document; without one its style sheet holds up the first paint.
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
        """Read the answers of a process that has just been started."""
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

    async def draw(self, order: Order, seconds: float) -> bytes:
        loop = asyncio.get_running_loop()
        self._asked = (self._asked + 1) % _NUMBERS
        question = _Question(self._asked, loop.time(), loop.create_future())
        ordered = [order.address, order.locale, order.data, order.packed, order.terms, order.nonce]
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
        """Kill the process, if it has not ended. What waits for it is not drawn."""
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
                if not self._waiting or number != self._waiting[0].number or length > _LONGEST:
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

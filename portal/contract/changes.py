"""Whether something changed that a page shows: the models, and the operation that waits for it."""

from __future__ import annotations

from typing import Protocol

from pydantic import Field

from portal.contract.models import Model
from portal.contract.operations import Token, operation
from portal.vocabulary.actions import Topic

LONGEST_WAIT = 30
"""Seconds that one question waits for a change at most."""

RECENT = 5
"""A change not longer ago than so many seconds counts as recent."""

NEVER_ASKED = -1
"""The mark of somebody who asks for the first time; answered at once."""


class Watch(Model):
    """What is watched.

    Attributes:
        topics: which parts of the customer's data.
        since: the mark of the last answer for the same topics.
        wait_seconds: how long to wait while nothing has changed since; 0 is answered at once.
    """

    topics: list[Topic] = Field(min_length=1, max_length=len(Topic))
    since: int = Field(default=NEVER_ASKED, ge=NEVER_ASKED, le=2**53)
    wait_seconds: int = Field(default=0, ge=0, le=LONGEST_WAIT)


class Changes(Model):
    """How things stand now.

    Attributes:
        mark: rises with every change to the topics; equal to `since` when nothing changed.
        recent: whether the last change was within the last `RECENT` seconds. Whoever loaded something just before
            the first question cannot know whether that was still in it.
    """

    mark: int
    recent: bool


class ChangesApi(Protocol):
    """Waiting for a change."""

    @operation("GET", "/changes", waits="wait_seconds")
    async def changes(self, token: Token, watch: Watch) -> Changes:
        """Whether something changed since the last answer; waits for it as long as is asked.

        Asking does not count as use of the session: a page that nobody touches does not keep it alive.
        """
        ...

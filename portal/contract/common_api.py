"""The operations that every page needs: the session, changes of data, and the terms of a shop."""

from typing import Protocol

from pydantic import Field

from portal.contract.models import Model
from portal.contract.operations import Token, operation
from portal.contract.session import LocaleChoice, SessionCheck, UserData
from portal.vocabulary.actions import Topic


class SessionApi(Protocol):
    """Operations on the session and its customer."""

    @operation("GET", "/session")
    async def check_session(self, token: Token) -> SessionCheck:
        """Check that the session is valid; counts as use of it."""

    @operation("GET", "/customer/info")
    async def customer_info(self, token: Token) -> UserData:
        """The customer's own data."""

    @operation("PUT", "/customer/locale")
    async def change_locale(self, token: Token, choice: LocaleChoice) -> None:
        """Choose the language of mails and documents."""


MAX_WAIT_SECONDS = 30
"""Longest time in seconds that one request waits for a change."""

RECENT = 5
"""Seconds for which a change counts as recent."""

NEVER_ASKED = -1
"""Value of `since` in the first request; the provider answers it at once."""


class Watch(Model):
    """The data to watch.

    `since`: `mark` of the previous answer for the same topics.
    `wait_seconds`: how long to wait for a change; 0 answers at once.
    """

    topics: list[Topic] = Field(min_length=1, max_length=len(Topic))
    since: int = Field(default=NEVER_ASKED, ge=NEVER_ASKED, le=2**53)
    wait_seconds: int = Field(default=0, ge=0, le=MAX_WAIT_SECONDS)


class Changes(Model):
    """The current state of the watched topics.

    `mark`: increases with every change of the topics; equal to `since` when nothing changed.
    `recent`: whether the last change is at most `RECENT` seconds old. A page that loaded its data just before the first
    request may have missed such a change.
    """

    mark: int
    recent: bool


class ChangesApi(Protocol):
    """The operation that waits for a change."""

    @operation("GET", "/changes", waits="wait_seconds")
    async def changes(self, token: Token, watch: Watch) -> Changes:
        """Wait for a change since the last answer, for at most the requested time.

        This does not count as use of the session, so an idle page does not keep the session alive.
        """


class Periods(Model):
    """Periods by name, a field of `kernel.terms.ShopTerms`, in its unit: days, months or years."""

    periods: dict[str, int]


class TermsApi(Protocol):
    """The terms of a shop, for everybody."""

    @operation("GET", "/terms")
    async def periods(self, shop: str = "") -> Periods:
        """What holds today in a further shop, or in the main one, whose name is empty."""

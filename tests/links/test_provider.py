"""Mailed links: opening changes nothing, and the button confirms once within 24 hours (edge-cases 43-47)."""

import asyncio
import re
from typing import Any

import pytest
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.mail import Template
from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.kernel.codes import Code
from portal.links.api import LinkAbout, LinkEntry, LinkSent
from portal.links.provider import Addressee, LinkHandler, Links, LinksService, Subject
from portal.provider.hourly import purge
from portal.tables.customers import CustomerRow
from portal.tables.messages import ConfirmationLinkRow, OutboxMail
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.application import SANNE, TestApplication, outcome, refusal

KEY = 4711
DETAILS = {
    "reference": "ABCD2345",
    "order_number": SANNE[0],
    "title": "Fietstas",
    "lines": ["1 × Fietstas"],
    "way": [],
    "amounts": [],
    "total": [],
    "besides": [],
    "money_note": "",
}
PURPOSE = LinkPurpose.ORDER_RETURN


class Requests:
    """What waits for its link, and how often it was confirmed."""

    def __init__(self, application: TestApplication) -> None:
        self.application = application
        self.confirmed: list[int] = []
        self.refusal: Code | None = None
        self.used_when_locked: list[bool] = []
        desk = LinkHandler(self._lock, self._about, self._confirm, self._renew)
        self.services = LinksService(application.context, {PURPOSE: desk})

    async def ask(self) -> LinkSent:
        """Mail a link."""
        async with self.application.context.database.transaction() as session:
            customer = (await session.exec(select(CustomerRow.id).where(CustomerRow.email == SANNE[1]))).one()
            return await self._renew(self.application.context, session, Subject(KEY, customer or 0))

    async def end(self) -> str:
        """The end of the link in the newest mail."""
        found = re.search(r"/order-return/confirm/(\S+)", (await self.application.mails(SANNE[1]))[0].text)
        assert found
        return found.group(1)

    async def _lock(self, session: AsyncSession, subject: Subject) -> None:
        links = select(ConfirmationLinkRow).where(ConfirmationLinkRow.subject == subject.key)
        self.used_when_locked += [row.used_at is not None for row in await session.exec(links)]

    async def _about(self, _context: Context, _session: AsyncSession, subject: Subject) -> LinkAbout:
        return LinkAbout(reference=f"R{subject.key}")

    async def _confirm(self, _context: Context, _session: AsyncSession, subject: Subject, _answer: str) -> None:
        if self.refusal:
            raise Refused(self.refusal)
        self.confirmed.append(subject.key)

    async def _renew(self, context: Context, session: AsyncSession, subject: Subject) -> LinkSent:
        to = Addressee(SANNE[1], "nl")
        return await Links(context).send(session, PURPOSE, subject, to, Template.CONFIRM_RETURN, DETAILS)


@pytest.fixture
def requests(application: TestApplication) -> Requests:
    return Requests(application)


def entry(end: str, purpose: LinkPurpose = PURPOSE) -> LinkEntry:
    return LinkEntry(purpose=purpose, hash=end)


async def test_a_scanner_that_opens_the_link_a_hundred_times_confirms_nothing(requests: Requests) -> None:
    sent = await requests.ask()
    end = await requests.end()
    for _ in range(99):
        await requests.services.link(entry(end))
    view = await requests.services.link(entry(end))
    assert (view.state, view.about, view.email) == (LinkState.VALID, LinkAbout(reference="R4711"), "s…@…com")
    assert view.expires_at == sent.expires_at
    assert requests.confirmed == []


async def test_the_request_is_locked_before_its_links(requests: Requests) -> None:
    await requests.ask()
    end = await requests.end()
    await requests.services.confirm_link(entry(end))
    await requests.services.confirm_link(entry(end))
    assert requests.used_when_locked == [False], "a link that was used locks nothing"


@pytest.mark.each_database
async def test_parallel_confirmations_confirm_once(requests: Requests) -> None:
    await requests.ask()
    end = await requests.end()
    views = await asyncio.gather(*(requests.services.confirm_link(entry(end)) for _ in range(12)))
    assert sorted(view.state for view in views) == [LinkState.CONFIRMED] + [LinkState.USED] * 11
    assert requests.confirmed == [KEY]
    assert (await requests.services.link(entry(end))).state is LinkState.USED


async def test_a_link_works_until_its_last_second(requests: Requests) -> None:
    sent = await requests.ask()
    end = await requests.end()
    requests.application.clock.forward(hours=23, minutes=59, seconds=59)
    assert (await requests.services.link(entry(end))).state is LinkState.VALID
    requests.application.clock.go_to(sent.expires_at)
    assert (await requests.services.link(entry(end))).state is LinkState.EXPIRED
    assert (await requests.services.confirm_link(entry(end))).state is LinkState.EXPIRED
    assert requests.confirmed == []


async def test_an_expired_link_gets_a_new_one_and_the_old_one_stays_expired(requests: Requests) -> None:
    await requests.ask()
    old = await requests.end()
    requests.application.clock.forward(hours=25)
    await requests.services.resend_link(entry(old))
    new = await requests.end()
    assert new != old
    assert (await requests.services.link(entry(old))).state is LinkState.EXPIRED
    assert (await requests.services.confirm_link(entry(new))).state is LinkState.CONFIRMED
    assert (await requests.services.link(entry(old))).state is LinkState.USED
    assert (await refusal(requests.services.resend_link(entry(old)))).code is Code.LINK_USED


async def test_a_mail_is_not_sent_twice_within_a_minute_and_the_older_link_still_works(requests: Requests) -> None:
    sent = await requests.ask()
    old = await requests.end()
    with pytest.raises(TooMany) as caught:
        await requests.services.resend_link(entry(old))
    assert caught.value.code is Code.MAIL_SENT_RECENTLY
    assert caught.value.retry_at == sent.resend_at
    requests.application.clock.go_to(sent.resend_at)
    await requests.services.resend_link(entry(old))
    assert (await requests.services.confirm_link(entry(old))).state is LinkState.CONFIRMED


async def test_a_refusal_by_a_rule_does_not_use_the_link(requests: Requests) -> None:
    await requests.ask()
    end = await requests.end()
    requests.refusal = Code.INVALID_CHOICE
    assert await outcome(requests.services.confirm_link(entry(end))) == "invalid_choice"
    requests.refusal = None
    assert (await requests.services.confirm_link(entry(end))).state is LinkState.CONFIRMED


@pytest.mark.parametrize(
    "cut", [lambda end: end[:-1], lambda end: f"{end}=", lambda end: f"{end}\n", lambda _: "\x00", lambda _: "é" * 43]
)
async def test_a_truncated_or_changed_link_is_invalid(requests: Requests, cut: Any) -> None:
    await requests.ask()
    end = cut(await requests.end())
    assert (await requests.services.link(entry(end))).state is LinkState.INVALID
    for attempt in (requests.services.confirm_link(entry(end)), requests.services.resend_link(entry(end))):
        assert (await refusal(attempt)).code is Code.INVALID_HASH


@pytest.mark.parametrize("end", ["", "   "])
async def test_a_link_with_an_empty_hash_is_refused(requests: Requests, end: str) -> None:
    for attempt in (requests.services.link, requests.services.confirm_link, requests.services.resend_link):
        error = await refusal(attempt(entry(end)))
        assert isinstance(error, InvalidInput)
        assert error.code is Code.MISSING_HASH


async def test_a_link_works_for_its_own_purpose_only(requests: Requests) -> None:
    await requests.ask()
    other = entry(await requests.end(), LinkPurpose.DELIVERY_DATE)
    assert (await requests.services.link(other)).state is LinkState.INVALID
    assert (await refusal(requests.services.confirm_link(other))).code is Code.INVALID_HASH
    assert requests.confirmed == []


async def test_the_links_of_a_withdrawn_request_stop_working(requests: Requests) -> None:
    await requests.ask()
    end = await requests.end()
    async with requests.application.context.database.transaction() as session:
        row = (await session.exec(select(ConfirmationLinkRow))).one()
        await Links(requests.application.context).withdraw(session, PURPOSE, Subject(KEY, row.customer_id))
    assert (await requests.services.link(entry(end))).state is LinkState.INVALID
    assert (await refusal(requests.services.confirm_link(entry(end)))).code is Code.INVALID_HASH


async def test_neither_the_database_nor_the_outbox_contains_the_secret_of_a_link(requests: Requests) -> None:
    await requests.ask()
    waiting = await requests.application.one(OutboxMail)
    assert waiting.sealed
    kept = repr(await requests.application.one(ConfirmationLinkRow)) + repr(waiting)
    end = await requests.end()
    assert len(end) == 43
    assert end not in kept


async def test_a_failed_mail_is_reported_and_can_be_sent_again(requests: Requests) -> None:
    application = requests.application
    sent = await requests.ask()
    async with application.context.database.transaction() as session:
        mail = (await session.exec(select(OutboxMail))).one()
        mail.dropped_at = application.clock()
        customer = mail.customer_id or 0
    async with application.context.database.session() as session:
        waiting = await Links(application.context).pending(session, PURPOSE, Subject(KEY, customer))
    assert waiting
    assert (waiting.failed, waiting.email, waiting.resend_at) == (True, "s…@…com", sent.resend_at)
    application.clock.go_to(sent.resend_at)
    await requests.ask()
    async with application.context.database.session() as session:
        again = await Links(application.context).pending(session, PURPOSE, Subject(KEY, customer))
    assert again
    assert not again.failed


async def test_old_links_are_deleted(requests: Requests) -> None:
    await requests.ask()
    requests.application.clock.forward(days=32)
    await purge(requests.application.context)
    assert await requests.application.rows(ConfirmationLinkRow) == []

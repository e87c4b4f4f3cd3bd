"""A separate application for each test, with database, clock, mails as files and a few customers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from portal.backend.context import Context, database_of
from portal.backend.mail import Template
from portal.backend.outbox import KIND, MailDelivery, Writer
from portal.backend.sessions import Sessions
from portal.backend.transports import FileTransport, mail_directory
from portal.contract.errors import ProviderError
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, Origin, Session
from portal.kernel.address import Country
from portal.kernel.validation import email_key, short_id
from portal.login.provider.service import LoginService, SessionService
from portal.settings import Settings
from portal.tables.customers import CustomerRow
from portal.tables.messages import JobRow
from portal.tables.orders import OrderRow
from portal.vocabulary.orders import PaymentStatus
from tests.support.mailbox import ReadableMail, list_messages, read_message

SANNE = ("900000001", "sanne@example.com")
LEASE = ("900000006", "lease@example.com")
LARS = ("900000007", "lars@example.net")


class Clock:
    """A clock that moves only when a test sets it."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def go_to(self, moment: datetime | None) -> None:
        """Set the clock to a time, which must not be None."""
        assert moment
        self.now = moment

    def forward(self, **duration: float) -> None:
        """Advance the clock, as in `forward(minutes=10)`."""
        self.now += timedelta(**duration)


class Inbox:
    """The mails of an application, which are delivered when the test asks for them."""

    def __init__(self, context: Context, writers: Mapping[Template, Writer] | None = None) -> None:
        self._context = context
        self._directory = mail_directory(context.settings.data_dir)
        self._delivery = MailDelivery(context, FileTransport(self._directory), writers)
        self._names: list[str] = []

    async def deliver(self) -> None:
        """Deliver all waiting mails, as the worker does."""
        async with self._context.database.transaction() as session:
            jobs = (await session.exec(select(JobRow).where(JobRow.kind == KIND).order_by(col(JobRow.id)))).all()
            for job in jobs:
                await session.delete(job)
        for job in jobs:
            await self._delivery.deliver(job.reference)
            self._note()

    async def mails(self, address: str) -> list[ReadableMail]:
        """The mails to an address, newest first; those of one moment in the order of their delivery."""
        await self.deliver()
        self._note()
        listed = await asyncio.to_thread(list_messages, self._context.settings.data_dir)
        listed.sort(key=lambda mail: (mail.name.split("-")[0], self._names.index(mail.name)), reverse=True)
        return [
            read_message(self._context.settings.data_dir, mail.name) for mail in listed if mail.recipient == address
        ]

    def _note(self) -> None:
        self._names += sorted({file.name for file in self._directory.glob("*.eml")} - {*self._names})


@dataclass
class TestApplication:
    """Services on a real database. Mails are delivered when the test calls `deliver`."""

    __test__ = False

    context: Context
    clock: Clock
    sessions: Sessions = field(init=False)
    login: LoginService = field(init=False)
    session: SessionService = field(init=False)
    _inbox: Inbox = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.context)
        self.login = LoginService(self.context, self.sessions)
        self.session = SessionService(self.context, self.sessions)
        self._inbox = Inbox(self.context)

    @property
    def data_dir(self) -> Path:
        """The data directory, which contains the mails."""
        return self.context.settings.data_dir

    async def open(self) -> None:
        """Create the customers."""
        await self.add_customer(*SANNE, public_id="SANNE")
        await self.add_customer(*LEASE, is_lease=True, lease_reference="LEASE2026")
        await self.add_customer(*LARS, country=Country.DE)

    async def add_customer(
        self,
        number: str,
        email: str,
        *,
        country: Country = Country.NL,
        public_id: str | None = None,
        **order: Any,
    ) -> int:
        """Add a customer with one order and return the primary key."""
        person = CustomerRow(
            public_id=public_id or short_id(),
            first_name="Sanne",
            last_name="Vermeer",
            email=email,
            email_key=email_key(email),
            street="Oudegracht",
            house_number="12",
            post_code="3511 AB",
            city="Utrecht",
            country_code=country,
        )
        async with self.context.database.transaction() as session:
            session.add(person)
            await session.flush()
            assert person.id
            session.add(
                OrderRow(
                    order_number=number,
                    customer_id=person.id,
                    country_code=country,
                    ordered_at=self.clock(),
                    payment_status=PaymentStatus.PAID,
                    payment_method="ideal",
                    delivery_method="parcel",
                    subtotal=Decimal("899.00"),
                    total=Decimal("899.00"),
                    **order,
                )
            )
        return person.id

    async def ask(self, pair: tuple[str | None, str] = SANNE, **origin: Any) -> CodeSent:
        """Request a login code."""
        number, email = pair
        return await self.login.request_code(CodeRequest(email=email, order_number=number), Origin(**origin))

    async def enter(self, code: str, challenge: str | None) -> Session:
        """Enter a code."""
        return await self.login.authenticate(CodeEntry(token=code, challenge=challenge), Origin())

    async def logged_in(self, pair: tuple[str | None, str] = SANNE) -> str:
        """Log in and return the session token."""
        sent = await self.ask(pair)
        token = (await self.enter(await self.newest_code(pair[1]), sent.challenge)).jwt
        self.clock.forward(seconds=61)
        return token

    async def deliver(self) -> None:
        """Deliver all waiting mails, as the worker does."""
        await self._inbox.deliver()

    async def mails(self, address: str) -> list[ReadableMail]:
        """The mails to an address, newest first."""
        return await self._inbox.mails(address)

    async def newest_code(self, address: str) -> str:
        """The code of the newest mail to an address."""
        return code_in((await self.mails(address))[0].text)


def code_in(text: str) -> str:
    """The six digits on a separate line of the text."""
    found = re.search(r"^(\d{6})$", text, re.MULTILINE)
    assert found, "the mail holds no code"
    return found.group(1)


def wrong(code: str) -> str:
    """A code that differs from this one."""
    return f"{(int(code) + 1) % 1_000_000:06}"


async def refusal(call: Any) -> ProviderError:
    """The error that a call raises."""
    try:
        await call
    except ProviderError as error:
        return error
    raise AssertionError("it was not refused")


async def outcome(call: Any) -> str:
    """'ok', or the error code of the refusal."""
    try:
        await call
    except ProviderError as error:
        return error.code.value
    return "ok"


def make_application(url: str, data_dir: Path, **settings: Any) -> TestApplication:
    """Create an application on this database."""
    clock = Clock()
    made = Settings(data_dir=data_dir, database_url=url, **settings)
    return TestApplication(Context(made, database_of(made), clock), clock)

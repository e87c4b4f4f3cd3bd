"""An application with the demonstration shop in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import event
from sqlmodel import col, select

from portal.backend.sessions import Sessions
from portal.backend.staff import StaffSessions
from portal.contract.registry import Provider
from portal.kernel.validation import short_id
from portal.provider.application import Application
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.vocabulary.staff import Role
from tests.support.application import Rows

T = TypeVar("T")


class Furnished(Rows):
    """The application, and sessions of its customers."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.context = application.context

    @property
    def provider(self) -> Provider:
        """The services."""
        return self.application.services

    def ask(self, api: type[T]) -> T:
        """The service that answers an API."""
        return self.application.services.ask(api)

    async def log_in(self, customer: tuple[str, str]) -> str:
        """Open a session, as entering the right code does."""
        number, email = customer
        async with self.context.database.transaction() as session:
            row = (await session.exec(select(CustomerRow).where(CustomerRow.email == email))).one()
            assert row.id
            opened = await Sessions(self.context).open(session, row.id, row.public_id, number)
        return opened.jwt

    async def log_in_staff(self, role: Role, *stores: str) -> str:
        """Add somebody with this role, who works in the stores with these public ids, and open a session."""
        now = self.context.clock()
        async with self.context.database.transaction() as session:
            person = StaffRow(name=f"Test {role}", email=f"{short_id()}@example.com", role=role, created_at=now)
            session.add(person)
            await session.flush()
            rows = (await session.exec(select(PartnerRow).where(col(PartnerRow.public_id).in_(stores)))).all()
            assert len(rows) == len(stores)
            session.add_all(StaffStoreRow(staff_id=person.id, partner_id=row.id) for row in rows)
            return await StaffSessions(self.context).open(session, person.id)

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        """Collect the statements that are sent to the database."""
        sent: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if not statement.startswith(("BEGIN", "PRAGMA", "ROLLBACK")):
                sent.append(statement)

        engine = self.context.database.engine.sync_engine
        event.listen(engine, "before_cursor_execute", note)
        try:
            yield sent
        finally:
            event.remove(engine, "before_cursor_execute", note)

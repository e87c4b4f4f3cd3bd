"""An application with the demonstration shop in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import event
from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffSessions
from portal.contract.registry import Provider
from portal.kernel.validation import short_id
from portal.provider.application import Application
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.vocabulary.staff import Role

T = TypeVar("T")


class Furnished:
    """The application, and sessions of its customers."""

    def __init__(self, application: Application) -> None:
        self.application = application

    @property
    def context(self) -> Context:
        """The common parts of the application."""
        return self.application.context

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

    async def change(self, table: Any, values: dict[str, Any], **where: Any) -> None:
        """Change rows directly, not through the services."""
        async with self.context.database.transaction() as session:
            rows = (await session.exec(select(table).filter_by(**where))).all()
            assert rows, "there is nothing to change"
            for row in rows:
                for name, value in values.items():
                    setattr(row, name, value)

    async def rows(self, table: Any, **where: Any) -> list[Any]:
        """The stored rows with these values, in the order of their keys."""
        async with self.context.database.session() as session:
            return list(await session.exec(select(table).filter_by(**where).order_by(*table.__table__.primary_key)))

    async def row(self, table: Any, **where: Any) -> Any:
        """The first of the rows with these values."""
        return (await self.rows(table, **where))[0]

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

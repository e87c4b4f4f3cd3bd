"""An application with stores and people of the retailer, whose jobs the test runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlmodel import select

from portal.backend import cases
from portal.backend.cases import CaseFacts
from portal.backend.context import Context
from portal.backend.staff import StaffSessions
from portal.contract.models import Locale
from portal.exports.api import WebhookEntry, WebhooksApi, WebhookSecret
from portal.kernel.address import Country
from portal.provider.application import Application
from portal.setting_groups import Mailboxes
from portal.settings import Settings
from portal.tables.exchange import WebhookDeliveryRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.locations import LocationType
from portal.vocabulary.staff import Role
from tests.support.application import Clock, Rows
from tests.support.delivery import work

MAILBOXES = Mailboxes(desk="balie@shop.example", finance="finance@shop.example", warehouse="warehouse@shop.example")


@dataclass
class Telling(Rows):
    """The application, its clock, and people by role."""

    application: Application
    clock: Clock
    tokens: dict[Role, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context = self.application.context

    @property
    def webhooks(self) -> WebhooksApi:
        return self.application.services.ask(WebhooksApi)

    @property
    def administrator(self) -> str:
        return self.tokens[Role.ADMINISTRATOR]

    async def later(self, **duration: float) -> None:
        """Advance the clock; people whose sessions ended log in again."""
        self.clock.forward(**duration)
        async with self.context.database.transaction() as session:
            for person in (await session.exec(select(StaffRow))).all():
                self.tokens[person.role] = await StaffSessions(self.context).open(session, person.id)

    async def hook(self, url: str, **entry: Any) -> WebhookSecret:
        return await self.webhooks.add_webhook(self.administrator, WebhookEntry(url=url, **entry))

    async def happen(
        self,
        reference: str = "ABCD2345",
        happened: CaseEventType = CaseEventType.OPENED,
        status: str = "new",
        *,
        kind: CaseKind = CaseKind.REPAIR,
        store: int | None = 1,
        by_customer: bool = True,
        **details: Any,
    ) -> None:
        """Something happens to a case. The first event opens it."""
        facts = CaseFacts(kind, reference, None, status, partner_id=store)
        async with self.context.database.transaction() as session:
            await cases.record(session, facts, happened, self.clock(), by_customer=by_customer, details=details)

    async def work(self) -> None:
        """Run all due jobs, as a worker does, until none is due."""
        await work(self.context)

    async def deliveries(self) -> list[WebhookDeliveryRow]:
        return await self.rows(WebhookDeliveryRow)

    async def mails(self) -> list[OutboxMail]:
        return await self.rows(OutboxMail)


def partner(name: str, email: str = "") -> PartnerRow:
    return PartnerRow(
        name=name,
        email=email,
        location_type=LocationType.OWN_STORE,
        street="Oudegracht",
        house_number="1",
        post_code="3511 AB",
        city="Utrecht",
        country_code=Country.NL,
    )


async def furnish(context: Context) -> dict[Role, str]:
    """Two stores, and somebody in each role; the store's people work in the first. Returns their session tokens."""
    async with context.database.transaction() as session:
        session.add(partner("Winkel Utrecht", "utrecht@shop.example"))
        await session.flush()
        session.add(partner("Winkel Zeist"))
        tokens: dict[Role, str] = {}
        for role in Role:
            if role is Role.UNKNOWN:
                continue
            locale: Locale = "en" if role is Role.ADMINISTRATOR else "nl"
            person = StaffRow(
                name=role.value.title(),
                email=f"{role.value}@shop.example",
                role=role,
                locale=locale,
                created_at=context.clock(),
            )
            session.add(person)
            await session.flush()
            if role in {Role.MECHANIC, Role.STORE_MANAGER}:
                session.add(StaffStoreRow(staff_id=person.id, partner_id=1))
            tokens[role] = await StaffSessions(context).open(session, person.id)
    return tokens


@asynccontextmanager
async def telling_on(url: str, data_dir: Path, **settings: Any) -> AsyncIterator[Telling]:
    clock = Clock()
    given: dict[str, Any] = {"database_url": url, "data_dir": data_dir, "mailboxes": MAILBOXES}
    made = Settings(**(given | settings))
    application = Application(made, clock=clock)
    try:
        yield Telling(application, clock, await furnish(application.context))
    finally:
        await application.context.database.close()

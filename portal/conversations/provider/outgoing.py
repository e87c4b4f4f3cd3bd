"""What a message of staff sends out besides the page: a mail, and a text message where staff chose it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import letter
from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.staff import StaffMember, first_name
from portal.backend.text_messages import TextMessages, TextTemplate
from portal.contract.models import Locale
from portal.conversations.provider.queries import customer_of, page_of, store_of_case
from portal.conversations.rules import DAY
from portal.kernel.address import readable_phone
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.settings import Settings
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.messages import CaseMessageRow
from portal.vocabulary.cases import CASE_LABELS, Asks, Way


@dataclass(frozen=True, slots=True)
class Receiver:
    """Who gets the messages about a case.

    `customer`: None for a guest, and after an erasure.
    `page`: path of the page that shows the conversation; empty if there is none.
    """

    customer: CustomerRow | None
    page: str
    store: str
    phone: str

    @property
    def reachable(self) -> bool:
        return self.customer is not None and bool(self.page)

    @property
    def locale(self) -> Locale:
        return "en" if self.customer is not None and self.customer.locale == "en" else "nl"

    def ways(self, settings: Settings) -> list[Way]:
        """How a message can go out besides the page."""
        if self.customer is None or not self.page:
            return []
        found = [Way.MAIL] if self.customer.email else []
        return [*found, Way.TEXT_MESSAGE] if settings.sends_text_messages and self.customer.phone else found


async def receiver_of(session: AsyncSession, settings: Settings, case: CaseRow) -> Receiver:
    store, customer = await store_of_case(session, case), await customer_of(session, case)
    brand = settings.of(customer.source if customer else "").brand
    return Receiver(
        customer,
        await page_of(session, case),
        store.name if store else brand.name,
        readable_phone((store.phone if store else "") or brand.phone),
    )


def fields(case: CaseRow, to: Receiver, writer: StaffMember, brand: str, day: date | None) -> dict[str, str]:
    return {
        "first_name": to.customer.first_name if to.customer else "",
        "request": gettext_for(to.locale)(CASE_LABELS[case.kind]).lower(),
        "reference": in_groups(case.reference),
        "store": to.store,
        "phone": to.phone,
        "staff": first_name(writer.name),
        "brand": brand,
        **({DAY: letter.weekday(day, to.locale)} if day else {}),
    }


ItemOf = Callable[[AsyncSession, CaseRow, Locale], Awaitable[str]]
"""The bike or the items that a case is about."""


class Dispatch:
    """Puts what a message sends out into the transaction of the message."""

    def __init__(self, context: Context, item_of: ItemOf) -> None:
        self._context = context
        self._item_of = item_of
        self._outbox = Outbox(context)
        self._texts = TextMessages(context)

    async def send(
        self,
        session: AsyncSession,
        case: CaseRow,
        row: CaseMessageRow,
        to: Receiver,
        *,
        by_text_message: bool,
        files: int = 0,
    ) -> None:
        ways, customer = to.ways(self._context.settings), to.customer
        if customer is None:
            return
        if Way.MAIL in ways:
            row.mailed = True
            row.mail_id = await self._outbox.post(
                session,
                Template.CASE_MESSAGE,
                recipient=customer.email,
                locale=to.locale,
                customer_id=customer.id,
                details={
                    "kind": gettext_for(to.locale)(CASE_LABELS[case.kind]),
                    "reference": case.reference,
                    "item": await self._item_of(session, case, to.locale),
                    "author": row.author,
                    "store": row.store,
                    "text": row.text,
                    "files": files,
                    "asks": "" if row.asks is Asks.NOTHING else row.asks.value,
                    "page": to.page,
                },
            )
        if by_text_message and Way.TEXT_MESSAGE in ways:
            row.text_message_id = await self._texts.plan(
                session,
                TextTemplate.CASE_MESSAGE,
                phone=customer.phone,
                locale=to.locale,
                subject=f"message/{row.public_id}",
                due_at=self._context.clock(),
                customer_id=customer.id,
                details={
                    "reference": in_groups(case.reference),
                    "link": f"{self._context.settings.of(customer.source).address}{to.page}",
                },
            )
            row.texted = row.text_message_id is not None

"""Requests that wait for an answer of their customer, and what lists say about them."""

from __future__ import annotations

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.account import Account, LocalizedText
from portal.tables.cases import CaseRow
from portal.tables.messages import CaseMessageRow
from portal.vocabulary.cases import ASKED_MEANING, ASKED_STATUS, CONVERSATION_PAGES, Asks, CaseState


async def asked_of(session: AsyncSession, customer_id: int) -> frozenset[str]:
    """The references of a customer's requests about which staff wait for an answer."""
    query = (
        select(CaseRow.reference)
        .join(CaseMessageRow, col(CaseMessageRow.case_id) == col(CaseRow.id))
        .where(
            CaseRow.customer_id == customer_id,
            CaseRow.state == CaseState.WAITING,
            col(CaseRow.kind).in_(sorted(CONVERSATION_PAGES)),
            CaseMessageRow.asks != Asks.NOTHING,
            col(CaseMessageRow.answered_at).is_(None),
        )
    )
    return frozenset(await session.exec(query))


def asked_words() -> tuple[LocalizedText, LocalizedText]:
    """What stands in a list in place of status and meaning while staff wait for an answer."""
    return LocalizedText.of(ASKED_STATUS), LocalizedText.of(ASKED_MEANING)


def asked_account(account: Account, *, asked: bool) -> Account:
    """The account as lists show it: that the customer has to answer comes before the status."""
    if not asked:
        return account
    status, meaning = asked_words()
    return account.model_copy(update={"status": status, "meaning": meaning})

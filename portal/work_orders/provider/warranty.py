"""What a repair probably costs, told before it is sent, and the warranty that a repair adds (2019/771)."""

from collections.abc import Mapping
from datetime import date

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.letter import day
from portal.bikes.flow import BIKE
from portal.bikes.provider.queries import BikeQueries
from portal.bikes.provider.service import covered_until
from portal.bikes.rules import (
    REPAIR_COST_RULES,
    REPAIR_COST_TITLES,
    REPAIR_OR_REPLACEMENT,
    RepairCost,
    after_repair,
    repair_cost,
)
from portal.contract.account import AccountFact, LocalizedText
from portal.contract.errors import NotFound
from portal.flow.provider.handler import LookupContext
from portal.kernel.terms import ShopTerms
from portal.kernel.texts import LOCALES, N_
from portal.settings import Settings
from portal.tables.work_orders import RequestRow
from portal.vocabulary.work_orders import FINISHED_WORK, RequestKind, WorkOrderStatus
from portal.work_orders.flow.repair import ExpectedCost, WarrantyFacts
from portal.work_orders.provider import queries


async def repair_warranty(context: LookupContext) -> WarrantyFacts:
    """Look up what the repair of the chosen bike probably costs."""
    try:
        owned = await BikeQueries(context.session, context.owner.customer_id).get(context.answers.text(BIKE))
    except NotFound:
        return WarrantyFacts()
    until = covered_until(owned)
    cost = repair_cost(context.answers.several("parts"), until, context.answers.day)
    title, rule = _texts(cost, until)
    choice = LocalizedText() if cost is RepairCost.EXPIRED else repair_or_replacement(context.settings, owned.terms)
    return WarrantyFacts(warranty=ExpectedCost(cost=cost, until=until, title=title, rule=rule, choice=choice))


def repair_or_replacement(settings: Settings, terms: ShopTerms) -> LocalizedText:
    """What the customer is told about repair and replacement: the text of the shop, else the standard text."""
    standard = LocalizedText.of(REPAIR_OR_REPLACEMENT, warranty_repair_months=terms.warranty_repair_months)
    own = settings.warranty_choice
    return LocalizedText(**{locale: getattr(own, locale) or standard.text(locale) for locale in LOCALES})


def warranty_facts(request: RequestRow) -> list[AccountFact]:
    """What the account says about the warranty: what was expected at sending, and what a repair under it added."""
    told: Mapping[str, str] | None = (request.details or {}).get("warranty")
    if found := covered(until=request.warranty_until, under_warranty=request.under_warranty):
        lines = [found]
    elif told:
        lines = [*_texts(RepairCost(told["cost"]), date.fromisoformat(told["until"]))]
    else:
        return []
    return [AccountFact(label=LocalizedText.of(N_("Warranty")), lines=lines)]


def covered(*, until: date | None, under_warranty: bool) -> LocalizedText:
    """What staff found about the warranty; empty if they found nothing."""
    if until:
        return LocalizedText.of(
            N_("Repaired under warranty. Your bike is covered until {day}."), day=lambda locale: day(until, locale)
        )
    return LocalizedText.of(N_("This repair is covered by the warranty on your bike.") if under_warranty else "")


async def extended_until(
    session: AsyncSession, request: RequestRow, status: WorkOrderStatus, *, under_warranty: bool
) -> date | None:
    """Move the warranty of a bike whose repair under warranty is finished now; once for a bike."""
    finished = status in FINISHED_WORK and request.warranty_until is None
    if not (finished and under_warranty and request.kind is RequestKind.REPAIR):
        return None
    owned = await BikeQueries(session, request.customer_id).by_key(request.bike_id)
    before = covered_until(owned)
    extended = await queries.extended(session, request.bike_id)
    until = after_repair(before, owned.terms.warranty_repair_months, extended=extended)
    owned.bike.warranty_until = until
    session.add(owned.bike)
    return until


def _texts(cost: RepairCost, until: date) -> tuple[LocalizedText, LocalizedText]:
    return (
        LocalizedText.of(REPAIR_COST_TITLES[cost]),
        LocalizedText.of(REPAIR_COST_RULES[cost], day=lambda locale: day(until, locale)),
    )

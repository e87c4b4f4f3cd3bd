"""Prints what rules and sentences say under the terms of the environment; run by `test_changed_terms.py`."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from portal.bikes.rules import after_repair, warranty_until
from portal.contracts.rules import ending
from portal.flow import AnswerContext
from portal.insurance.rules import offered_until
from portal.kernel import terms
from portal.kernel.texts import LOCALES, catalogue
from portal.orders.rules import return_until, withdrawal_until
from portal.returns.flow.items import MILEAGE, STATE, looks_used
from portal.returns.provider.return_case import ReturnCase
from portal.returns.rules.settlement import Returned, SettlementKind, Terms, Worth, settle
from portal.settings import Settings
from portal.vocabulary.cases import CaseKind, due_of
from portal.vocabulary.deliveries import ALL_DAY, ANSWER_WITHIN, HOURS, Window
from portal.vocabulary.departures import Departure, Dependent, ends
from portal.vocabulary.links import LinkPurpose, lifetime
from portal.vocabulary.returns import ItemState, ReturnKind, ReturnStatus
from portal.vocabulary.work_orders import SILENCE
from portal.work_orders.rules import due

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = date(2026, 3, 2)
OWN = terms.ShopTerms()


def rules() -> dict[str, str]:
    """By term, what a rule computes for 2 March 2026, or for an item of 100 euro."""
    worn = settle([Returned("Bike", (Worth(Decimal("100.00")),), "1")], Terms(signs_of_use=True, pick_up=True))
    amounts = {line.kind: str(-line.amount) for line in worn.lines}
    return {
        "due_days": str(due_of(CaseKind.REPAIR, "in_repair")),
        "return_days": str((return_until(NOON, OWN.return_days) - DAY).days),
        "withdrawal_days": str(((withdrawal_until([NOON], OWN.withdrawal_days) or DAY) - DAY).days),
        "refund_days": str(_refunded_after()),
        "unused_km": str(max(km for km in range(1001) if not looks_used(_unused(km)))),
        "warranty_repair_months": str(_months(after_repair(DAY, OWN.warranty_repair_months, extended=False))),
        "warranty_years": str(warranty_until(None, None, DAY, OWN.warranty_years).year - DAY.year),
        "withdrawal_link_days": str(lifetime(LinkPurpose.WITHDRAWAL).days),
        "contract_notice_months": str(_months(_cancelled_until())),
        "insurances_end_with_bike": str(ends(Departure.RETURNED, Dependent.INSURANCE)),
        "depreciation_percent": amounts[SettlementKind.DEPRECIATION],
        "return_pick_up_cost": amounts[SettlementKind.PICK_UP],
        "date_answer_hours": str(ANSWER_WITHIN.total_seconds() / 3600),
        "day_starts": f"{ALL_DAY[0]:%H:%M}",
        "evening_starts": f"{HOURS[Window.EVENING][0]:%H:%M}",
        "evening_ends": f"{ALL_DAY[1]:%H:%M}",
        "insurance_days": str((offered_until(DAY, OWN.insurance_days) - DAY).days),
        "silence_weeks": str(SILENCE.days / 7),
        "first_service_months": due(DAY, 0, None, None, DAY).day.isoformat(),
        "first_service_km": str(due(DAY, 0, None, terms.FIRST_SERVICE_KM, DAY).by_distance),
        "further_service_months": due(DAY, 1, DAY, None, DAY).day.isoformat(),
        "link_hours": str(lifetime(LinkPurpose.ORDER_RETURN).total_seconds() / 3600),
        "battery_link_days": str(lifetime(LinkPurpose.BATTERY).days),
    }


def _refunded_after() -> int:
    row: Any = SimpleNamespace(kind=ReturnKind.RETURN, refund_amount=Decimal("1.00"), created_at=NOON)
    by = ReturnCase(row, ReturnStatus.CLOSED, (), closed_at=NOON).refund_by
    return ((by or DAY) - DAY).days


def _unused(km: int) -> AnswerContext:
    return AnswerContext({STATE: ItemState.UNUSED.value, MILEAGE: str(km)}, {}, DAY)


def _cancelled_until() -> date:
    contract = {"concluded_on": date(2025, 1, 2), "starts_on": date(2025, 1, 2), "monthly": Decimal("5.00")}
    return ending(
        **contract, declared_on=DAY, notice_months=Settings().contract_notice_months, withdrawal_days=14
    ).ends_on


def _months(day: date) -> int:
    return (day.year - DAY.year) * 12 + day.month - DAY.month


def sentences() -> dict[str, dict[str, list[str]]]:
    """By term and language, every sentence that names the term, as customers read it."""
    named: dict[str, dict[str, list[str]]] = {}
    for locale in LOCALES:
        shown = catalogue(locale)
        for text in catalogue("nl").messages:
            for name in set(re.findall(r"\{(\w+)\}", text)) & set(terms.IN_TEXTS):
                named.setdefault(name, {}).setdefault(locale, []).append(shown.gettext(text))
    return named


if __name__ == "__main__":
    print(json.dumps({"rules": rules(), "sentences": sentences()}))

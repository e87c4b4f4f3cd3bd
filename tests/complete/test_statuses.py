"""Every status of every kind has its row: label, meaning, promise, what staff do, and what follows."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, get_args

import pytest

from portal.kernel.status_graph import StatusGraph
from portal.kernel.texts import catalogue
from portal.vocabulary import contracts, deliveries, insurance, orders, returns, work_orders
from portal.vocabulary.audit import AUDIT_LABELS, AuditAction
from portal.vocabulary.cases import STATUSES_OF, STEP_ACTIONS, CaseKind, due_of
from portal.vocabulary.departures import DEPARTURES, REFUSALS, STATED, TABLE, Departure, Dependent
from portal.vocabulary.status import TURNS, UNCLEAR, UNKNOWN, StatusEntry, Tone

FAMILIES: dict[type[StrEnum], Mapping[Any, StatusEntry[Any]]] = {
    deliveries.DeliveryStatus: deliveries.DELIVERY_STATUSES,
    deliveries.DateChangeStatus: deliveries.DATE_CHANGE_STATUSES,
    work_orders.WorkOrderStatus: work_orders.WORK_ORDER_STATUSES,
    returns.ReturnStatus: returns.RETURN_STATUSES,
    insurance.InsuranceStatus: insurance.INSURANCE_STATUSES,
    contracts.DeclarationStatus: contracts.DECLARATION_STATUSES,
    contracts.EndStatus: contracts.END_STATUSES,
    orders.PaymentStatus: orders.PAYMENT_STATUSES,
    orders.InvoiceStatus: orders.INVOICE_STATUSES,
}
OF_CASES: list[StatusGraph[Any]] = [
    *work_orders.WORK_ORDERS.values(), returns.RETURNS, contracts.DECLARATIONS, insurance.INSURANCE_REQUESTS,
    deliveries.DATE_CHANGES, contracts.CONTRACT_ENDS,
]  # fmt: skip

_OF_WORK = {"done", "cancelled"}
_OF_RETURN = {"expired", "refund_processed", "rejected", "cancelled"}
ENDED = {
    CaseKind.REPAIR: _OF_WORK,
    CaseKind.SERVICE: _OF_WORK,
    CaseKind.CLAIM: _OF_WORK,
    CaseKind.RETURN: _OF_RETURN,
    CaseKind.BATTERY_ALARM: _OF_RETURN,
    # A confirmed declaration goes on as a return.
    CaseKind.WITHDRAWAL: _OF_RETURN | {"confirmed", "taken_back"},
    CaseKind.INSURANCE: {"cancelled", "finished"},
    CaseKind.DATE_CHANGE: {"accepted", "refused", "expired", "cancelled"},
    CaseKind.CONTRACT_END: {"processed", "taken_back"},
}
"""Statuses in which a case is closed: nobody has to act."""


def _file(family: type[StrEnum]) -> str:
    return family.__module__.replace(".", "/") + ".py"


def _has_dutch(text: str) -> bool:
    return text in catalogue("nl").messages and bool(catalogue("nl").messages[text])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_every_status_has_a_label_and_a_meaning_in_both_languages(family: type[StrEnum]) -> None:
    rows = FAMILIES[family]
    missing = sorted(set(family) - set(rows))
    assert not missing, f"give {missing} of {family.__name__} a row in the table of {_file(family)}"
    has_meanings = any(row.meaning for row in rows.values())
    for status, row in rows.items():
        assert row.tone in get_args(Tone)
        for name, text in {"label": row.label, **({"meaning": row.meaning} if has_meanings else {})}.items():
            assert text, f"give {status!r} its {name} in {_file(family)}"
            assert _has_dutch(text), f"run `python -m portal.i18n update` and write the Dutch of “{text}”"
    unknown = rows[family(UNKNOWN)]
    assert (unknown.tone, unknown.phase, unknown.transitions) == ("neutral", None, ())
    assert unknown.meaning in ("", UNCLEAR)


@pytest.mark.parametrize("kind", work_orders.MEANINGS)
def test_every_status_of_a_kind_of_work_has_a_meaning(kind: work_orders.RequestKind) -> None:
    for status in set(work_orders.WorkOrderStatus) - {work_orders.WorkOrderStatus.UNKNOWN}:
        assert work_orders.MEANINGS[kind].get(status), (
            f"say what {status} means for {kind} in vocabulary/work_orders.py"
        )


@pytest.mark.parametrize("graph", [deliveries.DELIVERIES, *OF_CASES], ids=lambda graph: type(graph.start).__name__)
def test_every_status_that_is_stored_can_be_reached_and_left(graph: StatusGraph[Any]) -> None:
    family = type(graph.start)
    lost = sorted({status for status in family if status.value != UNKNOWN} - graph.statuses)
    assert not lost, f"name {lost} among `transitions` of the statuses that lead there, in {_file(family)}"


@pytest.mark.parametrize("kind", sorted(set(CaseKind) - {CaseKind.UNKNOWN}))
def test_every_open_status_says_how_long_it_may_last_and_who_acts_next(kind: CaseKind) -> None:
    dues = {str(status): due_of(kind, str(status)) for status in STATUSES_OF[kind] if status != UNKNOWN}
    without = {status for status, due in dues.items() if due is None}
    promised, closed = sorted(ENDED[kind] - without), sorted(without - ENDED[kind])
    assert not closed, f"give {closed} of a {kind} `due=Due(days, turn)` in its row, or add it to ENDED: it is closed"
    assert not promised, f"take {promised} of a {kind} out of ENDED: its row has a promise"
    assert all(due.days > 0 and TURNS[due.turn] for due in dues.values() if due)


def test_every_status_that_may_follow_another_has_its_action_of_staff() -> None:
    following = {status.value for graph in OF_CASES for after in graph.transitions.values() for status in after}
    missing, unused = sorted(following - set(STEP_ACTIONS)), sorted(set(STEP_ACTIONS) - following)
    assert not missing, f"add {missing} to STEP_ACTIONS in portal/vocabulary/cases.py: the words on the button of staff"
    assert not unused, f"take {unused} out of STEP_ACTIONS in portal/vocabulary/cases.py: nothing leads there"


@pytest.mark.parametrize("status", sorted(set(deliveries.DeliveryStatus)))
def test_every_status_of_a_delivery_has_a_phase_or_an_explanation(status: deliveries.DeliveryStatus) -> None:
    place = deliveries.phase(status)
    explained = status in deliveries.STUCK or status is deliveries.DeliveryStatus.UNKNOWN
    assert place is not None or explained, f"give {status} a `phase`, or a line in STUCK (vocabulary/deliveries.py)"


def test_everything_that_hangs_on_a_bike_has_a_cell_for_each_departure() -> None:
    for dependent in Dependent:
        missing = sorted(set(DEPARTURES) - set(TABLE.get(dependent, {})))
        assert not missing, f"add {missing} to the row of {dependent} in TABLE of portal/vocabulary/departures.py"
    assert set(REFUSALS) == set(DEPARTURES), (
        "give each departure its line in REFUSALS of portal/vocabulary/departures.py"
    )
    assert set(STATED) == set(Departure), "give each departure its line in STATED of portal/vocabulary/departures.py"


def test_every_action_that_is_recorded_has_a_text_of_its_own() -> None:
    missing = sorted(set(AuditAction) - set(AUDIT_LABELS))
    assert not missing, f"add {missing} to AUDIT_LABELS in portal/vocabulary/audit.py"
    assert len(set(AUDIT_LABELS.values())) == len(AuditAction)

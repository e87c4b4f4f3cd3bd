"""Each family of statuses has one table, and everything else is read from it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

import pytest

import portal.vocabulary
from portal.kernel.status_graph import StatusGraph
from portal.kernel.texts import catalogue
from portal.vocabulary import deliveries, insurance, orders, returns, work_orders
from portal.vocabulary.status import UNCLEAR, UNKNOWN, StatusEntry, Tone

FAMILIES: dict[type[StrEnum], Mapping[Any, StatusEntry[Any]]] = {
    deliveries.DeliveryStatus: deliveries.DELIVERY_STATUSES,
    deliveries.DateChangeStatus: deliveries.DATE_CHANGE_STATUSES,
    work_orders.WorkOrderStatus: work_orders.WORK_ORDER_STATUSES,
    returns.ReturnStatus: returns.RETURN_STATUSES,
    insurance.InsuranceStatus: insurance.INSURANCE_STATUSES,
    orders.PaymentStatus: orders.PAYMENT_STATUSES,
    orders.InvoiceStatus: orders.INVOICE_STATUSES,
}

GRAPHS: list[StatusGraph[Any]] = [
    deliveries.DELIVERIES, deliveries.DATE_CHANGES, returns.RETURNS, insurance.INSURANCE_REQUESTS,
    *work_orders.WORK_ORDERS.values(),
]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_every_status_has_one_row_with_its_texts_in_both_languages(family: type[StrEnum]) -> None:
    rows = FAMILIES[family]
    assert set(rows) == set(family)
    has_meanings = any(row.meaning for row in rows.values())
    for row in rows.values():
        assert row.tone in get_args(Tone)
        for text in (row.label, *([row.meaning] if has_meanings else [])):
            assert text
            assert text in catalogue("nl").messages


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_not_known_yet_is_neutral_and_goes_nowhere(family: type[StrEnum]) -> None:
    row = FAMILIES[family][family(UNKNOWN)]
    assert (row.tone, row.phase, row.transitions) == ("neutral", None, ())
    assert row.meaning in ("", UNCLEAR)


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_status_that_is_stored_is_in_its_graph(graph: StatusGraph[Any]) -> None:
    family = next(family for family in FAMILIES if isinstance(graph.start, family))
    assert graph.statuses == {status for status in family if status.value != UNKNOWN}
    for status, row in FAMILIES[family].items():
        assert set(row.transitions) <= graph.transitions.get(status, frozenset())


def test_parts_of_an_order_are_as_far_as_the_table_puts_them() -> None:
    order = list(deliveries.DELIVERY_STATUSES)
    assert [row.phase or 0 for row in deliveries.DELIVERY_STATUSES.values() if row.phase] == sorted(
        row.phase for row in deliveries.DELIVERY_STATUSES.values() if row.phase
    )
    assert deliveries.combined_status(order[:-1]) is order[0]
    assert deliveries.combined_status([deliveries.DeliveryStatus.ORDER_CANCELLED, order[-2]]) is order[-2]


def test_the_vocabulary_imports_only_what_is_pure() -> None:
    modules = sorted(Path(portal.vocabulary.__file__).parent.glob("*.py"))
    assert len(modules) > 10
    for module in modules:
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("portal."):
                package = (node.module or "").split(".")[1]
                assert package in ("vocabulary", "kernel"), f"{module.name}: {node.module}"
            assert not isinstance(node, ast.Import) or "reflex" not in ast.unparse(node)

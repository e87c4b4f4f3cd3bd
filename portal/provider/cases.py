"""The cases that the back office moves, by command and by API call."""

from __future__ import annotations

from portal.backend.backoffice import BackOfficeCase
from portal.contracts.provider import backoffice as contracts
from portal.deliveries.provider import backoffice as deliveries
from portal.deliveries.provider import date_backoffice
from portal.insurance.provider import backoffice as insurances
from portal.returns.provider import backoffice as returns
from portal.withdrawals.provider import backoffice as withdrawals
from portal.work_orders.provider import backoffice as work_orders

BACK_OFFICE_CASES: tuple[BackOfficeCase, ...] = (
    work_orders.WORK_ORDER,
    returns.RETURN,
    deliveries.DELIVERY,
    date_backoffice.DATE_CHANGE,
    insurances.INSURANCE,
    withdrawals.WITHDRAWAL,
    contracts.CONTRACT_END,
)

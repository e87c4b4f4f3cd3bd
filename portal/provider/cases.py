"""The cases that the back office moves, what follows when a bike leaves its customer, and the database of commands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from importlib import import_module
from typing import TypeVar

from portal.backend.backoffice import FOLLOWERS, BackOfficeCase
from portal.backend.context import Context, database_of
from portal.backend.faults import CommandFailed
from portal.settings import Settings
from portal.vocabulary.contracts import DeclarationStatus, EndStatus
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import WorkOrderStatus

STATUSES: Mapping[str, type[StrEnum]] = {
    "work-order": WorkOrderStatus,
    "return": ReturnStatus,
    "shipment": DeliveryStatus,
    "date-change": DateChangeStatus,
    "insurance": InsuranceStatus,
    "withdrawal": DeclarationStatus,
    "contract-end": EndStatus,
}
PATHS = {
    "work-order": "portal.work_orders.provider.backoffice:WORK_ORDER",
    "return": "portal.returns.provider.backoffice:RETURN",
    "shipment": "portal.deliveries.provider.backoffice:DELIVERY",
    "date-change": "portal.deliveries.provider.cases:DATE_CHANGE",
    "insurance": "portal.insurance.provider.backoffice:INSURANCE",
    "withdrawal": "portal.withdrawals.provider.declarations:WITHDRAWAL",
    "contract-end": "portal.contracts.provider.service:CONTRACT_END",
}


def back_office_case(name: str) -> BackOfficeCase:
    """A kind of case. A command needs one, so the others are not imported."""
    module, _, case = PATHS[name].partition(":")
    return getattr(import_module(module), case)


def back_office_cases() -> list[BackOfficeCase]:
    return [back_office_case(name) for name in STATUSES]


def register_followers() -> None:
    from portal.contracts.provider.ends import end_contracts
    from portal.flow.provider.cleanup import remove_drafts
    from portal.insurance.provider.backoffice import end_insurance_requests
    from portal.returns.provider.creation import refund_cancelled
    from portal.work_orders.provider.backoffice import end_requests

    FOLLOWERS.register((end_requests, end_insurance_requests, end_contracts, remove_drafts, refund_cancelled))


T = TypeVar("T")


class TransitionRefused(CommandFailed):
    """The status was not changed; the message is one line."""


def in_application(options: Settings, act: Callable[[Context], Awaitable[T]]) -> T:
    if options.api_root is not None:
        raise TransitionRefused("the provider is elsewhere (PORTAL_API_ROOT); do it there")

    register_followers()

    async def run() -> T:
        context = Context(options, database_of(options))
        try:
            return await act(context)
        finally:
            await context.database.close()

    return asyncio.run(run())

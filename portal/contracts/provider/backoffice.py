"""The back office case of withdrawals from and cancellations of contracts: staff confirm, process or take back."""

from __future__ import annotations

from portal.backend.backoffice import declared_case
from portal.contracts.provider import ends
from portal.contracts.provider.queries import end_by_reference
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.contracts import CONTRACT_ENDS, EndStatus


def following(row: ContractEndRow) -> list[EndStatus]:
    """The statuses it can move to; once the contract has ended, it cannot be taken back."""
    return [
        status
        for status in CONTRACT_ENDS.following(row.status)
        if status is not EndStatus.TAKEN_BACK or ends.can_take_back(row)
    ]


CONTRACT_END = declared_case(
    "contract-end",
    EndStatus,
    end_by_reference,
    following,
    {EndStatus.CONFIRMED: ends.confirm, EndStatus.PROCESSED: ends.process, EndStatus.TAKEN_BACK: ends.take_back},
)

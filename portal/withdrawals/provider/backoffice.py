"""The back office case of withdrawals declared without a login: staff confirm them or take them back (part-2 §11)."""

from __future__ import annotations

from portal.backend.backoffice import declared_case
from portal.vocabulary.contracts import DECLARATIONS, DeclarationStatus
from portal.withdrawals.provider import declarations

WITHDRAWAL = declared_case(
    "withdrawal",
    DeclarationStatus,
    declarations.by_reference,
    lambda row: DECLARATIONS.following(row.status),
    {DeclarationStatus.CONFIRMED: declarations.confirm, DeclarationStatus.TAKEN_BACK: declarations.take_back},
)

"""The account of a withdrawal that was declared without a login: what page, link, mail and case say about it.

Once it is confirmed, the account of the return with its reference says what follows.
"""

from __future__ import annotations

from portal.backend.letter import localized_moment
from portal.contract.account import Account, AccountFact, LocalizedText
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups
from portal.tables.returns import WithdrawalDeclarationRow
from portal.vocabulary.contracts import DECLARATION_STATUSES, DeclarationStatus

_T = LocalizedText.of

_NEXT: dict[DeclarationStatus, tuple[str, ...]] = {
    DeclarationStatus.RECEIVED: (
        N_("Confirm it with the link in the email, or log in and confirm it at your order."),
        N_("Until then, your order stays as it is. What counts is the moment of your declaration."),
        N_("Then we’ll tell you what you get back, and how and where to send it."),
    ),
    DeclarationStatus.CONFIRMED: (
        N_(
            "Your email says what you get back, and how and where to send the items. You’ll also see "
            "it under your returns."
        ),
    ),
    DeclarationStatus.TAKEN_BACK: (
        N_("Your order stays as it was. You can withdraw again within the withdrawal period."),
    ),
}


def declaration_account(row: WithdrawalDeclarationRow, *, named: bool = True) -> Account:
    """What is said about a declaration in its current status."""
    entry = DECLARATION_STATUSES[row.status]
    return Account(
        reference=in_groups(row.reference),
        title=_T(N_("Withdrawal: order {number}"), number=row.order_number),
        status=_T(entry.label),
        meaning=_T(entry.meaning),
        facts=[
            _fact(N_("Order number"), LocalizedText.same(row.order_number)),
            _fact(N_("Items"), *map(LocalizedText.same, row.lines)),
            *([_fact(N_("Declared by"), LocalizedText.same(row.name))] if named else []),
            _fact(N_("Received on"), localized_moment(row.received_at)),
        ],
        next_steps=[_T(text) for text in _NEXT.get(row.status, ())],
    )


def _fact(label: str, *lines: LocalizedText) -> AccountFact:
    return AccountFact(label=_T(label), lines=list(lines))

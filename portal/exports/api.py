"""The operations of staff on what goes out: webhooks and exports."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account
from portal.contract.errors import Conflict, InvalidInput
from portal.contract.models import Amount, Document, Model, Page, otherwise
from portal.contract.operations import CSV, DeclaredRefusal, Media, PageNumber, StaffToken, operation
from portal.exports.rules import About, By, CaseReference, Scalar
from portal.kernel.codes import Code
from portal.returns.api import RefundAccount
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState
from portal.vocabulary.exchange import DeliveryState, RefundWay
from portal.vocabulary.returns import ReturnKind
from portal.vocabulary.staff import Right
from portal.vocabulary.status import Turn

MAX_URL = 500
MAX_DESCRIPTION = 120
XML = Media("application/xml", b"<?xml", "payment.xml")


class WebhookEntry(Model):
    """The settings of a webhook. `events`: the types that it receives; empty for all."""

    url: Annotated[str, Field(min_length=1, max_length=MAX_URL)]
    description: Annotated[str, Field(max_length=MAX_DESCRIPTION)] = ""
    events: list[Annotated[str, Field(max_length=60)]] = Field(default_factory=list, max_length=50)
    active: bool = True


class Webhook(WebhookEntry):
    """An address that receives events.

    `failing_since`: first failure since the last success; None while it works.
    `paused_at`: when sending stopped because it kept failing for three days. Its events wait.
    """

    id: str
    failing_since: datetime | None = None
    paused_at: datetime | None = None
    pending: int = 0
    created_at: datetime


class WebhookSecret(Model):
    """The secret that signs the events of a webhook. It is shown once.

    `secret`: begins with `whsec_`.
    `previous_until`: until when the previous secret signs as well; None for a new webhook.
    """

    id: str
    secret: str
    previous_until: datetime | None = None


class WebhookAttempt(Model):
    """One attempt to deliver an event.

    `status`: HTTP status; None without an answer.
    `answer`: the beginning of the answer, or why there was none.
    """

    tried_at: datetime
    status: int | None
    milliseconds: int
    answer: str


class WebhookDelivery(Model):
    """An event on its way to a webhook.

    `id`: header `webhook-id`.
    `attempts`: newest last.
    `next_attempt_at`: when it is tried next; None unless it waits for its turn.
    """

    id: str
    type: str
    subject: str
    state: Annotated[DeliveryState, otherwise(DeliveryState, DeliveryState.UNKNOWN)]
    created_at: datetime
    delivered_at: datetime | None = None
    attempts: list[WebhookAttempt] = Field(default_factory=list)
    next_attempt_at: datetime | None = None


class DeliverySearch(Model):
    """Which deliveries of a webhook are listed. `state`: only those in this state; None for all."""

    state: DeliveryState | None = None
    page: PageNumber = 1


class Replay(Model):
    """What is sent again: one event, or those of a span of time.

    `delivery`: id of one event; empty for a span.
    `since`, `until`: the span; events that happened at `until` or later are not sent.
    `failed_only`: only those that were given up.
    """

    delivery: Annotated[str, Field(max_length=40)] = ""
    since: datetime | None = None
    until: datetime | None = None
    failed_only: bool = False


class Replayed(Model):
    """How many events are sent again."""

    count: int


_URL_REFUSED = DeclaredRefusal(InvalidInput, Code.INVALID_INPUT, Code.INVALID_URL, Code.INVALID_CHOICE)


class WebhooksApi(Protocol):
    @operation("GET", "/staff/webhooks", right=Right.MANAGE_WEBHOOKS)
    async def webhooks(self, token: StaffToken) -> list[Webhook]:
        """All webhooks, the oldest first."""

    @operation("POST", "/staff/webhooks", refuses=(_URL_REFUSED,), right=Right.MANAGE_WEBHOOKS)
    async def add_webhook(self, token: StaffToken, entry: WebhookEntry) -> WebhookSecret:
        """Add a webhook.

        In production its URL starts with https and leads to a public host.
        """

    @operation("PUT", "/staff/webhooks/{webhook_id}", refuses=(_URL_REFUSED,), right=Right.MANAGE_WEBHOOKS)
    async def change_webhook(self, token: StaffToken, webhook_id: str, entry: WebhookEntry) -> Webhook:
        """Change a webhook."""

    @operation("DELETE", "/staff/webhooks/{webhook_id}", right=Right.MANAGE_WEBHOOKS)
    async def remove_webhook(self, token: StaffToken, webhook_id: str) -> None:
        """Remove a webhook with its log. What waits for it is not sent."""

    @operation("POST", "/staff/webhooks/{webhook_id}/secret", right=Right.MANAGE_WEBHOOKS)
    async def rotate_secret(self, token: StaffToken, webhook_id: str) -> WebhookSecret:
        """Replace the secret. For a day, events are signed with both."""

    @operation("POST", "/staff/webhooks/{webhook_id}/resume", right=Right.MANAGE_WEBHOOKS)
    async def resume_webhook(self, token: StaffToken, webhook_id: str) -> Replayed:
        """Send to a paused webhook again, first of all what waited."""

    @operation("POST", "/staff/webhooks/{webhook_id}/test", right=Right.MANAGE_WEBHOOKS)
    async def test_webhook(self, token: StaffToken, webhook_id: str) -> None:
        """Send an event to try a webhook."""

    @operation("GET", "/staff/webhooks/{webhook_id}/deliveries", right=Right.MANAGE_WEBHOOKS)
    async def deliveries_of_webhook(
        self, token: StaffToken, webhook_id: str, asked: DeliverySearch
    ) -> Page[WebhookDelivery]:
        """The log of a webhook, newest first."""

    @operation(
        "POST",
        "/staff/webhooks/{webhook_id}/replay",
        refuses=(DeclaredRefusal(InvalidInput, Code.INVALID_INPUT, Code.REQUIRED),),
        right=Right.MANAGE_WEBHOOKS,
    )
    async def replay(self, token: StaffToken, webhook_id: str, replay: Replay) -> Replayed:
        """Send events again, in their order and with their ids."""


class ChangedCase(Model):
    """A case in the list of those that changed.

    `due_at`: until when somebody has to act (UTC); None when it is done.
    `turn`: who has to act next; None when it is done.
    """

    case: CaseReference
    state: CaseState
    due_at: datetime | None = None
    turn: Turn | None = None
    opened_at: datetime
    changed_at: datetime
    closed_at: datetime | None = None


class ChangedCases(Model):
    """Cases that changed, the oldest change first.

    `next`: to be sent as `after` for those that follow; empty when there are none yet.
    """

    items: list[ChangedCase]
    next: str = ""


class CaseFileRecord(Model):
    file_id: str
    name: str
    media_type: str
    size: int
    by_staff: bool = False


class CaseHistoryRecord(Model):
    type: CaseEventType
    status: str
    by: By
    details: dict[str, Scalar] = Field(default_factory=dict)
    happened_at: datetime


class CaseRecord(ChangedCase):
    """A case with everything.

    `about`: the shop's own ids.
    `account`: what the customer was told, with answers (`facts`) and amounts (`money`); numbers that staff have to
    reveal are dots.
    """

    about: About
    account: Account
    planned_date: date | None = None
    files: list[CaseFileRecord] = Field(default_factory=list)
    history: list[CaseHistoryRecord] = Field(default_factory=list)


class RefundToPay(Model):
    """A refund that was decided and is not paid yet.

    `kind`: of the return; None for the end of a contract. `case_kind` is that of its case.
    `order_numbers`: the orders, of which `order_number` is the first; of a contract, the order of its bike.
    `payment_method`: how the order was paid; `payment_reference` is the number of the payment provider.
    `account`: the account it is paid to, masked; empty when it is paid back the way it was paid.
    `holder`: of the account; `entered_by` is who entered it, empty for the customer, and `entered_at` when.
    `waits`: whether a second person has to confirm it first; `confirmed_by` is who did.
    `unclear`: whether the amounts of the order do not add up.
    `address_changed_by`: who of staff changed the customer's e-mail address before the account was entered with it, and
    `address_changed_at` when; empty without such a change.
    `refunded`: what the shop refunded of the order itself, or of this refund before it was recorded.
    `batch`: id of the export that has it; empty without one.
    """

    reference: str
    kind: Annotated[ReturnKind | None, otherwise(ReturnKind, ReturnKind.UNKNOWN)] = None
    case_kind: Annotated[CaseKind, otherwise(CaseKind, CaseKind.UNKNOWN)]
    order_number: str
    order_numbers: list[str] = Field(default_factory=list)
    amount: Amount
    payment_method: str
    payment_reference: str = ""
    account: str = ""
    holder: str = ""
    entered_by: str = ""
    entered_at: datetime | None = None
    waits: bool = False
    unclear: bool = False
    confirmed_by: str = ""
    address_changed_by: str = ""
    address_changed_at: datetime | None = None
    refunded: Amount
    batch: str = ""
    exported_at: datetime | None = None
    decided_at: datetime


MAX_REFUNDS = 100
"""Refunds that are changed at once."""


class ChosenRefunds(Model):
    """Refunds, by the reference of the return or of the end of the contract."""

    references: list[Annotated[str, Field(max_length=20)]] = Field(min_length=1, max_length=MAX_REFUNDS)


class RefundResult(Model):
    """What became of one refund: done, or refused with a code."""

    reference: str
    code: Code | None = None


class BatchChoice(Model):
    way: RefundWay


class RefundBatch(Model):
    """Refunds that were exported together. `made_by`: name of the person; empty for the command line."""

    id: str
    way: Annotated[RefundWay, otherwise(RefundWay, RefundWay.UNKNOWN)]
    exported_at: datetime
    made_by: str = ""
    count: int
    total: Amount


class RefundSum(Model):
    """Refunds that would be exported now, of one way."""

    way: Annotated[RefundWay, otherwise(RefundWay, RefundWay.UNKNOWN)]
    count: int
    total: Amount


class WaitingExports(Model):
    """What waits to be exported. `refunds`: one sum a way."""

    refunds: list[RefundSum]
    insurances: int


_EMPTY = DeclaredRefusal(Conflict, Code.NOTHING_TO_EXPORT)


class ExportsApi(Protocol):
    @operation("GET", "/staff/exports", right=Right.EXPORT)
    async def waiting_exports(self, token: StaffToken) -> WaitingExports:
        """Count what would be exported now."""

    @operation("GET", "/staff/refunds", right=Right.EXPORT)
    async def refunds_to_pay(self, token: StaffToken) -> list[RefundToPay]:
        """Refunds that were decided and are not paid yet, the oldest first; at most 1000."""

    @operation("POST", "/staff/refunds/confirm", right=Right.RELEASE_REFUNDS)
    async def confirm_refunds(self, token: StaffToken, chosen: ChosenRefunds) -> list[RefundResult]:
        """Confirm refunds as the second person; each is confirmed or refused by itself.

        `second_person_required`: the person closed the return or entered the account. `status_not_allowed`: the refund
        is not to be paid, or needs no confirmation.
        """

    @operation("POST", "/staff/refunds/paid", right=Right.RELEASE_REFUNDS)
    async def record_refunds_paid(self, token: StaffToken, chosen: ChosenRefunds) -> list[RefundResult]:
        """Record that refunds were paid, and tell the customers; each is recorded or refused by itself.

        `second_person_required`: nobody confirmed it yet. `status_not_allowed`: the refund is not to be paid.
        """

    @operation(
        "PUT",
        "/staff/refunds/{reference}/account",
        refuses=(
            DeclaredRefusal(Conflict, Code.REFUND_EXPORTED, Code.STATUS_NOT_ALLOWED, Code.SECOND_PERSON_REQUIRED),
            DeclaredRefusal(InvalidInput, Code.INVALID_INPUT, Code.INVALID_IBAN),
        ),
        right=Right.ENTER_REFUND_ACCOUNT,
    )
    async def enter_refund_account(self, token: StaffToken, reference: str, account: RefundAccount) -> None:
        """Enter the account to which a return is refunded, where it cannot be paid back the way it was paid.

        Its last digits are mailed to the customer.
        """

    @operation("GET", "/staff/refund-batches", right=Right.EXPORT)
    async def refund_batches(self, token: StaffToken, page: PageNumber = 1) -> Page[RefundBatch]:
        """All batches, newest first."""

    @operation("POST", "/staff/refund-batches", refuses=(_EMPTY,), right=Right.EXPORT)
    async def export_refunds(self, token: StaffToken, choice: BatchChoice) -> RefundBatch:
        """Export all refunds to pay that are paid in one way. Each refund is in one batch only.

        Those that wait for a second person stay where they are.
        """

    @operation("GET", "/staff/refund-batches/{batch_id}/list", media=CSV, right=Right.EXPORT)
    async def refund_list(self, token: StaffToken, batch_id: str) -> Document:
        """The refunds of a batch as CSV."""

    @operation("GET", "/staff/refund-batches/{batch_id}/payment", media=XML, right=Right.EXPORT)
    async def refund_payment(self, token: StaffToken, batch_id: str) -> Document:
        """A batch of payments to accounts as ISO 20022 pain.001.001.09, for the bank.

        The same file each time, so that a bank that gets it twice pays once.
        """

    @operation("GET", "/staff/insurance-list", media=CSV, right=Right.EXPORT)
    async def insurance_list(self, token: StaffToken) -> Document:
        """Insurance requests that wait for the insurer, as CSV."""

"""Models and operations of running contracts, and of their end."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.models import Amount, Model, Picture, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.vocabulary.contracts import ContractKind, EndKind, EndStatus

KnownContractKind = Annotated[ContractKind, otherwise(ContractKind, ContractKind.UNKNOWN)]
KnownEndKind = Annotated[EndKind, otherwise(EndKind, EndKind.UNKNOWN)]


class ContractEnd(Model):
    """A withdrawal or cancellation.

    `ends_on`: last day of the contract.
    `received_at`, `confirmed_at`, `processed_at`: when it reached each status (UTC); None before.
    `email`: where the receipt was mailed.
    `asked`: whether staff wait for an answer of the customer; the account then says so in place of the status.
    """

    reference: str
    kind: KnownEndKind
    status: Annotated[EndStatus, otherwise(EndStatus, EndStatus.UNKNOWN)]
    account: Account
    ends_on: date
    received_at: datetime
    confirmed_at: datetime | None = None
    processed_at: datetime | None = None
    email: str
    can_take_back: bool = False
    asked: bool = False


class Contract(Model):
    """A contract that was taken out in the portal.

    `reference`: of the order of a service package, or of the insurance request.
    `product`: what was taken out, such as "Servicepakket Comfort".
    `monthly`: euro a month including VAT.
    `offer`: how it would end if the customer ended it today, without a reference; None if it has ended or is ending.
    `offered`: withdrawal or cancellation; None without `offer`.
    `offered_end`: the last day of the contract then.
    """

    reference: str
    kind: KnownContractKind
    product: LocalizedText
    bike_id: str
    bike: str
    picture: Picture = Picture()
    frame_number: str = ""
    monthly: Amount
    since: date
    withdraw_until: date
    policy_number: str = ""
    running: bool
    offer: Account | None = None
    offered: KnownEndKind | None = None
    offered_end: date | None = None
    end: ContractEnd | None = None


class EndEntry(Model):
    """A declaration that ends a contract.

    `name`: of the person who declares; not validated yet.
    `ending`: withdrawal or cancellation, as the page showed it; another one is refused with `status_changed`.
    `key`: random; the same key sent twice makes one declaration.
    """

    name: str = Field(default="", max_length=1000)
    ending: KnownEndKind
    key: str = Field(min_length=8, max_length=64)


class GuestContract(Model):
    reference: str = Field(default="", max_length=1000)
    email: str = Field(default="", max_length=1000)


class GuestEnd(EndEntry, GuestContract):
    """A declaration of a guest."""


class FoundContract(Model):
    """What a guest sees of a contract: what is named in the mail about it."""

    reference: str
    kind: KnownContractKind
    product: LocalizedText
    bike: str
    offered: KnownEndKind
    withdraw_until: date
    ends_on: date


class DeclaredEnd(Model):
    """The receipt of a guest's declaration, which is also mailed; `received_at` is in UTC, `email` is masked."""

    reference: str
    ending: KnownEndKind
    account: Account
    received_at: datetime
    email: str


_DECLARE = (
    DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.TOO_LONG),
    DeclaredRefusal(Conflict, Code.STATUS_CHANGED),
)
_ANSWER = (DeclaredRefusal(Conflict, Code.STATUS_CHANGED),)
_GUEST = (
    DeclaredRefusal(InvalidInput, Code.MISSING_EMAIL_ADDRESS, Code.INVALID_EMAIL),
    DeclaredRefusal(Refused, Code.CONTRACT_NOT_FOUND),
    DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS),
)


class ContractsApi(Protocol):
    @operation("GET", "/contracts")
    async def contracts(self, token: Token) -> list[Contract]:
        """The customer's contracts: running ones first, then newest first."""

    @operation("GET", "/contracts/{reference}")
    async def contract(self, token: Token, reference: str) -> Contract:
        """One contract of the customer."""

    @operation("POST", "/contracts/{reference}/end", refuses=_DECLARE)
    async def end_contract(self, token: Token, reference: str, entry: EndEntry) -> Contract:
        """Withdraw from a contract or cancel it, and mail the receipt. The same key again gives the same answer.

        `status_changed`: it has ended, or the period of withdrawal is over meanwhile.
        """

    @operation("POST", "/contracts/{reference}/confirm", refuses=_ANSWER)
    async def confirm_end(self, token: Token, reference: str) -> Contract:
        """Confirm what was declared without a login; once more changes nothing."""

    @operation("POST", "/contracts/{reference}/take-back", refuses=_ANSWER)
    async def take_back_end(self, token: Token, reference: str) -> Contract:
        """Take back the end of a contract; once more changes nothing.

        `status_changed`: it has ended or was processed.
        """

    @operation("POST", "/guest/contract", refuses=_GUEST)
    async def guest_contract(self, entry: GuestContract, origin: Origin) -> FoundContract:
        """Find a running contract.

        `contract_not_found`: the reference or the e-mail address is wrong, or it has ended; the answer does not say
        which.
        """

    @operation("POST", "/guest/contract/end", refuses=(*_GUEST, *_DECLARE))
    async def guest_end(self, entry: GuestEnd, origin: Origin) -> DeclaredEnd:
        """Declare the end of a contract as a guest, and mail the receipt with a link that confirms it.

        It is received, and changes nothing until it is confirmed. The same key, or an open declaration, gives the same
        answer.
        """

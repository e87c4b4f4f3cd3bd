"""Models and operations of privacy rights (part-1 §13)."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.models import Content, Model, otherwise
from portal.contract.operations import ANY_FILE, DeclaredRefusal, InVisit, Token, operation
from portal.kernel.codes import Code
from portal.vocabulary.customers import ExportStatus, RunningKind


class DataExport(Model):
    """The copy of the customer's data.

    `size`: bytes; 0 while it is being made.
    `expires_at`: until when it can be downloaded (UTC).
    """

    export_id: str
    status: Annotated[ExportStatus, otherwise(ExportStatus, ExportStatus.UNKNOWN)]
    asked_at: datetime
    size: int
    expires_at: datetime


class Running(Model):
    """Something that is not finished, for which the customer's data are needed.

    `name`: reference or number, or the name of the bike.
    `until`: the last day of a contract that was cancelled; None if it has none yet.
    """

    kind: Annotated[RunningKind, otherwise(RunningKind, RunningKind.UNKNOWN)]
    name: str
    until: date | None = None


class PersonalData(Model):
    """What the page about privacy rights shows.

    `export`: the copy that was asked for; None if there is none.
    `running`: what has to be finished before an erasure.
    """

    export: DataExport | None = None
    running: list[Running]


class ErasureCodeSent(Model):
    """A code was mailed that confirms the erasure; times are UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


class ErasureCode(Model):
    code: str = Field(max_length=1000)


_LIMIT = DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS)
_RUNNING = DeclaredRefusal(Conflict, Code.ERASURE_NOT_POSSIBLE)


class PrivacyApi(Protocol):
    """A copy of the customer's data, and their erasure."""

    @operation("GET", "/customer/data")
    async def personal_data(self, token: Token) -> PersonalData:
        """Where the copy stands, and what prevents an erasure."""

    @operation("POST", "/customer/data/export", refuses=(_LIMIT,), in_visit=InVisit.NEVER)
    async def ask_for_export(self, token: Token) -> PersonalData:
        """Have a copy made in the background. While one is being made, no other is started."""

    @operation("GET", "/customer/data/export/{export_id}", media=ANY_FILE, in_visit=InVisit.NEVER)
    async def export_content(self, token: Token, export_id: str) -> Content:
        """The ZIP file, in chunks."""

    @operation("POST", "/customer/data/erasure", refuses=(_RUNNING, _LIMIT), in_visit=InVisit.NEVER)
    async def request_erasure(self, token: Token) -> ErasureCodeSent:
        """Mail a code that confirms the erasure."""

    @operation(
        "POST",
        "/customer/data/erasure/confirm",
        in_visit=InVisit.NEVER,
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED),
            DeclaredRefusal(Refused, Code.INVALID_CODE, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE),
            _RUNNING,
        ),
    )
    async def confirm_erasure(self, token: Token, entry: ErasureCode) -> None:
        """Erase the customer's data with the mailed code. Every session ends."""

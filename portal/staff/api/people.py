"""Operations and models for the login of staff, people of the retailer, and the audit."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput, NotFound, Refused, TooMany
from portal.contract.models import Document, KnownLocale, Locale, Model, Page, only_known, otherwise
from portal.contract.operations import CSV, DeclaredRefusal, PageNumber, StaffToken, operation
from portal.contract.session import CodeDelivery, CodeEntry, CodeSent, LocaleChoice, Origin
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.vocabulary.staff import Right, Role

KnownRole = Annotated[Role, otherwise(Role, Role.UNKNOWN)]


class StoreName(Model):
    """A store or workshop. `store_id` is the id of the service location."""

    store_id: str
    name: str


class Person(Model):
    """Somebody who works at the retailer.

    `stores`: where the person works; empty means none. Only roles of a store are limited to them.
    `last_seen_at`: last use of a session (UTC); None if the person never logged in.
    """

    person_id: str
    name: str
    email: str
    role: KnownRole
    stores: list[StoreName] = Field(default_factory=list)
    locale: KnownLocale = "nl"
    active: bool = True
    last_seen_at: datetime | None = None


class LoginPerson(Model):
    person_id: str
    name: str
    role: KnownRole
    stores: list[str] = Field(default_factory=list)


class LoginWays(Model):
    """How staff can log in here.

    `sign_on`: whether an OpenID provider is connected; then there are no codes.
    `people`: everybody who can log in; only in the demonstration.
    """

    sign_on: bool
    people: list[LoginPerson] = Field(default_factory=list)


class StaffCodeRequest(Model):
    """Request for a login code: an e-mail address as typed, or somebody of the demonstration's list."""

    email: str = Field(default="", max_length=1000)
    person_id: str = Field(default="", max_length=40)


class SignOn(Model):
    """The beginning of a login at the OpenID provider.

    `url`: address to which the browser is sent.
    `challenge`: opaque; bound to this browser. The answer opens a session only together with it.
    `expires_at`: until when the answer is accepted (UTC).
    """

    url: str
    challenge: str
    expires_at: datetime


class SignOnEntry(Model):
    code: str = Field(default="", max_length=4000)
    state: str = Field(default="", max_length=200)
    error: str = Field(default="", max_length=200)
    challenge: str | None = Field(default=None, max_length=200)


class OpenedSession(Model):
    """A new session: `token` is the bearer token of operations for staff, `expires_at` its absolute end (UTC)."""

    token: str = Field(repr=False)
    expires_at: datetime


class Member(Model):
    """The person of a valid session.

    `stores`: empty for roles that see all stores.
    `quiet`: whether the installation was restored and sends and deletes nothing yet.
    `expires_at`: end of the session without further use (UTC).
    `ends_at`: end of the session in any case (UTC).
    """

    person_id: str
    name: str
    email: str
    role: KnownRole
    rights: Annotated[list[Right], only_known(Right)]
    stores: list[StoreName] = Field(default_factory=list)
    locale: KnownLocale
    quiet: bool = False
    expires_at: datetime
    ends_at: datetime


class StaffApi(Protocol):
    @operation("GET", "/staff/login")
    async def staff_login_ways(self) -> LoginWays:
        """How staff can log in."""

    @operation(
        "POST",
        "/staff/login/code",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_EMAIL),
            DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS),
            DeclaredRefusal(NotFound),
        ),
    )
    async def request_staff_code(self, request: StaffCodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code; the answer is the same for unknown addresses.

        Not found where an OpenID provider is connected.
        """

    @operation("POST", "/staff/login/code/delivery")
    async def staff_code_delivery(self, origin: Origin) -> CodeDelivery:
        """Tell whether the mail with the code of this browser was refused, as far as is known."""

    @operation(
        "POST",
        "/staff/login/session",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED),
            DeclaredRefusal(Refused, Code.INVALID_CODE, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE),
            DeclaredRefusal(NotFound),
        ),
    )
    async def open_staff_session(self, entry: CodeEntry, origin: Origin) -> OpenedSession:
        """Open a session with the mailed code and the challenge of the browser that asked for it."""

    @operation(
        "POST",
        "/staff/login/sign-on",
        refuses=(DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS), DeclaredRefusal(NotFound)),
    )
    async def start_sign_on(self, origin: Origin) -> SignOn:
        """Begin a login at the OpenID provider. Not found where none is connected."""

    @operation(
        "POST",
        "/staff/login/sign-on/answer",
        refuses=(DeclaredRefusal(Refused, Code.SIGN_ON_FAILED, Code.SIGN_ON_REFUSED), DeclaredRefusal(NotFound)),
    )
    async def finish_sign_on(self, entry: SignOnEntry, origin: Origin) -> OpenedSession:
        """Open a session with the answer of the OpenID provider.

        `sign_on_refused` if the retailer does not know the person; `sign_on_failed` for everything else.
        """

    @operation("GET", "/staff/session", right=Right.OWN_ACCOUNT)
    async def member(self, token: StaffToken) -> Member:
        """The person of this session; counts as use of it."""

    @operation("POST", "/staff/logout", right=Right.OWN_ACCOUNT)
    async def end_staff_session(self, token: StaffToken) -> None:
        """End the session."""

    @operation("PUT", "/staff/locale", right=Right.OWN_ACCOUNT)
    async def change_staff_locale(self, token: StaffToken, choice: LocaleChoice) -> None:
        """Choose the language of the pages and mails of this person."""


class PersonEntry(Model):
    name: str = Field(default="", max_length=1000)
    email: str = Field(default="", max_length=1000)
    role: str = Field(default="", max_length=40)
    stores: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=200)
    locale: Locale = "nl"


class Activation(Model):
    active: bool


class AuditSearch(Model):
    """Which entries of the audit to list. Empty fields do not limit.

    `who`: a part of the name of whoever did it.
    `reference`: reference or public id of a record.
    `since`, `until`: first and last local day.
    """

    who: str = Field(default="", max_length=60)
    action: str = Field(default="", max_length=60)
    reference: str = Field(default="", max_length=40)
    since: date | None = None
    until: date | None = None
    page: PageNumber = 1


AUDIT_FILTERS = ("who", "reference", "action", "since", "until")


def audit_search(values: Mapping[str, str], page: int = 1) -> AuditSearch:
    """The search of an address, from the texts of its query. What cannot be read does not limit."""
    return AuditSearch(
        who=" ".join(values.get("who", "").split())[:60],
        reference=values.get("reference", "").strip()[:40],
        action=values.get("action", "").strip()[:60],
        since=validation.day(values.get("since", "")),
        until=validation.day(values.get("until", "")),
        page=page,
    )


class AuditEntry(Model):
    """One entry of the audit; `happened_at` is in UTC."""

    happened_at: datetime
    actor: str
    action: str
    kind: str = ""
    reference: str = ""
    reason: str = ""
    details: dict[str, Any] = Field(default_factory=dict)
    address: str = ""


_PERSON = (
    DeclaredRefusal(
        InvalidInput, Code.REQUIRED, Code.TOO_LONG, Code.INVALID_EMAIL, Code.INVALID_CHOICE, Code.EMAIL_TAKEN
    ),
)
_LAST = DeclaredRefusal(Refused, Code.LAST_ADMINISTRATOR)


class PeopleApi(Protocol):
    @operation("GET", "/staff/stores", right=Right.OWN_ACCOUNT)
    async def staff_stores(self, token: StaffToken) -> list[StoreName]:
        """All stores, by name."""

    @operation("GET", "/staff/people", right=Right.MANAGE_STAFF)
    async def people(self, token: StaffToken, page: PageNumber = 1) -> Page[Person]:
        """People by name, also those who may not log in."""

    @operation("GET", "/staff/people/{person_id}", right=Right.MANAGE_STAFF)
    async def person(self, token: StaffToken, person_id: str) -> Person:
        """One person."""

    @operation("POST", "/staff/people", right=Right.MANAGE_STAFF, refuses=_PERSON)
    async def add_person(self, token: StaffToken, entry: PersonEntry) -> Person:
        """Add somebody, who can log in from then on."""

    @operation("PUT", "/staff/people/{person_id}", right=Right.MANAGE_STAFF, refuses=(*_PERSON, _LAST))
    async def change_person(self, token: StaffToken, person_id: str, entry: PersonEntry) -> Person:
        """Change somebody. A changed role or store holds from the next operation; open sessions go on."""

    @operation("PUT", "/staff/people/{person_id}/active", right=Right.MANAGE_STAFF, refuses=(_LAST,))
    async def set_person_active(self, token: StaffToken, person_id: str, activation: Activation) -> Person:
        """Let somebody log in, or end all sessions of somebody who may no longer."""

    @operation("GET", "/staff/audit", right=Right.READ_AUDIT)
    async def audit(self, token: StaffToken, search: AuditSearch) -> Page[AuditEntry]:
        """The audit, newest entries first."""

    @operation("GET", "/staff/audit/export", right=Right.READ_AUDIT, media=CSV)
    async def audit_export(self, token: StaffToken, search: AuditSearch) -> Document:
        """The audit as CSV for spreadsheets, oldest entries first, without pages; itself an entry of the audit."""

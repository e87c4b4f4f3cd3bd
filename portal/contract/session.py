"""Models of the login, the session and the customer (part-1 §7)."""

from contextvars import ContextVar
from datetime import date, datetime
from typing import Annotated

from pydantic import Field, computed_field

from portal.contract.models import KnownLocale, Locale, Model, only_known, otherwise
from portal.kernel.address import Country
from portal.kernel.days import today, whole_months
from portal.vocabulary.actions import Feature
from portal.vocabulary.staff import VisitMode


class Origin(Model):
    """The origin of a login call.

    `address`: network address of the browser; rate limits count by it.
    `locale`: language that the customer chose in this browser; None for the language of their account.
    `challenge`: the existing challenge of this browser; a new code replaces only that one.
    """

    address: str = ""
    locale: Locale | None = None
    challenge: str | None = None


calling_from: ContextVar[str] = ContextVar("calling_from", default="")
"""Network address of whoever makes the current call; the audit keeps it. Set where a request or an event comes in."""


VISIT_PATH = "/visit"
"""Path on the customers' site of the links with which staff open it for a customer."""


class CodeRequest(Model):
    """Request for a login code with e-mail address and order number (variant 1).

    The documented call sends only the e-mail address; the code then goes to the customer with that address.
    """

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)


class LeaseRequest(Model):
    """Lease reference or frame number (variant 2). Always refused; the error names the lease portal."""

    lease: str = Field(max_length=1000)


class CodeSent(Model):
    """A login code was sent.

    `challenge`: opaque value; the code opens a session only together with it.
    `email`: masked recipient of the code.
    `expires_at`: when the code expires (UTC).
    `resend_at`: when another code can be requested (UTC).
    """

    challenge: str
    email: str
    expires_at: datetime
    resend_at: datetime


class CodeDelivery(Model):
    """What became of the mail with a login code. `refused`: the mail server of the recipient did not take it."""

    refused: bool


class CodeEntry(Model):
    """The code the customer typed, under the documented key `token`, and the challenge it belongs to."""

    token: str = Field(max_length=1000)
    challenge: str | None = Field(default=None, max_length=200)


class Session(Model):
    """A new session: `jwt` is the bearer token, `expires_at` its absolute expiry (UTC)."""

    jwt: str
    expires_at: datetime


class SessionCheck(Model):
    """A valid session.

    `customer`: public id of the customer; binds a page to its owner.
    `expires_at`: absolute expiry (UTC); idle_until: expiry without further use (UTC).
    `recall`: id of the oldest recall that the customer has not confirmed to have read; empty if there is none.
    `mode`: what somebody of the staff may do in this session; None for a session of the customer.
    `visitor`: name of that person; empty for a session of the customer.
    """

    customer: str
    locale: KnownLocale
    country: Annotated[Country, otherwise(Country, Country.UNKNOWN)]
    expires_at: datetime
    idle_until: datetime
    recall: str = ""
    mode: Annotated[VisitMode | None, otherwise(VisitMode, VisitMode.UNKNOWN)] = None
    visitor: str = ""


class Address(Model):
    """A postal address; house number and addition are separate."""

    post_code: str
    house_number: str
    house_number_addon: str = ""
    street: str
    city: str
    country_code: Annotated[Country, otherwise(Country, Country.UNKNOWN)]


class CustomerAddress(Address):
    """The address of the customer, with the phone number (E.164, empty when unknown) as the requirements have it."""

    phone: str = ""


class Customer(Model):
    """`userData.customer` (part-1 §3). `prefix` stands between first and last name ('van der')."""

    first_name: str
    prefix: str = ""
    last_name: str
    email: str
    address: CustomerAddress


class LoginOrder(Model):
    """`userData.order`: the order the customer logged in with."""

    order_number: str
    invoiced_at: date | None = None

    @computed_field
    @property
    def months_since_invoice(self) -> int | None:
        """Whole months since it was invoiced, today; None before."""
        return None if self.invoiced_at is None else whole_months(self.invoiced_at, today())


class UserData(Model):
    """The answer of `customer/info` (part-1 §7, call 3). `features` is empty when nothing is offered (part-1 §6)."""

    customer: Customer
    order: LoginOrder | None = None
    features: Annotated[list[Feature], only_known(Feature)] = Field(default_factory=list)
    locale: KnownLocale = "nl"


class LocaleChoice(Model):
    """The language of mails and documents."""

    locale: Locale

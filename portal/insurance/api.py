"""Models and operations of insurances: offers and requests per bike (part-2 §2)."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account
from portal.contract.errors import Conflict, Refused, TooMany, Unavailable
from portal.contract.models import Document, Model, Page, Picture, otherwise
from portal.contract.operations import PDF, DeclaredRefusal, FileLocale, PageNumber, Token, operation
from portal.deliveries.api import KnownCode
from portal.insurance.rules import InsuranceOffer, KnownInsuranceType
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.vocabulary.insurance import InsuranceStatus


class InsuranceRequest(Model):
    """A request for an insurance, for 'no insurance' or for 'insured already'.

    `document_id`: the version of the product information document that the customer saw; empty without insurance.
    `status`: created, waiting_for_input (for the customer), cancelled, finished.
    `email`, `link_expires_at email_failed`: of the mail with the link, while the request waits for it.
    `asked`: whether staff wait for an answer of the customer; the account then says so in place of the status.
    """

    account: Account
    reference: str
    type: KnownInsuranceType
    document_id: str = ""
    status: Annotated[InsuranceStatus, otherwise(InsuranceStatus, InsuranceStatus.UNKNOWN)]
    email: str = ""
    link_expires_at: datetime | None = None
    email_failed: bool = False
    asked: bool = False


class InsuranceBike(Model):
    """A bike and whether insurance is offered for it.

    `refusal`: why it is not offered; None if it is.
    `insurance`, `policy_number`, `insurance_start`: its current insurance; empty without one.
    """

    bike_id: str
    name: str
    color: str = ""
    picture: Picture = Picture()
    frame_number: str
    order_number: str
    order_date: date
    refusal: KnownCode = None
    until: date
    insurance: str = ""
    policy_number: str = ""
    insurance_start: date | None = None
    request: InsuranceRequest | None = None


class InsuranceBikes(Page[InsuranceBike]):
    """A page of the customer's bikes, newest order first.

    `waiting`: the bikes of the newest requests that wait for the link in the mail, at most one page.
    `suggested`: id of the newest bike that can be insured, else of the newest bike; empty without bikes.
    """

    waiting: list[InsuranceBike] = Field(default_factory=list)
    suggested: str = ""


class InsuranceOptions(Model):
    bike: InsuranceBike
    offers: list[InsuranceOffer]


class InsuranceApi(Protocol):
    @operation("GET", "/insurances/bikes")
    async def insurance_bikes(self, token: Token, page: PageNumber = 1) -> InsuranceBikes:
        """The customer's bikes, newest order first, and whether each can be insured."""

    @operation("GET", "/insurances")
    async def insurance_requests(self, token: Token, page: PageNumber = 1) -> Page[InsuranceRequest]:
        """The customer's requests, newest first."""

    @operation(
        "GET", "/bikes/{bike_id}/insurances", refuses=(DeclaredRefusal(Unavailable, Code.INSURANCE_OPTIONS_FAILED),)
    )
    async def insurance_options(self, token: Token, bike_id: str) -> InsuranceOptions:
        """What insuring a bike costs with each insurer.

        `insurance_options_failed`: the premiums or the product information documents are not available.
        """

    @operation("GET", "/insurances/documents/{document_id}/pdf", media=PDF)
    async def insurance_document(self, token: Token, document_id: str, locale: FileLocale) -> Document:
        """A version of an insurance product information document, as a PDF.

        Every version that was ever offered can be downloaded.
        """

    @operation(
        "POST",
        "/insurances/{reference}/resend",
        refuses=(DeclaredRefusal(Refused), DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY)),
    )
    async def resend_insurance(self, token: Token, reference: str) -> LinkSent:
        """Mail the link of a request again.

        Not found if the request does not wait for a link. Refused if the bike is gone or insured meanwhile.
        """

    @operation(
        "POST",
        "/insurances/{reference}/cancel",
        refuses=(DeclaredRefusal(Refused, Code.STATUS_NOT_ALLOWED), DeclaredRefusal(Conflict, Code.STATUS_CHANGED)),
    )
    async def cancel_insurance(self, token: Token, reference: str) -> InsuranceRequest:
        """Cancel a request that is not finished.

        `status_not_allowed`: it is finished or cancelled.
        """

"""The groups of settings: the shop and further shops, the systems it is connected with, and its periods."""

import re
from datetime import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, FilePath, HttpUrl, SecretStr, model_validator

from portal.kernel import terms
from portal.kernel.address import readable_phone
from portal.kernel.validation import ORDER_NUMBER
from portal.vocabulary.staff import Role


class Brand(BaseModel):
    name: str = "Bovenbuis"
    shop_url: str = "https://www.bovenbuis.example"
    phone: str = "+31302001234"
    email: str = "klantenservice@bovenbuis.example"
    street: str = "Vredenburg 40"
    post_code: str = "3511 BD"
    city: str = "Utrecht"
    chamber_of_commerce: str = "30123456"
    vat_number: str = "NL001234567B01"
    iban: str = "NL91ABNA0417164300"

    @property
    def dialled(self) -> str:
        return readable_phone(self.phone)


class Carriers(BaseModel):
    own: str = "Bovenbuis bezorgdienst"
    """The shop's own transport, which also delivers replacements."""


class Hours(BaseModel):
    """The same opening hours on consecutive days. Days are ISO weekdays, 1 is Monday."""

    first_day: int = Field(ge=1, le=7)
    last_day: int = Field(ge=1, le=7)
    opens: time
    closes: time


class Variant(StrEnum):
    """The two variants of the portal; the host name decides which one is shown (part-1 §1)."""

    MIJN = "mijn"
    RETOUREN = "retouren"

    @classmethod
    def of_host(cls, host: str) -> "Variant":
        """The variant of a host name: its first label decides (part-1 §1 Variants)."""
        return cls.RETOUREN if "retour" in host.lower().split(":")[0].split(".")[0] else cls.MIJN


def _hours(first_day: int, last_day: int, opens: int, closes: int) -> Hours:
    return Hours(first_day=first_day, last_day=last_day, opens=time(opens), closes=time(closes))


class ServiceHours(BaseModel):
    """Opening hours of the customer service, by variant, local time (part-1 §1 Variants)."""

    mijn: tuple[Hours, ...] = (_hours(1, 6, 9, 20), _hours(7, 7, 10, 17))
    retouren: tuple[Hours, ...] = (_hours(1, 5, 9, 20), _hours(6, 6, 9, 18))

    def of(self, variant: Variant) -> tuple[Hours, ...]:
        return self.mijn if variant is Variant.MIJN else self.retouren


class OwnText(BaseModel):
    """A text of the shop that replaces the standard text; a language that is empty keeps the standard text."""

    nl: str = ""
    en: str = ""


class LegalText(BaseModel):
    """The Markdown files of one legal page, by language (`portal.legal`)."""

    nl: FilePath
    en: FilePath


def _example(name: str) -> LegalText:
    folder = Path(__file__).parent / "legal" / "texts"
    return LegalText(nl=folder / f"{name}.nl.md", en=folder / f"{name}.en.md")


class Legal(BaseModel):
    """The texts of the legal pages. The defaults are a complete example; a shop has its own checked by a lawyer."""

    privacy: LegalText = _example("privacy")
    terms: LegalText = _example("terms")
    accessibility: LegalText = _example("accessibility")


class Retention(BaseModel):
    """How long each kind of data is stored (part-1 §13)."""

    tax_years: int = Field(default=terms.TAX_YEARS, ge=1, le=30)
    """Years after the end of the calendar year for which orders and invoices are stored with their addresses."""
    request_years: int = Field(default=terms.REQUEST_YEARS, ge=1, le=30)
    """Years after a request was finished for which its answers, notes and files are stored."""
    mail_days: int = Field(default=terms.MAIL_DAYS, ge=1, le=3650)
    """Days for which the records of sent mails and text messages are stored."""


class Smtp(BaseModel):
    """The mail server. Without a host, mails are written as files (demonstration only)."""

    host: str = ""
    port: int = Field(default=587, ge=1, le=65535)
    username: str = ""
    password: SecretStr = SecretStr("")
    security: Literal["starttls", "tls", "none"] = "starttls"
    timeout_seconds: float = Field(default=10, gt=0, le=60)


class Bounces(BaseModel):
    """The mailbox (IMAP) of the sender of mails, to which mail servers report what they cannot deliver."""

    host: str = ""
    port: int = Field(default=993, ge=1, le=65535)
    username: str = ""
    password: SecretStr = SecretStr("")
    security: Literal["tls", "none"] = "tls"
    timeout_seconds: float = Field(default=10, gt=0, le=60)


class TextGateway(BaseModel):
    """The HTTP gateway for text messages, see docs/operations.md. Without a URL there are no text messages."""

    url: HttpUrl | None = None
    token: SecretStr = SecretStr("")
    sender: str = Field(default="Bovenbuis", pattern=r"^(?:[A-Za-z0-9 ]{1,11}|\+?[0-9]{1,15})$")
    """Name or number that the recipient sees; phone networks allow names of 11 characters."""
    timeout_seconds: float = Field(default=10, gt=0, le=60)

    @model_validator(mode="after")
    def _secured(self) -> Self:
        if self.url is not None and not self.token.get_secret_value():
            raise ValueError("PORTAL_TEXT_GATEWAY__URL needs PORTAL_TEXT_GATEWAY__TOKEN")
        return self


class StaffOidc(BaseModel):
    """The OpenID provider with which staff log in. Without an issuer they get a code by mail."""

    issuer: HttpUrl | None = None
    """URL whose `/.well-known/openid-configuration` describes the provider."""
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    scopes: str = "openid profile email"
    email_claim: str = "email"
    """Claim with the e-mail address of a person, such as `preferred_username`; any but `email` has to be trusted."""
    trust_email: bool = False
    """Whether an e-mail address counts as verified although the provider does not say so (`email_verified`)."""
    role_claim: str = ""
    """Claim with the groups or roles of a person; empty means that role and stores come from the table of people."""
    roles: dict[str, Role] = {}
    """Role by value of that claim. Whoever has none of the values is refused."""
    stores_claim: str = ""
    """Claim with the names or ids of the stores where a person works; empty means the table of people."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.issuer is not None and not (self.client_id and self.client_secret.get_secret_value()):
            raise ValueError("PORTAL_STAFF_OIDC__ISSUER needs PORTAL_STAFF_OIDC__CLIENT_ID and __CLIENT_SECRET")
        if self.email_claim != "email" and not self.trust_email:
            raise ValueError("PORTAL_STAFF_OIDC__EMAIL_CLAIM needs PORTAL_STAFF_OIDC__TRUST_EMAIL=true")
        if self.role_claim and not self.roles:
            raise ValueError("PORTAL_STAFF_OIDC__ROLE_CLAIM needs PORTAL_STAFF_OIDC__ROLES")
        return self


class Mailboxes(BaseModel):
    desk: str = ""
    """Empty is that of the customer service (`brand.email`)."""
    finance: str = ""
    warehouse: str = ""


class FileStore(BaseModel):
    store: Literal["local", "s3"] = "local"
    bucket: str = ""
    prefix: str = ""
    """Prefix of all object names, such as `portal/`."""
    endpoint: str = ""
    """URL of the store; empty for Amazon S3."""
    region: str = "eu-central-1"
    access_key: str = ""
    secret_key: SecretStr = SecretStr("")
    """Without both keys, the credentials come from the environment of the machine."""
    most_unknown_percent: float = Field(default=10, ge=0, le=100)
    """Percent of the files that may be without a row of the database; above it none is moved to the trash."""

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.store == "s3" and not self.bucket:
            raise ValueError("PORTAL_FILES__STORE=s3 needs PORTAL_FILES__BUCKET")
        return self


def _form(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text} is not a regular expression: {error}") from None
    return text


OrderNumberForm = Annotated[str, AfterValidator(_form)]
"""Regular expression of order numbers: three to twenty capital letters and digits."""

ShopName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
"""Name of a further shop: the source of its imports."""


class FurtherShop(BaseModel):
    """A further shop of the installation. What is not here is the same for all shops."""

    brand: Brand
    mail_from: str
    public_url: str
    """Address of its portal, in mails; each shop has its own host name."""
    allowed_hosts: list[str] = []
    order_number: OrderNumberForm = ORDER_NUMBER
    text_sender: str = ""
    """Name or number of its text messages; empty for that of the gateway."""
    legal: Legal = Legal()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if missing := sorted(set(Brand.model_fields) - self.brand.model_fields_set):
            raise ValueError(f"the brand of a further shop names everything; missing: {', '.join(missing)}")
        return self

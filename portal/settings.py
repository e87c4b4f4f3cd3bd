"""Settings, read from the environment variables `PORTAL_*` and `PORT`. An invalid one stops the start with one line.

Every value that a retailer may want to change is here, with the default of the requirements; the terms that rules and
texts share are in `portal.kernel.terms`.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import time
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    Field,
    FilePath,
    HttpUrl,
    PrivateAttr,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError
from typing_extensions import override

from portal.kernel import terms
from portal.kernel.address import Country, readable_phone
from portal.kernel.terms import Terms
from portal.kernel.validation import ORDER_NUMBER
from portal.vocabulary.staff import Role

DESK_LABEL = "balie."
"""First label of every host of the staff site."""

_AT_HOME = ("localhost", "127.0.0.1", "mijn.localhost", "retouren.localhost")

DEMO_SECRET = "demonstration-only-secret-of-the-portal-change-me"  # noqa: S105 - refused in production


class Brand(BaseModel):
    """Name, links and contact details of the shop."""

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
        """The phone number as every channel writes it."""
        return readable_phone(self.phone)


class Carriers(BaseModel):
    """Names of the carriers, as customers read them."""

    own: str = "Bovenbuis bezorgdienst"
    """The shop's own transport, which also delivers replacements."""
    parcel_service: str = "Kwiekpost"
    """The parcel service of the demonstration."""
    tracking_url: str = "https://volg.kwiekpost.example/{code}"
    """Tracking page of the parcel service of the demonstration; `{code}` is the tracking code."""


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
        """The hours of a variant."""
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
    session_days: int = Field(default=terms.SESSION_DAYS, ge=1, le=3650)
    """Days for which a session is stored after its end."""
    link_days: int = Field(default=terms.LINK_DAYS, ge=1, le=3650)
    """Days for which a mailed link is stored after it expired."""
    code_days: int = Field(default=terms.CODE_DAYS, ge=1, le=30)
    """Days for which the hash of a login code is stored."""
    idempotency_days: int = Field(default=terms.IDEMPOTENCY_DAYS, ge=1, le=365)
    """Days for which an idempotency key of the back office is stored; later the same call counts as a new one."""
    import_days: int = Field(default=terms.IMPORT_DAYS, ge=1, le=365)
    """Days for which imported records are stored that wait for another one or were rejected."""
    export_days: int = Field(default=terms.EXPORT_DAYS, ge=1, le=30)
    """Days for which a customer can download the copy of their data."""


class Smtp(BaseModel):
    """The mail server. Without a host, mails are written as files (demonstration only)."""

    host: str = ""
    port: int = Field(default=587, ge=1, le=65535)
    username: str = ""
    password: SecretStr = SecretStr("")
    security: Literal["starttls", "tls", "none"] = "starttls"
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
    """Mail addresses of the retailer's people; a store has its own with its location. Empty is that of the desk."""

    desk: str = ""
    """Empty is that of the customer service (`brand.email`)."""
    finance: str = ""
    warehouse: str = ""


class FileStore(BaseModel):
    """Where customers' files are stored: the data directory, or an S3-compatible store."""

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
    trash_days: int = Field(default=14, ge=1, le=365)
    """Days after which a file without a row is deleted from the trash."""

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


class Settings(Terms, BaseSettings):
    """All settings, with the terms. Nested values use two underscores: `PORTAL_SMTP__HOST`."""

    model_config = SettingsConfigDict(env_prefix="PORTAL_", env_nested_delimiter="__", extra="ignore")

    env: Literal["demonstration", "production"] = "demonstration"
    port: int = Field(default=8000, ge=1, le=65535, validation_alias=AliasChoices("PORTAL_PORT", "PORT"))
    bind: str = "127.0.0.1"
    data_dir: Path = Path("var")
    secret_key: SecretStr = SecretStr(DEMO_SECRET)
    """Signs session tokens and login codes; at least 32 characters."""
    database_url: str = ""
    """SQLAlchemy address; empty means SQLite in the data directory. `postgresql+psycopg://…` for PostgreSQL."""
    redis_url: str = ""
    """URL of a Redis server that holds the state of open pages; empty means the memory of the one process."""
    public_url: str = ""
    """Address of the portal in mails; never taken from the Host header. Empty means http://localhost:PORT."""
    allowed_hosts: list[str] = []
    """Host names that the portal answers to, in addition to that of `public_url`."""
    trusted_proxy_hops: int = Field(default=0, ge=0, le=5)
    """Number of trusted proxies that set X-Forwarded-For."""

    jobs: bool = True
    """Whether this process runs background jobs, such as sending mail. One process on a database has to."""

    drawn: bool = True
    """Whether documents show the data of their customer before scripts have loaded; a process of bun draws them."""
    drawing_seconds: float = Field(default=0.6, gt=0, le=10)
    """How long a document waits for its data, and then for being drawn, before it is served as it was built."""

    desk: bool = True
    """Whether the process of the customers' site also starts that of the staff site."""
    desk_url: str = ""
    """Address of the staff site. Empty means the host `balie.` beside that of `public_url`."""
    desk_port: int = Field(default=0, ge=0, le=65535)
    """Port of the staff site; 0 means the one after `port`."""

    api_root: HttpUrl | None = None
    """URL of a remote provider, such as https://shop.example; empty means the embedded one."""
    api_key: SecretStr = SecretStr("")
    """Secret shared with the provider, so that it trusts the portal on a customer's network address."""
    backoffice_key: SecretStr = SecretStr("")
    """Key of the back-office API, at least 32 characters; two keys separated by a space during a rotation.
    Empty disables the API."""
    api_timeout_seconds: float = Field(default=8, gt=0, le=60)

    files: FileStore = FileStore()
    confinement_required: bool = False
    """Whether the start is refused on a system that cannot confine the processes that read files of customers."""
    repair_uploads_required: bool = True
    """Whether a repair needs a photo or video (part-1 §12)."""
    customer_files_gb: float = Field(default=2, gt=0, le=100)
    """Gigabytes that one customer may use for files not yet sent with a request."""

    brand: Brand = Brand()
    order_number: OrderNumberForm = ORDER_NUMBER
    """Form of the order numbers."""
    shops: dict[ShopName, FurtherShop] = {}
    """Further shops of this installation, by the name of the source of their imports."""
    shop: str = ""
    """The shop whose pages this process serves; empty for the main one."""
    carriers: Carriers = Carriers()
    hours: ServiceHours = ServiceHours()
    legal: Legal = Legal()
    """Texts of the pages 'privacy', 'terms' and 'accessibility', as Markdown files."""
    retention: Retention = Retention()
    smtp: Smtp = Smtp()
    staff_oidc: StaffOidc = StaffOidc()
    text_gateway: TextGateway = TextGateway()
    mail_from: str = "Bovenbuis <noreply@bovenbuis.example>"
    mailboxes: Mailboxes = Mailboxes()
    refund_iban: str = ""
    """Account from which refunds are paid; empty is `brand.iban`."""
    refund_alone_up_to: Decimal = Field(default=Decimal(500), ge=Decimal(0), max_digits=8, decimal_places=2)
    """Amount in euro up to which a refund is paid without a second person who confirms it."""
    desk_locale: Literal["nl", "en"] = "nl"
    """Language of mails to mailboxes of the retailer."""
    webhook_timeout_seconds: float = Field(default=15, gt=0, le=60)
    """Seconds within which a webhook has to answer."""

    countries: list[Country] = [Country.NL, Country.BE]
    """Countries whose orders this portal serves."""
    country_domains: dict[Country, HttpUrl] = {
        Country.DE: HttpUrl("https://mein.bovenbuis.example"),
        Country.DK: HttpUrl("https://min.bovenbuis-dk.example"),
        Country.SE: HttpUrl("https://min.bovenbuis-se.example"),
        Country.NO: HttpUrl("https://min.bovenbuis-no.example"),
    }
    """Portals for customers of other countries."""
    lease_portal_url: HttpUrl = HttpUrl("https://lease.bovenbuis.example")

    code_minutes: int = Field(default=terms.CODE_MINUTES, ge=1, le=60)
    code_tries: int = Field(default=terms.CODE_TRIES, ge=1, le=10)
    code_wait_seconds: int = Field(default=terms.CODE_WAIT_SECONDS, ge=0, le=600)
    codes_per_account_hour: int = Field(default=terms.CODES_PER_ACCOUNT_HOUR, ge=1)
    codes_per_address_hour: int = Field(default=terms.CODES_PER_ADDRESS_HOUR, ge=1)
    searches_per_address_hour: int = Field(default=120, ge=1)
    """Searches for service points in an hour from one network address, by visitors who are not logged in."""
    session_hours: float = Field(default=terms.SESSION_HOURS, gt=0, le=24)
    idle_minutes: float = Field(default=terms.IDLE_MINUTES, gt=0, le=720)
    sockets_per_address: int = Field(default=200, ge=1)
    """Open pages per network address; a whole office may share one address."""
    sockets_per_session: int = Field(default=30, ge=1)
    """Open pages per browser session."""
    closed_on_holidays: bool = False
    """Whether the customer service is closed on Dutch public holidays."""
    contract_end_text: OwnText = OwnText()
    """Text below every withdrawal and cancellation of a contract, on its page and in its mails."""
    warranty_choice: OwnText = OwnText()
    """What a customer is told about repair and replacement under warranty, where a lawyer words it otherwise."""
    delivery_handling_days: int = Field(default=terms.HANDLING_DAYS, ge=0, le=30)
    """Working days between the next working day and the first day to which a delivery can be moved."""
    delivery_days: int = Field(default=terms.DELIVERY_DAYS, ge=1, le=150)
    """Number of days, from the first possible one, to which a delivery can be moved."""
    delivery_places: int = Field(default=terms.DELIVERY_PLACES, ge=0, le=10_000)
    """Deliveries that can be moved to one day in a country, unless the day has its own capacity."""
    passwords: bool = False
    """Whether customers may set a password and log in with it, as an alternative to the code."""
    pick_up_cost: Decimal = Field(default=terms.PICK_UP_COST, ge=Decimal(0), max_digits=8, decimal_places=2)
    """Price in euro for picking up and delivering a bike, own shops only."""
    free_return_reasons: list[
        Literal[
            "incomplete",
            "wrong_product_received",
            "product_is_defect",
            "product_is_damaged",
            "expected_higher_quality",
        ]
    ] = ["incomplete", "wrong_product_received", "product_is_defect", "product_is_damaged"]
    """Reasons for which a return is free: neither the pick-up nor signs of use are charged."""
    reach_km: float = Field(default=terms.REACH_KM, gt=0, le=500)
    """Radius in kilometres around a location within which bikes are picked up and mechanics visit."""

    _main: FurtherShop | None = PrivateAttr(default=None)

    @classmethod
    @override
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read no files: the two other sources would look for every setting in vain, two fifths of the time."""
        return init_settings, env_settings

    @model_validator(mode="after")
    def _choose_shop(self) -> Self:
        """Serve the pages of the chosen shop: from here on its brand is that of the settings."""
        if self._main is not None:
            # Settings that are read from data are validated twice.
            return self
        if self.shop and self.shop not in self.shops:
            raise ValueError(f"PORTAL_SHOP={self.shop} is not in PORTAL_SHOPS")
        if self.shop and self.api_root is not None:
            raise ValueError("PORTAL_SHOP needs a database; leave PORTAL_API_ROOT empty")
        self._main = FurtherShop.model_construct(
            brand=self.brand,
            mail_from=self.mail_from,
            public_url=self.public_url,
            allowed_hosts=self.allowed_hosts,
            order_number=self.order_number,
            text_sender=self.text_gateway.sender,
            legal=self.legal,
        )
        if self.shop:
            for name, value in self._of_shop(self.shop).items():
                setattr(self, name, value)
        return self

    def _of_shop(self, name: str) -> dict[str, Any]:
        chosen, main = self.shops.get(name, self._main), self._main
        if chosen is None or main is None:
            raise RuntimeError("these settings were not validated")
        return {
            "shop": name,
            "brand": chosen.brand,
            "mail_from": chosen.mail_from,
            "public_url": chosen.public_url,
            "allowed_hosts": chosen.allowed_hosts,
            "order_number": chosen.order_number,
            "legal": chosen.legal,
            "text_gateway": self.text_gateway.model_copy(update={"sender": chosen.text_sender or main.text_sender}),
        }

    @property
    def usual_order_numbers(self) -> bool:
        """Whether order numbers have the usual form, so that pages may say how they begin and show digit keys."""
        return self.order_number == ORDER_NUMBER

    def shop_of(self, source: str) -> str:
        """The shop of a source: a further one, or the main one, which is empty."""
        return source if source in self.shops else ""

    def of(self, source: str) -> Self:
        """The settings of a source's shop, which may be served by another process."""
        name = self.shop_of(source)
        return self if name == self.shop else self.model_copy(update=self._of_shop(name))

    def shop_name(self, source: str) -> str:
        """The name by which staff tell the shop of a source from others; empty where there is only one."""
        return self.of(source).brand.name if self.shops else ""

    @model_validator(mode="after")
    def _production_is_strict(self) -> Self:
        if len(self.secret_key.get_secret_value()) < 32:
            raise ValueError("PORTAL_SECRET_KEY needs at least 32 characters")
        if any(len(key) < 32 for key in self.backoffice_keys):
            raise ValueError("PORTAL_BACKOFFICE_KEY needs at least 32 characters")
        if self.secret_key.get_secret_value() in self.backoffice_keys or DEMO_SECRET in self.backoffice_keys:
            raise ValueError("PORTAL_BACKOFFICE_KEY needs a secret of its own")
        if self.env == "production":
            if self.secret_key.get_secret_value() == DEMO_SECRET:
                raise ValueError("PORTAL_ENV=production needs its own PORTAL_SECRET_KEY")
            if not self.smtp.host and self.api_root is None:
                raise ValueError("PORTAL_ENV=production needs PORTAL_SMTP__HOST")
            if invented := list(self._left_invented()):
                raise ValueError(f"PORTAL_ENV=production needs {', '.join(invented)}")
        return self

    def _left_invented(self) -> Iterator[str]:
        """The settings that still have a value of the demonstration, or that nobody could guess."""
        own: tuple[tuple[str, BaseModel, Iterable[str]], ...] = (
            ("", self, ("public_url", "mail_from", "trusted_proxy_hops", "lease_portal_url", "country_domains")),
            ("BRAND__", self.brand, Brand.model_fields),
            ("CARRIERS__", self.carriers, ("own",)),
            ("HOURS__", self.hours, ServiceHours.model_fields),
            ("LEGAL__", self.legal, Legal.model_fields),
            ("TEXT_GATEWAY__", self.text_gateway, ("sender",) if self.text_gateway.url else ()),
        )
        for prefix, part, names in own:
            yield from (f"PORTAL_{prefix}{name.upper()}" for name in names if name not in part.model_fields_set)

    @model_validator(mode="after")
    def _due_days_are_known(self) -> Self:
        from portal.vocabulary.cases import DUE_NAMES

        if unknown := sorted(set(self.due_days) - DUE_NAMES):
            raise ValueError(f"PORTAL_DUE_DAYS knows no {unknown[0]}; it knows {', '.join(sorted(DUE_NAMES))}")
        return self

    @model_validator(mode="after")
    def _production_is_encrypted(self) -> Self:
        addresses = {
            "PORTAL_TEXT_GATEWAY__URL": str(self.text_gateway.url) if self.text_gateway.url else None,
            "PORTAL_STAFF_OIDC__ISSUER": str(self.staff_oidc.issuer) if self.staff_oidc.issuer else None,
            "PORTAL_PUBLIC_URL": self.public_url,
            "PORTAL_DESK_URL": self.desk_address,
            **{f"PORTAL_SHOPS__{name.upper()}__PUBLIC_URL": shop.public_url for name, shop in self.shops.items()},
        }
        for name, address in addresses.items():
            if self.env == "production" and address is not None and not address.startswith("https://"):
                raise ValueError(f"PORTAL_ENV=production needs a {name} that starts with https://")
        return self

    @property
    def backoffice_keys(self) -> list[str]:
        """The valid keys of the back-office API; empty when it is disabled."""
        return self.backoffice_key.get_secret_value().split()

    @property
    def sends_text_messages(self) -> bool:
        """Whether text messages are sent. Only then may a page, mail or document promise one."""
        return self.text_gateway.url is not None

    @property
    def desk_email(self) -> str:
        """Where mails to the service desk go."""
        return self.mailboxes.desk or self.brand.email

    @property
    def demonstration(self) -> bool:
        """Whether this is the demonstration: fictional shop, mails as files, `/mailbox`."""
        return self.env == "demonstration"

    @property
    def address(self) -> str:
        """Public URL of the portal, without a trailing slash."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")

    @property
    def desk_address(self) -> str:
        """Public URL of the staff site, without a trailing slash."""
        if self.desk_url:
            return self.desk_url.rstrip("/")
        if not self.public_url:
            return f"http://{DESK_LABEL}localhost:{self.port_of(staff=True)}"
        scheme, _, host = self.address.partition("://")
        return f"{scheme}://{DESK_LABEL}{host.removeprefix('www.').removeprefix('mijn.')}"

    def port_of(self, *, staff: bool) -> int:
        """The port on which a site is served."""
        return (self.desk_port or self.port + 1) if staff else self.port

    def hosts(self, *, staff: bool = False) -> list[str]:
        """The host names that a site answers to."""
        names = [re.sub(r":\d*$", "", urlsplit(origin).netloc.lower()) for origin in self.origins(staff=staff)]
        return names if staff else [*names, *_AT_HOME]

    def _is_desk_name(self, host: str) -> bool:
        """Whether a host name of the settings is one of the staff site: by its first label, or by `desk_url`."""
        return host.lower().startswith(DESK_LABEL) or host.lower() == self.desk_address.partition("://")[2]

    def case_address(self, kind: str, reference: str) -> str:
        """URL of the staff page of a case. `kind` is the kind as `kind_path` writes it."""
        return f"{self.desk_address}/cases/{kind}/{reference}"

    def origins(self, *, staff: bool = False) -> list[str]:
        """The origins that may open the event socket or post to the portal.

        For customers these are the public address and the further host names; in the demonstration the loopback names
        of both variants are added (part-1 §1 Variants). The staff site has an address of its own.

        Args:
            staff: whether it is the staff site.
        """
        scheme = "https" if self.secure else "http"
        hosts = [host for host in self.allowed_hosts if self._is_desk_name(host) == staff]
        origins = [self.desk_address if staff else self.address, *(f"{scheme}://{host}" for host in hosts)]
        if self.demonstration:
            names = (f"{DESK_LABEL}localhost",) if staff else _AT_HOME
            origins += [f"http://{host}:{self.port_of(staff=staff)}" for host in names]
        return list(dict.fromkeys(origins))

    def passkey_host(self, origin: str) -> str:
        """The host name to which passkeys of an origin are bound (`rp.id`); empty where there are no passkeys.

        These are the customers' own origins. An IP address cannot have passkeys.
        """
        host = urlsplit(origin).hostname or "" if origin in self.origins() else ""
        return "" if host.replace(".", "").isdecimal() or ":" in host else host

    @property
    def secure(self) -> bool:
        """Whether customers use https; decides cookie flags and HSTS."""
        return self.address.startswith("https://")

    @property
    def database(self) -> str:
        """The SQLAlchemy address of the database, for an async engine."""
        if self.database_url:
            return self.database_url
        return f"sqlite+aiosqlite:///{(self.data_dir / 'portal.db').absolute()}"


@cache
def settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()


def explain(error: ValidationError | SettingsError) -> str:
    """Describe in one line which setting is wrong and why."""
    if isinstance(error, SettingsError):
        return str(error)
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = "__".join(str(part) for part in first["loc"]).upper()
    reason = first["msg"].removeprefix("Value error, ")
    if not name:
        return reason
    return f"{name if name in {'PORT', 'PORTAL_PORT'} else f'PORTAL_{name}'}: {reason}"

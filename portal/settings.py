"""Settings, read from the environment variables `PORTAL_*` and `PORT`. An invalid one stops the start with one line.

Every value that a retailer may want to change is here, with the default of the requirements; the terms that rules and
texts share are in `portal.kernel.terms`.
"""

import os
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AliasChoices,
    BaseModel,
    Field,
    HttpUrl,
    PrivateAttr,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    NestedSecretsSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)
from typing_extensions import override

from portal.kernel import terms
from portal.kernel.address import Country
from portal.kernel.terms import Terms
from portal.kernel.validation import ORDER_NUMBER
from portal.setting_groups import (
    Bounces,
    Brand,
    Carriers,
    FileStore,
    FurtherShop,
    Legal,
    Mailboxes,
    OrderNumberForm,
    OwnText,
    Retention,
    ServiceHours,
    ShopName,
    Smtp,
    StaffOidc,
    TextGateway,
)

DESK_LABEL = "balie."
"""First label of every host of the staff site."""

_AT_HOME = ("localhost", "127.0.0.1", "mijn.localhost", "retouren.localhost")

DEMO_SECRET = "demonstration-only-secret-of-the-portal-change-me"  # noqa: S105 - refused in production
DEMO_DATA_KEY = "demonstration-only-key-of-the-data-change-me"


class Settings(Terms, BaseSettings):
    """All settings, with the terms. Nested values use two underscores: `PORTAL_SMTP__HOST`."""

    model_config = SettingsConfigDict(env_prefix="PORTAL_", env_nested_delimiter="__", extra="ignore")

    env: Literal["demonstration", "production"] = "demonstration"
    port: int = Field(default=8000, ge=1, le=65535, validation_alias=AliasChoices("PORTAL_PORT", "PORT"))
    bind: str = "127.0.0.1"
    data_dir: Path = Path("var")
    secret_key: SecretStr = SecretStr(DEMO_SECRET)
    """Signs session tokens and login codes; at least 32 characters. Several keys are separated by blanks: the first
    signs, all are accepted."""
    data_key: SecretStr = SecretStr(DEMO_DATA_KEY)
    """Encrypts account, pin and policy numbers in the database; several as above: the first encrypts."""
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

    metrics_port: int = Field(default=0, ge=0, le=65534)
    """Port of the figures for Prometheus, on `bind`; the staff site uses the one after it. 0 means none."""

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
    api_timeout_seconds: float = Field(default=8, gt=0, le=60)

    files: FileStore = FileStore()
    confinement_required: bool = False
    """Whether the start is refused on a system that cannot confine the processes that read files of customers."""
    repair_uploads_required: bool = True
    """Whether a repair needs a photo or video (part-1 §12)."""

    brand: Brand = Brand()
    order_number: OrderNumberForm = ORDER_NUMBER
    shops: dict[ShopName, FurtherShop] = {}
    shop: str = ""
    """The shop whose pages this process serves; empty for the main one."""
    carriers: Carriers = Carriers()
    hours: ServiceHours = ServiceHours()
    legal: Legal = Legal()
    """Texts of the pages 'privacy', 'terms' and 'accessibility', as Markdown files."""
    retention: Retention = Retention()
    smtp: Smtp = Smtp()
    bounces: Bounces = Bounces()
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
    country_domains: dict[Country, HttpUrl] = {
        Country.DE: HttpUrl("https://mein.bovenbuis.example"),
        Country.DK: HttpUrl("https://min.bovenbuis-dk.example"),
        Country.SE: HttpUrl("https://min.bovenbuis-se.example"),
        Country.NO: HttpUrl("https://min.bovenbuis-no.example"),
    }
    lease_portal_url: HttpUrl = HttpUrl("https://lease.bovenbuis.example")

    code_minutes: int = Field(default=terms.CODE_MINUTES, ge=1, le=60)
    code_tries: int = Field(default=terms.CODE_TRIES, ge=1, le=10)
    code_wait_seconds: int = Field(default=terms.CODE_WAIT_SECONDS, ge=0, le=600)
    codes_per_account_hour: int = Field(default=terms.CODES_PER_ACCOUNT_HOUR, ge=1)
    codes_per_address_hour: int = Field(default=terms.CODES_PER_ADDRESS_HOUR, ge=1)
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
        """Read files only where there are some: looking for every setting in vain takes two fifths of the time."""
        folder = os.environ.get("PORTAL_SECRETS_DIR") or os.environ.get("CREDENTIALS_DIRECTORY")
        if not folder:
            return init_settings, env_settings
        files = NestedSecretsSettingsSource(file_secret_settings, secrets_dir=folder, secrets_dir_missing="error")
        return init_settings, env_settings, files

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

    def _of_shop(self, name: str) -> dict[str, object]:
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

    @property
    def login_countries(self) -> list[Country]:
        """Countries whose orders are good for the login: all of them where no other portal takes their customers."""
        everywhere = [country for country in Country if country is not Country.UNKNOWN]
        return self.countries if self.country_domains else everywhere

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
        for name, keys in (("PORTAL_SECRET_KEY", self.secret_keys), ("PORTAL_DATA_KEY", self.data_keys)):
            if not keys or any(len(key) < 32 for key in keys):
                raise ValueError(f"{name} needs at least 32 characters without blanks")
        if set(self.secret_keys) & set(self.data_keys):
            raise ValueError("PORTAL_DATA_KEY needs a secret of its own")
        if self.env == "production":
            if DEMO_SECRET in self.secret_keys:
                raise ValueError("PORTAL_ENV=production needs its own PORTAL_SECRET_KEY")
            if DEMO_DATA_KEY in self.data_keys and self.api_root is None:
                raise ValueError("PORTAL_ENV=production needs its own PORTAL_DATA_KEY")
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
    def secret_keys(self) -> list[str]:
        """The newest first."""
        return self.secret_key.get_secret_value().split()

    @property
    def data_keys(self) -> list[str]:
        return self.data_key.get_secret_value().split()

    @property
    def sends_text_messages(self) -> bool:
        """Whether text messages are sent. Only then may a page, mail or document promise one."""
        return self.text_gateway.url is not None

    @property
    def desk_email(self) -> str:
        return self.mailboxes.desk or self.brand.email

    @property
    def demonstration(self) -> bool:
        return self.env == "demonstration"

    @property
    def address(self) -> str:
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")

    @property
    def desk_address(self) -> str:
        if self.desk_url:
            return self.desk_url.rstrip("/")
        if not self.public_url:
            return f"http://{DESK_LABEL}localhost:{self.port_of(staff=True)}"
        scheme, _, host = self.address.partition("://")
        return f"{scheme}://{DESK_LABEL}{host.removeprefix('www.').removeprefix('mijn.')}"

    def port_of(self, *, staff: bool) -> int:
        return (self.desk_port or self.port + 1) if staff else self.port

    def hosts(self, *, staff: bool = False) -> list[str]:
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
        """
        scheme = "https" if self.secure else "http"
        hosts = [host for host in self.allowed_hosts if self._is_desk_name(host) == staff]
        origins = [self.desk_address if staff else self.address, *(f"{scheme}://{host}" for host in hosts)]
        if self.demonstration:
            names = (f"{DESK_LABEL}localhost",) if staff else _AT_HOME
            origins += [f"http://{host}:{self.port_of(staff=staff)}" for host in names]
        return list(dict.fromkeys(origins))

    def passkey_host(self, origin: str) -> str:
        """The host name to which passkeys of an origin are bound (`rp.id`); empty where there are no passkeys."""
        host = urlsplit(origin).hostname or "" if origin in self.origins() else ""
        return "" if host.replace(".", "").isdecimal() or ":" in host else host

    @property
    def secure(self) -> bool:
        """Whether customers use https; decides cookie flags and HSTS."""
        return self.address.startswith("https://")

    @property
    def database(self) -> str:
        if self.database_url:
            return self.database_url
        return f"sqlite+aiosqlite:///{(self.data_dir / 'portal.db').absolute()}"


@cache
def settings() -> Settings:
    return Settings()


def explain(error: ValidationError | SettingsError) -> str:
    if isinstance(error, SettingsError):
        return str(error)
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = "__".join(str(part) for part in first["loc"]).upper()
    reason = first["msg"].removeprefix("Value error, ")
    if not name:
        return reason
    return f"{name if name in {'PORT', 'PORTAL_PORT'} else f'PORTAL_{name}'}: {reason}"

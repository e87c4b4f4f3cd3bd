"""The page about privacy rights: a copy of the data, and their erasure (part-1 §13)."""

from typing import Any, ClassVar

import reflex as rx
from pydantic import computed_field

from portal import ui
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.frontend.layout import PRIVACY, title
from portal.frontend.live import Live
from portal.frontend.load import Form, Question, text_in
from portal.frontend.load_views import loaded
from portal.frontend.models import viewed
from portal.frontend.policies import customer
from portal.frontend.registry import PageRoute
from portal.frontend.session import session_ended, session_token
from portal.i18n import Text, _, choice, day, moment, number, setting
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.validation import in_groups
from portal.privacy.api import DataExport, ErasureCode, PersonalData, PrivacyApi, Running
from portal.vocabulary.actions import Topic
from portal.vocabulary.customers import (
    ENDED_IN_CONTRACTS,
    NAMED_BY_REFERENCE,
    RUNNING_TEXTS,
    RUNNING_UNTIL_TEXTS,
    ExportStatus,
)
from portal.web.session import checks

ERASED_PATH = "/data-erased"
CLOSED, CODE = "", "code"
"""Steps of the erasure: explained, and waiting for the mailed code."""

_SPENT = frozenset({Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE})


class ShownExport(DataExport):
    @computed_field
    @property
    def megabytes(self) -> float:
        return max(self.size / 1_000_000, 0.1)


class MyPrivacy(Live, rx.State):
    """The copy of the customer's data, and the erasure.

    `export_problem`: error code if a copy could not be asked for.
    `expires_at`: when the code expires (ISO 8601, UTC).
    `resend_at`: time from which another code can be requested (ISO 8601, UTC).
    `retry_at`: time from which another try is allowed (ISO 8601, UTC); empty if unknown.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.PERSONAL_DATA, Topic.CONTRACTS)
    export: rx.Field[ShownExport | None] = rx.field(None)
    running: rx.Field[list[Running]] = rx.field(default_factory=list)
    has_contracts: rx.Field[bool] = rx.field(False)
    export_problem: rx.Field[str] = rx.field("")
    step: rx.Field[str] = rx.field(CLOSED)
    sent_to: rx.Field[str] = rx.field("")
    expires_at: rx.Field[str] = rx.field("")
    resend_at: rx.Field[str] = rx.field("")
    problem: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    spent: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def ask_for_export(self) -> None:
        async with self:
            token = session_token(self)
        try:
            data = await ask(PrivacyApi).ask_for_export(token)
        except ProviderError as error:
            async with self:
                self.export_problem = error.code.value
                self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
                self.attempt += 1
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
            return
        async with self:
            self.export_problem, self.retry_at = "", ""
            self._show(data)

    @rx.event(background=True)
    @customer
    async def request_erasure(self) -> None:
        async with self:
            token = session_token(self)
        try:
            sent = await ask(PrivacyApi).request_erasure(token)
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return
        async with self:
            self.step, self.sent_to = CODE, sent.email
            self.expires_at, self.resend_at = sent.expires_at.isoformat(), sent.resend_at.isoformat()
            self.problem, self.retry_at, self.spent = "", "", False
            self.answered += 1

    @rx.event(background=True)
    @customer
    async def confirm_erasure(self, form: Form) -> Any:
        """Erase the data with the code, and leave: every session has ended."""
        async with self:
            token = session_token(self)
        try:
            await ask(PrivacyApi).confirm_erasure(token, ErasureCode(code=text_in(form, "code")))
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return None
        checks.ended(token)
        return rx.redirect(ERASED_PATH, is_external=True)

    @rx.event
    @customer
    async def stop(self) -> None:
        self.step, self.problem, self.retry_at, self.spent = CLOSED, "", "", False

    async def _refuse(self, error: ProviderError) -> None:
        self.answered += 1
        self.attempt += 1
        self.problem = error.fields.get("code", error.code).value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        self.spent = error.code in _SPENT
        if isinstance(error, NotAuthenticated):
            await session_ended(self)

    def _question(self) -> Question[PersonalData]:
        return lambda token: ask(PrivacyApi).personal_data(token)

    def _show(self, data: PersonalData) -> None:
        self.export = viewed(ShownExport, data.export) if data.export else None
        self.running = [
            entry.model_copy(update={"name": in_groups(entry.name)}) if entry.kind in NAMED_BY_REFERENCE else entry
            for entry in data.running
        ]
        self.has_contracts = any(entry.kind in ENDED_IN_CONTRACTS for entry in data.running)


_FIELD_CODES = (Code.INVALID_CODE, Code.REQUIRED)


def my_privacy() -> rx.Component:
    return ui.page_frame(
        loaded(
            MyPrivacy,
            rx.el.div(
                _export(),
                _erasure(),
                ui.text(ui.text_link(PRIVACY.name, PRIVACY.path)),
                class_name="mt-8 max-w-[46rem] space-y-5",
            ),
            failure=_("Your data couldn’t be loaded."),
            loading=ui.skeleton_cards(2, "h-56", "max-w-[46rem] gap-5 mt-8"),
        ),
        title=_("Your data and privacy"),
        lead=_("Get a copy of everything we store about you, or have it erased."),
        above=ui.error_summary({"code": _code_error()}, MyPrivacy.attempt),
        back=ui.back_link(_("My data"), "/my-data"),
    )


def _export() -> rx.Component:
    again = ui.action_button(_("Make a new copy"), MyPrivacy.ask_for_export)
    return ui.card(
        ui.subheading(_("A copy of your data")),
        ui.text(
            _(
                "You get a ZIP file with your data (JSON), the files you sent us and your invoices "
                "(PDF). It takes a few minutes at most; we’ll email you when it’s ready."
            ),
            top=2,
        ),
        ui.notice_on_failure(
            MyPrivacy.export_problem != "",
            choice(
                MyPrivacy.export_problem,
                {Code.TOO_MANY_REQUESTS: _("You’ve already asked for several copies today.")},
                MESSAGES[Code.GENERAL_ERROR],
            ),
            MyPrivacy.attempt,
            _retry(),
        ),
        ui.stack(
            rx.match(
                MyPrivacy.export.status,
                (
                    ExportStatus.WAITING.value,
                    ui.notice(
                        _("You can close this page. Once your copy is ready, you’ll find it here too."),
                        title=_("We’re making your copy"),
                        announced=True,
                    ),
                ),
                (ExportStatus.READY.value, _download(again)),
                (
                    ExportStatus.FAILED.value,
                    rx.fragment(
                        ui.notice(_("Please try again."), title=_("Your copy couldn’t be made"), tone="err"),
                        ui.stack(again, top=4),
                    ),
                ),
                ui.action_button(_("Request my copy"), MyPrivacy.ask_for_export, "primary"),
            ),
            top=5,
        ),
        class_name="md:p-8",
    )


def _download(again: rx.Component) -> rx.Component:
    return rx.fragment(
        ui.notice(
            _("You can download it until {moment}.", moment=moment(MyPrivacy.export.expires_at)),
            title=_("Your copy is ready"),
            tone="ok",
            announced=True,
        ),
        ui.row(
            ui.anchor(
                _("Download my data ({megabytes} MB)", megabytes=number(MyPrivacy.export.megabytes, 1)),
                href=rx.Var.create("/files/my-data/") + MyPrivacy.export.export_id.to(str) + ".zip",
                class_name=ui.button_class("primary"),
                custom_attrs={"download": True},
            ),
            again,
            look="max-md:flex-col",
            top=4,
        ),
    )


def _retry() -> rx.Component:
    return ui.text(
        _("You can try again from {moment}.", moment=moment(MyPrivacy.retry_at)), top=2, shown=MyPrivacy.retry_at != ""
    )


def _erasure() -> rx.Component:
    return ui.card(
        ui.subheading(_("Erase your data")),
        ui.text(_("This can’t be undone. You won’t be able to log in any more."), top=2),
        ui.small_heading(_("We erase"), top=5),
        _list(
            _("your name, address, phone number and email address"),
            _("the numbers of your bikes, keys, batteries and policies, and your pin codes"),
            _("what you told us in requests and returns, with your photos and files"),
            _("drafts, emails, sessions, passkeys and your password"),
        ),
        ui.small_heading(_("We keep"), top=5),
        _list(
            _(
                "your orders and invoices with the addresses on them, until {years} years after the end "
                "of the year: tax law requires this",
                years=setting("tax_years"),
            ),
            _("figures without names, such as what was repaired and when"),
        ),
        rx.el.div(
            rx.cond(MyPrivacy.running.length() > 0, _not_yet(), rx.cond(MyPrivacy.step == CODE, _code(), _begin())),
            class_name="mt-6 border-t border-line pt-6",
        ),
        class_name="md:p-8",
    )


def _list(*lines: Text) -> rx.Component:
    return rx.el.ul(*[rx.el.li(line) for line in lines], class_name="mt-1 list-disc space-y-1 pl-6")


def _not_yet() -> rx.Component:
    return ui.notice(
        ui.item_list(MyPrivacy.running, lambda entry: rx.el.li(_running(entry)), top=1, look="list-disc pl-6"),
        ui.text(
            _("Insurance and service packages stop when you end them. We can erase your data after their last day."),
            " ",
            ui.text_link(_("Your contracts"), "/contracts"),
            top=2,
            shown=MyPrivacy.has_contracts,
        ),
        ui.text(
            _("Finish or cancel this first. Would you like some help?"),
            " ",
            ui.text_link(_("Contact us"), "/contact"),
            top=2,
        ),
        title=_("We still need your data"),
        tone="warn",
    )


def _running(entry: rx.vars.ObjectVar[Running]) -> rx.Var[str]:
    goes_on = {kind.value: _(text, name=entry.name) for kind, text in RUNNING_TEXTS.items()}
    ends = {kind.value: _(text, name=entry.name, day=day(entry.until)) for kind, text in RUNNING_UNTIL_TEXTS.items()}
    return rx.cond(entry.until, choice(entry.kind, ends), choice(entry.kind, goes_on)).to(str)


def _failure() -> rx.Component:
    about_field = rx.Var.create([code.value for code in _FIELD_CODES]).contains(MyPrivacy.problem)
    listed = (Code.TOO_MANY_REQUESTS, Code.ERASURE_NOT_POSSIBLE, Code.SESSION_ENDED)
    texts = {
        **{code: MESSAGES[code] for code in listed},
        Code.CODE_EXPIRED: _("This code has expired. Ask for a new one."),
        Code.CODE_USED_UP: _("This code no longer works. Ask for a new one."),
        Code.NO_CHALLENGE: _("Ask for a new code first."),
    }
    return ui.notice_on_failure(
        (MyPrivacy.problem != "") & ~about_field,
        choice(MyPrivacy.problem, texts, MESSAGES[Code.GENERAL_ERROR]),
        MyPrivacy.attempt,
        _retry(),
    )


def _begin() -> rx.Component:
    return rx.fragment(
        _failure(),
        ui.text(_("We’ll email you a code first, to make sure it’s you.")),
        ui.stack(ui.action_button(_("Email me the code"), MyPrivacy.request_erasure), top=4),
    )


def _code_error() -> rx.Var[str]:
    return choice(
        rx.cond(MyPrivacy.step == CODE, MyPrivacy.problem, "").to(str),
        {
            Code.INVALID_CODE: _("That code isn’t right. Check the code in your email."),
            Code.REQUIRED: _("{label} is required.", label=_("Code")),
        },
    )


def _code() -> rx.Component:
    return rx.fragment(
        ui.notice(
            _("We’ve sent a code to {email}. Enter it to erase your data.", email=MyPrivacy.sent_to), announced=True
        ),
        ui.event_form(
            _failure(),
            ui.code_field(
                _("Code"),
                hint=_("{code_digits} digits; works until {moment}", moment=moment(MyPrivacy.expires_at)),
                error=_code_error(),
                auto_focus=True,
            ),
            ui.row(
                ui.submit_button(_("Erase my data permanently")),
                ui.action_button(_("Cancel"), MyPrivacy.stop),
                look="max-md:flex-col",
            ),
            on_send=MyPrivacy.confirm_erasure,
            answered=MyPrivacy.answered,
            class_name="mt-5 space-y-5",
        ),
        ui.stack(
            ui.action_button(_("Send a new code"), MyPrivacy.request_erasure, "text"),
            ui.wait_note(MyPrivacy.resend_at),
            top=4,
        ),
    )


def data_erased() -> rx.Component:
    return ui.page_frame(
        ui.lead(
            _("We’ve logged you out everywhere and emailed you a confirmation."),
            " ",
            _(
                "Tax law requires us to keep your orders and invoices, with the addresses on them, for {years} years. "
                "After that, they’re erased too.",
                years=setting("tax_years"),
            ),
            top=3,
        ),
        ui.stack(
            ui.anchor(_("Go to the shop"), href=setting("shop_url"), class_name=ui.button_class("primary")), top=8
        ),
        title=_("Your data has been erased"),
        narrow=True,
    )


PAGES = [
    PageRoute(
        "my-data/privacy",
        my_privacy,
        title(_("Your data and privacy"), failed=MyPrivacy.problem != ""),
        on_load=[MyPrivacy.load, MyPrivacy.watch],
    ),
    PageRoute(ERASED_PATH.removeprefix("/"), data_erased, title(_("Your data has been erased")), protected=False),
]

"""The pages to log in with a password, to request a password link, and to set a password (part-1 §5)."""

import reflex as rx

from portal import ui
from portal.contract.errors import NotFound, ProviderError
from portal.contract.registry import ask
from portal.frontend.layout import not_found, title
from portal.frontend.load import FAILED, LOADING, MISSING, last_part
from portal.frontend.policies import public
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, moment
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.api import LoginApi, PasswordLink
from portal.login.pages.forms import FormAnswer, alert, beside_panel, login_form, notification, refusals, try_again
from portal.login.pages.login import NOTIFICATIONS, account_refusals, pair_errors, pair_fields
from portal.login.pages.passkeys import passkey_field
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState
from portal.web.cookies import fingerprint

_LOGIN, _RESET = FormAnswer.to("password"), FormAnswer.to("reset")

_ABSENT = rx.State.is_hydrated & ~SessionState.passwords
_ROW = f"{ui.LINK} inline-flex min-h-11 items-center"


def by_password() -> rx.Component:
    errors = {**pair_errors(_LOGIN), "password": field_message(_LOGIN.field("password"), _("Password"))}
    return _where_offered(
        ui.error_summary(errors, _LOGIN.attempt),
        rx.el.h1(_("Log in with your password"), tab_index=-1),
        ui.stack(
            ui.notice(_("Log in with it now."), title=_("Your password has been set."), tone="ok", announced=True),
            top=6,
            shown=(_LOGIN.done > 0) & (_LOGIN.error == ""),
        ),
        login_form(
            refusals(
                _LOGIN,
                {
                    **account_refusals(_LOGIN),
                    Code.WRONG_PASSWORD: alert(
                        _LOGIN,
                        _(MESSAGES[Code.WRONG_PASSWORD]),
                        ui.text(_("You can also log in with a code by email."), top=2),
                    ),
                    Code.TOO_MANY_REQUESTS: _later(_LOGIN),
                },
                try_again(_LOGIN),
            ),
            *pair_fields(errors),
            ui.password_field("password", _("Password"), autocomplete="current-password", error=errors["password"]),
            passkey_field(),
            ui.submit_button(_("Log in")),
            name="password",
            action="/auth/password",
            remembers=True,
            notifications={
                Code.WRONG_PASSWORD.value: notification(N_("Error logging in"), N_("Please try again")),
                **NOTIFICATIONS,
            },
            class_name="mt-8 space-y-6",
        ),
        rx.el.ul(
            rx.el.li(ui.text_link(_("Log in with a code by email"), "/", _ROW)),
            rx.el.li(ui.text_link(_("No password yet, or forgotten it?"), "/password/reset", _ROW)),
            class_name="mt-6",
        ),
    )


def ask_link() -> rx.Component:
    errors = pair_errors(_RESET)
    done = _RESET.done > 0
    return _where_offered(
        ui.error_summary(errors, _RESET.attempt),
        rx.el.h1(rx.cond(done, _("Check your email"), _("Set a password")), tab_index=-1),
        rx.cond(done, _sent(), _explained()),
        # The form stays in the page, hidden, because the page shows its answer.
        rx.el.div(
            login_form(
                refusals(
                    _RESET, {**account_refusals(_RESET), Code.TOO_MANY_REQUESTS: _later(_RESET)}, try_again(_RESET)
                ),
                *pair_fields(errors),
                ui.submit_button(_("Email me a link")),
                name="reset",
                action="/auth/password-reset",
                remembers=True,
                notifications=NOTIFICATIONS,
                class_name="mt-8 space-y-6",
            ),
            class_name=rx.cond(done, "hidden", ""),
        ),
        ui.text(ui.text_link(_("Log in with a code by email"), "/", _ROW), top=6),
    )


def _explained() -> rx.Component:
    return ui.muted(
        _("With a password you can log in without waiting for a code. We’ll email you a link to set one."),
        look="text-lg",
        top=3,
    )


def _sent() -> rx.Component:
    email = _RESET.data("email")
    message, plain = _("We’ve emailed a link to {email}.", email=email), _("We’ve emailed you a link.")
    return ui.focus_box(
        rx.el.div(ui.lead(rx.cond(email != "", message, plain)), role="status"),
        rx.el.ul(
            rx.el.li(_("The link works once, for {link_hours} hours.")),
            rx.el.li(_("It can take a minute. Check your spam folder too.")),
            rx.cond(
                _RESET.data("resend_at") != "",
                rx.el.li(
                    _("No email? You can try again from {moment}:", moment=moment(_RESET.data("resend_at"))),
                    " ",
                    ui.anchor(_("Ask for another link"), href="/password/reset", class_name=ui.LINK),
                ),
            ),
            class_name="mt-4 list-disc space-y-1 pl-5",
        ),
        attempt=_RESET.done,
        class_name="mt-6 rounded-card border-2 border-ok-line bg-ok-bg p-6",
    )


def _later(answer: FormAnswer) -> rx.Component:
    return alert(
        answer,
        _("You’ve tried this many times. Wait a moment before you try again."),
        ui.text(_("Try again from {moment}.", moment=moment(answer.retry_at)), top=2, shown=answer.retry_at != ""),
    )


def _where_offered(*content: rx.Component) -> rx.Component:
    return rx.cond(_ABSENT, not_found(), beside_panel(*content))


def _titled(heading: rx.Var[str], answer: FormAnswer) -> rx.Var[str]:
    return rx.cond(_ABSENT, title(_("Page not found")), title(heading, failed=answer.error != "")).to(str)


_MAX_LENGTH = 1000


class PasswordLinkPage(rx.State):
    """State of the page that a password link opens. The last part of the link is read from the URL and never stored."""

    view_state: rx.Field[str] = rx.field(LOADING)
    email: rx.Field[str] = rx.field("")
    _mark: str = ""

    @rx.event
    @public
    async def load(self) -> None:
        """Check the link without using it. While this runs, the page keeps its content and the typed values."""
        if self._mark != (mark := fingerprint(self.router.url.path)):
            self.reset()
            self._mark = mark
        try:
            found = await ask(LoginApi).password_link(PasswordLink(hash=last_part(self)[:_MAX_LENGTH]))
        except NotFound:
            self.view_state = MISSING
        except ProviderError:
            if self.view_state == LOADING:
                self.view_state = FAILED
        else:
            self.view_state, self.email = found.state.value, found.email


_ANSWER = FormAnswer.to("new_password")
_VIEW_STATE = PasswordLinkPage.view_state
_AGAIN = "/password/reset"


def new_password() -> rx.Component:
    shown = rx.match(
        _VIEW_STATE,
        (LOADING, _loading()),
        (FAILED, _failed()),
        (MISSING, not_found()),
        (LinkState.VALID.value, _form()),
        (LinkState.EXPIRED.value, _useless(_("This link has expired"), _("A link works for {link_hours} hours."))),
        (
            LinkState.USED.value,
            _useless(
                _("This link has already been used"),
                _("A link sets a password only once."),
                _("Log in with the password you set, or request a new link."),
            ),
        ),
        _useless(
            _("This link doesn’t work"),
            _(MESSAGES[Code.HASH_NOT_FOUND]),
            _("Copied the link from the email? Check that it’s complete."),
        ),
    )
    return rx.fragment(shown)


def _errors() -> dict[str, rx.Var[str]]:
    return {
        "password": field_message(_ANSWER.field("password"), _("New password"), Code.INVALID_PASSWORD),
        "repeat": field_message(_ANSWER.field("repeat"), _("Repeat new password"), Code.PASSWORDS_DIFFER),
    }


def _form() -> rx.Component:
    errors = _errors()
    email = PasswordLinkPage.email
    fresh = ui.stack(ui.link_button(_("Request a new link"), _AGAIN, "secondary"), top=4)
    fields_only = rx.fragment()
    return ui.page_frame(
        ui.muted(_("For the account of {email}.", email=email), look="text-lg", top=3, shown=email != ""),
        login_form(
            refusals(
                _ANSWER,
                {
                    **dict.fromkeys(
                        (Code.INVALID_INPUT, Code.REQUIRED, Code.INVALID_PASSWORD, Code.PASSWORDS_DIFFER), fields_only
                    ),
                    Code.USER_HASH_EXPIRED: alert(_ANSWER, _(MESSAGES[Code.USER_HASH_EXPIRED]), fresh),
                    Code.HASH_NOT_FOUND: alert(_ANSWER, _(MESSAGES[Code.HASH_NOT_FOUND]), fresh),
                },
                try_again(_ANSWER),
            ),
            ui.end_of_address("hash"),
            ui.password_field(
                "password",
                _("New password"),
                autocomplete="new-password",
                error=errors["password"],
                after=ui.password_rules("password"),
            ),
            ui.password_field("repeat", _("Repeat new password"), autocomplete="new-password", error=errors["repeat"]),
            ui.text(_("You’ll be logged out everywhere. After that, log in with your new password.")),
            ui.submit_button(_("Save password")),
            name="new_password",
            action="/auth/new-password",
            notifications={
                # The default suggests to try again, which cannot help here.
                Code.USER_HASH_EXPIRED.value: notification(N_("This link has expired")),
                Code.HASH_NOT_FOUND.value: notification(N_("This link doesn’t work")),
            },
            class_name="mt-8 space-y-6",
        ),
        above=ui.error_summary(errors, _ANSWER.attempt),
        title=_("Choose a password"),
        narrow=True,
    )


def _useless(heading: Text, *sentences: Text) -> rx.Component:
    return ui.page_frame(
        *[ui.lead(sentence, look="max-w-form", top=3) for sentence in sentences],
        ui.row(ui.link_button(_("Request a new link"), _AGAIN), ui.link_button(_("Log in"), "/", "secondary"), top=8),
        above=rx.el.div(ui.illustrations.broken_chain(), class_name="mb-6 w-40 text-ink-500"),
        title=heading,
    )


def _failed() -> rx.Component:
    return ui.page_frame(
        ui.error_block(_("We couldn’t check this link."), on_retry=PasswordLinkPage.load),
        title=_("Choose a password"),
        narrow=True,
    )


def _loading() -> rx.Component:
    return ui.page_frame(
        ui.loading_block(
            ui.skeleton("h-6 w-64"),
            *[ui.skeleton("mt-8 h-12 w-full max-w-96") for _place in range(2)],
            class_name="mt-3",
        ),
        title=_("Choose a password"),
        narrow=True,
    )


def _heading() -> rx.Var[str]:
    headings = {
        MISSING: _("Page not found"),
        LinkState.EXPIRED: _("This link has expired"),
        LinkState.USED: _("This link has already been used"),
        LinkState.INVALID: _("This link doesn’t work"),
    }
    return choice(_VIEW_STATE, headings, _("Choose a password"))


PAGES = [
    PageRoute("login/password", by_password, _titled(_("Log in with your password"), _LOGIN), protected=False),
    PageRoute(
        "password/reset",
        ask_link,
        _titled(rx.cond(_RESET.done > 0, _("Check your email"), _("Set a password")).to(str), _RESET),
        protected=False,
    ),
    PageRoute(
        f"{PATHS[LinkPurpose.PASSWORD].strip('/')}/[hash]",
        new_password,
        title(_heading(), failed=_ANSWER.error != ""),
        on_load=[PasswordLinkPage.load],
        protected=False,
    ),
]

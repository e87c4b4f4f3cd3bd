"""Passkeys: their forms, the offer after a login with a code or a password, and the page that manages them."""

from typing import Any

import reflex as rx

from portal import ui
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.frontend.layout import title
from portal.frontend.live import Loadable
from portal.frontend.load import Question
from portal.frontend.load_views import loaded
from portal.frontend.policies import customer
from portal.frontend.registry import PageRoute
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import Toasts
from portal.i18n import Text, _, clock, day
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.login.api import Passkey, Passkeys, PasskeysApi
from portal.login.pages.forms import WENT_WRONG, FormAnswer, alert, beside_panel, login_form, refusals, try_again
from portal.ui.browser import component

_PasskeyForm = component(
    "passkeys",
    "PasskeyForm",
    name=str,
    action=str,
    notifications=dict[str, Any],
    makes=bool,
    listed=bool,
    missing=str,
    on_done=None,
)


_PasskeyField = component("passkeys", "PasskeyField")


LOGIN_ANSWER, NEW_ANSWER = FormAnswer("passkey"), FormAnswer("newPasskey")
_EXPLAINED = (Code.INVALID_PASSKEY, Code.PASSKEY_EXPIRED, Code.PASSKEY_EXISTS, Code.TOO_MANY_PASSKEYS)


def passkey_field() -> rx.Component:
    """A hidden field of a login form: whether the device can keep a passkey, so that one may be offered afterwards."""
    return _PasskeyField.create()


def log_in_with_passkey() -> rx.Component:
    """The form to log in with a passkey. Fields with the autocomplete token `webauthn` list passkeys, too."""
    return _form(
        LOGIN_ANSWER,
        ui.submit_button(_("Log in with a passkey"), style="secondary"),
        action="/auth/passkey",
        listed=True,
        class_name="scripted mt-8 space-y-6",
    )


def make_passkey(text: Text, *children: rx.Component, style: ui.Style = "primary", **props: Any) -> rx.Component:
    return _form(
        NEW_ANSWER,
        *children,
        ui.submit_button(text, style=style),
        action="/auth/passkeys",
        makes=True,
        class_name="scripted space-y-6",
        **props,
    )


def _form(answer: FormAnswer, *children: rx.Component, **props: Any) -> rx.Component:
    by_code = ui.text(_("You can always log in with a code by email."), top=2)
    # The page itself explains these answers.
    told = dict.fromkeys((*_EXPLAINED, Code.PASSKEY_CANCELLED, Code.TOO_MANY_REQUESTS))
    return _PasskeyForm.create(
        refusals(
            answer,
            {
                **{code: alert(answer, _(MESSAGES[code]), by_code) for code in _EXPLAINED},
                # Who cancels did nothing wrong.
                Code.PASSKEY_CANCELLED: ui.notice(_(MESSAGES[Code.PASSKEY_CANCELLED]), by_code, announced=True),
                Code.TOO_MANY_REQUESTS: alert(
                    answer,
                    _(MESSAGES[Code.TOO_MANY_REQUESTS]),
                    ui.text(
                        _("You can try again from {moment}.", moment=clock(answer.retry_at)),
                        top=2,
                        shown=answer.retry_at != "",
                    ),
                    by_code,
                ),
            },
            try_again(answer),
        ),
        *children,
        name=answer.name,
        notifications={**{code.value: None for code in told}, **WENT_WRONG},
        **props,
    )


def passkey_offer() -> rx.Component:
    return beside_panel(
        rx.el.h1(_("Log in faster next time"), tab_index=-1),
        ui.muted(
            _("With a passkey you don’t wait for a code: you log in the way you unlock your phone or computer."),
            look="text-lg",
            top=3,
        ),
        rx.el.ul(
            *[
                rx.el.li(line)
                for line in (
                    _("Your fingerprint, face or pin stays on your device."),
                    _("There’s nothing to remember, and nothing to guess."),
                    _("A code by email keeps working too."),
                )
            ],
            class_name="mt-6 list-disc space-y-1 pl-6",
        ),
        ui.stack(
            make_passkey(
                _("Add a passkey"), ui.hidden_field("offer", "1"), missing=_("This browser doesn’t support passkeys.")
            ),
            rx.el.div(
                _answer(_("Not now"), "later", "secondary"),
                _answer(_("Don’t ask again"), "never", "text"),
                class_name="mt-4 flex flex-wrap items-start gap-x-6 gap-y-3 max-md:flex-col max-md:items-stretch",
            ),
            top=8,
        ),
    )


def _answer(text: Text, name: str, style: ui.Style) -> rx.Component:
    answer = FormAnswer(name)
    return login_form(
        refusals(answer, {}, try_again(answer)),
        ui.submit_button(text, style=style),
        name=name,
        action=f"/auth/passkeys/{name}",
    )


ADDED, REMOVED = "added", "removed"


class MyPasskeys(Loadable, rx.State):
    """The customer's passkeys.

    `passkeys`: newest first.
    `done`: what has just been done, `ADDED` or `REMOVED`; may be empty.
    """

    passkeys: rx.Field[list[Passkey]] = rx.field(default_factory=list)
    done: rx.Field[str] = rx.field("")
    times: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def added(self) -> None:
        if await self._ask():
            async with self:
                self.done, self.times = ADDED, self.times + 1

    @rx.event(background=True)
    @customer
    async def remove(self, passkey_id: str) -> None:
        async with self:
            token = session_token(self)
        try:
            answer = await ask(PasskeysApi).remove_passkey(token, passkey_id)
        except NotFound:
            await self._ask()  # It is already gone.
            return
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                toasts = await self.get_state(Toasts)
                toasts._add("error", N_("Something went wrong"), N_("Please try again"), alone=True)
            return
        async with self:
            self._show_newest(answer)
            self.done, self.times = REMOVED, self.times + 1

    def _before_load(self) -> bool:
        self.done = ""
        return True

    def _question(self) -> Question[Passkeys]:
        return lambda token: ask(PasskeysApi).passkeys(token)

    def _show(self, answer: Passkeys) -> None:
        self.passkeys = answer.passkeys


def my_passkeys() -> rx.Component:
    return ui.page_frame(
        loaded(
            MyPasskeys,
            rx.el.div(
                _done(),
                rx.cond(
                    MyPasskeys.passkeys.length() > 0,
                    ui.item_list(MyPasskeys.passkeys, _passkey, gap=5),
                    ui.text(_("You don’t have a passkey yet.")),
                ),
                make_passkey(
                    _("Add a passkey"), on_done=MyPasskeys.added, missing=_("This browser doesn’t support passkeys.")
                ),
                class_name="mt-8 max-w-[46rem] space-y-6",
            ),
            failure=_("Your passkeys couldn’t be loaded."),
            loading=ui.skeleton_cards(1, "h-32", "max-w-[46rem] gap-5 mt-8"),
        ),
        title=_("Your passkeys"),
        lead=_("With a passkey you log in the way you unlock your phone or computer."),
        back=ui.back_link(_("My data"), "/my-data"),
    )


def _done() -> rx.Component:
    return rx.cond(
        MyPasskeys.done != "",
        ui.focus_box(
            ui.notice(
                rx.cond(
                    MyPasskeys.done == ADDED,
                    _("From now on you can log in with it."),
                    _("You can’t log in with it any more. You can delete it from your device too."),
                ).to(str),
                title=rx.cond(
                    MyPasskeys.done == ADDED, _("Your passkey has been added"), _("Your passkey has been removed")
                ).to(str),
                tone="ok",
                announced=True,
            ),
            attempt=MyPasskeys.times,
        ),
    )


def _passkey(passkey: rx.vars.ObjectVar[Passkey]) -> rx.Component:
    name = rx.cond(passkey.device == "", _("Passkey"), passkey.device).to(str)
    return rx.el.li(
        ui.card(
            ui.block(
                rx.el.h2(name, class_name="text-h3 break-words"),
                ui.muted(_("Added on {day}", day=day(passkey.created_at)), top=1),
                rx.cond(
                    passkey.last_used_at,
                    ui.muted(_("Last used on {day}", day=day(passkey.last_used_at))),
                    ui.muted(_("Not used yet")),
                ),
            ),
            ui.confirm_button(
                _("Remove"),
                _("Remove this passkey?"),
                _("You can’t log in with it any more. A code by email keeps working."),
                act=_("Remove"),
                safe=_("Keep the passkey"),
                on_confirm=MyPasskeys.remove(passkey.passkey_id),
                style="text",
            ),
            class_name="flex flex-wrap items-start justify-between gap-4",
        )
    )


_failed = (NEW_ANSWER.error != "") & (NEW_ANSWER.error != Code.PASSKEY_CANCELLED.value)

PAGES = [
    PageRoute("login/passkey", passkey_offer, title(_("Log in faster next time"), failed=_failed)),
    PageRoute("my-data/passkeys", my_passkeys, title(_("Your passkeys"), failed=_failed), on_load=[MyPasskeys.load]),
]

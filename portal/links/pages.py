"""The page that a mailed link opens. Its button confirms, and an expired link can be mailed again.

Opening the page changes nothing, so a mail scanner does no harm (part-2 §10). Each event reads the secret part of the
link from the address of the page; the state never stores it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import reflex as rx

from portal import ui
from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.layout import contact_line, title
from portal.frontend.load import FAILED, LOADING, Form, text_in
from portal.frontend.policies import public
from portal.i18n import Text, _, choice, moment
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.validation import in_groups
from portal.links.api import LinkAbout, LinkEntry, LinksApi, LinkView
from portal.vocabulary.links import PATHS, LinkState
from portal.web.cookies import fingerprint

REFUSED = "refused"
"""The `view_state` after a refusal by a rule: nothing was confirmed, and the link was not used."""

DECLARATION = "declaration"
ANSWERS = ("battery", DECLARATION)
"""Names of the form fields of the purposes with a question; a page has one of them."""

_UNKNOWN = frozenset({Code.INVALID_HASH, Code.MISSING_HASH, Code.HASH_NOT_FOUND})


class MailedLink(rx.State):
    """The state of the page of a link. Moments are ISO 8601 in UTC; empty texts are unknown.

    `account`: what every channel says about the request; empty for a purpose without one.
    `sent_to`, `sent_until`: masked recipient of a new link, and when it expires.
    """

    view_state: rx.Field[str] = rx.field(LOADING)
    about: rx.Field[LinkAbout] = rx.field(default_factory=LinkAbout)
    account: rx.Field[Account] = rx.field(EMPTY_ACCOUNT)
    email: rx.Field[str] = rx.field("")
    expires_at: rx.Field[str] = rx.field("")
    problem: rx.Field[str] = rx.field("")
    wrong: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    sent_until: rx.Field[str] = rx.field("")
    turn: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    _mark: str = ""

    @rx.event
    @public
    async def load(self) -> None:
        """Look up the link. A repeat, as after a lost connection, keeps the view of a confirmed request."""
        if self._mark != (mark := fingerprint(self.router.url.path)):
            self.reset()
            self._mark = mark
        await self._look()

    @rx.event
    @public
    async def confirm(self, form: Form) -> None:
        if self.view_state != LinkState.CONFIRMED:
            self._begin()
            try:
                self._show(
                    await ask(LinksApi).confirm_link(
                        self._entry(next(filter(None, (text_in(form, name) for name in ANSWERS)), ""))
                    )
                )
            except ProviderError as error:
                await self._refuse(error)
        self.turn += 1

    @rx.event
    @public
    async def resend(self, form: Form) -> None:  # noqa: ARG002 - the form has no fields
        self._begin()
        try:
            sent = await ask(LinksApi).resend_link(self._entry())
        except ProviderError as error:
            await self._refuse(error)
        else:
            self.sent_to, self.sent_until = sent.email, sent.expires_at.isoformat()
        self.turn += 1

    async def _look(self) -> None:
        self._begin()
        try:
            self._show(await ask(LinksApi).link(self._entry()))
        except (Refused, NotFound, InvalidInput):
            self.view_state = LinkState.INVALID.value
        except ProviderError:
            if self.view_state == LOADING:
                self.view_state = FAILED

    def _entry(self, answer: str = "") -> LinkEntry:
        path = f"{self.router.url.path}/"
        purpose, start = next(entry for entry in PATHS.items() if path.startswith(f"{entry[1]}/"))
        return LinkEntry(purpose=purpose, hash=path.removeprefix(start).strip("/")[:1000], answer=answer)

    def _begin(self) -> None:
        self.problem = self.wrong = self.retry_at = ""

    def _show(self, view: LinkView) -> None:
        if self.view_state == LinkState.CONFIRMED and view.state is LinkState.USED:
            return  # this page itself used the link
        self.view_state = view.state.value
        told = {"reference": in_groups(view.about.reference), "account": None}
        self.about, self.account = view.about.model_copy(update=told), view.about.account or EMPTY_ACCOUNT
        self.email = view.email
        self.expires_at = view.expires_at.isoformat() if view.expires_at else ""

    async def _refuse(self, error: ProviderError) -> None:
        self.problem, self.failures = error.code.value, self.failures + 1
        self.wrong = next((code.value for code in error.fields.values()), "") if isinstance(error, InvalidInput) else ""
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        if error.code in _UNKNOWN or isinstance(error, NotFound):
            self.view_state = LinkState.INVALID.value
        elif error.code is Code.LINK_USED or isinstance(error, Conflict):
            await self._look()
        elif isinstance(error, Refused):
            self.view_state = REFUSED


@dataclass(frozen=True, slots=True)
class FollowUp:
    text: Text
    to: rx.Var[str] | str


@dataclass(frozen=True, slots=True)
class LinkWording:
    """The texts of the page of one purpose. What is None, the account of the request says.

    `used`: heading if the link was used before.
    `nothing`: what has not happened if the request is not confirmed.
    """

    ask: Text
    promise: Text
    button: Text
    done: Text
    follow: FollowUp
    used: Text
    nothing: Text
    failure: Text
    refusals: Mapping[Code, FollowUp]
    facts: Sequence[ui.Fact] | None = None
    received: Text | None = None
    next_steps: Sequence[Text] | None = None
    over: Sequence[Code] = ()
    works: Text = field(default_factory=lambda: _("A link works for {link_hours} hours."))
    question: rx.Component | None = None
    answered: rx.Component | None = None
    more: rx.Component | None = None
    alarm: rx.Var[bool] | bool = False


_S = LinkState


def heading(wording: LinkWording) -> rx.Var[str]:
    return choice(
        MailedLink.view_state,
        {
            _S.CONFIRMED: wording.done,
            _S.USED: wording.used,
            _S.EXPIRED: _("This link has expired"),
            _S.INVALID: _("This link doesn’t work"),
            REFUSED: _("This can no longer be confirmed"),
        },
        wording.ask,
    )


def link_title(wording: LinkWording) -> rx.Var[str]:
    return title(heading(wording), failed=MailedLink.problem != "")


def link_page(wording: LinkWording) -> rx.Component:
    return ui.page_frame(
        ui.focus_box(_panel(wording), attempt=MailedLink.turn),
        rx.match(
            MailedLink.view_state,
            (LOADING, _loading()),
            (FAILED, ui.error_block(_("We couldn’t check this link."), on_retry=MailedLink.load, more=contact_line())),
            (_S.VALID.value, _to_confirm(wording)),
            (_S.CONFIRMED.value, _confirmed(wording)),
            (_S.USED.value, rx.fragment(_facts(wording), _answered(wording), _links(wording.follow))),
            (_S.EXPIRED.value, _expired(wording)),
            (REFUSED, rx.fragment(_facts(wording), _instead(wording), contact_line())),
            rx.fragment(
                ui.text(
                    _(
                        "Copied the link from the email? Check that it’s complete. A link also stops working "
                        "once the request is cancelled."
                    ),
                    top=6,
                ),
                contact_line(),
            ),
        ),
        narrow=True,
    )


_PLAIN = "pt-4"
_FRAMED = "mt-4 rounded-panel border-2 p-6 md:p-10"


def _panel(wording: LinkWording) -> rx.Component:
    return rx.el.div(
        rx.el.h1(heading(wording), tab_index=-1),
        rx.match(
            MailedLink.view_state,
            (_S.VALID.value, ui.lead(wording.promise, top=3)),
            (
                _S.CONFIRMED.value,
                ui.lead(localized(MailedLink.account.meaning) if wording.received is None else wording.received, top=3),
            ),
            (
                _S.USED.value,
                ui.lead(_("There’s nothing more you need to do."), top=3)
                if wording.answered is None
                else rx.fragment(),
            ),
            (_S.EXPIRED.value, ui.lead(wording.works, " ", wording.nothing, top=3)),
            (_S.INVALID.value, ui.lead(_(MESSAGES[Code.INVALID_HASH]), top=3)),
            (REFUSED, ui.lead(_reason(wording), " ", _not_happened(wording), top=3)),
            rx.fragment(),
        ),
        class_name=rx.match(
            MailedLink.view_state,
            (
                _S.CONFIRMED.value,
                rx.cond(wording.alarm, f"{_FRAMED} border-err-line bg-err-bg", f"{_FRAMED} border-ok-line bg-ok-bg"),
            ),
            (_S.USED.value, f"{_FRAMED} border-line bg-white"),
            (_S.EXPIRED.value, f"{_FRAMED} border-warn-line bg-warn-bg"),
            (_S.INVALID.value, f"{_FRAMED} border-err-line bg-err-bg"),
            (REFUSED, f"{_FRAMED} border-err-line bg-err-bg"),
            _PLAIN,
        ),
    )


def _facts(wording: LinkWording) -> rx.Component:
    label, own = _("Your request"), wording.facts
    if own is None:
        reference = ui.Fact(_("Your reference number"), MailedLink.about.reference)
        rows = rx.fragment(ui.facts(reference), account_facts(MailedLink.account, label))
    else:
        rows = ui.facts(*own, label=label)
    facts = ui.card(rows, class_name="mt-6 py-2 [&>dl:first-child]:border-t-0")
    return facts if wording.more is None else rx.fragment(facts, wording.more)


def _to_confirm(wording: LinkWording) -> rx.Component:
    until = _("You can confirm until {moment}.", moment=moment(MailedLink.expires_at))
    return rx.fragment(
        _facts(wording),
        ui.event_form(
            _failure(wording.failure),
            *([] if wording.question is None else [wording.question]),
            ui.submit_button(wording.button, _("Sending…")),
            on_send=MailedLink.confirm,
            answered=MailedLink.turn,
            class_name="mt-6 space-y-6",
        ),
        *([] if wording.question else [ui.muted(until, top=4)]),
    )


def _confirmed(wording: LinkWording) -> rx.Component:
    return rx.fragment(
        _facts(wording),
        _answered(wording)
        if wording.answered
        else ui.section(
            _("What happens next"),
            next_steps(MailedLink.account)
            if wording.next_steps is None
            else rx.el.ol(*[rx.el.li(text) for text in wording.next_steps], class_name="list-decimal space-y-2 pl-5"),
        ),
        _links(wording.follow),
    )


def _answered(wording: LinkWording) -> rx.Component:
    return rx.fragment() if wording.answered is None else ui.section(_("What happens next"), wording.answered)


def _links(link: FollowUp) -> rx.Component:
    return ui.row(
        ui.link_button(link.text, link.to),
        ui.link_button(_("To overview"), "/dashboard", "secondary"),
        look="max-md:flex-col",
        top=8,
    )


def _expired(wording: LinkWording) -> rx.Component:
    sent = ui.notice(
        _("It works until {moment}.", moment=moment(MailedLink.sent_until)),
        title=_("We’ve sent a new link to {email}.", email=MailedLink.sent_to),
        tone="ok",
        announced=True,
    )
    ask = ui.event_form(
        _failure(_("The new link couldn’t be sent.")),
        ui.text(_("We’ll send a new link to {email}.", email=MailedLink.email)),
        ui.submit_button(_("Send a new link"), _("Sending…")),
        on_send=MailedLink.resend,
        answered=MailedLink.turn,
        class_name="mt-6 space-y-4",
    )
    return rx.fragment(_facts(wording), rx.cond(MailedLink.sent_to != "", ui.stack(sent, top=6), ask), contact_line())


_TEMPORARY = (Code.NETWORK_ERROR, Code.MAIL_SENT_RECENTLY)


def _failure(failure: Text) -> rx.Component:
    reason = choice(MailedLink.problem, {code: MESSAGES[code] for code in _TEMPORARY}, MESSAGES[Code.GENERAL_ERROR])
    return rx.el.div(
        ui.notice_on_failure(
            (MailedLink.problem != "") & (MailedLink.wrong == ""),
            rx.fragment(failure, " ", reason),
            MailedLink.failures,
            ui.text(
                _("Try again from {moment}.", moment=moment(MailedLink.retry_at)),
                top=2,
                shown=MailedLink.retry_at != "",
            ),
        ),
        class_name="mb-6 empty:hidden",
    )


def _reason(wording: LinkWording) -> rx.Var[str]:
    return choice(
        MailedLink.problem, {code: MESSAGES[code] for code in wording.refusals}, MESSAGES[Code.STATUS_CHANGED]
    )


def _not_happened(wording: LinkWording) -> rx.Var[str]:
    return choice(MailedLink.problem, dict.fromkeys(wording.over, ""), wording.nothing)


def _instead(wording: LinkWording) -> rx.Component:
    links = [(code.value, _links(link)) for code, link in wording.refusals.items()]
    return rx.fragment(rx.match(MailedLink.problem, *links, _links(wording.follow)))


def _loading() -> rx.Component:
    bars = ("h-6 w-full", "mt-6 h-44 w-full rounded-card", "mt-6 h-12 w-48 rounded-pill")
    return ui.loading_block(*map(ui.skeleton, bars), class_name="mt-4")

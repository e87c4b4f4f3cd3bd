"""The page of a mailed link that confirms a request: one page, words for each purpose (flow-standard F32)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import Text, _, choice, moment
from portal.pages.layout import title
from portal.pages.parts.form_helps import focus_box
from portal.pages.parts.link_words import LinkWords, Way
from portal.pages.problems import contact_line
from portal.states.mailed_link import REFUSED, MailedLink
from portal.states.page import FAILED, LOADING
from portal.ui import (
    card,
    error_block,
    event_form,
    fact_list,
    link_button,
    notice,
    notice_on_failure,
    page_frame,
    section,
    skeleton,
    submit_button,
)
from portal.vocabulary.links import LinkState

_S = LinkState


def heading(words: LinkWords) -> rx.Var[str]:
    """What the page is called as it stands."""
    return choice(
        MailedLink.face,
        {
            _S.CONFIRMED: words.done,
            _S.USED: words.used,
            _S.EXPIRED: _("This link has expired"),
            _S.INVALID: _("This link does not work"),
            REFUSED: _("This can no longer be confirmed"),
        },
        words.ask,
    )


def link_title(words: LinkWords) -> rx.Var[str]:
    """The title of the document."""
    return title(heading(words), failed=MailedLink.problem != "")


def link_page(words: LinkWords) -> rx.Component:
    """The page that a link opens. Only its button confirms; opening it changes nothing."""
    return page_frame(
        focus_box(_panel(words), attempt=MailedLink.turn),
        rx.match(
            MailedLink.face,
            (LOADING, _waiting()),
            (FAILED, error_block(_("We could not check this link."), on_retry=MailedLink.load, more=contact_line())),
            (_S.VALID.value, _to_confirm(words)),
            (_S.CONFIRMED.value, _confirmed(words)),
            (_S.USED.value, rx.fragment(_facts(words), _answered(words), _ways(words.follow))),
            (_S.EXPIRED.value, _expired(words)),
            (REFUSED, rx.fragment(_facts(words), _instead(words), contact_line())),
            rx.fragment(
                rx.el.p(
                    _(
                        "Did you copy the link from the email? Check that it is complete. "
                        "A link also stops working when the request was cancelled."
                    ),
                    class_name="mt-6",
                ),
                contact_line(),
            ),
        ),
        narrow=True,
    )


_PLAIN = "pt-4"
_FRAMED = "mt-4 rounded-panel border-2 p-6 md:p-10"


def _panel(words: LinkWords) -> rx.Component:
    """Heading and what it means, in the colour of how it stands."""
    return rx.el.div(
        rx.el.h1(heading(words), tab_index=-1),
        rx.match(
            MailedLink.face,
            (_S.VALID.value, _lead(words.promise)),
            (_S.CONFIRMED.value, _lead(words.received)),
            (_S.USED.value, _lead(_("You need not do anything more.")) if words.answered is None else rx.fragment()),
            (_S.EXPIRED.value, _lead(words.works, " ", words.nothing)),
            (_S.INVALID.value, _lead(_(MESSAGES[Code.INVALID_HASH]))),
            (REFUSED, _lead(_reason(words), " ", _stays(words))),
            rx.fragment(),
        ),
        class_name=rx.match(
            MailedLink.face,
            (
                _S.CONFIRMED.value,
                rx.cond(words.alarm, f"{_FRAMED} border-err-line bg-err-bg", f"{_FRAMED} border-ok-line bg-ok-bg"),
            ),
            (_S.USED.value, f"{_FRAMED} border-line bg-white"),
            (_S.EXPIRED.value, f"{_FRAMED} border-warn-line bg-warn-bg"),
            (_S.INVALID.value, f"{_FRAMED} border-err-line bg-err-bg"),
            (REFUSED, f"{_FRAMED} border-err-line bg-err-bg"),
            _PLAIN,
        ),
    )


def _lead(*text: Text) -> rx.Component:
    return rx.el.p(*text, class_name="mt-3 text-lg")


def _facts(words: LinkWords) -> rx.Component:
    return card(fact_list(words.facts, label=_("Your request")), class_name="mt-6 py-2 [&_dl]:border-t-0")


def _to_confirm(words: LinkWords) -> rx.Component:
    until = _("You can confirm until {moment}.", moment=moment(MailedLink.expires_at))
    return rx.fragment(
        _facts(words),
        event_form(
            _failure(words.failure),
            *([] if words.question is None else [words.question]),
            submit_button(words.button, _("Sending…")),
            on_send=MailedLink.confirm,
            answered=MailedLink.turn,
            class_name="mt-6 space-y-6",
        ),
        *([] if words.question else [rx.el.p(until, class_name="mt-4 text-ink-600")]),
    )


def _confirmed(words: LinkWords) -> rx.Component:
    return rx.fragment(
        _facts(words),
        _answered(words)
        if words.answered
        else section(
            _("What happens next"),
            rx.el.ol(*[rx.el.li(text) for text in words.next_steps], class_name="list-decimal space-y-2 pl-5"),
        ),
        _ways(words.follow),
    )


def _answered(words: LinkWords) -> rx.Component:
    """What follows from the answer, where something was asked."""
    return rx.fragment() if words.answered is None else section(_("What happens next"), words.answered)


def _ways(way: Way) -> rx.Component:
    return rx.el.div(
        link_button(way.text, way.to),
        link_button(_("To overview"), "/dashboard", "secondary"),
        class_name="mt-8 flex flex-wrap gap-3 max-md:flex-col",
    )


def _expired(words: LinkWords) -> rx.Component:
    """Another link to the same address; whoever has only this one can ask for it, too."""
    sent = notice(
        _("It works until {moment}.", moment=moment(MailedLink.sent_until)),
        title=_("We have sent a new link to {email}.", email=MailedLink.sent_to),
        tone="ok",
        announced=True,
    )
    ask = event_form(
        _failure(_("The new link could not be sent.")),
        rx.el.p(_("We send a new link to {email}.", email=MailedLink.email)),
        submit_button(_("Send a new link"), _("Sending…")),
        on_send=MailedLink.resend,
        answered=MailedLink.turn,
        class_name="mt-6 space-y-4",
    )
    return rx.fragment(
        _facts(words),
        rx.cond(MailedLink.sent_to != "", rx.el.div(sent, class_name="mt-6"), ask),
        contact_line(),
    )


_ANYWAY = (Code.GENERAL_ERROR, Code.NETWORK_ERROR, Code.MAIL_SENT_RECENTLY)


def _failure(failure: Text) -> rx.Component:
    """Nothing happened, and trying again may help."""
    reason = choice(MailedLink.problem, {code: MESSAGES[code] for code in _ANYWAY[1:]}, MESSAGES[Code.GENERAL_ERROR])
    return rx.el.div(
        notice_on_failure(
            (MailedLink.problem != "") & (MailedLink.wrong == ""),
            rx.fragment(failure, " ", reason),
            MailedLink.failures,
            rx.cond(
                MailedLink.retry_at != "",
                rx.el.p(_("Try again from {moment}.", moment=moment(MailedLink.retry_at)), class_name="mt-2"),
            ),
        ),
        class_name="mb-6 empty:hidden",
    )


def _reason(words: LinkWords) -> rx.Var[str]:
    return choice(MailedLink.problem, {code: MESSAGES[code] for code in words.refusals}, MESSAGES[Code.STATUS_CHANGED])


def _stays(words: LinkWords) -> rx.Var[str]:
    """What stays as it was, unless it is over altogether."""
    return choice(MailedLink.problem, dict.fromkeys(words.over, ""), words.nothing)


def _instead(words: LinkWords) -> rx.Component:
    ways = [(code.value, _ways(way)) for code, way in words.refusals.items()]
    return rx.fragment(rx.match(MailedLink.problem, *ways, _ways(words.follow)))


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        skeleton("h-6 w-full"),
        skeleton("mt-6 h-44 w-full rounded-card"),
        skeleton("mt-6 h-12 w-48 rounded-pill"),
        class_name="mt-4 appear",
        custom_attrs={"aria-busy": "true"},
    )

"""The page of the mailed link that confirms a withdrawal or takes it back (part-2 §10, §11)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, choice, moment
from portal.kernel.codes import Code
from portal.links.pages import DECLARATION, FollowUp, LinkWording, MailedLink, link_page
from portal.ui import Fact, Option, choice_cards, error_summary
from portal.vocabulary.status import STATUS_UNKNOWN
from portal.vocabulary.withdrawals import DECLARATION_ANSWERS, DECLARATION_LABELS, DeclarationStatus

_FACTS = MailedLink.facts
_TAKEN_BACK = _FACTS["status"] == DeclarationStatus.TAKEN_BACK.value
_RETURNS = FollowUp(_("Your returns"), "/returns")


def _question() -> rx.Component:
    error = choice(MailedLink.wrong, {Code.REQUIRED: _("Choose one of the two.")})
    return rx.fragment(
        error_summary({DECLARATION: error}, MailedLink.failures),
        choice_cards(
            DECLARATION,
            _("Do you want to withdraw?"),
            [Option(answer.value, _(text)) for answer, text in DECLARATION_ANSWERS.items()],
            error=error,
            columns="",
        ),
    )


WORDING = LinkWording(
    ask=_("Confirm your withdrawal"),
    promise=_("We have received this withdrawal. Nothing changes for your order until you confirm it."),
    button=_("Send answer"),
    facts=[
        Fact(_("Received on"), moment(_FACTS["received_at"]), shown=_FACTS["received_at"] != ""),
        Fact(_("Reference number"), _FACTS["reference"], shown=_FACTS["reference"] != ""),
        Fact(_("Order number"), _FACTS["order_number"], shown=_FACTS["order_number"] != ""),
        Fact(
            _("Items"),
            rx.el.span(_FACTS["items"], class_name="whitespace-pre-line"),
            shown=_FACTS["items"] != "",
        ),
        Fact(
            _("Status"),
            choice(_FACTS["status"], DECLARATION_LABELS, STATUS_UNKNOWN),
            shown=(_FACTS["status"] != "") & (_FACTS["status"] != DeclarationStatus.RECEIVED.value),
        ),
    ],
    done=rx.cond(_TAKEN_BACK, _("Your withdrawal was taken back"), _("Your withdrawal is confirmed")).to(str),
    received=rx.cond(
        _TAKEN_BACK,
        _("Nothing has changed for your order."),
        _("We have sent you by email what you get back, and how to send it."),
    ).to(str),
    next_steps=[],
    follow=_RETURNS,
    used=rx.cond(_TAKEN_BACK, _("This withdrawal was taken back"), _("You have already confirmed this withdrawal")).to(
        str
    ),
    nothing=_("We have received your withdrawal, but it is not confirmed."),
    failure=_("Your answer could not be sent."),
    refusals={
        Code.RETURN_REQUEST_ALREADY_EXISTS: _RETURNS,
        Code.NOTHING_FOUND: _RETURNS,
        Code.WITHDRAWAL_PERIOD_OVER: _RETURNS,
        Code.ORDER_ID_NOT_FOUND: _RETURNS,
    },
    works=_("A link works for {withdrawal_link_days} days."),
    question=_question(),
    answered=rx.cond(
        _TAKEN_BACK,
        rx.el.p(_("You keep your order as it is. Within the period you can withdraw again.")),
        rx.el.p(
            _(
                "Your email says what you get back, and how and where to send the items. "
                "You also see it in your returns."
            )
        ),
    ),
)


def confirm_withdrawal() -> rx.Component:
    """The page of the link."""
    return link_page(WORDING)

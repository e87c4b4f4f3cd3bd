"""The page of the mailed link that confirms the end of a contract or takes it back (part-2 §10)."""

from __future__ import annotations

import reflex as rx

from portal.contracts.pages.parts import withdrawing
from portal.i18n import _, choice, day, localized, moment
from portal.kernel.codes import Code
from portal.links.pages import DECLARATION, FollowUp, LinkWording, MailedLink, link_page
from portal.ui import Fact, Option, choice_cards, error_summary
from portal.vocabulary.contracts import END_LABELS, EndKind, EndStatus
from portal.vocabulary.status import STATUS_UNKNOWN
from portal.vocabulary.withdrawals import DeclarationAnswer

_FACTS = MailedLink.facts
_KIND = _FACTS["ending"].to(str)
_TAKEN_BACK = _FACTS["status"] == EndStatus.TAKEN_BACK.value
_CONTRACT = FollowUp(_("See your contract"), f"/contracts/{_FACTS['contract']}")


def _question() -> rx.Component:
    error = choice(MailedLink.wrong, {Code.REQUIRED: _("Choose one of the two.")})
    yes = withdrawing(_KIND, _("Yes, I withdraw from this contract"), _("Yes, I cancel this contract"))
    return rx.fragment(
        error_summary({DECLARATION: error}, MailedLink.failures),
        choice_cards(
            DECLARATION,
            _("Do you want to end this contract?"),
            [
                Option(DeclarationAnswer.CONFIRM.value, yes),
                Option(DeclarationAnswer.TAKE_BACK.value, _("No, I take it back, or it was not me")),
            ],
            error=error,
            columns="",
        ),
    )


WORDING = LinkWording(
    ask=withdrawing(_KIND, _("Confirm your withdrawal"), _("Confirm your cancellation")),
    promise=_("We have received it. Nothing changes for your contract until you confirm it."),
    button=_("Send answer"),
    facts=[
        Fact(
            _("Contract"),
            localized(rx.Var.create({"nl": _FACTS["product_nl"], "en": _FACTS["product_en"]})),
            shown=_FACTS["product_nl"] != "",
        ),
        Fact(_("Bike"), _FACTS["bike"], shown=_FACTS["bike"] != ""),
        Fact(_("Received on"), moment(_FACTS["received_at"]), shown=_FACTS["received_at"] != ""),
        Fact(_("Last day"), day(_FACTS["ends_on"]), shown=(_FACTS["ends_on"] != "") & ~_TAKEN_BACK),
        Fact(_("Reference number"), _FACTS["reference"], shown=_FACTS["reference"] != ""),
        Fact(
            _("Status"),
            choice(_FACTS["status"], END_LABELS, STATUS_UNKNOWN),
            shown=(_FACTS["status"] != "") & (_FACTS["status"] != EndStatus.RECEIVED.value),
        ),
    ],
    done=rx.cond(
        _TAKEN_BACK,
        _("Your contract goes on"),
        withdrawing(_KIND, _("Your withdrawal is confirmed"), _("Your cancellation is confirmed")),
    ).to(str),
    received=rx.cond(
        _TAKEN_BACK,
        _("Nothing has changed for your contract."),
        _("You get the receipt with the amounts by email."),
    ).to(str),
    next_steps=[],
    follow=_CONTRACT,
    used=rx.cond(_TAKEN_BACK, _("This was taken back"), _("You have already confirmed this")).to(str),
    nothing=_("We have received it, but it is not confirmed."),
    failure=_("Your answer could not be sent."),
    refusals={Code.STATUS_CHANGED: _CONTRACT},
    works=_("A link works for {withdrawal_link_days} days."),
    question=_question(),
    answered=rx.cond(
        _TAKEN_BACK,
        rx.el.p(_("Your contract goes on as before. You can still end it later.")),
        rx.cond(
            _KIND == EndKind.WITHDRAWAL.value,
            rx.el.p(_("Your contract has ended. What you paid comes back the way you paid.")),
            rx.el.p(_("Your contract runs until {day}.", day=day(_FACTS["ends_on"]))),
        ),
    ),
)


def confirm_end() -> rx.Component:
    """The page of the link."""
    return link_page(WORDING)

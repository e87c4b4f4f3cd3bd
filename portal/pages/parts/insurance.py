"""An insurance that was asked for: how far it is, and what the customer can do about it (part-2 §4)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import N_, _, choice, day, moment, money
from portal.pages.messages import refusal
from portal.states.insurance_acts import InsuranceActs
from portal.ui import action_button, badge, confirm_button, notice
from portal.vocabulary.insurance import (
    INSURANCE_LABELS,
    INSURANCE_MEANINGS,
    INSURANCE_TYPES,
    INSURER_ASKS,
    INSURER_ASKS_MEANING,
    INSURER_NAMES,
    InsuranceStatus,
    InsuranceType,
)
from portal.vocabulary.status import STATUS_UNKNOWN

ANSWERS = {
    InsuranceType.NONE: N_("You told us that you want no insurance for this bike."),
    InsuranceType.ALREADY_INSURED: N_("You told us that this bike is insured already."),
}
PHASES = (N_("Request"), N_("Confirmation by email"), N_("Insurer"), N_("Policy"))
"""The way of an insurance."""
_INSURERS = {who.value: name for who, name in INSURER_NAMES.items()}


def insurer_name(insurer: rx.Var[Any] | str) -> rx.Var[str]:
    """Who insures."""
    return choice(insurer, _INSURERS)


def insurance_type(kind: rx.Var[Any]) -> rx.Var[str]:
    """What is insured against."""
    return choice(kind, INSURANCE_TYPES)


def insurance_label(request: Any) -> rx.Var[str]:
    """Where a request stands, in a word or two. An answer that becomes no policy was passed on, not taken out."""
    answered = ~request.insuring & (request.status == InsuranceStatus.FINISHED.value)
    usual = choice(request.status, INSURANCE_LABELS, STATUS_UNKNOWN)
    return rx.cond(answered, _("Passed on"), rx.cond(request.asked, _(INSURER_ASKS), usual)).to(str)


def insurance_meaning(request: Any) -> rx.Var[str]:
    """What that means for the customer."""
    meaning = choice(request.status, INSURANCE_MEANINGS, INSURANCE_MEANINGS[InsuranceStatus.UNKNOWN])
    insuring = rx.cond(request.asked, _(INSURER_ASKS_MEANING), meaning)
    return rx.cond(request.insuring, insuring, choice(request.type, ANSWERS, meaning)).to(str)


def insurance_status(request: Any) -> rx.Component:
    """The request of a bike: what was asked for, how far it is, what can be done.

    Args:
        request: an `InsuranceView` with a reference, of a state that follows `Topic.INSURANCES`.
    """
    return rx.el.div(
        rx.cond(request.waiting, _one_more_step(request), _standing(request)),
        insurance_acts(request),
        class_name="space-y-4",
    )


def insurance_acts(request: Any) -> rx.Component:
    """Send the mail again, or take the request back; nothing for one that is not going on."""
    here = InsuranceActs.about == request.reference
    return rx.cond(
        request.open,
        rx.el.div(
            rx.cond(
                request.email_failed & ~(here & (InsuranceActs.sent_to != "")),
                rx.el.div(notice(_(MESSAGES[Code.EMAIL_FAILED]), tone="err"), class_name="mb-3"),
            ),
            rx.el.div(
                rx.cond(
                    request.waiting,
                    action_button(_("Send the email again"), InsuranceActs.resend(request.reference)),
                ),
                confirm_button(
                    _("Cancel request"),
                    _("Cancel this request?"),
                    _("Your bike is then not insured by it. You can ask again as long as insurance is offered."),
                    act=_("Cancel request"),
                    safe=_("Keep it"),
                    on_confirm=InsuranceActs.cancel(request.reference),
                    style="text",
                ),
                class_name="flex flex-wrap items-center gap-x-6 gap-y-2",
            ),
            # The region is there before its text, so that the text is heard.
            rx.el.div(rx.cond(here, rx.el.div(_answer(), class_name="mt-3")), role="status"),
        ),
    )


def _answer() -> rx.Component:
    """What became of the last press."""
    again = rx.cond(
        InsuranceActs.again_at != "",
        rx.el.p(
            _("You can ask for another email from {moment}.", moment=moment(InsuranceActs.again_at)),
            class_name="text-ink-600",
        ),
    )
    return rx.cond(
        InsuranceActs.refusal != "",
        notice(rx.el.p(refusal(code=InsuranceActs.refusal)), again, tone="warn"),
        rx.cond(
            InsuranceActs.sent_to != "",
            rx.fragment(
                rx.el.p(_("We have sent the email again to {email}.", email=InsuranceActs.sent_to)),
                again,
            ),
        ),
    )


def _one_more_step(request: Any) -> rx.Component:
    until = moment(request.expires)
    return notice(
        rx.el.p(_what(request), class_name="mt-1"),
        rx.el.p(
            rx.cond(
                request.email == "",
                _("We sent you a link. It works until {moment}.", moment=until),
                _("We sent a link to {email}. It works until {moment}.", email=request.email, moment=until),
            ),
            " ",
            _("Nothing is taken out before you confirm."),
            class_name="mt-1",
        ),
        title=_("One more step: confirm by email"),
        tone="warn",
    )


def _standing(request: Any) -> rx.Component:
    return rx.el.div(
        badge(insurance_label(request), request.tone),
        rx.cond(request.insuring, rx.el.p(_what(request), class_name="mt-2 font-semibold")),
        rx.el.p(insurance_meaning(request), class_name="mt-2"),
        rx.cond(request.note != "", rx.el.p(request.note, class_name="mt-2")),
        rx.cond(
            request.policy != "",
            rx.el.p(
                _("Policy number {number}, from {day}", number=request.policy, day=day(request.starts)),
                class_name="mt-2 tabular-nums",
            ),
        ),
    )


def _what(request: Any) -> rx.Var[str]:
    """'Kettingzeker: diefstal en schade, € 15,58 per maand'."""
    return _(
        "{insurer}: {type}, {premium} a month",
        insurer=insurer_name(request.insurer),
        type=insurance_type(request.type),
        premium=money(request.premium),
    )

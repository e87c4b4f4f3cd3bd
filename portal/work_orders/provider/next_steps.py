"""What happens next with a request, by kind, status and handover (part-1 §4)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from portal.backend.letter import weekday
from portal.contract.account import LocalizedText
from portal.kernel.texts import N_
from portal.vocabulary.locations import Handover
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus, names_day
from portal.work_orders.flow.claim import NOW, WAIT

_S = WorkOrderStatus
_NO_ANSWER = N_(
    "Heard nothing after {repair_answer_days} working days? Call us. If it takes longer than {silence_weeks} weeks, "
    "we’ll find out why."
)
_SILENCE = N_("Is it taking longer than {silence_weeks} weeks? Call us, and we’ll find out why.")

ByHandover = Mapping[Handover | None, str]
"""A sentence by handover; the one of None if the customer did not choose a handover."""

_ANSWER = N_("A mechanic will look at your request and contact you within {repair_answer_days} working days.")
_APPOINTMENT = N_("{location} will contact you to make an appointment.")
_QUOTE = N_("A mechanic looks at the damage and prepares a quote.")
_REVIEW: dict[str, str] = {
    WAIT: N_("Your insurer reviews the quote. We wait for approval before we start."),
    NOW: N_("Happy with it? Then we repair your bike, and you pay us the full amount."),
}
_PAYMENT: dict[str, str] = {
    WAIT: N_("Once it’s approved, we repair your bike. The insurer pays us; you only pay us the excess."),
    NOW: N_("Your insurer reviews the claim and pays you back, minus the excess."),
}
_PAYMENT_OF_REPAIR: dict[str, str] = {
    WAIT: N_("The insurer pays us; you only pay us the excess."),
    NOW: N_("You pay us the full amount. Your insurer pays you back, minus the excess."),
}

_AGREED: ByHandover = {
    None: N_("Together you’ll agree when and where your bike is repaired."),
    Handover.BRING: N_("Together you’ll agree on a day for you to bring your bike to {location}."),
    Handover.PICK_UP: N_("Together you’ll agree on a day for us to pick up your bike."),
    Handover.CALL_OUT: N_("Together you’ll agree on a day for the mechanic to come to you."),
}
_SERVICED: ByHandover = {
    None: N_("Your bike is serviced on the day you agree."),
    Handover.BRING: N_("You bring your bike to {location} on the day you agree."),
    Handover.PICK_UP: N_("We pick up your bike on the day you agree."),
    Handover.CALL_OUT: N_("The mechanic comes to you on the day you agree."),
}
_ON_THE_DAY: ByHandover = {
    None: N_("The work is planned for {day}."),
    Handover.BRING: N_("Bring your bike to {location} on {day}."),
    Handover.PICK_UP: N_("We’ll pick up your bike on {day}. Have the bike and its keys ready."),
    Handover.CALL_OUT: N_("The mechanic will come to you on {day}. Have the bike and its keys ready."),
}
_NO_DAY: ByHandover = {
    **_AGREED,
    None: N_("Bring your bike during opening hours."),
    Handover.BRING: N_("Bring your bike to {location} during opening hours."),
}
_READY: ByHandover = {
    None: N_("We’ll email you when your bike is ready."),
    Handover.BRING: N_("We’ll email you when you can collect your bike."),
    Handover.PICK_UP: N_("We’ll email you when your bike is ready. Then we’ll bring it back to you."),
    Handover.CALL_OUT: N_("We’ll email you when the work is done."),
}
_GOES_ON: ByHandover = {
    None: N_("The workshop will contact you to carry on with the work."),
    Handover.BRING: N_("The workshop will tell you when you can bring your bike again."),
    Handover.PICK_UP: N_("The workshop will tell you when we’ll pick up your bike again."),
    Handover.CALL_OUT: N_("The mechanic will make a new appointment with you."),
}
_PARTS = N_("We’ll get on with the work as soon as the parts arrive.")
_BACK: ByHandover = {
    None: N_("The workshop will tell you how you get your bike back."),
    Handover.BRING: N_("Collect your bike from {location} during opening hours."),
    Handover.PICK_UP: N_("We’ll make an appointment with you to bring your bike back."),
    Handover.CALL_OUT: N_("You already have your bike: there’s nothing more you need to do."),
}


def next_steps(
    kind: RequestKind,
    status: WorkOrderStatus,
    handover: Handover | None,
    *,
    handling: str = "",
    location: str = "",
    planned: date | None = None,
    answer_days: int,
) -> list[LocalizedText]:
    """What happens next, in order; empty once the request is closed."""
    if status in CLOSED_WORK_ORDER or status is _S.UNKNOWN:
        return []
    texts = _steps(kind, status, handover, handling, planned)
    return [
        LocalizedText.of(
            text,
            location=location,
            day=lambda locale: weekday(planned, locale) if planned else "",
            repair_answer_days=answer_days,
        )
        for text in (*texts, _patience(texts, status, handover))
        if text and (location or "{location}" not in text)
    ]


def _patience(texts: tuple[str, ...], status: WorkOrderStatus, handover: Handover | None) -> str:
    """When to call us; empty if the customer has the bike or can collect it."""
    if status is _S.WAIT_FOR_CUSTOMER and handover in {Handover.BRING, Handover.CALL_OUT}:
        return ""
    return _NO_ANSWER if _ANSWER in texts else _SILENCE


def _steps(
    kind: RequestKind, status: WorkOrderStatus, handover: Handover | None, handling: str, planned: date | None
) -> tuple[str, ...]:
    visit = _ON_THE_DAY[handover] if planned else ""
    pays = _PAYMENT_OF_REPAIR.get(handling, "") if kind is RequestKind.CLAIM else ""
    if status in {_S.NEW, _S.ACCEPTED} and kind is RequestKind.CLAIM:
        quote = _QUOTE if status is _S.NEW else ""
        return (quote, _REVIEW.get(handling, ""), _PAYMENT.get(handling, ""), visit)
    if status in {_S.NEW, _S.ACCEPTED}:
        service = kind is RequestKind.SERVICE
        answer = "" if status is _S.ACCEPTED or visit else _APPOINTMENT if service else _ANSWER
        return (answer, visit or (_SERVICED if service else _AGREED)[handover])
    if status is _S.WAIT_FOR_OBJECT:
        return (visit or _NO_DAY[handover], _READY[handover], pays)
    if status is _S.WAIT_FOR_PARTS:
        return (_PARTS, _READY[handover], pays)
    if status is _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR:
        return (_GOES_ON[handover], pays)
    if status is _S.WAIT_FOR_CUSTOMER:
        return (_BACK[handover], pays)
    agreed = _AGREED[handover] if names_day(status, handover) else ""
    return (visit or agreed, _READY[handover], pays)

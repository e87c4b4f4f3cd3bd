"""What every channel says about an insurance request (part-2 §4, §8), and what staff see of its case."""

from datetime import datetime
from decimal import Decimal

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import letter
from portal.backend.bike_names import bike_in_full
from portal.backend.cases import CaseFacts, record
from portal.bikes.provider.queries import waiting
from portal.contract.account import Account, AccountFact, AccountMoney, Direction, LocalizedText
from portal.insurance.rules import effective_status
from portal.kernel.days import in_working_days, local_day
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.departures import Departure, Dependent
from portal.vocabulary.insurance import (
    INSURANCE_LABELS,
    INSURANCE_MEANINGS,
    INSURANCE_PHASES,
    INSURANCE_REQUESTS,
    INSURANCE_TYPES,
    INSURER_ASKS,
    INSURER_ASKS_MEANING,
    INSURER_NAMES,
    INSURING,
    OPEN_INSURANCE,
    UNINSURED_ANSWERS,
    InsuranceStatus,
)

_S = InsuranceStatus
_TITLES: dict[InsuranceStatus, str] = {
    _S.WAITING_FOR_INPUT: N_("One more step: confirm by email"),
    _S.CREATED: N_("Your insurance has been requested"),
    _S.FINISHED: N_("Your bike is insured"),
    _S.CANCELLED: N_("This request was cancelled"),
    _S.UNKNOWN: N_("Your insurance has been requested"),
}
_PHASE = {_S.WAITING_FOR_INPUT: 1, _S.CREATED: 2, _S.FINISHED: len(INSURANCE_PHASES)}
_INSURER = 2
"""Index of the phase in which the insurer answers."""


def insurance_account(
    row: InsuranceRequestRow, bike: BikeRow, now: datetime, departure: Departure | None = None
) -> Account:
    """The account of a request, as it stands at `now`. It names neither the bank account nor the key number."""
    status = effective_status(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link)
    insuring = row.type in INSURING
    asked = insurer_asks(row)
    label, meaning = status_words(row, status, asked=asked)
    account = Account(
        reference=in_groups(row.reference),
        title=_title(status, insuring=insuring, asked=asked),
        status=label,
        meaning=meaning,
        phases=[LocalizedText.of(phase) for phase in INSURANCE_PHASES] if insuring and status in _PHASE else [],
        phase=(_INSURER if asked else _PHASE.get(status)) if insuring else None,
        facts=_facts(row, bike),
        money=_money(row, status),
        next_steps=_next_steps(row, status, insuring=insuring, asked=asked),
    )
    return waiting(account, departure, Dependent.INSURANCE_REQUEST) if status in OPEN_INSURANCE else account


def insurer_asks(row: InsuranceRequestRow) -> bool:
    """Whether the request waits for an answer of the customer to the insurer, and not for the mailed link."""
    return row.type in INSURING and row.status is _S.WAITING_FOR_INPUT and not row.waits_for_link


def _title(status: InsuranceStatus, *, insuring: bool, asked: bool) -> LocalizedText:
    if not insuring:
        return LocalizedText.of(N_("Your answer has been passed on"))
    return LocalizedText.of(INSURER_ASKS if asked else _TITLES[status])


def status_words(
    row: InsuranceRequestRow, status: InsuranceStatus, *, asked: bool
) -> tuple[LocalizedText, LocalizedText]:
    """The label of a status and what it means to the customer."""
    if row.type not in INSURING:
        label = N_("Passed on") if status is _S.FINISHED else INSURANCE_LABELS[status]
        return LocalizedText.of(label), LocalizedText.of(UNINSURED_ANSWERS.get(row.type, INSURANCE_MEANINGS[status]))
    if asked:
        return LocalizedText.of(INSURER_ASKS), LocalizedText.of(INSURER_ASKS_MEANING)
    return LocalizedText.of(INSURANCE_LABELS[status]), LocalizedText.of(
        INSURANCE_MEANINGS[status], insurer_answer_days=row.answer_days
    )


def _facts(row: InsuranceRequestRow, bike: BikeRow) -> list[AccountFact]:
    facts = [
        AccountFact.of(N_("Bike"), LocalizedText.each(lambda locale: bike_in_full(bike, locale))),
        AccountFact.of(N_("Insurance"), LocalizedText.of(INSURANCE_TYPES[row.type])),
    ]
    if row.insurer:
        facts.append(AccountFact.of(N_("Insurer"), LocalizedText.of(INSURER_NAMES[row.insurer])))
    if row.premium is not None:
        facts.append(
            AccountFact.of(N_("Premium"), LocalizedText.of(N_("{amount} a month"), amount=_premium(row.premium)))
        )
    facts.append(AccountFact.of(N_("Requested on"), letter.localized_day(local_day(row.created_at))))
    if row.policy_number:
        facts.append(AccountFact.of(N_("Policy number"), LocalizedText.same(row.policy_number)))
    if row.starts_on:
        facts.append(AccountFact.of(N_("Insured from"), letter.localized_day(row.starts_on)))
    if row.note:
        facts.append(AccountFact.of(N_("Message from us"), LocalizedText.same(row.note)))
    return facts


def _money(row: InsuranceRequestRow, status: InsuranceStatus) -> AccountMoney:
    if row.premium is None or row.insurer is None or status is _S.CANCELLED:
        return AccountMoney()
    return AccountMoney(
        direction=Direction.CUSTOMER_PAYS,
        total=row.premium,
        label=LocalizedText.of(N_("Premium per month")),
        note=LocalizedText.of(
            N_("{insurer} collects {premium} from your account every month, once your bike is insured."),
            insurer=LocalizedText.of(INSURER_NAMES[row.insurer]),
            premium=_premium(row.premium),
        ),
    )


def _next_steps(
    row: InsuranceRequestRow, status: InsuranceStatus, *, insuring: bool, asked: bool
) -> list[LocalizedText]:
    if not insuring:
        changed = N_("Changed your mind? You can ask again as long as we offer insurance for your bike.")
        return [LocalizedText.of(changed)]
    policy = LocalizedText.of(
        N_("We’ll email you as soon as your bike is insured, with the policy number and the first day.")
    )
    if status is _S.WAITING_FOR_INPUT and not asked:
        opened = LocalizedText.of(
            N_("Open the link in our email before {moment}, and press the button on the page that opens."),
            moment=letter.localized_moment(row.link_expires_at) if row.link_expires_at else "",
        )
        insurer = N_(
            "Then your request goes to the insurer. We’ll get back to you within {insurer_answer_days} working days."
        )
        return [opened, LocalizedText.of(insurer, insurer_answer_days=row.answer_days), policy]
    return [policy] if status is _S.CREATED else []


def _premium(premium: Decimal) -> LocalizedText:
    return LocalizedText.each(lambda locale: letter.money(premium, locale))


def facts_of(row: InsuranceRequestRow) -> CaseFacts:
    """The facts of a request for its case. An answer of the insurer is promised once it was confirmed."""
    promised = row.status is _S.CREATED
    return CaseFacts(
        kind=CaseKind.INSURANCE,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in INSURANCE_REQUESTS.ends,
        waiting=row.status is _S.WAITING_FOR_INPUT,
        waiting_until=row.link_expires_at if row.waits_for_link else None,
        promised_at=in_working_days(row.updated_at, row.answer_days) if promised else None,
    )


async def record_case(
    session: AsyncSession, row: InsuranceRequestRow, now: datetime, *, by_customer: bool = False
) -> None:
    """Bring the case of a request up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)

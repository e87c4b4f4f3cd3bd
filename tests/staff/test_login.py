"""Login of staff with a mailed code, and the session of a person."""

from __future__ import annotations

import pytest
from sqlmodel import select

from portal.backend.mail import Template
from portal.backend.security import decrypt
from portal.backend.staff import IDLE, LONGEST
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, Refused, TooMany
from portal.contract.session import CodeEntry, CodeSent, LocaleChoice, Origin
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from portal.staff.api import StaffApi, StaffCodeRequest
from portal.tables.messages import OutboxMail
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.staff import RIGHTS, Role
from tests.support.application import wrong
from tests.support.living import Living
from tests.support.staff import CARLA, ESRA, TOM, staff_token

HERE = Origin(address="198.51.100.20")


async def ask(shop: Living, email: str, origin: Origin = HERE) -> CodeSent:
    """Request a code."""
    return await shop.ask(StaffApi).request_staff_code(StaffCodeRequest(email=email), origin)


async def mailed(shop: Living) -> tuple[str, str]:
    """Recipient and code of the newest mail with a code."""
    async with shop.context.database.session() as session:
        mails = await session.exec(select(OutboxMail).where(OutboxMail.template == Template.LOGIN_CODE))
        mail = mails.all()[-1]
    return mail.recipient, decrypt(shop.context.settings, mail.sealed)


async def refusal(shop: Living, code: str, challenge: str | None) -> Code:
    """The code with which a login was refused."""
    with pytest.raises(Refused) as caught:
        await shop.ask(StaffApi).open_staff_session(CodeEntry(token=code, challenge=challenge), HERE)
    return caught.value.code


async def test_a_mailed_code_opens_a_session_of_the_person(living: Living) -> None:
    sent = await ask(living, TOM.upper())
    recipient, code = await mailed(living)
    assert recipient == TOM
    opened = await living.ask(StaffApi).open_staff_session(CodeEntry(token=code, challenge=sent.challenge), HERE)
    member = await living.ask(StaffApi).member(opened.token)
    assert (member.name, member.role) == ("Tom Verhoeven", Role.MECHANIC)
    assert set(member.rights) == RIGHTS[Role.MECHANIC]
    assert [store.name for store in member.stores] == ["Bovenbuis Utrecht"]
    async with living.context.database.session() as session:
        entry = (await session.exec(select(AuditRow))).one()
    assert (entry.actor, entry.action, entry.address) == ("Tom Verhoeven", "open_staff_session", HERE.address)


async def test_a_code_counts_once_and_only_with_the_challenge_of_its_browser(living: Living) -> None:
    sent = await ask(living, ESRA)
    _, code = await mailed(living)
    assert await refusal(living, code, None) is Code.NO_CHALLENGE
    assert await refusal(living, code, "of another browser") is Code.NO_CHALLENGE
    assert await refusal(living, wrong(code), sent.challenge) is Code.INVALID_CODE
    await living.ask(StaffApi).open_staff_session(CodeEntry(token=code, challenge=sent.challenge), HERE)
    assert await refusal(living, code, sent.challenge) is Code.CODE_USED_UP


async def test_a_code_of_staff_opens_nothing_for_customers_and_the_other_way_round(living: Living) -> None:
    sent = await ask(living, ESRA)
    _, code = await mailed(living)
    with pytest.raises(Refused) as caught:
        await living.ask(LoginApi).authenticate(CodeEntry(token=code, challenge=sent.challenge), HERE)
    assert caught.value.code is Code.INVALID_CODE
    assert (await living.ask(StaffApi).open_staff_session(CodeEntry(token=code, challenge=sent.challenge), HERE)).token


async def test_an_unknown_address_is_answered_the_same_and_gets_no_mail(living: Living) -> None:
    sent = await ask(living, "stranger@example.com")
    recipient, code = await mailed(living)
    assert recipient == ""
    assert sent.email == "s…@…com"
    assert await refusal(living, code, sent.challenge) is Code.INVALID_CODE


async def test_somebody_deactivated_gets_no_code_and_loses_a_code_on_its_way(living: Living) -> None:
    sent = await ask(living, ESRA)
    _, code = await mailed(living)
    await living.change(StaffRow, {"active": False}, email=ESRA)
    assert await refusal(living, code, sent.challenge) is Code.INVALID_CODE
    await ask(living, ESRA)
    assert (await mailed(living))[0] == ""


async def test_codes_are_limited_as_for_customers(living: Living) -> None:
    object.__setattr__(living.context.settings, "codes_per_address_hour", 3)
    origin = Origin(address="198.51.100.99")
    for name in ("a", "b", "c"):
        await ask(living, f"{name}@example.com", origin)
    with pytest.raises(TooMany):
        await ask(living, ESRA, origin)


async def test_what_was_typed_is_checked(living: Living) -> None:
    for typed, code in (("", Code.REQUIRED), ("esra", Code.INVALID_EMAIL)):
        with pytest.raises(InvalidInput) as caught:
            await ask(living, typed)
        assert caught.value.fields == {"email": code}


async def test_the_demonstration_lists_its_people_and_mails_whom_is_chosen(living: Living) -> None:
    ways = await living.ask(StaffApi).staff_login_ways()
    assert not ways.sign_on
    assert {person.role for person in ways.people} == RIGHTS.keys() - {Role.UNKNOWN}
    assert len({store for person in ways.people for store in person.stores}) == 5
    carla = next(person for person in ways.people if person.name == "Carla Janssen")
    await living.ask(StaffApi).request_staff_code(StaffCodeRequest(person_id=carla.person_id), HERE)
    assert (await mailed(living))[0] == CARLA
    with pytest.raises(NotFound):
        await living.ask(StaffApi).request_staff_code(StaffCodeRequest(person_id="NOBODY2345"), HERE)


async def test_in_production_nobody_is_listed_or_chosen(living: Living) -> None:
    person = (await living.ask(StaffApi).staff_login_ways()).people[0]
    object.__setattr__(living.context.settings, "env", "production")
    assert (await living.ask(StaffApi).staff_login_ways()).people == []
    with pytest.raises(InvalidInput):
        await living.ask(StaffApi).request_staff_code(StaffCodeRequest(person_id=person.person_id), HERE)


async def test_a_session_ends_by_logging_out_when_idle_and_after_a_working_day(living: Living) -> None:
    first, second, third = [await staff_token(living, ESRA) for _ in range(3)]
    await living.ask(StaffApi).end_staff_session(first)
    with pytest.raises(NotAuthenticated):
        await living.ask(StaffApi).member(first)
    for _ in range(int(LONGEST / IDLE)):
        await living.ask(StaffApi).member(third)
        living.clock.forward(seconds=IDLE.total_seconds() - 60)
    with pytest.raises(NotAuthenticated):
        await living.ask(StaffApi).member(second)
    assert await living.ask(StaffApi).member(third)
    living.clock.forward(minutes=10)
    with pytest.raises(NotAuthenticated):
        await living.ask(StaffApi).member(third)


async def test_the_language_of_a_person_is_stored(living: Living) -> None:
    token = await staff_token(living, ESRA)
    await living.ask(StaffApi).change_staff_locale(token, LocaleChoice(locale="en"))
    assert (await living.ask(StaffApi).member(token)).locale == "en"

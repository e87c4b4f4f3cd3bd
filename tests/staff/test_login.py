"""Login of staff with a mailed code, and the session of a person."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from portal.backend.mail import Template
from portal.backend.security import decrypt
from portal.backend.staff import IDLE, MAX_SESSION
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, Refused, TooMany, Unavailable
from portal.contract.session import CodeEntry, CodeSent, LocaleChoice, Origin
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from portal.provider.application import Application
from portal.setting_groups import StaffOidc
from portal.settings import Settings
from portal.staff.api.people import Member, SignOn, SignOnEntry, StaffApi, StaffCodeRequest
from portal.staff.provider.people import restore_access
from portal.tables.messages import OutboxMail
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.staff import RIGHTS, Role
from tests.support.application import wrong
from tests.support.furnished import Furnished
from tests.support.living import Living
from tests.support.openid import FAULTS, OpenId
from tests.support.ports import free_port
from tests.support.staff import CARLA, DAAN, ESRA, OF_ROLE, TOM, staff_token

HERE = Origin(address="198.51.100.20")


async def ask(shop: Living, email: str, origin: Origin = HERE) -> CodeSent:
    return await shop.ask(StaffApi).request_staff_code(StaffCodeRequest(email=email), origin)


async def mailed(shop: Living) -> tuple[str, str]:
    """Recipient and code of the newest mail with a code."""
    mail = (await shop.rows(OutboxMail, template=Template.LOGIN_CODE))[-1]
    return mail.recipient, decrypt(shop.context.settings, mail.sealed)


async def refusal(shop: Living, code: str, challenge: str | None) -> Code:
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
    (entry,) = await living.rows(AuditRow)
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
    for _ in range(int(MAX_SESSION / IDLE)):
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


BROWSER = Origin(address="192.0.2.40")
KNOWN = {"sub": "id-of-esra", "email": ESRA, "email_verified": True, "name": "Esra Yilmaz"}


class FurnishedWithSignOn(Furnished):
    """The demonstration shop with an OpenID provider for its staff."""

    def __init__(self, application: Application, openid: OpenId) -> None:
        super().__init__(application)
        self.openid = openid

    async def come_back(self, begun: SignOn, **changes: Any) -> SignOnEntry:
        answer = await self.openid.consent(begun.url)
        return SignOnEntry.model_validate({**answer, "challenge": begun.challenge, **changes})

    async def log_in_at_provider(self, fault: str = "", **claims: Any) -> Member:
        await self.openid.instruct(fault, **(claims or KNOWN))
        begun = await self.ask(StaffApi).start_sign_on(BROWSER)
        opened = await self.ask(StaffApi).finish_sign_on(await self.come_back(begun), BROWSER)
        return await self.ask(StaffApi).member(opened.token)


@pytest.fixture
async def make(loaded_url: str, tmp_path: Path, openid: OpenId) -> Any:
    made: list[Application] = []

    def desk(**changes: Any) -> FurnishedWithSignOn:
        options = {"database_url": loaded_url, "data_dir": tmp_path, "codes_per_address_hour": 1000}
        application = Application(Settings.model_validate({**options, "staff_oidc": openid.settings(**changes)}))
        made.append(application)
        return FurnishedWithSignOn(application, openid)

    yield desk
    for application in made:
        await application.close()


async def sign_on_refusal(call: Any) -> Code:
    with pytest.raises(Refused) as caught:
        await call
    return caught.value.code


async def test_somebody_of_the_table_is_known_by_the_subject_from_the_first_login_until_the_last(make: Any) -> None:
    desk = make()
    assert (await desk.ask(StaffApi).staff_login_ways()).sign_on
    member = await desk.log_in_at_provider()
    assert (member.email, member.role) == (ESRA, Role.SERVICE_DESK)
    again = await desk.log_in_at_provider(sub="id-of-esra", email="other@example.com", email_verified=False)
    assert again.person_id == member.person_id
    entry = (await desk.rows(AuditRow))[0]
    assert (entry.actor, entry.action, entry.address) == ("Esra Yilmaz", "open_staff_session", BROWSER.address)
    # The address does not lead another identity to the person.
    assert await sign_on_refusal(desk.log_in_at_provider(**{**KNOWN, "sub": "another"})) is Code.SIGN_ON_REFUSED
    await desk.change(StaffRow, {"active": False}, email=ESRA)
    assert await sign_on_refusal(desk.log_in_at_provider()) is Code.SIGN_ON_REFUSED


async def test_where_a_provider_is_connected_there_are_no_codes(make: Any) -> None:
    desk = make()
    with pytest.raises(NotFound):
        await desk.ask(StaffApi).request_staff_code(StaffCodeRequest(email=ESRA), BROWSER)
    with pytest.raises(NotFound):
        await desk.ask(StaffApi).open_staff_session(CodeEntry(token="123456", challenge="abc"), BROWSER)
    assert (await desk.ask(StaffApi).staff_login_ways()).people == []


async def test_without_a_provider_there_is_no_sign_on(furnished: Furnished) -> None:
    with pytest.raises(NotFound):
        await furnished.ask(StaffApi).start_sign_on(BROWSER)
    with pytest.raises(NotFound):
        await furnished.ask(StaffApi).finish_sign_on(SignOnEntry(code="a", state="b", challenge="c"), BROWSER)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_wrong_token_opens_nothing(make: Any, fault: str) -> None:
    desk = make()
    code = await sign_on_refusal(desk.log_in_at_provider(fault, **KNOWN))
    assert code is (Code.SIGN_ON_REFUSED if fault == "no sub" else Code.SIGN_ON_FAILED)
    assert (await desk.log_in_at_provider()).email == ESRA


async def test_an_answer_is_accepted_once_and_in_time(make: Any) -> None:
    desk = make()
    await desk.openid.instruct(**KNOWN)
    late, begun = [await desk.ask(StaffApi).start_sign_on(BROWSER) for _ in range(2)]
    entry, too_late = await desk.come_back(begun), await desk.come_back(late)
    await desk.ask(StaffApi).finish_sign_on(entry, BROWSER)
    assert await sign_on_refusal(desk.ask(StaffApi).finish_sign_on(entry, BROWSER)) is Code.SIGN_ON_FAILED
    replayed = await desk.come_back(begun)
    assert await sign_on_refusal(desk.ask(StaffApi).finish_sign_on(replayed, BROWSER)) is Code.SIGN_ON_FAILED
    object.__setattr__(desk.context, "clock", lambda: late.expires_at)
    assert await sign_on_refusal(desk.ask(StaffApi).finish_sign_on(too_late, BROWSER)) is Code.SIGN_ON_FAILED


async def test_an_answer_counts_only_in_the_browser_that_asked(make: Any) -> None:
    desk = make()
    await desk.openid.instruct(**KNOWN)
    own, other = await desk.ask(StaffApi).start_sign_on(BROWSER), await desk.ask(StaffApi).start_sign_on(BROWSER)
    answer = await desk.come_back(own)
    for challenge in (None, "", other.challenge):
        entry = answer.model_copy(update={"challenge": challenge})
        assert await sign_on_refusal(desk.ask(StaffApi).finish_sign_on(entry, BROWSER)) is Code.SIGN_ON_FAILED
    injected = answer.model_copy(update={"code": (await desk.come_back(other)).code})
    assert await sign_on_refusal(desk.ask(StaffApi).finish_sign_on(injected, BROWSER)) is Code.SIGN_ON_FAILED


async def test_who_says_no_at_the_provider_is_not_logged_in(make: Any) -> None:
    desk = make()
    await desk.openid.instruct()
    begun = await desk.ask(StaffApi).start_sign_on(BROWSER)
    entry = await desk.come_back(begun)
    assert entry.error == "access_denied"
    assert await sign_on_refusal(desk.ask(StaffApi).finish_sign_on(entry, BROWSER)) is Code.SIGN_ON_FAILED


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "x", "email": "stranger@example.com", "email_verified": True},
        {"sub": "x", "email": ESRA, "email_verified": False},
        {"sub": "x", "email": ESRA},
        {"sub": "x"},
    ],
)
async def test_somebody_unknown_is_refused(make: Any, claims: dict[str, Any]) -> None:
    assert await sign_on_refusal(make().log_in_at_provider(**claims)) is Code.SIGN_ON_REFUSED


async def test_an_address_counts_as_verified_if_the_settings_trust_the_provider(make: Any) -> None:
    assert (await make(trust_email=True).log_in_at_provider(sub="x", email=ESRA)).email == ESRA


async def test_the_claim_that_holds_the_address_is_a_setting(make: Any) -> None:
    desk = make(trust_email=True, email_claim="preferred_username")
    assert (await desk.log_in_at_provider(sub="x", preferred_username=ESRA.upper())).email == ESRA
    for claims in ({"email": DAAN}, {"preferred_username": "esra"}, {"preferred_username": [ESRA, DAAN]}):
        assert await sign_on_refusal(desk.log_in_at_provider(sub="y", **claims)) is Code.SIGN_ON_REFUSED
    assert (await desk.log_in_at_provider(sub="z", preferred_username=[DAAN])).email == DAAN
    with pytest.raises(ValidationError, match="TRUST_EMAIL"):
        StaffOidc(email_claim="upn")


async def test_staff_get_in_again_after_the_provider_or_their_address_changed(make: Any) -> None:
    desk = make()
    esra, moved = await desk.log_in_at_provider(), {**KNOWN, "sub": "id-at-another-provider"}

    async def restore(email: str, new_email: str = "") -> None:
        async with desk.context.database.transaction() as session:
            await restore_access(session, email, new_email, desk.context.clock(), actor="command line")

    assert await sign_on_refusal(desk.log_in_at_provider(**moved)) is Code.SIGN_ON_REFUSED
    await restore("")
    assert (await desk.log_in_at_provider(**moved)).person_id == esra.person_id
    renamed = {**moved, "sub": "third", "email": "esra@new.example"}
    await desk.change(StaffRow, {"active": False}, email=ESRA)
    for email, new in (("nobody@example.com", ""), (ESRA, DAAN), (ESRA, "esra")):
        with pytest.raises(InvalidInput):
            await restore(email, new)
    assert await sign_on_refusal(desk.log_in_at_provider(**renamed)) is Code.SIGN_ON_REFUSED
    await restore(ESRA, "Esra@New.example")
    member = await desk.log_in_at_provider(**renamed)
    assert (member.person_id, member.email) == (esra.person_id, "esra@new.example")
    entries = await desk.rows(AuditRow, action="restore_access", reference=esra.person_id)
    assert [(entry.actor, entry.details) for entry in entries] == [
        ("command line", {}),
        ("command line", {"active": True}),
    ]


async def test_role_and_stores_come_from_claims_where_the_settings_say_so(make: Any) -> None:
    desk = make(role_claim="groups", roles={"Werkplaats": "mechanic", "Balie": "service_desk"}, stores_claim="winkels")
    claims = {"sub": "new", "email": "lotte@example.com", "email_verified": True, "name": "Lotte Bos"}
    first = await desk.log_in_at_provider(**claims, groups=["Iedereen", "Werkplaats"], winkels=["Bovenbuis Utrecht"])
    assert (first.name, first.role) == ("Lotte Bos", Role.MECHANIC)
    assert [store.name for store in first.stores] == ["Bovenbuis Utrecht"]
    moved = await desk.log_in_at_provider(**claims, groups="Werkplaats", winkels=["Bovenbuis Gent", "Atlantis"])
    assert [store.name for store in moved.stores] == ["Bovenbuis Gent"]
    assert (await desk.log_in_at_provider(**claims, groups=["Balie"])).role is Role.SERVICE_DESK
    assert await sign_on_refusal(desk.log_in_at_provider(**claims, groups=["Iedereen"])) is Code.SIGN_ON_REFUSED


async def test_a_claim_decides_the_role_also_of_somebody_in_the_table(make: Any) -> None:
    desk = make(role_claim="groups", roles={"Werkplaats": "mechanic"})
    claims = {**KNOWN, "email": OF_ROLE[Role.ADMINISTRATOR]}
    assert await sign_on_refusal(desk.log_in_at_provider(**claims)) is Code.SIGN_ON_REFUSED
    assert (await desk.log_in_at_provider(**claims, groups=["Werkplaats"])).role is Role.MECHANIC


async def test_new_keys_of_the_provider_are_read(make: Any) -> None:
    desk = make()
    await desk.log_in_at_provider()
    desk.openid.stop()
    await asyncio.to_thread(desk.openid.start)
    assert (await desk.log_in_at_provider()).email == ESRA


async def test_a_provider_that_does_not_answer_is_unavailable(loaded_url: str, tmp_path: Path) -> None:
    oidc = OpenId(free_port()).settings()
    application = Application(Settings(database_url=loaded_url, data_dir=tmp_path, staff_oidc=oidc))
    with pytest.raises(Unavailable):
        await application.services.ask(StaffApi).start_sign_on(BROWSER)
    await application.close()


async def test_the_address_asks_with_pkce_and_nothing_secret_is_stored(make: Any) -> None:
    desk = make()
    begun = await desk.ask(StaffApi).start_sign_on(BROWSER)
    for part in ("code_challenge=", "code_challenge_method=S256", "nonce=", "state=", "response_type=code"):
        assert part in begun.url
    async with desk.context.database.session() as session:
        stored = await (await session.connection()).exec_driver_sql("SELECT * FROM staff_sign_ons")
        row = str(stored.all())
    assert begun.challenge not in row
    assert begun.url.partition("state=")[2].partition("&")[0] not in row


async def test_somebody_deactivated_is_refused(make: Any) -> None:
    desk = make()
    await desk.change(StaffRow, {"active": False}, email=ESRA)
    assert await sign_on_refusal(desk.log_in_at_provider()) is Code.SIGN_ON_REFUSED

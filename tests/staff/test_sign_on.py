"""Login of staff at a real OpenID provider in a process of its own, and every answer that must open nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from portal.contract.errors import NotFound, Refused, Unavailable
from portal.contract.session import CodeEntry, Origin
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.settings import Settings
from portal.staff.api import Member, SignOn, SignOnEntry, StaffApi, StaffCodeRequest
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.staff import Role
from tests.support.furnished import Furnished
from tests.support.openid import FAULTS, OpenId
from tests.support.ports import free_port
from tests.support.staff import ESRA, OF_ROLE

HERE = Origin(address="192.0.2.40")
KNOWN = {"sub": "id-of-esra", "email": ESRA, "email_verified": True, "name": "Esra Yilmaz"}


class FurnishedWithSignOn(Furnished):
    """The demonstration shop with an OpenID provider for its staff."""

    def __init__(self, application: Application, openid: OpenId) -> None:
        super().__init__(application)
        self.openid = openid

    async def come_back(self, begun: SignOn, **changes: Any) -> SignOnEntry:
        """Consent at the provider; what the browser brings back."""
        answer = await self.openid.consent(begun.url)
        return SignOnEntry.model_validate({**answer, "challenge": begun.challenge, **changes})

    async def log_in_at_provider(self, fault: str = "", **claims: Any) -> Member:
        """Log in, as the person of these claims."""
        await self.openid.instruct(fault, **(claims or KNOWN))
        begun = await self.ask(StaffApi).start_sign_on(HERE)
        opened = await self.ask(StaffApi).finish_sign_on(await self.come_back(begun), HERE)
        return await self.ask(StaffApi).member(opened.token)


@pytest.fixture
async def make(loaded_url: str, tmp_path: Path, openid: OpenId) -> Any:
    """Make the shop with settings of the provider."""
    made: list[Application] = []

    def desk(**changes: Any) -> FurnishedWithSignOn:
        options = {"database_url": loaded_url, "data_dir": tmp_path, "codes_per_address_hour": 1000}
        application = Application(Settings.model_validate({**options, "staff_oidc": openid.settings(**changes)}))
        made.append(application)
        return FurnishedWithSignOn(application, openid)

    yield desk
    for application in made:
        await application.close()


async def refusal(call: Any) -> Code:
    """The code with which a login was refused."""
    with pytest.raises(Refused) as caught:
        await call
    return caught.value.code


async def test_somebody_of_the_table_logs_in_and_is_known_by_the_subject_from_then_on(make: Any) -> None:
    desk = make()
    assert (await desk.ask(StaffApi).staff_login_ways()).sign_on
    member = await desk.log_in_at_provider()
    assert (member.email, member.role) == (ESRA, Role.SERVICE_DESK)
    again = await desk.log_in_at_provider(sub="id-of-esra", email="other@example.com", email_verified=False)
    assert again.person_id == member.person_id


async def test_where_a_provider_is_connected_there_are_no_codes(make: Any) -> None:
    desk = make()
    with pytest.raises(NotFound):
        await desk.ask(StaffApi).request_staff_code(StaffCodeRequest(email=ESRA), HERE)
    with pytest.raises(NotFound):
        await desk.ask(StaffApi).open_staff_session(CodeEntry(token="123456", challenge="abc"), HERE)
    assert (await desk.ask(StaffApi).staff_login_ways()).people == []


async def test_without_a_provider_there_is_no_sign_on(furnished: Furnished) -> None:
    with pytest.raises(NotFound):
        await furnished.ask(StaffApi).start_sign_on(HERE)
    with pytest.raises(NotFound):
        await furnished.ask(StaffApi).finish_sign_on(SignOnEntry(code="a", state="b", challenge="c"), HERE)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_wrong_token_opens_nothing(make: Any, fault: str) -> None:
    desk = make()
    code = await refusal(desk.log_in_at_provider(fault, **KNOWN))
    assert code is (Code.SIGN_ON_REFUSED if fault == "no sub" else Code.SIGN_ON_FAILED)
    assert (await desk.log_in_at_provider()).email == ESRA


async def test_an_answer_is_accepted_once(make: Any) -> None:
    desk = make()
    await desk.openid.instruct(**KNOWN)
    begun = await desk.ask(StaffApi).start_sign_on(HERE)
    entry = await desk.come_back(begun)
    await desk.ask(StaffApi).finish_sign_on(entry, HERE)
    assert await refusal(desk.ask(StaffApi).finish_sign_on(entry, HERE)) is Code.SIGN_ON_FAILED
    replayed = await desk.come_back(begun)
    assert await refusal(desk.ask(StaffApi).finish_sign_on(replayed, HERE)) is Code.SIGN_ON_FAILED


async def test_an_answer_counts_only_in_the_browser_that_asked(make: Any) -> None:
    desk = make()
    await desk.openid.instruct(**KNOWN)
    own, other = await desk.ask(StaffApi).start_sign_on(HERE), await desk.ask(StaffApi).start_sign_on(HERE)
    answer = await desk.come_back(own)
    for challenge in (None, "", other.challenge):
        entry = answer.model_copy(update={"challenge": challenge})
        assert await refusal(desk.ask(StaffApi).finish_sign_on(entry, HERE)) is Code.SIGN_ON_FAILED
    injected = answer.model_copy(update={"code": (await desk.come_back(other)).code})
    assert await refusal(desk.ask(StaffApi).finish_sign_on(injected, HERE)) is Code.SIGN_ON_FAILED


async def test_an_answer_that_comes_too_late_opens_nothing(make: Any) -> None:
    desk = make()
    await desk.openid.instruct(**KNOWN)
    begun = await desk.ask(StaffApi).start_sign_on(HERE)
    entry = await desk.come_back(begun)
    object.__setattr__(desk.context, "clock", lambda: begun.expires_at)
    assert await refusal(desk.ask(StaffApi).finish_sign_on(entry, HERE)) is Code.SIGN_ON_FAILED


async def test_who_says_no_at_the_provider_is_not_logged_in(make: Any) -> None:
    desk = make()
    await desk.openid.instruct()
    begun = await desk.ask(StaffApi).start_sign_on(HERE)
    entry = await desk.come_back(begun)
    assert entry.error == "access_denied"
    assert await refusal(desk.ask(StaffApi).finish_sign_on(entry, HERE)) is Code.SIGN_ON_FAILED


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
    assert await refusal(make().log_in_at_provider(**claims)) is Code.SIGN_ON_REFUSED


async def test_an_address_counts_as_verified_if_the_settings_trust_the_provider(make: Any) -> None:
    assert (await make(trust_email=True).log_in_at_provider(sub="x", email=ESRA)).email == ESRA


async def test_an_address_that_belongs_to_another_identity_is_not_taken_over(make: Any) -> None:
    desk = make()
    await desk.log_in_at_provider()
    assert await refusal(desk.log_in_at_provider(**{**KNOWN, "sub": "another"})) is Code.SIGN_ON_REFUSED


async def test_somebody_deactivated_is_refused(make: Any) -> None:
    desk = make()
    await desk.change(StaffRow, {"active": False}, email=ESRA)
    assert await refusal(desk.log_in_at_provider()) is Code.SIGN_ON_REFUSED


async def test_role_and_stores_come_from_claims_where_the_settings_say_so(make: Any) -> None:
    desk = make(role_claim="groups", roles={"Werkplaats": "mechanic", "Balie": "service_desk"}, stores_claim="winkels")
    claims = {"sub": "new", "email": "lotte@example.com", "email_verified": True, "name": "Lotte Bos"}
    first = await desk.log_in_at_provider(**claims, groups=["Iedereen", "Werkplaats"], winkels=["Bovenbuis Utrecht"])
    assert (first.name, first.role) == ("Lotte Bos", Role.MECHANIC)
    assert [store.name for store in first.stores] == ["Bovenbuis Utrecht"]
    moved = await desk.log_in_at_provider(**claims, groups="Werkplaats", winkels=["Bovenbuis Gent", "Atlantis"])
    assert [store.name for store in moved.stores] == ["Bovenbuis Gent"]
    assert (await desk.log_in_at_provider(**claims, groups=["Balie"])).role is Role.SERVICE_DESK
    assert await refusal(desk.log_in_at_provider(**claims, groups=["Iedereen"])) is Code.SIGN_ON_REFUSED


async def test_a_claim_decides_the_role_also_of_somebody_in_the_table(make: Any) -> None:
    desk = make(role_claim="groups", roles={"Werkplaats": "mechanic"})
    claims = {**KNOWN, "email": OF_ROLE[Role.ADMINISTRATOR]}
    assert await refusal(desk.log_in_at_provider(**claims)) is Code.SIGN_ON_REFUSED
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
        await application.services.ask(StaffApi).start_sign_on(HERE)
    await application.close()


async def test_the_address_asks_with_pkce_and_nothing_secret_is_stored(make: Any) -> None:
    desk = make()
    begun = await desk.ask(StaffApi).start_sign_on(HERE)
    for part in ("code_challenge=", "code_challenge_method=S256", "nonce=", "state=", "response_type=code"):
        assert part in begun.url
    async with desk.context.database.session() as session:
        stored = await (await session.connection()).exec_driver_sql("SELECT * FROM staff_sign_ons")
        row = str(stored.all())
    assert begun.challenge not in row
    assert begun.url.partition("state=")[2].partition("&")[0] not in row


async def test_a_session_of_sign_on_is_in_the_audit_with_its_address(make: Any) -> None:
    desk = make()
    await desk.log_in_at_provider()
    async with desk.context.database.session() as session:
        entry = (await session.exec(select(AuditRow))).one()
    assert (entry.actor, entry.action, entry.address) == ("Esra Yilmaz", "open_staff_session", HERE.address)

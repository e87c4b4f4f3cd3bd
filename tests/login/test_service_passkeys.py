"""Passkeys: made and used with true signatures, and every answer refused that is not exactly right."""

import asyncio
import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as with_settings
from hypothesis import strategies as st
from sqlmodel import col, select

from portal.contract.common_api import SessionApi
from portal.contract.errors import NotFound, TooMany
from portal.contract.session import Origin
from portal.kernel.days import now
from portal.login.api import NewPasskey, PasskeyAnswer, PasskeyOptions, PasskeyPage, Passkeys, PasskeysApi
from portal.login.provider import passkeys as messages
from portal.login.provider.passkeys import MAX_PASSKEYS, device_name
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.customers import CustomerRow, PasskeyChallengeRow, PasskeyRow
from portal.tables.orders import OrderRow
from tests.support.application import outcome, refusal
from tests.support.authenticator import GOOGLE, SITE, Authenticator
from tests.support.customers import AMBER, SANNE
from tests.support.living import Living

HERE = Origin(address="192.0.2.9")
PAGE = PasskeyPage(origin=SITE)
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)"


async def begun(shop: Living, token: str) -> PasskeyOptions:
    return await shop.ask(PasskeysApi).begin_passkey(token, PAGE)


async def added(shop: Living, token: str, device: Authenticator, asked: PasskeyOptions | None = None) -> Passkeys:
    asked = asked or await begun(shop, token)
    made = NewPasskey(origin=SITE, challenge=asked.challenge, credential=device.make(asked.options), user_agent=PHONE)
    return await shop.ask(PasskeysApi).add_passkey(token, made)


async def with_passkey(shop: Living) -> tuple[str, Authenticator]:
    """A session of a customer, and the device with her passkey."""
    token, device = await shop.log_in(SANNE), Authenticator()
    await added(shop, token, device)
    return token, device


async def asking(shop: Living) -> PasskeyOptions:
    return await shop.ask(PasskeysApi).begin_passkey_login(PAGE, HERE)


async def answered(
    shop: Living, asked: PasskeyOptions, credential: dict[str, Any], challenge: str | None = None, origin: str = SITE
) -> str:
    """Log in with the answer of a device; returns the token."""
    answer = PasskeyAnswer(origin=origin, challenge=challenge or asked.challenge, credential=credential)
    return (await shop.ask(PasskeysApi).log_in_with_passkey(answer, HERE)).jwt


async def logged_in(shop: Living, device: Authenticator) -> str:
    asked = await asking(shop)
    return await answered(shop, asked, device.sign(asked.options))


@asynccontextmanager
async def sharing(shop: Living, **options: Any) -> AsyncIterator[Living]:
    old = shop.context.settings
    application = Application(
        Settings.model_validate({"database_url": old.database, "data_dir": old.data_dir, **options})
    )
    yield Living(application, shop.clock)
    await application.close()


@pytest.mark.each_database
async def test_a_passkey_is_added_opens_sessions_and_is_removed(living: Living) -> None:
    token, device = await living.log_in(SANNE), Authenticator()
    assert await living.ask(PasskeysApi).passkeys(token) == Passkeys(passkeys=[], offered=True)
    passkey = (await added(living, token, device)).passkeys[0]
    assert (passkey.device, passkey.last_used_at) == ("Google Password Manager", None)
    assert passkey.created_at == living.clock.now
    living.clock.forward(hours=1)
    opened = await logged_in(living, device)
    assert (await living.ask(SessionApi).customer_info(opened)).customer.email == SANNE[1]
    known = await living.ask(PasskeysApi).passkeys(opened)
    assert known.passkeys[0].last_used_at == living.clock.now
    assert not known.offered
    assert not (await living.ask(PasskeysApi).remove_passkey(opened, passkey.passkey_id)).passkeys
    assert await outcome(logged_in(living, device)) == "invalid_passkey"
    subjects = [mail.subject for mail in await living.mails(SANNE[1])]
    assert subjects[:2] == ["Er is een passkey verwijderd", "Je kunt nu inloggen met een passkey"]


async def test_the_session_is_for_the_newest_order_like_that_of_a_code(living: Living) -> None:
    token, device = await with_passkey(living)
    by_code, by_passkey = token, await logged_in(living, device)
    info = [await living.ask(SessionApi).customer_info(each) for each in (by_code, by_passkey)]
    assert info[1].customer == info[0].customer
    assert info[1].order
    async with living.context.database.session() as session:
        orders = select(OrderRow.order_number).join(CustomerRow).where(CustomerRow.email == SANNE[1])
        newest = (await session.exec(orders.order_by(col(OrderRow.ordered_at).desc()))).first()
    assert info[1].order.order_number == newest


async def test_the_device_is_asked_for_a_person_and_for_any_account(living: Living) -> None:
    token = await living.log_in(SANNE)
    made = (await begun(living, token)).options
    assert made["rp"] == {"name": living.context.settings.brand.name, "id": "localhost"}
    assert made["authenticatorSelection"]["userVerification"] == "required"
    assert made["authenticatorSelection"]["residentKey"] == "required"
    assert made["attestation"] == "none"
    assert made["user"]["name"] == SANNE[1]
    assert SANNE[1] not in made["user"]["id"]
    asked = (await asking(living)).options
    assert (asked["rpId"], asked["userVerification"], asked["allowCredentials"]) == ("localhost", "required", [])


async def test_a_device_with_a_passkey_is_named_so_that_it_makes_no_second_one(living: Living) -> None:
    token, _ = await with_passkey(living)
    excluded = (await begun(living, token)).options["excludeCredentials"]
    assert [(entry["type"], entry["transports"]) for entry in excluded] == [("public-key", ["internal", "hybrid"])]


async def test_an_answer_from_another_site_is_refused(living: Living) -> None:
    _, device = await with_passkey(living)
    asked = await asking(living)
    for origin in ("https://evil.example", "http://localhost:8001", "https://localhost:8000"):
        assert await outcome(answered(living, asked, device.sign(asked.options, origin), origin=origin)) == "not_found"
    # A page of another site made the device sign, and the answer was posted to ours.
    assert await outcome(answered(living, asked, device.sign(asked.options, "https://evil.example"))) == (
        "invalid_passkey"
    )


async def test_a_passkey_of_one_host_does_not_work_at_another(living: Living) -> None:
    _, device = await with_passkey(living)
    other = "http://retouren.localhost:8000"
    asked = await living.ask(PasskeysApi).begin_passkey_login(PasskeyPage(origin=other), HERE)
    assert asked.options["rpId"] == "retouren.localhost"
    credential = device.sign(asked.options, other)
    assert await outcome(answered(living, asked, credential, origin=other)) == "invalid_passkey"


async def test_a_challenge_works_once(living: Living) -> None:
    _, device = await with_passkey(living)
    asked = await asking(living)
    credential = device.sign(asked.options)
    await answered(living, asked, credential)
    assert await outcome(answered(living, asked, credential)) == "passkey_expired"


async def test_a_wrong_answer_uses_its_challenge_up(living: Living) -> None:
    _, device = await with_passkey(living)
    asked = await asking(living)
    right = device.sign(asked.options)
    wrong = copy.deepcopy(right)
    wrong["response"]["signature"] = right["response"]["signature"][:-8] + "AAAAAAAA"
    assert await outcome(answered(living, asked, wrong)) == "invalid_passkey"
    assert await outcome(answered(living, asked, right)) == "passkey_expired"


async def test_a_challenge_expires_after_five_minutes(living: Living) -> None:
    token, device = await living.log_in(SANNE), Authenticator()
    asked, new = await asking(living), await begun(living, token)
    living.clock.forward(minutes=4, seconds=59)
    await added(living, token, device, new)
    await answered(living, asked, device.sign(asked.options))
    asked, new = await asking(living), await begun(living, token)
    living.clock.forward(minutes=5)
    assert await outcome(answered(living, asked, device.sign(asked.options))) == "passkey_expired"
    assert await outcome(added(living, token, Authenticator(), new)) == "passkey_expired"


async def test_a_counter_that_goes_back_is_refused(living: Living) -> None:
    token, device = await living.log_in(SANNE), Authenticator(count=5)
    await added(living, token, device)
    copied = replace(device, keys=list(device.keys))
    await logged_in(living, device)
    await logged_in(living, device)
    assert await outcome(logged_in(living, copied)) == "invalid_passkey", "6 is not above 7"
    await logged_in(living, device)
    assert [row.sign_count for row in await living.rows(PasskeyRow)] == [8]


async def test_a_device_that_does_not_verify_the_person_is_refused(living: Living) -> None:
    token, device = await living.log_in(SANNE), Authenticator(verifies=False)
    assert await outcome(added(living, token, device)) == "invalid_passkey"
    device = Authenticator()
    await added(living, token, device)
    device.verifies = False
    assert await outcome(logged_in(living, device)) == "invalid_passkey"


async def test_a_passkey_logs_in_its_own_customer_only(living: Living) -> None:
    sanne, amber = Authenticator(), Authenticator()
    await added(living, await living.log_in(SANNE), sanne)
    await added(living, await living.log_in(AMBER), amber)
    assert (await living.ask(SessionApi).customer_info(await logged_in(living, amber))).customer.email == AMBER[1]
    asked = await asking(living)
    # Amber's key signs, under the id of Sanne's passkey.
    forged = replace(amber.keys[0], credential_id=sanne.keys[0].credential_id)
    assert await outcome(answered(living, asked, amber.sign(asked.options, key=forged))) == "invalid_passkey"
    asked = await asking(living)
    renamed = replace(sanne.keys[0], user=amber.keys[0].user)
    assert await outcome(answered(living, asked, sanne.sign(asked.options, key=renamed))) == "invalid_passkey"
    asked = await asking(living)
    unnamed = sanne.sign(asked.options)
    del unnamed["response"]["userHandle"]
    assert await outcome(answered(living, asked, unnamed)) == "invalid_passkey"


async def test_the_challenge_of_one_session_makes_no_passkey_in_another(living: Living) -> None:
    sanne, amber = await living.log_in(SANNE), await living.log_in(AMBER)
    asked = await begun(living, sanne)
    assert await outcome(added(living, amber, Authenticator(), asked)) == "passkey_expired"
    login = await asking(living)
    made = Authenticator().make(asked.options | {"challenge": login.options["challenge"]})
    new = NewPasskey(origin=SITE, challenge=login.challenge, credential=made)
    assert await outcome(living.ask(PasskeysApi).add_passkey(sanne, new)) == "passkey_expired"
    device = Authenticator()
    await added(living, sanne, device, asked)
    asked = await begun(living, sanne)
    signed = device.sign({"rpId": "localhost", "challenge": asked.options["challenge"]})
    assert await outcome(answered(living, asked, signed)) == "passkey_expired"


async def test_a_credential_id_belongs_to_one_passkey(living: Living) -> None:
    sanne, amber, device = await living.log_in(SANNE), await living.log_in(AMBER), Authenticator()
    await added(living, sanne, device)
    asked = await begun(living, amber)
    made = Authenticator().make(asked.options, credential_id=device.keys[0].credential_id)
    new = NewPasskey(origin=SITE, challenge=asked.challenge, credential=made)
    assert await outcome(living.ask(PasskeysApi).add_passkey(amber, new)) == "passkey_exists"
    assert not (await living.ask(PasskeysApi).passkeys(amber)).passkeys
    opened = await logged_in(living, device)
    assert (await living.ask(SessionApi).customer_info(opened)).customer.email == SANNE[1]


@pytest.mark.parametrize(("length", "result"), [(1023, "ok"), (1024, "invalid_passkey")])
async def test_a_credential_id_has_a_longest_length(living: Living, length: int, result: str) -> None:
    token = await living.log_in(SANNE)
    asked = await begun(living, token)
    made = Authenticator().make(asked.options, credential_id=bytes(length))
    new = NewPasskey(origin=SITE, challenge=asked.challenge, credential=made)
    assert await outcome(living.ask(PasskeysApi).add_passkey(token, new)) == result


async def test_a_customer_sees_and_removes_only_their_own(living: Living) -> None:
    sanne, amber = await living.log_in(SANNE), await living.log_in(AMBER)
    passkey = (await added(living, sanne, Authenticator())).passkeys[0]
    assert not (await living.ask(PasskeysApi).passkeys(amber)).passkeys
    with pytest.raises(NotFound):
        await living.ask(PasskeysApi).remove_passkey(amber, passkey.passkey_id)
    assert (await living.ask(PasskeysApi).passkeys(sanne)).passkeys == [passkey]


async def test_a_declined_offer_is_not_made_again_to_this_customer(living: Living) -> None:
    token = await living.log_in(SANNE)
    await living.ask(PasskeysApi).decline_passkeys(token)
    assert not (await living.ask(PasskeysApi).passkeys(await living.log_in(SANNE))).offered
    assert (await living.ask(PasskeysApi).passkeys(await living.log_in(AMBER))).offered


async def test_there_is_an_end_to_the_passkeys_of_a_customer(living: Living) -> None:
    token = await living.log_in(SANNE)
    await added(living, token, Authenticator())
    async with living.context.database.transaction() as session:
        first = (await session.exec(select(PasskeyRow))).one()
        values = first.model_dump(exclude={"id", "public_id", "credential_id"})
        session.add_all([PasskeyRow(**values, credential_id=f"c{n}") for n in range(MAX_PASSKEYS - 1)])
    assert await outcome(begun(living, token)) == "too_many_passkeys"


async def test_logins_of_one_network_are_limited_and_others_are_not(living: Living) -> None:
    _, device = await with_passkey(living)
    async with sharing(living, codes_per_address_hour=2) as shop:
        for _ in range(2):
            unverified = Authenticator(keys=device.keys, verifies=False)
            assert await outcome(logged_in(shop, unverified)) == "invalid_passkey"
        caught = await refusal(logged_in(shop, device))
        assert isinstance(caught, TooMany)
        assert caught.retry_at
        asked = await asking(shop)
        answer = PasskeyAnswer(origin=SITE, challenge=asked.challenge, credential=device.sign(asked.options))
        assert await shop.ask(PasskeysApi).log_in_with_passkey(answer, Origin(address="198.51.100.7"))


async def test_challenges_of_one_network_and_of_one_customer_are_limited(living: Living) -> None:
    token = await living.log_in(SANNE)
    async with sharing(living, codes_per_address_hour=1) as shop:
        for _ in range(6):
            await asking(shop)
        assert isinstance(await refusal(asking(shop)), TooMany)
        await begun(shop, token)
        assert isinstance(await refusal(begun(shop, token)), TooMany)


@pytest.mark.each_database
async def test_of_two_answers_to_one_challenge_one_counts(living: Living) -> None:
    _, device = await with_passkey(living)
    asked = await asking(living)
    credential = device.sign(asked.options)
    results = await asyncio.gather(*[outcome(answered(living, asked, credential)) for _ in range(8)])
    assert sorted(result == "passkey_expired" for result in results) == [False] + [True] * 7


async def test_a_customer_of_another_shop_is_not_logged_in(living: Living) -> None:
    _, device = await with_passkey(living)
    await living.change(CustomerRow, {"source": "zadelpen"}, email=SANNE[1])
    shop = {
        "brand": living.context.settings.brand.model_dump() | {"name": "Zadelpen"},
        "mail_from": "noreply@zadelpen.example",
        "public_url": "http://zadelpen.localhost",
    }
    async with sharing(living, shops={"zadelpen": shop}) as main:
        assert await outcome(logged_in(main, device)) == "invalid_passkey"


async def test_neither_challenges_nor_keys_that_open_something_are_stored(living: Living) -> None:
    token, device = await living.log_in(SANNE), Authenticator()
    asked = await asking(living)
    await added(living, token, device)
    stored = str([row.model_dump() for table in (PasskeyChallengeRow, PasskeyRow) for row in await living.rows(table)])
    assert asked.challenge not in stored
    assert "PRIVATE" not in stored


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost"),
        ("http://retouren.localhost:8000", "retouren.localhost"),
        ("https://mijn.example.com", "mijn.example.com"),
        ("https://retouren.example.com", "retouren.example.com"),
        ("https://balie.example.com", ""),
        ("https://example.com", ""),
        ("https://mijn.example.com.evil.example", ""),
        ("http://mijn.example.com", ""),
        ("http://127.0.0.1:8000", ""),
        ("null", ""),
        ("", ""),
    ],
)
def test_passkeys_exist_at_the_hosts_of_the_customers_only(origin: str, host: str) -> None:
    options = Settings.model_validate(
        {
            "public_url": "https://mijn.example.com",
            "allowed_hosts": ["retouren.example.com", "balie.example.com"],
            "port": 8000,
        }
    )
    assert options.passkey_host(origin) == host


@pytest.mark.parametrize(
    ("aaguid", "user_agent", "name"),
    [
        (GOOGLE, PHONE, "Google Password Manager"),
        ("00000000-0000-0000-0000-000000000000", PHONE, "iPhone"),
        ("00000000-0000-0000-0000-000000000000", "Mozilla/5.0 (Linux; Android 17; Pixel 11)", "Android"),
        ("00000000-0000-0000-0000-000000000000", "Mozilla/5.0 (X11; CrOS x86_64)", "Chromebook"),
        ("00000000-0000-0000-0000-000000000000", "<script>", ""),
    ],
)
def test_a_device_is_named_by_its_model_or_else_by_its_system(aaguid: str, user_agent: str, name: str) -> None:
    assert device_name(aaguid, user_agent) == name


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=20), inner, max_size=3),
    max_leaves=6,
)
_PARTS = ("clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle")


_DEVICE = Authenticator()
_MADE = _DEVICE.make({"rp": {"id": "localhost"}, "user": {"id": "QUJD"}, "challenge": "QUJD"})
_SIGNED = _DEVICE.sign({"rpId": "localhost", "challenge": "QUJD"})


def _verified(credential: dict[str, Any]) -> messages.Verified | None:
    return messages.made(NewPasskey(origin=SITE, challenge="QUJD", credential=credential), "localhost")


@given(data=st.data())
@with_settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_an_answer_of_any_form_is_refused_and_never_fails(data: st.DataObject) -> None:
    verified = _verified(_MADE)
    assert verified
    row = PasskeyRow(
        customer_id=1,
        rp_id="localhost",
        credential_id=verified.credential_id,
        public_key=verified.public_key,
        created_at=now(),
    )
    answer = PasskeyAnswer(origin=SITE, challenge="QUJD", credential=_SIGNED)
    assert messages.signed(answer, row, "ABC") == 0
    _verified(data.draw(_changed(_MADE)))
    wrong = answer.model_copy(update={"credential": data.draw(_changed(_SIGNED))})
    assert messages.signed(wrong, row, "ABC") is None


@st.composite
def _changed(draw: st.DrawFn, right: dict[str, Any]) -> dict[str, Any]:
    """An answer of a device in which one value is another one: of any form, cut off, or with one other letter."""
    wrong = copy.deepcopy(right)
    parts = [(wrong["response"], part) for part in _PARTS if part in wrong["response"]]
    place, name = draw(st.sampled_from([*((wrong, part) for part in ("id", "rawId", "type", "response")), *parts]))
    text = str(place[name])
    at = draw(st.integers(0, len(text) - 1))
    # The last letter of base64url may have bits that mean nothing, so the text becomes longer, too.
    other = text[:at] + ("A" if text[at] != "A" else "k") + text[at + 1 :] + "AAAA"
    place[name] = draw(_JSON | st.just(text[:at]) | st.just(other))
    return wrong


async def test_added_refused_and_removed_passkeys_are_in_the_security_log_without_a_name(
    living: Living, capsys: pytest.CaptureFixture[str]
) -> None:
    token, device = await living.log_in(SANNE), Authenticator()
    passkeys = (await added(living, token, device)).passkeys
    device.verifies = False
    assert await outcome(logged_in(living, device)) == "invalid_passkey"
    await living.ask(PasskeysApi).remove_passkey(token, passkeys[0].passkey_id)
    lines = capsys.readouterr().out.splitlines()
    for event, why in (("passkey added", ""), ("login failed", "why=invalid_passkey"), ("passkey removed", "")):
        line = next(line for line in lines if event in line)
        assert why in line
        assert "customer=" in line
        assert SANNE[1] not in line

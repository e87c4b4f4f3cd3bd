"""The three documented calls, to the letter (part-1 §7)."""

from datetime import datetime
from http.cookies import SimpleCookie

import pytest

from tests.backend.api.conftest import ApiShop
from tests.support.people import NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_customer_logs_in_with_the_documented_calls_alone(api: ApiShop) -> None:
    api.http.cookies.clear()
    first = await api.http.post("/mijn-fw/v2/request-authenticate", json={"email": SANNE[1]})
    assert first.status_code == 200
    answer = first.json()
    assert (answer["success"], answer["error"]) == (True, None)
    assert set(answer["data"]) == {"challenge", "email", "expires_at", "resend_at"}

    code = await api.code(SANNE[1], 0)
    second = await api.http.post("/mijn-fw/v2/authenticate", json={"token": code})
    assert second.status_code == 200
    answer = second.json()
    assert (answer["success"], answer["error"], set(answer["data"])) == (True, None, {"jwt", "expires_at"})
    assert datetime.fromisoformat(answer["data"]["expires_at"]).tzinfo

    headers = {"Authorization": f"Bearer {answer['data']['jwt']}"}
    third = await api.http.get("/mijn-fw/v2/customer/info", headers=headers)
    assert third.status_code == 200
    answer = third.json()
    assert (answer["success"], answer["error"]) == (True, None)
    assert answer["data"]["customer"]["email"] == SANNE[1]
    assert set(answer["data"]) == {"customer", "order", "features", "locale"}
    address = answer["data"]["customer"]["address"]
    assert set(address) == {
        "post_code", "house_number", "house_number_addon", "street", "city", "country_code", "phone"
    }  # fmt: skip


async def test_the_challenge_is_a_cookie_that_scripts_cannot_read(api: ApiShop) -> None:
    api.http.cookies.clear()
    answer = await api.http.post("/mijn-fw/v2/request-authenticate", json={"email": NOOR[1], "order_number": NOOR[0]})
    cookie = SimpleCookie(answer.headers["set-cookie"])["mijn-fw-challenge"]
    assert cookie.value == answer.json()["data"]["challenge"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "strict", "/mijn-fw/v2")
    assert 590 <= int(cookie["max-age"]) <= 600
    assert not cookie["domain"]


async def test_the_code_needs_the_challenge_as_cookie_or_as_key(api: ApiShop) -> None:
    async def ask() -> tuple[str, str]:
        seen = len(api.mailbox.mails_to(SANNE[1]))
        answer = await api.http.post("/mijn-fw/v2/request-authenticate", json={"email": SANNE[1]})
        api.http.cookies.clear()
        return await api.code(SANNE[1], seen), answer.json()["data"]["challenge"]

    api.http.cookies.clear()
    code, challenge = await ask()
    bare = await api.http.post("/mijn-fw/v2/authenticate", json={"token": code})
    assert (bare.status_code, bare.json()) == (
        403, {"success": False, "data": None, "error": "no_challenge", "details": None})  # fmt: skip
    with_key = await api.http.post("/mijn-fw/v2/authenticate", json={"token": code, "challenge": challenge})
    assert with_key.json()["success"]
    assert 'mijn-fw-challenge=""' in with_key.headers["set-cookie"], "the challenge is used up"

    code, challenge = await ask()
    cookie = {"Cookie": f"mijn-fw-challenge={challenge}"}
    with_cookie = await api.http.post("/mijn-fw/v2/authenticate", json={"token": code}, headers=cookie)
    assert with_cookie.json()["success"]

"""The API of the back office: behind its own key, along the graph, once."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from shutil import copytree
from typing import Any

import httpx
import pytest
import pytest_asyncio
from PIL import Image
from sqlmodel import select
from structlog.testing import capture_logs

from portal.backend.backoffice import WRONG_KEYS
from portal.bikes.api import BikesApi
from portal.provider.__main__ import main
from portal.provider.api import create_api
from portal.provider.application import Application
from portal.recalls.api import RecallsApi
from portal.settings import Settings
from portal.tables.bikes import RecallNoticeRow
from portal.vocabulary.exchange import ApiScope
from portal.work_orders.api import WorkOrdersApi
from tests.backend.api.conftest import ApiShop, let_in
from tests.recalls.recalling import VALUES
from tests.support.connections import UNHURRIED
from tests.support.people import JORIS, MAX

pytestmark = pytest.mark.asyncio(loop_scope="module")
OFFICE_KEY = "key-of-the-back-office-with-enough-signs"


@pytest_asyncio.fixture(loop_scope="module")
async def office(demonstration: Path, tmp_path: Path) -> AsyncIterator[ApiShop]:
    """The API with its back office, over a shop of its own."""
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    options = Settings.model_validate({"data_dir": tmp_path, **UNHURRIED})
    application = Application(options)
    await application.open()
    await let_in(application, OFFICE_KEY)
    app = create_api(lambda: application.services, options, back_office=lambda: application.back_office)
    app.state.application = application
    transport = httpx.ASGITransport(app, client=("192.0.2.50", 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://shop.test/mijn-fw/v2") as http:
        yield ApiShop("api", application.services, tmp_path, http=http, app=app)
    await application.close()


def bearer(key: str = OFFICE_KEY, **headers: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", **headers}


async def open_request(office: ApiShop, customer: tuple[str, str] = JORIS) -> str:
    return (await office.ask(WorkOrdersApi).service_requests(await office.log_in(*customer))).items[0].reference


async def send(office: ApiShop, reference: str, status: str, **more: Any) -> httpx.Response:
    headers = bearer(**more.pop("headers", {}))
    return await office.http.post(
        f"/backoffice/work-orders/{reference}/status", json={"status": status, **more}, headers=headers
    )


async def test_a_work_order_is_looked_up_and_moved(office: ApiShop) -> None:
    reference = await open_request(office)
    current = await office.http.get(f"/backoffice/work-orders/{reference}", headers=bearer())
    possible = ["wait_for_parts", "wait_for_repair_after_in_repair", "wait_for_customer", "cancelled"]
    assert current.json()["data"] == {"reference": reference, "status": "in_repair", "possible": possible}
    moved = await send(office, reference, "wait_for_parts", note="Besteld.", planned_date="2027-01-04")
    assert moved.status_code == 200
    assert moved.headers["cache-control"] == "no-store"
    answer = moved.json()
    assert (answer["success"], answer["error"]) == (True, None)
    assert (answer["data"]["before"], answer["data"]["status"], answer["data"]["changed"]) == (
        "in_repair", "wait_for_parts", True
    )  # fmt: skip
    again = (await send(office, reference, "wait_for_parts")).json()["data"]
    assert (again["status"], again["changed"]) == ("wait_for_parts", False)


async def recalled(office: ApiShop, key: str = "", **changes: Any) -> httpx.Response:
    """Load a recall of Joris's battery or frame."""
    bike = (await office.ask(BikesApi).bikes(await office.log_in(*JORIS))).items[0]
    numbers = [{"kind": "frame", "number": bike.frame_number}, {"kind": "battery", "number": "PT-999 999.999"}]
    headers = bearer(**({"Idempotency-Key": key} if key else {}))
    return await office.http.post("/backoffice/recalls", json=VALUES | {"numbers": numbers} | changes, headers=headers)


async def test_a_recall_is_loaded_and_its_answers_are_read(office: ApiShop) -> None:
    picture = BytesIO()
    Image.new("RGBA", (2400, 1200), "#12231e80").save(picture, "PNG")
    loaded = await recalled(office, "recall-1", picture=b64encode(picture.getvalue()).decode())
    assert loaded.status_code == 200, loaded.text
    assert loaded.json()["data"] == {"code": VALUES["code"], "numbers": 2, "added": 2, "warned": 1}
    same = await recalled(office, "recall-1", picture=b64encode(picture.getvalue()).decode())
    assert same.json()["data"] == loaded.json()["data"], "the first answer"
    assert (await recalled(office)).json()["data"] == {"code": VALUES["code"], "numbers": 2, "added": 0, "warned": 0}
    reused = await recalled(office, "recall-1", phone="0800 5678")
    assert (reused.status_code, reused.json()["error"]) == (422, "idempotency_key_reused")
    answers = await office.http.get(f"/backoffice/recalls/{VALUES['code']}/answers", headers=bearer())
    (answer,) = answers.json()["data"]
    assert (answer["email"], answer["acknowledged_on"], answer["remedy"]) == (JORIS[1], "", "")
    async with office.app.state.back_office().context.database.session() as session:
        notice = (await session.exec(select(RecallNoticeRow))).one()
    token = await office.log_in(*JORIS)
    shown = await office.ask(RecallsApi).recall_picture(token, notice.public_id)
    with Image.open(BytesIO(shown.content)) as opened:
        assert (opened.format, opened.size) == ("JPEG", (1200, 600))
    assert (await office.http.get("/backoffice/recalls/NONE/answers", headers=bearer())).status_code == 404


@pytest.mark.parametrize(
    "changes",
    [{"numbers": []}, {"numbers": [{"kind": "bell", "number": "1"}]}, {"numbers": [{"kind": "frame", "number": "?"}]},
     {"remedies": ["repair"]}, {"picture": "bm8gcGljdHVyZQ=="}, {"picture": "%"}, {"code": "no"}],
)  # fmt: skip
async def test_a_recall_that_cannot_be_used_warns_nobody(office: ApiShop, changes: dict[str, Any]) -> None:
    assert (await recalled(office, **changes)).status_code == 422
    answers = await office.http.get(f"/backoffice/recalls/{VALUES['code']}/answers", headers=bearer())
    assert answers.status_code == 404


@pytest.mark.parametrize(
    ("reference", "body", "status", "error"),
    [
        ("S00000000", {"status": "accepted"}, 404, "not_found"),
        ("' OR 1=1", {"status": "accepted"}, 404, "not_found"),
        ("{own}", {"status": "done"}, 409, "status_not_allowed"),
        ("{own}", {"status": "wait_for_parts", "seen": "new"}, 409, "status_changed"),
        ("{own}", {"status": "repaired"}, 422, "invalid_input"),
        ("{own}", {"status": "unknown"}, 422, "invalid_input"),
        ("{own}", {}, 422, "invalid_input"),
        ("{own}", {"status": "cancelled", "note": "x" * 501}, 422, "invalid_input"),
        ("{own}", {"status": "cancelled", "planned_date": "tomorrow"}, 422, "invalid_input"),
        ("{own}", {"status": "cancelled", "partner": "Nobody"}, 422, "invalid_input"),
    ],
)
async def test_what_cannot_be_meant_is_refused(
    office: ApiShop, reference: str, body: dict[str, Any], status: int, error: str
) -> None:
    reference = reference.replace("{own}", await open_request(office))
    answer = await office.http.post(f"/backoffice/work-orders/{reference}/status", json=body, headers=bearer())
    assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_only_what_can_be_moved_has_a_path(office: ApiShop) -> None:
    answer = await office.http.post("/backoffice/customers/1/status", json={"status": "done"}, headers=bearer())
    assert answer.status_code == 404


async def test_nobody_comes_in_without_a_right_key(office: ApiShop) -> None:
    reference = await open_request(office)
    customer = await office.log_in(*MAX)
    wrong = [{}, bearer("wrong"), bearer(OFFICE_KEY[:-1]), bearer(customer), {"Authorization": f"Basic {OFFICE_KEY}"}]
    for headers in wrong:
        for call in (
            office.http.get(f"/backoffice/work-orders/{reference}", headers=headers),
            office.http.post(
                f"/backoffice/work-orders/{reference}/status", json={"status": "cancelled"}, headers=headers
            ),
            office.http.post("/backoffice/recalls", json=VALUES, headers=headers),
            office.http.get(f"/backoffice/recalls/{VALUES['code']}/answers", headers=headers),
        ):
            answer = await call
            assert (answer.status_code, answer.json()["error"]) == (401, "session_ended")
    # The key of the back office is no session either.
    assert (await office.http.get("/customer/info", headers=bearer())).status_code == 401


async def test_guessing_is_slowed_down_and_written_down_without_the_key(office: ApiShop) -> None:
    with capture_logs() as log:
        answers = [
            await office.http.get("/backoffice/work-orders/S1", headers=bearer(f"guess-{number}"))
            for number in range(WRONG_KEYS + 1)
        ]
    assert {answer.status_code for answer in answers[:-1]} == {401}
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 60
    refused = [entry for entry in log if entry["event"] == "back office refused"]
    assert len(refused) == WRONG_KEYS + 1
    assert "guess" not in repr(log)
    assert OFFICE_KEY not in repr(log)
    assert (await office.http.get("/backoffice/work-orders/S1", headers=bearer())).status_code == 404, (
        "ours still works"
    )


@pytest.mark.parametrize(
    ("scope", "method", "path", "status"),
    [
        (ApiScope.READ_CASES, "GET", "cases", 200),
        (ApiScope.WRITE_CASES, "GET", "cases", 200),
        (ApiScope.READ_CASES, "POST", "work-orders/S00000000/status", 403),
        (ApiScope.WRITE_CASES, "POST", "work-orders/S00000000/status", 404),
        (ApiScope.WRITE_IMPORTS, "GET", "cases", 403),
        (ApiScope.READ_IMPORTS, "GET", "imports/orders/schema", 200),
        (ApiScope.READ_IMPORTS, "POST", "imports/orders", 403),
        (ApiScope.WRITE_RECALLS, "GET", "master-data/tariffs", 403),
        (ApiScope.READ_MASTER_DATA, "GET", "locations/nowhere/changes", 404),
        (ApiScope.READ_RECALLS, "GET", "recalls/NONE/answers", 404),
    ],
)
async def test_a_key_may_do_what_its_scopes_say(
    office: ApiShop, scope: ApiScope, method: str, path: str, status: int
) -> None:
    await let_in(office.app.state.application, "scoped", scope)
    answer = await office.http.request(method, f"/backoffice/{path}", headers=bearer("scoped"), json={"status": "done"})
    assert answer.status_code == status
    assert status != 403 or answer.json()["error"] == "missing_scope"


async def test_keys_are_added_listed_and_revoked_by_command(
    office: ApiShop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(*words: str) -> str:
        assert main(["api-key", *words]) == (words[-1] == "unknown")
        return capsys.readouterr().out.strip()

    monkeypatch.setenv("PORTAL_DATA_DIR", str(office.data_dir))
    key = await asyncio.to_thread(command, "add", "Warehouse", "cases:read")
    assert "never used  cases:read  Warehouse" in (await asyncio.to_thread(command, "list"))
    assert (await office.http.get("/backoffice/cases", headers=bearer(key))).status_code == 200
    listed = (await asyncio.to_thread(command, "list")).splitlines()[-1]
    assert "last used" in listed
    await asyncio.to_thread(command, "revoke", listed.split()[0])
    assert (await office.http.get("/backoffice/cases", headers=bearer(key))).status_code == 401
    assert "revoked" in await asyncio.to_thread(command, "list")
    await asyncio.to_thread(command, "revoke", "unknown")
    assert key.encode() not in b"".join(each.read_bytes() for each in office.data_dir.glob("portal.db*"))


async def test_the_description_names_the_back_office_and_its_key(office: ApiShop) -> None:
    document = office.app.openapi()
    move = document["paths"]["/mijn-fw/v2/backoffice/{kind}/{reference}/status"]["post"]
    assert move["security"] == [{"back office": []}]
    assert {"200", "401", "404", "409", "422", "429", "500", "503"} <= set(move["responses"])

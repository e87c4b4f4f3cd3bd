"""Files that staff download and send: only with a session, the right, and from a page of the site."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from sqlmodel import select
from starlette.applications import Starlette

from portal.cases import http as cases
from portal.exports import http as exports
from portal.imports import http as imports
from portal.imports.provider.service import import_records
from portal.provider.application import Application
from portal.staff.http import files as audit
from portal.tables.exchange import ImportRunRow
from portal.tables.staff import AuditRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import ImportState
from portal.vocabulary.staff import Role
from tests.support.conversing import staff_token
from tests.support.furnished import Furnished
from tests.support.pipeline import Pipeline
from tests.support.shop_records import customer

pytestmark = pytest.mark.asyncio(loop_scope="module")
OWN = {"origin": "http://balie.test", "sec-fetch-site": "same-origin"}
FILES = {
    "/files/refunds/UNKNOWN1.csv": "/exports",
    "/files/refunds/UNKNOWN1.xml": "/exports",
    "/files/insurances.csv": "/exports",
    "/files/imports/UNKNOWN1.csv": "/imports/run/UNKNOWN1",
    "/files/cases.csv": "/cases",
    "/files/audit.csv": "/audit",
}


@pytest_asyncio.fixture(loop_scope="module")
async def browser(desk_tabs: Pipeline) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of somebody of staff."""
    assert desk_tabs
    app = Starlette(routes=[*cases.routes(), *exports.routes(), *imports.routes(), *audit()])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://balie.test") as client:
        yield client


def cookie(token: str) -> dict[str, str]:
    return {"cookie": f"staff={token}"}


@pytest.mark.parametrize("path", FILES)
async def test_without_session_or_right_a_download_leads_to_the_login_or_its_page(
    browser: httpx.AsyncClient, office: Application, path: str
) -> None:
    mechanic = cookie(await staff_token(office.context, Role.MECHANIC))
    ended, refused = "/login?error=session_ended", f"{FILES[path]}?error=not_found"
    for headers, back in (({}, ended), (cookie("ended"), ended), (mechanic, refused)):
        answer = await browser.get(path, headers=headers)
        assert (answer.status_code, answer.headers["location"]) == (303, back)


async def test_a_path_of_another_form_is_no_download(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/files/refunds/..%2Fx.csv")).status_code == 404


async def test_a_list_is_never_kept_and_audited_with_the_address(
    browser: httpx.AsyncClient, office: Application
) -> None:
    headers = cookie(await staff_token(office.context, Role.FINANCE))
    for path in ("/files/insurances.csv", "/files/cases.csv?kind=return&view=nonsense", "/files/audit.csv"):
        answer = await browser.get(path, headers=headers)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "private, no-store")
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert answer.headers["content-type"].startswith("text/csv")
        assert answer.content.startswith(b"\xef\xbb\xbf")
    last = (await Furnished(office).rows(AuditRow))[-1]
    assert (last.action, last.address) == (AuditAction.AUDIT_EXPORT, "127.0.0.1")


async def runs(office: Application) -> list[ImportRunRow]:
    async with office.context.database.session() as session:
        return list(await session.exec(select(ImportRunRow)))


async def test_a_file_is_taken_from_a_page_of_the_site_with_session_and_right_only(
    browser: httpx.AsyncClient, office: Application
) -> None:
    form = {"kind": "customers", "source": "shop", "form": "own", "dry": "yes"}
    files = {"file": ("customers.jsonl", b"{}")}
    administrator = cookie(await staff_token(office.context, Role.ADMINISTRATOR))
    foreign = {**administrator, "origin": "http://elsewhere.test", "sec-fetch-site": "cross-site"}
    assert (await browser.post("/files/imports", headers=foreign, data=form, files=files)).status_code == 403
    for headers, back in (
        (OWN, "/login?error=session_ended"),
        ({**OWN, **cookie(await staff_token(office.context, Role.FINANCE))}, "/imports?error=not_found"),
    ):
        answer = await browser.post("/files/imports", headers=headers, data=form, files=files)
        assert (answer.status_code, answer.headers["location"]) == (303, back)
    assert await runs(office) == []
    answer = await browser.post("/files/imports", headers={**OWN, **administrator}, data=form, files=files)
    (run,) = await runs(office)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/imports/run/{run.public_id}")
    assert (run.state, run.dry_run, run.file) == (ImportState.WAITING, True, "customers.jsonl")


async def test_the_report_of_an_import_is_a_file(browser: httpx.AsyncClient, office: Application) -> None:
    await import_records(office.context, "customers", "file", [customer(1), customer(2, email="nonsense")])
    run = next(run for run in await runs(office) if run.source == "file")
    headers = cookie(await staff_token(office.context, Role.ADMINISTRATOR))
    answer = await browser.get(f"/files/imports/{run.public_id}.csv", headers=headers)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "private, no-store")
    assert [line.split(";")[:4] for line in answer.text.splitlines()[1:]] == [
        ["1", "c1", "1", "Nieuw"],
        ["2", "c2", "1", "Afgewezen"],
    ]


async def test_a_refused_file_leads_back_with_everything_that_is_wrong(
    browser: httpx.AsyncClient, office: Application
) -> None:
    headers = {**OWN, **cookie(await staff_token(office.context, Role.ADMINISTRATOR))}
    answer = await browser.post(
        "/files/imports", headers=headers, data={"kind": "x", "source": "shop"}, files={"other": ("", b"")}
    )
    query = httpx.URL(answer.headers["location"]).params
    assert (query["error"], query["wrong-kind"], query["wrong-file"]) == ("invalid_input", "invalid_choice", "required")
    assert query["source"] == "shop"
    answer = await browser.post("/files/imports", headers={**headers, "content-length": str(10**10)}, content=b"")
    assert answer.headers["location"].startswith("/imports?error=max_upload_size_reached")

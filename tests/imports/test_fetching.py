"""The PDF of an invoice that a record names by an address is fetched from the shop, by a job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from sqlmodel import select
from typing_extensions import override

from portal.contract.models import LARGEST_IMPORT
from portal.imports.provider.fetching import JOB, RETRY_FOR, DocumentFetching, FetchFailed
from portal.imports.provider.importer import Importer
from portal.imports.provider.report import Report
from portal.tables.columns import Table
from portal.tables.exchange import DocumentOrderRow, RejectedRecordRow
from portal.tables.messages import JobRow
from portal.tables.orders import InvoiceDocumentRow
from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import bearer, office
from tests.imports.test_invoice_documents import OTHER, PDF, invoice, shown
from tests.support.application import TestApplication
from tests.support.shop_records import customer, order, raw

__all__ = ["office"]


@dataclass
class ShopServer:
    """A shop that hands out PDFs.

    Attributes:
        files: status and content by path.
        asked: the paths that were asked for.
    """

    files: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    port: int = 0

    def url(self, path: str) -> str:
        """The address of a file."""
        return f"http://127.0.0.1:{self.port}{path}"


@pytest.fixture
def server() -> Iterator[ShopServer]:
    """A running shop."""
    made = ShopServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            status, content = made.files.get(self.path, (404, b""))
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", made.url("/i1.pdf"))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        @override
        def log_message(self, format: str, *args: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.port = http.server_port
    thread = Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    http.shutdown()
    http.server_close()


async def send(application: TestApplication, document: str, **changes: Any) -> Report:
    """Import the invoice with the address of its PDF, by API."""
    importer = Importer(application.context, "shop")
    await importer.store("customers", raw(customer()))
    await importer.store("orders", raw(order()))
    return await importer.store("invoices", raw(invoice(document=document, **changes)))


async def rows(application: TestApplication, table: type[Table]) -> list[Any]:
    """All rows of a table."""
    async with application.context.database.session() as session:
        return list((await session.exec(select(table))).all())


async def run(application: TestApplication) -> None:
    """Run the jobs that fetch."""
    for job in await rows(application, JobRow):
        if job.kind == JOB:
            await DocumentFetching(application.context).fetch(job.reference)


async def test_the_pdf_at_an_address_is_shown(application: TestApplication, server: ShopServer) -> None:
    server.files["/i1.pdf"] = (200, PDF)
    assert (await send(application, server.url("/i1.pdf"))).created == 1
    assert server.asked == []
    await run(application)
    assert await shown(application) == PDF
    assert await rows(application, DocumentOrderRow) == []


async def test_an_address_is_fetched_once_and_another_one_replaces_it(
    application: TestApplication, server: ShopServer
) -> None:
    server.files = {"/i1.pdf": (200, PDF), "/i1-2.pdf": (200, OTHER)}
    for _again in range(2):
        await send(application, server.url("/i1.pdf"))
        await run(application)
    assert server.asked == ["/i1.pdf"]
    await send(application, server.url("/i1-2.pdf"))
    await run(application)
    assert (server.asked, await shown(application)) == (["/i1.pdf", "/i1-2.pdf"], OTHER)


async def test_an_address_that_changes_before_it_was_fetched_is_not_fetched(
    application: TestApplication, server: ShopServer
) -> None:
    server.files = {"/i1.pdf": (200, PDF), "/i1-2.pdf": (200, OTHER)}
    await send(application, server.url("/i1.pdf"))
    await send(application, server.url("/i1-2.pdf"))
    await run(application)
    assert (server.asked, await shown(application)) == (["/i1-2.pdf"], OTHER)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, b""), "The shop answered 404 instead of sending the file."),
        ((302, b""), "The shop answered 302 instead of sending the file."),
        ((200, b"<html>Log in</html>"), "The file is not a PDF, or it is cut off."),
        ((200, PDF[:-8]), "The file is not a PDF, or it is cut off."),
        ((200, PDF + b" " * LARGEST_IMPORT), "The file is larger than 4\u00a0MB."),
    ],
)
async def test_what_cannot_succeed_is_reported_with_the_record_and_can_be_sent_again(
    application: TestApplication, server: ShopServer, answer: tuple[int, bytes], reason: str
) -> None:
    server.files["/x.pdf"] = answer
    await send(application, server.url("/x.pdf"))
    await run(application)
    (kept,) = await rows(application, RejectedRecordRow)
    assert (kept.external_id, kept.field, kept.reason) == ("i1", "document", reason)
    assert await rows(application, InvoiceDocumentRow) == []
    server.files["/x.pdf"] = (200, PDF)
    report = await Importer(application.context, "shop").again("invoices")
    await run(application)
    assert (report.unchanged, await rows(application, RejectedRecordRow)) == (1, [])
    assert await shown(application) == PDF


async def test_a_shop_that_does_not_answer_is_asked_for_a_day(application: TestApplication, server: ShopServer) -> None:
    server.files["/i1.pdf"] = (503, b"")
    await send(application, server.url("/i1.pdf"))
    with pytest.raises(FetchFailed):
        await run(application)
    assert await rows(application, RejectedRecordRow) == []
    application.clock.forward(seconds=RETRY_FOR.total_seconds())
    await run(application)
    (kept,) = await rows(application, RejectedRecordRow)
    assert kept.reason == "The shop answered 503 instead of sending the file."
    assert await rows(application, DocumentOrderRow) == []


@pytest.mark.parametrize(
    "address", ["http://shop.example/i1.pdf", "https://10.0.0.8/i1.pdf", "https://localhost/i1.pdf"]
)
async def test_addresses_that_are_not_public_https_are_refused_at_once(
    application: TestApplication, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application.context.settings, "env", "production")
    report = await send(application, address)
    assert (report.rejected, report.problems[0].field) == (1, "document")
    assert await rows(application, DocumentOrderRow) == []


async def test_a_name_that_leads_into_the_network_is_refused_when_it_is_called(
    application: TestApplication, server: ShopServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await send(application, server.url("/i1.pdf"))
    monkeypatch.setattr(application.context.settings, "env", "production")
    await run(application)
    (kept,) = await rows(application, RejectedRecordRow)
    assert kept.code == "address_refused"
    assert server.asked == []


async def test_a_dry_run_asks_for_nothing(application: TestApplication, server: ShopServer) -> None:
    await send(application, "")
    importer = Importer(application.context, "shop", dry_run=True)
    await importer.store("invoices", raw(invoice(document=server.url("/i1.pdf"))))
    assert await rows(application, DocumentOrderRow) == []
    assert not [job for job in await rows(application, JobRow) if job.kind == JOB]


async def test_the_back_office_reads_why_a_record_was_rejected(office: ApiShop) -> None:
    record = invoice(document="ftp://127.0.0.1/i1.pdf")
    sent = {"source": "fetching", "records": [record]}
    assert (await office.http.post("/backoffice/imports/invoices", json=sent, headers=bearer())).status_code == 200
    path = "/backoffice/imports/rejected?source=fetching"
    assert (await office.http.get(path)).status_code == 401
    found = (await office.http.get(path, headers=bearer())).json()["data"]
    (kept,) = found["items"]
    assert (kept["external_id"], kept["field"], kept["code"]) == (
        "i1",
        "document",
        "address_refused",
    )
    after = (await office.http.get(f"{path}&after={kept['record_id']}", headers=bearer())).json()["data"]
    assert after == {"items": [], "next_after": None}

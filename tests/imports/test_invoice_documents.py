"""The shop's own PDF of an invoice is shown instead of the one that the portal draws."""

from __future__ import annotations

import io
import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pikepdf import AttachedFileSpec, Pdf
from sqlmodel import select

from portal.backend.files.store import store_of
from portal.contract.errors import Unavailable
from portal.contract.models import LARGEST_IMPORT
from portal.flow.provider.cleanup import compare_with_rows
from portal.imports.provider.importer import Importer
from portal.imports.provider.invoice_documents import store_document
from portal.imports.provider.record_files import DocumentRefused
from portal.imports.provider.report import Report
from portal.imports.rules.reading import read_file
from portal.kernel.terms import IMPORT_DAYS
from portal.orders.provider.service import OrdersService
from portal.privacy.provider.erasure import delete_expired
from portal.tables.orders import InvoiceDocumentRow, InvoiceRow
from portal.vocabulary.exchange import Rejection
from tests.backend.api.conftest import ApiShop
from tests.backend.api.test_backoffice import bearer, office
from tests.support import pdfs
from tests.support.application import TestApplication
from tests.support.shop_records import customer, order, raw

__all__ = ["office"]
PDF = pdfs.plain({4: b"<</S/GoTo/D[3 0 R/Fit]>>"})
OTHER = pdfs.plain({4: b"<</S/GoTo/D[3 0 R/XYZ 0 0 0]>>"})


def invoice(**changes: Any) -> dict[str, Any]:
    """An invoice of order o1."""
    return {
        "external_id": "i1",
        "order": "o1",
        "number": "F1",
        "invoice_date": "2026-03-02",
        "expire_date": "2026-03-16",
        "status": "paid",
        "lines": [{"name": "Kuststreek", "unit_price": "999.00"}],
        **changes,
    }


async def import_files(application: TestApplication, folder: Path, **changes: Any) -> Report:
    """Import customer, order and the invoice, which stands in a file of this folder."""
    importer = Importer(application.context, "shop", folder=folder)
    await importer.store("customers", raw(customer()))
    await importer.store("orders", raw(order()))
    (folder / "invoices.jsonl").write_text(json.dumps(invoice(**changes)))
    return await importer.store("invoices", read_file(folder / "invoices.jsonl"))


async def shown(application: TestApplication) -> bytes:
    """The PDF that the customer gets."""
    token = await application.logged_in(("870000001", "noor1@example.com"))
    service = OrdersService(application.context, application.sessions)
    (found,) = (await service.invoices(token)).items
    return (await service.invoice_pdf(token, found.invoice_id, "nl")).content


async def rows(application: TestApplication) -> list[InvoiceDocumentRow]:
    """All stored documents."""
    async with application.context.database.session() as session:
        return list((await session.exec(select(InvoiceDocumentRow))).all())


async def test_the_document_of_a_record_is_shown_to_the_customer(application: TestApplication, tmp_path: Path) -> None:
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "F1.pdf").write_bytes(PDF)
    assert (await import_files(application, tmp_path, document="pdf/F1.pdf")).created == 1
    assert await shown(application) == PDF
    (tmp_path / "pdf" / "F1.pdf").write_bytes(OTHER)
    assert (await import_files(application, tmp_path, document="pdf/F1.pdf")).unchanged == 1
    assert await shown(application) == OTHER
    keys = [row.key for row in await rows(application)]
    assert len(keys) == 1
    stored = [path.name for path in (application.data_dir / "files").glob("??/*")]
    assert stored == keys


async def test_an_invoice_without_document_is_drawn(application: TestApplication, tmp_path: Path) -> None:
    await import_files(application, tmp_path)
    assert (await shown(application)).startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none.pdf", "The file can’t be read."),
        ("../outside.pdf", "The file is outside the folder of the import."),
        ("/etc/passwd", "The file is outside the folder of the import."),
        ("cut.pdf", "The file is not a PDF, or it is cut off."),
        ("large.pdf", "The file is larger than 4\u00a0MB."),
    ],
)
async def test_a_document_that_cannot_be_used_rejects_its_record(
    application: TestApplication, tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "outside.pdf").write_bytes(PDF)
    folder = tmp_path / "import"
    folder.mkdir()
    (folder / "cut.pdf").write_bytes(PDF[:-10])
    (folder / "large.pdf").write_bytes(PDF + b" " * LARGEST_IMPORT + b"%%EOF")
    report = await import_files(application, folder, document=name)
    assert (report.created, report.rejected) == (0, 1)
    assert (report.problems[0].field, report.problems[0].reason) == ("document", reason)
    assert await rows(application) == []


async def test_a_document_may_come_before_its_invoice(application: TestApplication, tmp_path: Path) -> None:
    assert await store_document(application.context, "shop", "i1", PDF)
    assert not await store_document(application.context, "shop", "i1", PDF)
    assert [row.invoice_id for row in await rows(application)] == [None]
    await import_files(application, tmp_path)
    assert await shown(application) == PDF


async def test_a_document_that_is_lost_is_not_replaced_by_a_drawing(
    application: TestApplication, tmp_path: Path
) -> None:
    (tmp_path / "F1.pdf").write_bytes(PDF)
    await import_files(application, tmp_path, document="F1.pdf")
    (row,) = await rows(application)
    await store_of(application.context.settings).remove(row.key)
    with pytest.raises(Unavailable):
        await shown(application)


async def test_a_document_goes_when_its_period_is_over(application: TestApplication, tmp_path: Path) -> None:
    (tmp_path / "F1.pdf").write_bytes(PDF)
    await import_files(application, tmp_path, document="F1.pdf")
    await store_document(application.context, "shop", "unknown", OTHER)
    periods = application.context.settings.retention
    application.clock.forward(days=IMPORT_DAYS + 1)
    await delete_expired(application.context)
    assert [row.external_id for row in await rows(application)] == ["i1"]
    application.clock.go_to(application.clock() + timedelta(days=366 * (periods.tax_years + 1)))
    await delete_expired(application.context)
    assert await rows(application) == []
    async with application.context.database.session() as session:
        assert (await session.exec(select(InvoiceRow.number))).all() == ["F1"]


async def test_the_cleanup_leaves_documents_that_a_row_names(application: TestApplication, tmp_path: Path) -> None:
    (tmp_path / "F1.pdf").write_bytes(PDF)
    await import_files(application, tmp_path, document="F1.pdf")
    (path,) = (application.data_dir / "files").glob("??/*")
    os.utime(path, (0, 0))
    await compare_with_rows(application.context)
    assert await shown(application) == PDF


async def test_other_files_are_refused_as_documents(application: TestApplication) -> None:
    with pytest.raises(DocumentRefused):
        await store_document(application.context, "shop", "i1", b"<html>")
    assert list((application.data_dir / "files" / "incoming").iterdir()) == []


def electronic(content: bytes, name: str = "factur-x.xml") -> bytes:
    """An invoice with a file for programs."""
    made = io.BytesIO()
    with Pdf.open(io.BytesIO(PDF)) as document:
        document.attachments[name] = AttachedFileSpec(
            document, content, description="", filename=name, mime_type="", creation_date="", mod_date=""
        )
        document.save(made)
    return made.getvalue()


async def test_an_electronic_invoice_keeps_its_file_and_every_byte(application: TestApplication) -> None:
    content = electronic(b'<?xml version="1.0"?><invoice/>')
    assert await store_document(application.context, "shop", "i1", content)
    (row,) = await rows(application)
    store = store_of(application.context.settings)
    assert b"".join([piece async for piece in store.read(row.key)]) == content


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pdfs.plain({4: b"<</S/JavaScript/JS(app.alert(1))>>"}), Rejection.ACTIVE_PDF),
        (pdfs.plain({4: b"<</S/Launch/F(calc.exe)>>"}), Rejection.ACTIVE_PDF),
        (electronic(b"MZ\x90\x00 a program", "factur-x.xml"), Rejection.ACTIVE_PDF),
        (b"%PDF-1.7\nno pages\n%%EOF\n", Rejection.NO_PDF),
    ],
    ids=["script", "program", "attached program", "no pages"],
)
async def test_a_document_in_which_something_hides_is_refused(
    application: TestApplication, content: bytes, reason: Rejection
) -> None:
    with pytest.raises(DocumentRefused) as refused:
        await store_document(application.context, "shop", "i1", content)
    assert refused.value.reason.code == reason
    assert await rows(application) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_the_shop_sends_a_document_by_api(office: ApiShop) -> None:
    path = "/backoffice/imports/invoices/i 1/document?source=shop"
    headers = bearer(**{"Content-Type": "application/pdf"})
    assert (await office.http.put(path, content=PDF)).status_code == 401
    for changed in (True, False):
        answer = await office.http.put(path, content=PDF, headers=headers)
        assert answer.json()["data"] == {"changed": changed}
    refused = await office.http.put(path, content=b"x", headers=headers)
    assert (refused.status_code, refused.json()["details"]["fields"]) == (422, {"document": "invalid_input"})
    too_large = await office.http.put(path, content=b"x" * (LARGEST_IMPORT + 1), headers=headers)
    assert too_large.status_code == 413
    body = {"source": "shop", "records": [invoice(document="F1.pdf")]}
    named = await office.http.post("/backoffice/imports/invoices", json=body, headers=bearer())
    assert named.json()["data"]["problems"][0]["field"] == "document"

"""The copy has everything that the portal stores about a customer, and only the customer gets it."""

import io
import json
from zipfile import ZipFile

import pytest

from portal.contract.errors import NotFound, TooMany
from portal.flow.provider.cleanup import compare_with_rows
from portal.orders.api import OrdersApi
from portal.privacy.api import PrivacyApi
from portal.privacy.provider import service
from portal.privacy.provider.erasure import delete_expired
from portal.privacy.provider.inventory import INVENTORY
from portal.tables.customers import DataExportRow, PrivacyEventRow
from portal.vocabulary.customers import ExportStatus, PrivacyEventKind
from tests.privacy.erasable import FILE, furnish, mark, run_jobs
from tests.support.customers import JORIS, SANNE
from tests.support.living import Living


async def ready(living: Living, token: str) -> str:
    """Ask for a copy and have it made; return its id."""
    await living.ask(PrivacyApi).ask_for_export(token)
    await run_jobs(living.context)
    found = (await living.ask(PrivacyApi).personal_data(token)).export
    assert found
    assert found.status is ExportStatus.READY
    return found.export_id


async def archive(living: Living, token: str, export_id: str) -> ZipFile:
    content = await living.ask(PrivacyApi).export_content(token, export_id)
    whole = b"".join([chunk async for chunk in content.chunks])
    assert len(whole) == content.size
    return ZipFile(io.BytesIO(whole))


@pytest.mark.each_database
async def test_the_copy_has_every_personal_column_and_every_file(living: Living) -> None:
    token = await living.log_in(SANNE)
    places = await mark(living.context, await furnish(living.context, SANNE[1]))
    packed = await archive(living, token, await ready(living, token))
    data = packed.read("gegevens.json").decode()
    missing = {place for marker, place in places.items() if marker not in data}
    assert missing == set()
    assert {stored.table.name for stored in INVENTORY if stored.personal} <= json.loads(data).keys()
    (name,) = [name for name in packed.namelist() if name.startswith("bestanden/")]
    assert packed.read(name) == FILE


async def test_the_copy_has_every_invoice_as_the_customer_downloads_it(living: Living) -> None:
    token = await living.log_in(SANNE)
    packed = await archive(living, token, await ready(living, token))
    listed = (await living.ask(OrdersApi).invoices(token)).items
    assert listed
    files = {name: packed.read(name) for name in packed.namelist() if name.startswith("facturen/")}
    for invoice in listed:
        document = await living.ask(OrdersApi).invoice_pdf(token, invoice.invoice_id, "nl")
        assert files[f"facturen/{document.name}"] == document.content
    assert len(files) == len(listed)


async def test_the_copy_has_no_secret_and_nothing_of_another_customer(living: Living) -> None:
    await furnish(living.context, JORIS[1])
    token = await living.log_in(SANNE)
    await furnish(living.context, SANNE[1])
    packed = await archive(living, token, await ready(living, token))
    data = packed.read("gegevens.json").decode()
    assert "joris" not in data.casefold()
    for secret in ("hash", "salt", '"jti"', "sealed", '"key"', "draft_key"):
        assert secret not in data


async def test_a_mail_says_that_the_copy_is_ready_in_the_language_of_the_customer(living: Living) -> None:
    token = await living.log_in(SANNE)
    await ready(living, token)
    letter = (await living.mails(SANNE[1]))[0]
    assert letter.subject == "Je kopie staat klaar"
    assert "/my-data/privacy" in letter.text


async def test_only_one_copy_is_made_at_a_time(living: Living) -> None:
    token = await living.log_in(SANNE)
    first = (await living.ask(PrivacyApi).ask_for_export(token)).export
    second = (await living.ask(PrivacyApi).ask_for_export(token)).export
    assert first == second
    assert first
    assert first.status is ExportStatus.WAITING


async def test_a_new_copy_replaces_the_older_file(living: Living) -> None:
    token = await living.log_in(SANNE)
    first = await ready(living, token)
    second = await ready(living, token)
    assert first != second
    with pytest.raises(NotFound):
        await living.ask(PrivacyApi).export_content(token, first)
    stored = [path for path in (living.context.settings.data_dir / "files").rglob("*") if path.is_file()]
    assert len(stored) == 1


async def test_copies_are_limited_per_day(living: Living) -> None:
    token = await living.log_in(SANNE)
    for _number in range(5):
        await ready(living, token)
    with pytest.raises(TooMany):
        await living.ask(PrivacyApi).ask_for_export(token)


async def test_another_customer_cannot_download_a_copy(living: Living) -> None:
    export_id = await ready(living, await living.log_in(SANNE))
    with pytest.raises(NotFound):
        await living.ask(PrivacyApi).export_content(await living.log_in(JORIS), export_id)


async def test_a_copy_that_cannot_be_made_is_reported_and_can_be_asked_for_again(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await living.log_in(SANNE)
    await living.ask(PrivacyApi).ask_for_export(token)
    living.clock.forward(hours=1, seconds=1)
    with monkeypatch.context() as broken:
        broken.setattr(service.Exports, "_pack", None)
        await run_jobs(living.context)
    token = await living.log_in(SANNE)
    found = (await living.ask(PrivacyApi).personal_data(token)).export
    assert found
    assert found.status is ExportStatus.FAILED
    await ready(living, token)


async def test_a_copy_is_deleted_when_its_time_is_over_and_not_before(living: Living) -> None:
    directory = living.context.settings.data_dir / "files"
    await ready(living, await living.log_in(SANNE))
    living.clock.forward(days=6)
    await compare_with_rows(living.context)
    await delete_expired(living.context)
    assert [path for path in directory.rglob("*") if path.is_file()]
    living.clock.forward(days=2)
    token = await living.log_in(SANNE)
    assert (await living.ask(PrivacyApi).personal_data(token)).export is None
    await delete_expired(living.context)
    assert not [path for path in directory.rglob("*") if path.is_file()]
    assert await living.rows(DataExportRow) == []
    kinds = {event.kind for event in await living.rows(PrivacyEventRow)}
    assert kinds == {PrivacyEventKind.EXPORT_ASKED, PrivacyEventKind.EXPORT_MADE, PrivacyEventKind.EXPIRED}

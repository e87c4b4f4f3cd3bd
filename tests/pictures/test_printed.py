"""Pictures in documents: the image of the shop or the drawing, small, and decoration beside the name."""

from typing import Any

import pytest

from portal.backend.files.store import LocalStore
from portal.contract.models import Picture
from portal.deliveries.api import DeliveriesApi
from portal.demo.pictures import complete_pictures
from portal.orders.api import OrdersApi
from portal.orders.provider.invoice_pdf import invoice_pdf
from portal.pictures.provider.lookup import MAX_PRINTED, printed
from portal.pictures.rules import MAIL_WIDTH
from portal.returns.api import ReturnsApi
from portal.settings import Settings
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.customers import JORIS, ROOS, SANNE
from tests.support.furnished import Furnished
from tests.support.invoices import BAGS, BIKE, invoice, reader, text_of
from tests.support.living import DAAN, PENDING, Living
from tests.support.returning import ACCESSORIES, PARTLY, accessories, pick_up, send
from tests.work_orders.test_backoffice import reference_of

BRAND = Settings().brand
BAG = Picture(drawing="bag", color="#2f5d46")


def images_in(content: bytes) -> list[tuple[int, int]]:
    """Width and height of every image on the pages of a PDF, by the object that holds it."""
    found: dict[int, tuple[int, int]] = {}
    for page in reader(content).pages:
        _collect(page["/Resources"], found)
    return sorted(found.values())


def _collect(resources: Any, found: dict[int, tuple[int, int]]) -> None:
    for reference in (resources.get("/XObject") or {}).values():
        held = reference.get_object()
        if held["/Subtype"] == "/Image":
            found[held.indirect_reference.idnum] = (held["/Width"], held["/Height"])
        elif "/Resources" in held:
            _collect(held["/Resources"].get_object(), found)


async def with_images(shop: Furnished | Living) -> None:
    """Give all articles the images of the demonstration shop."""
    async with shop.context.database.transaction() as session:
        await complete_pictures(shop.context, session)


async def test_an_invoice_shows_the_image_of_each_article_and_stays_small(furnished: Furnished) -> None:
    await with_images(furnished)
    token = await furnished.log_in(SANNE)
    api = furnished.ask(OrdersApi)
    listed = (await api.invoices(token)).items[-1]
    lines = (await api.order(token, listed.order_number)).lines
    content = (await api.invoice_pdf(token, listed.invoice_id, "nl")).content
    text = text_of(content)
    keys = {line.picture.key for line in lines if line.name in text}
    assert keys
    assert "" not in keys
    assert images_in(content) == [(MAIL_WIDTH, 320)] * len(keys)
    plain = invoice_pdf(invoice(lines=[BIKE] * len(lines)), "nl", BRAND)
    assert len(content) < len(plain) + 25_000 * len(keys)


async def test_an_article_without_an_image_is_drawn() -> None:
    pictures = await printed(Settings(), [BAG, None])
    lines = [BAGS, BIKE.model_copy(update={"name": "Montage"})]
    content = invoice_pdf(invoice(lines=lines), "nl", BRAND, pictures)
    assert images_in(content) == []
    assert len(content) > len(invoice_pdf(invoice(lines=[BAGS, BIKE]), "nl", BRAND)) + 1_000
    assert "Montage" in text_of(content)


async def test_the_same_picture_is_in_a_document_once() -> None:
    once = invoice_pdf(invoice(lines=[BAGS] * 2), "nl", BRAND, await printed(Settings(), [BAG, None]))
    twice = invoice_pdf(invoice(lines=[BAGS] * 2), "nl", BRAND, await printed(Settings(), [BAG, BAG]))
    assert len(twice) - len(once) < 1_000


async def test_a_document_has_so_many_different_pictures_at_most() -> None:
    many = [Picture(drawing="bag", color=f"#0000{number:02x}") for number in range(MAX_PRINTED + 3)]
    found = await printed(Settings(), [*many, many[0]])
    assert [bool(each) for each in found] == [True] * MAX_PRINTED + [False] * 3 + [True]


async def test_a_store_that_is_away_costs_the_image_and_not_the_document(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> Any:
        raise TimeoutError

    await with_images(furnished)
    monkeypatch.setattr(LocalStore, "read", away)
    token = await furnished.log_in(SANNE)
    listed = (await furnished.ask(OrdersApi).invoices(token)).items[0]
    content = (await furnished.ask(OrdersApi).invoice_pdf(token, listed.invoice_id, "en")).content
    assert images_in(content) == []
    assert listed.number in text_of(content)


async def test_the_documents_of_a_return_show_what_comes_back(furnished: Furnished) -> None:
    await with_images(furnished)
    token = await furnished.log_in(ROOS)
    steps = {
        **await accessories(furnished.provider, token, f"{PARTLY}-1*2"),
        "method": {"method": "pick_up"},
        "pickup": await pick_up(furnished.provider, token),
    }
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    for made in (furnished.ask(ReturnsApi).return_label, furnished.ask(ReturnsApi).return_summary_pdf):
        content = (await made(token, receipt.summary["return_id"], "nl")).content
        assert images_in(content) == [(MAIL_WIDTH, 320)]
        assert len(content) < 60_000


async def test_the_document_of_another_delivery_day_shows_what_is_delivered(living: Living) -> None:
    await with_images(living)
    token = await living.log_in(DAAN)
    content = (await living.ask(DeliveriesApi).delivery_date_pdf(token, PENDING, "en")).content
    assert images_in(content) == [(MAIL_WIDTH, 320)]


async def test_the_document_of_a_repair_shows_the_image_of_the_bike(furnished: Furnished) -> None:
    await with_images(furnished)
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    token = await furnished.log_in(JORIS)
    content = (await furnished.ask(WorkOrdersApi).request_document(token, reference, "nl")).content
    assert images_in(content) == [(MAIL_WIDTH, 320)]

"""The image of a product comes with its record: by address or beside the file, and is shown in its sizes."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from portal.backend.files.store import store_of
from portal.contract.errors import NotFound
from portal.contract.models import LARGEST_IMPORT
from portal.imports.provider.attachments import LARGEST
from portal.imports.provider.fetching import JOB as FETCHING
from portal.imports.provider.fetching import DocumentFetching
from portal.imports.provider.importer import Importer
from portal.imports.provider.report import Report
from portal.imports.rules.reading import RawRecord, read_file
from portal.imports.rules.shopify import SHOPIFY
from portal.imports.rules.woocommerce import WOOCOMMERCE
from portal.orders.provider.service import OrdersService
from portal.pictures.provider.service import FILES, JOB, PictureSizes, PicturesService, clean_pictures, file_key
from portal.tables.bikes import PictureRow, ProductPictureRow
from portal.tables.exchange import DocumentOrderRow, RejectedRecordRow
from portal.tables.messages import JobRow
from tests.imports.test_fetching import ShopServer, server
from tests.pictures.test_images import huge, image
from tests.support.application import TestApplication
from tests.support.shop_records import customer, order, raw

__all__ = ["server"]
IMAGE, OTHER = image(), image(color=(20, 90, 160))


def product(**changes: Any) -> dict[str, Any]:
    """The article of the first line of order o1."""
    return {
        "external_id": "p1",
        "sku": "KS-1",
        "name": "Kuststreek",
        "kind": "city_bike",
        "color_code": "#2f5d46",
        "price": "999.00",
        **changes,
    }


async def send(application: TestApplication, **changes: Any) -> Report:
    """Import the article, by API."""
    return await Importer(application.context, "shop").store("products", raw(product(**changes)))


async def work(application: TestApplication) -> None:
    """Run the jobs that fetch images and bring them to size."""
    for job in await application.rows(JobRow):
        if job.kind == FETCHING:
            await DocumentFetching(application.context).fetch(job.reference)
    for job in await application.rows(JobRow):
        if job.kind == JOB:
            await PictureSizes(application.context).make(job.reference)


async def shown(application: TestApplication) -> Any:
    """The picture of the first line, as the customer's page of the order has it."""
    importer = Importer(application.context, "shop")
    await importer.store("customers", raw(customer()))
    await importer.store("orders", raw(order()))
    token = await application.logged_in(("870000001", "noor1@example.com"))
    found = await OrdersService(application.context, application.sessions).order(token, "870000001")
    return found.lines[0].picture


async def test_the_image_at_an_address_is_shown_in_its_sizes(application: TestApplication, server: ShopServer) -> None:
    server.files["/ks.png"] = (200, IMAGE)
    assert (await send(application, image=server.url("/ks.png"))).created == 1
    assert server.asked == []
    await work(application)
    picture = await shown(application)
    assert picture.preview.startswith("data:image/webp;base64,")
    service = PicturesService(application.context, application.sessions)
    for form, width in FILES:
        assert (await service.picture_file(picture.key, form, width)).content
    assert await application.rows(DocumentOrderRow) == []


async def test_an_article_without_image_shows_its_drawing_in_its_colour(application: TestApplication) -> None:
    await send(application, drawing="folding")
    picture = await shown(application)
    assert (picture.drawing, picture.color, picture.key) == ("folding", "#2f5d46", "")


async def test_an_image_without_its_sizes_is_not_shown_yet(application: TestApplication, tmp_path: Path) -> None:
    (tmp_path / "ks.png").write_bytes(IMAGE)
    (tmp_path / "products.jsonl").write_text(json.dumps(product(image="ks.png")))
    importer = Importer(application.context, "shop", folder=tmp_path)
    assert (await importer.store("products", read_file(tmp_path / "products.jsonl"))).created == 1
    assert (await shown(application)).key == ""
    await work(application)
    assert (await shown(application)).key != ""


async def test_an_image_may_be_larger_than_a_document(application: TestApplication, tmp_path: Path) -> None:
    large = image(1500, 1000, compress_level=0)
    assert LARGEST_IMPORT < len(large) < LARGEST
    (tmp_path / "ks.png").write_bytes(large)
    report = await Importer(application.context, "shop", folder=tmp_path).store(
        "products", raw(product(image="ks.png"))
    )
    assert (report.created, report.problems) == (1, [])


async def test_the_image_may_be_there_before_its_article(application: TestApplication, tmp_path: Path) -> None:
    (tmp_path / "ks.png").write_bytes(IMAGE)
    importer = Importer(application.context, "shop", folder=tmp_path)
    refused = await importer.store("products", raw(product(image="ks.png", price="-1")))
    assert refused.rejected == 1
    assert (await importer.store("products", raw(product(image="ks.png")))).created == 1
    (link,) = await application.rows(ProductPictureRow)
    assert link.product_id is not None


async def test_the_same_image_of_two_articles_is_kept_once(application: TestApplication, server: ShopServer) -> None:
    server.files = {"/a.png": (200, IMAGE), "/b.png": (200, IMAGE)}
    await send(application, image=server.url("/a.png"))
    await send(application, external_id="p2", sku="KS-2", image=server.url("/b.png"))
    await work(application)
    assert len(await application.rows(PictureRow)) == 1
    assert len(await application.rows(ProductPictureRow)) == 2


async def test_another_image_replaces_the_first_which_goes_after_a_day(
    application: TestApplication, server: ShopServer
) -> None:
    server.files = {"/a.png": (200, IMAGE), "/b.png": (200, OTHER)}
    for path in server.files:
        await send(application, image=server.url(path))
        await work(application)
    first, second = await application.rows(PictureRow)
    assert (await shown(application)).key == second.key
    await clean_pictures(application.context)
    assert len(await application.rows(PictureRow)) == 2
    application.clock.forward(seconds=timedelta(days=2).total_seconds())
    await clean_pictures(application.context)
    assert [row.key for row in await application.rows(PictureRow)] == [second.key]
    store = store_of(application.context.settings)
    with pytest.raises(FileNotFoundError):
        [piece async for piece in store.read(file_key(first.key, "avif", 480))]
    assert [piece async for piece in store.read(file_key(second.key, "avif", 480))]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, b""), "The shop answered 404 instead of sending the file."),
        ((200, b"<html>gone</html>"), "The file is not an image in JPEG, PNG, WebP or AVIF, or it is cut off."),
        (
            (200, b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
            "The file is not an image in JPEG, PNG, WebP or AVIF, or it is cut off.",
        ),
        ((200, lambda: IMAGE + b"0" * LARGEST), "The file is larger than 10\xa0MB."),
        ((200, huge), "The image has more than 70 million pixels."),
    ],
    ids=["missing", "page", "svg", "large", "bomb"],
)
async def test_what_is_no_image_is_reported_and_the_drawing_stays(
    application: TestApplication, server: ShopServer, answer: tuple[int, bytes | Callable[[], bytes]], reason: str
) -> None:
    status, content = answer
    server.files["/x"] = status, content() if callable(content) else content
    await send(application, image=server.url("/x"))
    await work(application)
    (kept,) = await application.rows(RejectedRecordRow)
    assert (kept.kind, kept.external_id, kept.field, kept.reason) == ("products", "p1", "image", reason)
    assert (await shown(application)).key == ""


@pytest.mark.parametrize("address", ["http://shop.example/a.png", "https://10.0.0.8/a.png", "https://localhost/a.png"])
async def test_an_address_that_is_not_public_https_is_refused_at_once(
    application: TestApplication, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application.context.settings, "env", "production")
    report = await send(application, image=address)
    assert (report.rejected, report.problems[0].field) == (1, "image")
    assert await application.rows(DocumentOrderRow) == []


async def test_a_drawing_that_does_not_exist_is_left_out_with_a_note(application: TestApplication) -> None:
    report = await send(application, drawing="rocket")
    assert (report.created, report.noted, report.problems[0].field) == (1, 1, "drawing")


@pytest.mark.parametrize("key", ["", "0" * 32, "../../secret", "A" * 32])
async def test_an_unknown_image_is_not_found(application: TestApplication, key: str) -> None:
    with pytest.raises(NotFound):
        await PicturesService(application.context, application.sessions).picture_file(key, "avif", 480)


def test_shopify_gives_the_image_of_the_variant_or_else_of_the_product() -> None:
    variants = [
        {"id": "gid://shopify/ProductVariant/1", "price": "9", "image": {"url": "https://cdn.example/blue.jpg"}},
        {"id": "gid://shopify/ProductVariant/2", "price": "9"},
    ]
    found = {
        "id": "gid://shopify/Product/7",
        "title": "Kuststreek",
        "featuredMedia": {"preview": {"image": {"url": "https://cdn.example/all.jpg"}}},
        "variants": variants,
    }
    records = SHOPIFY.kinds["products"](found)
    assert [record["image"] for record in records] == ["https://cdn.example/blue.jpg", "https://cdn.example/all.jpg"]


@pytest.mark.parametrize(
    ("images", "expected"),
    [([{"src": "https://shop.example/a.jpg"}, {"src": "b"}], "https://shop.example/a.jpg"), ([], "")],
)
def test_woocommerce_gives_the_first_image(images: list[dict[str, str]], expected: str) -> None:
    found = {"id": 1, "name": "Slot", "price": "9", "images": images}
    (record,) = WOOCOMMERCE.records("products", [RawRecord(1, found)])
    assert record.values["image"] == expected

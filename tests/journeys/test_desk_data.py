"""An administrator connects a receiver, imports a file, repairs a record, downloads lists, and reads what is new."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from portal.kernel.texts import catalogue
from tests.journeys.desk_steps import assert_well_made, at_desk
from tests.support.browser import Visitor
from tests.support.receiver import Receiver
from tests.support.server import DeskServer
from tests.support.shop_records import customer

CARLA = "carla@example.com"

Say = Callable[[str], str]


@pytest.fixture
def desk(visit: Callable[..., Visitor], desk_server: DeskServer) -> Iterator[Callable[..., tuple[Page, Say]]]:
    """Opens the staff site as administrator; also returns the texts of the language."""

    def window(language: str, width: int = 1440) -> tuple[Page, Say]:
        page = at_desk(visit, desk_server, CARLA, "/cases", language=language, width=width)
        return page, catalogue(language).gettext

    yield window
    desk_server.renew_shop()


def _button(page: Page, text: str) -> None:
    page.get_by_role("main").get_by_role("button", name=text, exact=True).click()


def _heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def test_a_receiver_is_connected_tried_and_removed(desk: Callable[..., tuple[Page, Say]], receiver: Receiver) -> None:
    page, say = desk("nl")
    page.goto("/webhooks")
    expect(page.get_by_text(say("No webhooks yet"))).to_be_visible()
    assert_well_made(page)
    page.get_by_role("main").get_by_role("link", name=say("Add a webhook")).first.click()
    _heading(page, say("Add a webhook"))
    page.locator("[name=url]").fill("ftp://example.com")
    _button(page, say("Add the webhook"))
    expect(page.locator("#url-error")).to_be_visible()
    expect(page.locator("[name=url]")).to_have_value("ftp://example.com")
    assert_well_made(page)
    page.locator("[name=url]").fill(receiver.url)
    page.locator("[name=description]").fill("Ons ERP")
    _button(page, say("Add the webhook"))
    expect(page.get_by_role("main").locator("code", has_text=re.compile("^whsec_"))).to_be_visible()
    assert_well_made(page)
    page.get_by_role("link", name=say("To the webhook")).click()
    _heading(page, "Ons ERP")
    expect(page.get_by_text("whsec_")).to_have_count(0)
    _button(page, say("Send a test event"))
    row = page.locator("[data-row]")
    expect(row).to_contain_text("webhook.test")
    for _ in range(20):
        if say("Delivered") in row.inner_text():
            break
        page.wait_for_timeout(500)
        _button(page, say("Load again"))
    expect(row).to_contain_text(say("Delivered"))
    assert receiver.received
    assert_well_made(page)
    _button(page, say("Remove"))
    dialog = page.get_by_role("alertdialog")
    assert_well_made(page)
    dialog.get_by_role("button", name=say("Remove the webhook")).click()
    expect(page.get_by_text(say("No webhooks yet"))).to_be_visible()


def test_a_file_is_imported_and_a_rejected_record_is_corrected(desk: Callable[..., tuple[Page, Say]]) -> None:
    page, say = desk("nl", 390)
    page.goto("/imports")
    page.get_by_text(say("Import a file")).click()
    page.locator("[name=kind]").select_option("customers")
    _button(page, say("Send the file"))
    expect(page.locator("#file-error")).to_contain_text(say("Choose a file."))
    expect(page.locator("[name=kind]")).to_have_value("customers")
    assert_well_made(page)
    records = [customer(51), customer(52, email="nonsense")]
    content = "\n".join(json.dumps(record) for record in records).encode()
    page.locator("[name=file]").set_input_files(
        files=[{"name": "customers.jsonl", "mimeType": "application/json", "buffer": content}]
    )
    page.locator("[name=source]").fill("shop")
    page.locator("[name=dry]").uncheck()
    _button(page, say("Send the file"))
    _heading(page, say("Report of an import"))
    expect(page.locator("[data-row]").first).to_contain_text("c52")
    assert_well_made(page)
    page.get_by_role("link", name=say("To the rejected records")).click()
    page.locator("[data-open]", has_text="c52").click()
    _heading(page, "c52")
    assert_well_made(page)
    record = page.locator("[name=content]")
    record.fill(record.input_value().replace("nonsense", "noor@example.com"))
    _button(page, say("Send the corrected record"))
    _heading(page, say("Rejected records"))
    expect(page.get_by_text(say("Nothing was rejected"))).to_be_visible()
    for path, shown in (("/imports/waiting", ".card"), ("/imports/differences", "[data-row] >> nth=0")):
        page.goto(path)
        expect(page.get_by_role("main").locator(shown)).to_be_visible()
        assert_well_made(page)


def test_lists_are_downloaded(desk: Callable[..., tuple[Page, Say]]) -> None:
    page, say = desk("en")
    page.goto("/exports")
    _heading(page, say("Exports"))
    expect(page.get_by_role("heading", name=say("Hand over to insurers"))).to_be_visible()
    assert_well_made(page)
    with page.expect_download() as insurances:
        page.get_by_role("link", name=say("Download as CSV")).click()
    assert insurances.value.path().read_text("utf-8-sig").startswith("reference;requested_at;insurer;")
    page.goto("/cases?kind=repair")
    with page.expect_download() as cases:
        page.get_by_role("link", name=say("Download as CSV")).click()
    kinds = {line.split(";")[0] for line in cases.value.path().read_text("utf-8-sig").splitlines()[1:]}
    assert kinds == {"Repair"}
    page.goto("/files/refunds/UNKNOWN1.csv")
    expect(page).to_have_url(re.compile("/exports"))
    expect(page.get_by_text(say("The file couldn’t be created."))).to_be_visible()
    assert_well_made(page)


def test_an_opened_case_is_read(desk: Callable[..., tuple[Page, Say]]) -> None:
    page, say = desk("nl")
    page.goto("/cases?view=unread")
    row = page.locator('[data-row][data-unread="true"]').first
    expect(row).to_contain_text(say("Unread: ").strip())
    assert_well_made(page)
    expect(page).to_have_title(re.compile(r"^\(\d+\) "))
    number = int(re.findall(r"^\((\d+)\)", page.title())[0])
    row.locator("[data-open]").click()
    expect(page).to_have_title(re.compile(rf"^\({number - 1}\) "))

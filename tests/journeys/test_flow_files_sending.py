"""Files on their way: progress, waiting, breaking off, trying again, leaving (flow-standard F39, F52)."""

import re

from playwright.sync_api import Dialog, expect

from portal.work_orders.flow.repair import ADDRESS_STEP, PHOTOS
from tests.journeys.file_steps import BODIES, Begin, choose, held_back, on_their_way, payload, row, rows
from tests.support.browser import assert_accessible
from tests.support.stored import count
from tests.support.walks import UPLOAD


def test_f39_f52_while_files_are_on_their_way_next_waits_and_leaving_asks(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    held = held_back(page)
    choose(page, payload("een.jpg"), payload("twee.jpg"), payload("drie.jpg"))
    expect(rows(page, "sending")).to_have_count(2)
    expect(rows(page, "waiting")).to_have_count(1)
    bar = row(page, "een.jpg").get_by_role("progressbar", name="een.jpg")
    expect(bar).to_have_attribute("aria-valuetext", re.compile(r"^\d+%, [\d,]+\skB van [\d,]+\skB$"))
    assert_accessible(page)
    walking.next()
    expect(page.get_by_role("alert").filter(has_text="Er worden nog bestanden geüpload.")).to_be_visible()
    walking.at(PHOTOS)
    page.get_by_role("link", name="Naar overzicht").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Er worden nog bestanden geüpload.")
    page.keyboard.press("Escape")
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)
    assert dialogs == ["beforeunload"]
    row(page, "drie.jpg").get_by_role("button", name="Annuleren drie.jpg").click()
    expect(rows(page)).to_have_count(2)
    for route in held:
        route.continue_()
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    walking.next()
    walking.at(ADDRESS_STEP)


def test_f52_a_file_that_broke_off_can_be_tried_again(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    walking.visitor.troubles.allow("ERR_FAILED|ERR_CONNECTION|ERR_INTERNET")
    page.route(BODIES, lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    choose(page, payload("fiets.jpg"))
    expect(row(page, "fiets.jpg")).to_contain_text("Er ging iets fout bij het uploaden.")
    page.unroute(BODIES)
    again = page.get_by_role("button", name="Opnieuw proberen fiets.jpg")
    again.focus()
    page.keyboard.press("Enter")
    expect(rows(page, "done")).to_have_count(1, timeout=UPLOAD)
    assert count(walking.visitor.server, "uploads") == 1


def test_f52_a_cancelled_file_leaves_nothing_behind(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    held = held_back(page)
    choose(page, payload("weg.jpg"))
    expect(rows(page, "sending")).to_have_count(1)
    on_their_way(page, held)
    page.get_by_role("button", name="Annuleren weg.jpg").click()
    expect(rows(page)).to_have_count(0)
    choose(page, payload("goed.jpg"))
    on_their_way(page, held, 2)
    held[1].continue_()
    expect(rows(page, "done")).to_have_count(1, timeout=UPLOAD)
    assert count(walking.visitor.server, "uploads") == 1


def test_f52_rows_stay_in_their_places_whichever_file_is_done_first(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    held = held_back(page)
    choose(page, payload("eerste.jpg"), payload("tweede.jpg"))
    expect(rows(page, "sending")).to_have_count(2)
    page.evaluate(
        """() => {
            const rows = () => [...document.querySelectorAll("main li[data-state] > div:nth-child(2) > :first-child")];
            const note = () => window.orders.push(rows().map(({innerText}) => innerText).join());
            window.orders = [];
            new MutationObserver(note).observe(document.querySelector("main"), {childList: true, subtree: true});
        }"""
    )
    on_their_way(page, held, 2)
    first, second = held
    second.continue_()
    expect(rows(page, "done")).to_have_count(1, timeout=UPLOAD)
    page.wait_for_timeout(500)  # the server lists the second file now
    first.continue_()
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    page.get_by_role("button", name="Verwijder tweede.jpg").click()
    expect(rows(page)).to_have_count(1)
    assert set(page.evaluate("window.orders")) == {"eerste.jpg,tweede.jpg", "eerste.jpg"}

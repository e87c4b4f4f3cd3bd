"""Files in a flow: chosen, listed, refused, taken away, still there later (flow-standard F52, F58)."""

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from portal.work_orders.flow.repair import ADDRESS_STEP, MAINTENANCE, PHOTOS
from tests.journeys.file_steps import CASE, Begin, choose, on_to_check, payload, row, rows
from tests.support import files
from tests.support.browser import Visit, assert_accessible
from tests.support.people import SANNE
from tests.support.walks import UPLOAD, UPLOADED


def test_f52_the_limits_are_said_before_anything_is_chosen(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    hint = page.locator("#photos-hint")
    expect(hint).to_contain_text("1 tot 5 bestanden van elk maximaal 100 MB")
    for kind in ("JPG", "PNG", "HEIC", "PDF", "MP4", "MOV", "AVI", "MPG"):
        expect(hint).to_contain_text(kind)
    expect(page.get_by_label("Bestanden kiezen")).to_have_attribute("aria-describedby", re.compile("photos-hint"))
    assert ".heic" in (page.locator("#photos").get_attribute("accept") or "")
    walking.next()
    expect(page.locator("[aria-labelledby=error-summary]")).to_be_focused()
    expect(page.locator("[aria-labelledby=error-summary] a")).to_have_text("Voeg minstens één foto of video toe.")
    page.locator("[aria-labelledby=error-summary] a").click()
    expect(page.locator("#photos")).to_be_focused()
    assert_accessible(page)


def test_f52_files_are_listed_with_picture_size_and_state(at_files: Begin) -> None:
    walking = at_files(language="en", width=320)
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    expect(page.get_by_role("status").filter(has_text="2")).to_have_text("2 of 2 uploaded")
    picture = row(page, "schade voor.jpg").locator("img")
    expect(picture).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    expect(row(page, "geluid.mp4").locator("img")).to_have_count(0)
    expect(row(page, "geluid.mp4")).to_contain_text("kB")
    assert_accessible(page)
    on_to_check(walking)
    shown = page.locator("main dl").first
    expect(shown).to_contain_text("2 files")
    expect(shown).to_contain_text("geluid.mp4")


def test_f26_the_check_page_shows_photos_small_and_other_files_by_their_kind(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, payload("schade voor.jpg"), UPLOADED[1], payload("bon.pdf", files.pdf()))
    expect(rows(page, "done")).to_have_count(3, timeout=UPLOAD)
    on_to_check(walking)
    answers = page.locator("main dl").first
    expect(answers).to_contain_text("3 bestanden")
    photo = answers.get_by_role("img", name="Foto schade voor.jpg")
    assert _is_drawn(photo)
    assert photo.evaluate("image => [image.loading, image.width > 0, image.getAttribute('height')]") == [
        "lazy",
        True,
        "84",
    ]
    for name, kind in (("geluid.mp4", "MP4"), ("bon.pdf", "PDF")):
        entry = answers.get_by_role("listitem").filter(has_text=name)
        expect(entry.locator(".file-mark")).to_have_text(kind)
        expect(entry.locator("img")).to_have_count(0)
    assert_accessible(page)
    page.route("**/preview", lambda route: route.fulfill(status=404))
    page.reload()
    page.wait_for_function(f"image => ({_FAILED})(image)", arg=photo.element_handle())
    assert photo.evaluate("image => getComputedStyle(image, '::after').content") == '"Niet te tonen"'
    expect(answers).to_contain_text("schade voor.jpg")


def test_f26_the_page_of_the_request_shows_the_photos_to_nobody_else(at_files: Begin, visit: Visit) -> None:
    walking = at_files(width=375)
    page = walking.page
    choose(page, payload("schade voor.jpg"), payload("bon.pdf", files.pdf()))
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    on_to_check(walking)
    walking.next()
    page.get_by_role("link", name=walking.say("View the status")).click()
    listed = page.get_by_role("list", name=walking.say("Files"))
    photo = listed.get_by_role("img", name="Foto schade voor.jpg")
    photo.scroll_into_view_if_needed()
    assert _is_drawn(photo)
    expect(listed.locator(".file-mark")).to_have_text("PDF")
    assert_accessible(page)
    address = photo.get_attribute("src") or ""
    assert page.request.get(address).headers["cache-control"] == "private, no-store"
    stranger = visit()
    assert stranger.context.request.get(address).status == 401
    stranger.log_in(*SANNE)
    assert stranger.context.request.get(address).status == 404


_FAILED = "image => image.complete && image.naturalWidth === 0"


def _is_drawn(photo: Locator) -> bool:
    expect(photo).to_have_js_property("complete", value=True)
    return photo.evaluate("image => image.naturalWidth > 0")


def test_f52_what_cannot_be_used_says_so_beside_its_name(at_files: Begin, tmp_path: Path) -> None:
    walking = at_files()
    page = walking.page
    large = tmp_path / "lang.mp4"
    with large.open("wb") as file:
        file.truncate(101 * 1024 * 1024)
    page.locator("#photos").set_input_files(str(large))
    expect(row(page, "lang.mp4")).to_contain_text("Dit bestand is te groot.")
    notified = page.locator(".toast")
    expect(notified).to_contain_text("Er ging iets fout bij het uploaden.")
    expect(notified).to_contain_text("lang.mp4: Dit bestand is te groot.")
    choose(page, payload("notities.txt"), payload("leeg.jpg", b""), payload("virus.jpg", files.PROGRAM))
    expect(row(page, "notities.txt")).to_contain_text("Dit soort bestand kunnen we niet gebruiken. Wel: JPG, PNG")
    expect(row(page, "leeg.jpg")).to_contain_text("Dit bestand is leeg.")
    expect(row(page, "virus.jpg")).to_contain_text("Dit soort bestand kunnen we niet gebruiken.")
    cut = files.jpg()
    choose(page, payload("half.jpg", cut[: len(cut) // 2]))
    expect(row(page, "half.jpg")).to_contain_text("Dit bestand is beschadigd of niet compleet.")
    expect(rows(page, "failed")).to_have_count(5)
    assert_accessible(page)
    choose(page, payload("goed.jpg"))
    expect(rows(page, "done")).to_have_count(1, timeout=UPLOAD)
    walking.next()
    expect(page.get_by_role("alert").filter(has_text="Niet elk bestand is geüpload.")).to_be_visible()
    walking.at(PHOTOS)
    for name in ("lang.mp4", "notities.txt", "leeg.jpg", "virus.jpg", "half.jpg"):
        row(page, name).get_by_role("button", name=f"Verwijder {name}").click()
    expect(rows(page)).to_have_count(1)
    walking.next()
    walking.at(ADDRESS_STEP)


def test_f52_five_fit_and_the_sixth_does_not(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *[payload(f"foto-{n}.jpg") for n in range(1, 7)])
    expect(page.locator(".toast")).to_contain_text("foto-6.jpg: Je kunt maximaal 5 bestanden toevoegen.")
    expect(rows(page, "done")).to_have_count(5, timeout=UPLOAD)
    expect(row(page, "foto-6.jpg")).to_contain_text("Je kunt maximaal 5 bestanden toevoegen.")
    row(page, "foto-6.jpg").get_by_role("button").click()
    row(page, "foto-2.jpg").get_by_role("button", name="Verwijder foto-2.jpg").click()
    expect(rows(page)).to_have_count(4)
    expect(row(page, "foto-3.jpg").get_by_role("button")).to_be_focused()
    choose(page, payload("foto-7.jpg"))
    expect(rows(page, "done")).to_have_count(5, timeout=UPLOAD)
    walking.next()
    walking.at(ADDRESS_STEP)


def test_f52_files_are_still_there_after_reloading_and_on_other_steps(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    page.reload()
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    page.get_by_role("link", name="Vorige stap").click()
    expect(page).to_have_url(re.compile(CASE.flow.url(MAINTENANCE)))
    page.go_back()
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    on_to_check(walking)
    page.locator(f"a[href*='{CASE.flow.url(PHOTOS)}?change=1']").click()
    choose(page, payload("nog een.jpg"))
    expect(rows(page, "done")).to_have_count(3, timeout=UPLOAD)
    page.get_by_role("link", name=walking.say("Back to the check")).click()
    expect(page.locator("main dl")).to_contain_text("nog een.jpg")


def test_f58_removing_the_last_file_asks(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2, timeout=UPLOAD)
    page.get_by_role("button", name="Verwijder geluid.mp4").click()
    expect(rows(page)).to_have_count(1)
    last = page.get_by_role("button", name="Verwijder schade voor.jpg")
    last.focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    expect(question.get_by_role("button", name="Bewaren")).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    last.click()
    question.get_by_role("button", name="Verwijder").click()
    expect(rows(page)).to_have_count(0)
    expect(page.locator("#photos")).to_be_focused()
    page.reload()
    expect(page.locator("#photos")).to_be_attached()
    expect(rows(page)).to_have_count(0)

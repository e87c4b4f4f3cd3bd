"""Files in a flow: chosen, on their way, there, refused, taken away, still there later (design: F39, F52, F58)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, FilePayload, Page, Route, expect

from tests.support import files
from tests.support.browser import Visit, Visitor, assert_accessible
from tests.support.flows import CASES, UPLOADED, Walk, count, forget_requests

CASE = next(case for case in CASES if case.flow.name == "repair-request")
SLUG = "step-4"
Begin = Callable[..., Walk]


@pytest.fixture
def at_files(visit: Visit) -> Iterator[Begin]:
    """A customer at the question for photos: `at_files(language="en", width=375)`."""
    opened: list[Visitor] = []

    def begin(**window: object) -> Walk:
        visitor = visit(**window)
        forget_requests(visitor.server)
        opened.append(visitor)
        visitor.log_in(*CASE.customer)
        walking = Walk(visitor, CASE)
        walking.until(SLUG)
        return walking

    yield begin
    for visitor in opened:
        forget_requests(visitor.server)


def payload(name: str, content: bytes | None = None) -> FilePayload:
    return {
        "name": name,
        "mimeType": "application/octet-stream",
        "buffer": files.jpg(80, 60) if content is None else content,
    }


def choose(page: Page, *chosen: FilePayload | str) -> None:
    page.locator("#photos").set_input_files(list(chosen))  # type: ignore[arg-type]


def rows(page: Page, state: str = ""):
    return page.locator(f"main li[data-state{f'={state}' if state else ''}]")


def row(page: Page, name: str):
    return rows(page).filter(has_text=name)


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


@pytest.mark.parametrize(("language", "width"), [("nl", 320), ("nl", 375), ("en", 1280)])
def test_f52_files_are_listed_with_picture_size_and_state(at_files: Begin, language: str, width: int) -> None:
    walking = at_files(language=language, width=width)
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2)
    expect(page.get_by_role("status").filter(has_text="2")).to_have_text(
        "2 van 2 geüpload" if language == "nl" else "2 of 2 uploaded"
    )
    picture = row(page, "schade voor.jpg").locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    expect(row(page, "geluid.mp4").locator("img")).to_have_count(0)
    expect(row(page, "geluid.mp4")).to_contain_text("kB")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    page.screenshot(path=f"/tmp/h/uploads-shots/done-{language}-{width}.png", full_page=True)
    walking.next()
    walking.at(walking.flow.check)
    shown = page.locator("main dl")
    expect(shown).to_contain_text("schade voor.jpg")
    expect(shown).to_contain_text("geluid.mp4")
    page.screenshot(path=f"/tmp/h/uploads-shots/check-{language}-{width}.png", full_page=True)


def test_f52_what_cannot_be_used_says_so_beside_its_name(at_files: Begin, tmp_path: Path) -> None:
    walking = at_files()
    page = walking.page
    large = tmp_path / "lang.mp4"
    with large.open("wb") as file:
        file.truncate(101 * 1024 * 1024)
    page.locator("#photos").set_input_files(str(large))
    expect(row(page, "lang.mp4")).to_contain_text("Dit bestand is te groot.")
    choose(page, payload("notities.txt"), payload("leeg.jpg", b""), payload("virus.jpg", files.PROGRAM))
    expect(row(page, "notities.txt")).to_contain_text("Dit soort bestand kunnen we niet gebruiken. Wel: JPG, PNG")
    expect(row(page, "leeg.jpg")).to_contain_text("Dit bestand is leeg.")
    expect(row(page, "virus.jpg")).to_contain_text("Dit soort bestand kunnen we niet gebruiken.")
    cut = files.jpg()
    choose(page, payload("half.jpg", cut[: len(cut) // 2]))
    expect(row(page, "half.jpg")).to_contain_text("Dit bestand is beschadigd of niet compleet.")
    expect(rows(page, "failed")).to_have_count(5)
    assert_accessible(page)
    page.screenshot(path="/tmp/h/uploads-shots/failed-nl-1280.png", full_page=True)
    choose(page, payload("goed.jpg"))
    expect(rows(page, "done")).to_have_count(1)
    walking.next()
    expect(page.get_by_role("alert").filter(has_text="Niet elk bestand is geüpload.")).to_be_visible()
    walking.at(SLUG)
    for name in ("lang.mp4", "notities.txt", "leeg.jpg", "virus.jpg", "half.jpg"):
        row(page, name).get_by_role("button", name=f"Verwijder {name}").click()
    expect(rows(page)).to_have_count(1)
    walking.next()
    walking.at(walking.flow.check)


def test_f52_five_fit_and_the_sixth_does_not(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *[payload(f"foto-{n}.jpg") for n in range(1, 7)])
    expect(rows(page, "done")).to_have_count(5)
    expect(row(page, "foto-6.jpg")).to_contain_text("Je kunt maximaal 5 bestanden toevoegen.")
    row(page, "foto-6.jpg").get_by_role("button").click()
    row(page, "foto-2.jpg").get_by_role("button", name="Verwijder foto-2.jpg").click()
    expect(rows(page)).to_have_count(4)
    expect(row(page, "foto-3.jpg").get_by_role("button")).to_be_focused()
    choose(page, payload("foto-7.jpg"))
    expect(rows(page, "done")).to_have_count(5)
    walking.next()
    walking.at(walking.flow.check)


def _held(page: Page) -> list[Route]:
    """Hold the bodies of files on their way."""
    held: list[Route] = []
    page.route(
        "**/files/uploads/*", lambda route: held.append(route) if route.request.method == "PUT" else route.continue_()
    )
    return held


def test_f39_f52_while_files_are_on_their_way_next_waits_and_leaving_asks(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    held = _held(page)
    choose(page, payload("een.jpg"), payload("twee.jpg"), payload("drie.jpg"))
    expect(rows(page, "sending")).to_have_count(2)
    expect(rows(page, "waiting")).to_have_count(1)
    bar = row(page, "een.jpg").get_by_role("progressbar", name="een.jpg")
    expect(bar).to_have_attribute("aria-valuetext", re.compile(r"^\d+%, [\d,]+ kB van [\d,]+ kB$"))
    assert_accessible(page)
    page.screenshot(path="/tmp/h/uploads-shots/sending-nl-1280.png", full_page=True)
    walking.next()
    expect(page.get_by_role("alert").filter(has_text="Er worden nog bestanden geüpload.")).to_be_visible()
    walking.at(SLUG)
    page.get_by_role("link", name="Naar overzicht").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Er worden nog bestanden geüpload.")
    page.keyboard.press("Escape")
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.close(run_before_unload=True)
    page.wait_for_timeout(500)
    assert dialogs == ["beforeunload"]
    row(page, "drie.jpg").get_by_role("button", name="Annuleer drie.jpg").click()
    expect(rows(page)).to_have_count(2)
    for route in held:
        route.continue_()
    expect(rows(page, "done")).to_have_count(2)
    walking.next()
    walking.at(walking.flow.check)


def test_f52_a_file_that_broke_off_can_be_tried_again(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    walking.visitor.troubles.allow("ERR_FAILED|ERR_CONNECTION|ERR_INTERNET")
    page.route(
        "**/files/uploads/*", lambda route: route.abort() if route.request.method == "PUT" else route.continue_()
    )
    choose(page, payload("fiets.jpg"))
    expect(row(page, "fiets.jpg")).to_contain_text("Er ging iets fout bij het uploaden.")
    page.unroute("**/files/uploads/*")
    again = page.get_by_role("button", name="Opnieuw proberen fiets.jpg")
    again.focus()
    page.keyboard.press("Enter")
    expect(rows(page, "done")).to_have_count(1)
    assert count(walking.visitor.server, "uploads") == 1


def test_f52_a_cancelled_file_leaves_nothing_behind(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    held = _held(page)
    choose(page, payload("weg.jpg"))
    expect(rows(page, "sending")).to_have_count(1)
    page.get_by_role("button", name="Annuleer weg.jpg").click()
    expect(rows(page)).to_have_count(0)
    assert held
    page.unroute("**/files/uploads/*")
    choose(page, payload("goed.jpg"))
    expect(rows(page, "done")).to_have_count(1)
    assert count(walking.visitor.server, "uploads") == 1


def test_f52_files_are_still_there_after_reloading_and_on_other_steps(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2)
    page.reload()
    expect(rows(page, "done")).to_have_count(2)
    page.get_by_role("link", name="Vorige stap").click()
    expect(page).to_have_url(re.compile("step-3"))
    page.go_back()
    expect(rows(page, "done")).to_have_count(2)
    walking.next()
    walking.at(walking.flow.check)
    page.locator(f"a[href*='{SLUG}?change=1']").click()
    choose(page, payload("nog een.jpg"))
    expect(rows(page, "done")).to_have_count(3)
    page.get_by_role("link", name="Terug naar controleren").click()
    expect(page.locator("main dl")).to_contain_text("nog een.jpg")


def test_f58_removing_the_last_file_asks(at_files: Begin) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2)
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


def test_files_go_along_and_are_shown_only_to_their_owner(at_files: Begin, visit: Visit) -> None:
    walking = at_files()
    page = walking.page
    choose(page, *UPLOADED)
    expect(rows(page, "done")).to_have_count(2)
    preview = row(page, "schade voor.jpg").locator("img").get_attribute("src") or ""
    walking.next()
    walking.at(walking.flow.check)
    walking.next()
    expect(page).to_have_url(re.compile("confirmation"))
    assert count(walking.visitor.server, "uploads", "request_key IS NOT NULL") == 2
    saved = page.request.get(preview.removesuffix("/preview"))
    assert saved.headers["content-disposition"].startswith("attachment;")
    assert saved.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in saved.headers["content-security-policy"]
    assert b"GEHEIM" not in saved.body()
    stranger = visit()
    assert stranger.context.request.get(preview).status == 401
    stranger.log_in("900000001", "sanne@example.com")
    for path in (preview, preview.removesuffix("/preview")):
        assert stranger.context.request.get(path).status == 404

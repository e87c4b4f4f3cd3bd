"""Forms: nothing typed is lost, sending is visible, errors are found (flow-standard F12-F16, F23, F28, F29)."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.journeys.gallery_page import Gallery

Open = Callable[..., Gallery]


def send(page: Page, name: str) -> None:
    """Type a name into the form that is posted, and send it."""
    page.locator("[name=name]").fill(name)
    page.locator("#edge").get_by_role("button").click()


def test_an_answer_never_leads_to_another_site(open_gallery: Open) -> None:
    gallery = open_gallery()
    page = gallery.open("/")
    send(page, "away")
    expect(page.locator("#result")).to_contain_text("example.org")
    expect(page).to_have_url(gallery.server.base_url + "/")


def test_a_second_press_sends_nothing_and_the_button_keeps_the_focus(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    waiting: list[Route] = []
    page.route("**/echo", lambda route: waiting.append(route))
    send(page, "ok")
    button = page.locator("#edge").get_by_role("button")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_have_text("Bezig met versturen…")
    expect(page.locator("#edge [role=status]")).to_have_text("Bezig met versturen…")
    expect(button).to_be_focused()
    button.click(force=True)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert len(waiting) == 1
    waiting[0].continue_()
    expect(page.locator("#result")).to_contain_text('"success":true')
    expect(button).not_to_have_attribute("aria-disabled", "true")


def test_an_event_form_sends_every_value_and_waits_for_the_answer(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    form = page.locator("#event")
    form.get_by_role("radio", name="Gratis").check()
    form.locator("textarea").fill("De ketting loopt er bij elke bocht af.")
    form.get_by_role("button").click()
    expect(form.get_by_role("button")).to_have_text("Bezig met versturen…")
    expect(page.locator("#sent")).to_contain_text('"method":"shop"')
    expect(page.locator("#sent")).to_contain_text('"country":"be"')
    expect(form.get_by_role("button")).not_to_have_attribute("aria-disabled", "true")
    expect(form.locator("textarea")).to_have_value("De ketting loopt er bij elke bocht af.")


def test_the_count_says_what_is_missing_left_or_too_many(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    for text, count in (
        ("x" * 29, "Nog 1 teken nodig"),
        (" " * 40, "Nog 30 tekens nodig"),
        ("x" * 30, "Nog 70 tekens over"),
        ("x" * 100, "Nog 0 tekens over"),
        ("👩‍🔧" * 30, "Nog 70 tekens over"),
        ("x" * 101, "1 teken te veel"),
        ("x" * 1200, "1.100 tekens te veel"),
    ):
        page.locator("textarea").fill(text)
        expect(page.locator("[data-count]")).to_have_text(count)
        expect(page.locator("textarea")).to_have_value(text)


def test_the_count_is_announced_after_a_pause(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    page.locator("textarea").fill("Piept")
    expect(page.locator("[data-count]")).to_have_attribute("aria-hidden", "true")
    expect(page.locator("[data-count] + [role=status]")).to_have_text("Nog 25 tekens nodig")

"""Header, menu, drawer, focus and banners of the shell (part-1 §2; flow-standard F37, F42-F48)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.gallery_page import Gallery
from tests.support.browser import assert_accessible

Open = Callable[..., Gallery]


def menu(page: Page) -> Locator:
    """The menu of a wide screen."""
    return page.locator("header nav").first


def test_the_skip_link_comes_first_and_leads_to_the_content(open_gallery: Open) -> None:
    page = open_gallery().open("/orders")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Ga naar de inhoud")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("/orders", "Bestellingen", "page"),
        ("/orders/12", "Bestellingen", "true"),
        ("/maintenance/12", "Serviceaanvragen", "true"),
    ],
)
def test_the_menu_says_where_the_visitor_is(open_gallery: Open, path: str, name: str, value: str) -> None:
    page = open_gallery().open(path)
    expect(page.locator("header nav").get_by_role("link", name=name)).to_have_attribute("aria-current", value)
    expect(page.locator("header nav [aria-current]:visible")).to_have_count(1)


def test_the_focus_follows_a_navigation_but_not_the_first_load(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    expect(page.locator("h1")).not_to_be_focused()
    page.get_by_role("navigation", name="Hoofdmenu").get_by_role("link", name="Bestellingen").click()
    expect(page.get_by_role("heading", level=1, name="Bestellingen")).to_be_focused()
    assert page.evaluate("scrollY") == 0
    page.get_by_role("link", name="further").click()
    page.wait_for_url("**/orders/12")
    expect(page.locator("h1")).to_be_focused()
    page.go_back()
    expect(page.locator("h1")).to_be_focused()


# What scripts leave for later comes after the next frame, as on a busy phone.
_BUSY = """() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...given) { setTimeout(() => post.apply(this, given), 150); };
}"""


def test_the_drawer_keeps_the_keyboard_and_gives_the_focus_back(open_gallery: Open) -> None:
    page = open_gallery(width=375).open("/orders")
    opener = page.get_by_role("button", name="Menu", exact=True)
    expect(opener).to_have_attribute("aria-expanded", "false")
    opener.click()
    drawer = page.get_by_role("dialog", name="Hoofdmenu")
    expect(drawer).to_be_visible()
    expect(drawer.get_by_role("button", name="Sluit menu")).to_be_focused()
    for _step in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(opener).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "false")


def test_the_drawer_closes_on_navigation_and_the_heading_gets_the_focus(open_gallery: Open) -> None:
    page = open_gallery(width=375).open("/maintenance/12")
    page.evaluate(_BUSY)
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("dialog").get_by_role("link", name="Bestellingen").click()
    page.wait_for_url("**/orders")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("h1")).to_be_focused()


def test_the_drawer_closes_when_the_screen_becomes_wide(open_gallery: Open) -> None:
    page = open_gallery(width=375).open("/orders")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_low_screen_keeps_no_bar_and_paper_has_the_shop_s_address_instead(open_gallery: Open) -> None:
    page = open_gallery().open("/orders")
    header = page.locator("header").first
    expect(header).to_have_css("position", "sticky")
    page.set_viewport_size({"width": 640, "height": 400})
    expect(header).to_have_css("position", "static")
    page.emulate_media(media="print")
    expect(header).to_be_hidden()
    expect(page.get_by_text("Vredenburg 40, 3511 BD Utrecht")).to_be_visible()
    expect(page.locator("footer").get_by_role("heading", name="Bovenbuis")).to_be_visible()
    expect(page.locator("footer li").first).to_be_hidden()
    expect(page.locator("footer").last).to_have_css("break-inside", "avoid")
    expect(page.locator("main h1")).to_be_visible()


def test_colours_of_the_visitor_leave_buttons_an_edge_and_show_what_is_chosen(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    button = page.locator(".btn-primary").first
    expect(button).to_have_css("border-top-width", "0px")
    page.emulate_media(forced_colors="active")
    expect(button).to_have_css("border-top-width", "1px")
    group = page.get_by_role("group", name="Bezorgwijze")
    group.get_by_role("radio", name="Gratis").check()
    chosen = group.locator(".choice, .option-panel").filter(has=page.get_by_role("radio", name="Gratis"))
    expect(chosen).to_have_css("outline-width", "3px")
    other = group.locator(".choice, .option-panel").filter(has=page.get_by_role("radio", name="€ 39,95"))
    expect(other).not_to_have_css("outline-style", "solid")


_FOOTER = """() => {
    const lines = [...document.querySelectorAll('footer :is(h2, dt, dd, a)')];
    const boxes = lines.map(line => {
        const range = document.createRange();
        range.selectNodeContents(line);
        const column = line.closest('section').getBoundingClientRect();
        return {text: line.innerText, box: range.getBoundingClientRect(), column};
    });
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const wide = boxes.filter(({box, column}) => box.right > column.right + 1);
    const wrong = wide.map(({text}) => text + ' leaves its column');
    boxes.forEach((one, at) => boxes.slice(at + 1).forEach(other => {
        if (meet(one.box, other.box)) wrong.push(one.text + ' lies on ' + other.text);
    }));
    return wrong;
}"""


def test_nothing_in_the_footer_lies_on_anything_else(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    assert page.locator("footer a").count() > 3
    for width in (320, 375, 768, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(_FOOTER) == []


def test_a_page_that_breaks_leaves_the_shell_and_says_so(open_gallery: Open) -> None:
    gallery = open_gallery()
    gallery.troubles.allow("drawn wrongly")
    page = gallery.open("/orders")
    page.get_by_role("link", name="broken").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Deze pagina kon niet worden getoond")
    page.get_by_role("navigation", name="Hoofdmenu").get_by_role("link", name="Bestellingen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bestellingen")


def test_an_ended_session_loads_the_page_anew_once(open_gallery: Open) -> None:
    page = open_gallery().open("/")
    with page.expect_event("load"):
        page.get_by_role("button", name="sign out").click()
    page.evaluate("window.after = true")
    page.wait_for_timeout(1500)
    assert page.evaluate("window.after")


def test_a_lost_server_is_reported_and_typing_goes_on(open_gallery: Open) -> None:
    gallery = open_gallery()
    gallery.troubles.allow("ERR_CONNECTION_REFUSED|WebSocket")
    page = gallery.open("/")
    page.locator("[name=name]").fill("half")
    gallery.server.stop()
    banner = page.locator("[data-connection]")
    expect(banner).to_have_text("Geen verbinding. Je antwoorden blijven staan; we proberen het opnieuw.")
    assert_accessible(page, "[data-connection]")
    page.locator("[name=name]").press_sequentially(" way")
    gallery.server.start()
    expect(banner).to_have_text("Weer verbonden.")
    expect(banner).to_have_text("")
    expect(page.locator("[name=name]")).to_have_value("half way")


def test_a_browser_that_says_it_is_offline_is_believed(open_gallery: Open) -> None:
    gallery = open_gallery()
    gallery.troubles.allow("ERR_INTERNET_DISCONNECTED")  # the font may still be on its way
    page = gallery.open("/orders")
    page.context.set_offline(True)
    expect(page.locator("[data-connection=lost]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[data-connection=back]")).to_have_text("Weer verbonden.")


@pytest.mark.parametrize(("language", "width"), [("nl", 1280), ("en", 768), ("en", 375), ("nl", 320)])
def test_every_component_is_accessible_and_fits_the_screen(open_gallery: Open, language: str, width: int) -> None:
    page = open_gallery(language=language, width=width).open("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert_accessible(page)

"""Questions, answers and errors in every flow (design: F12 to F22)."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from portal.domain.flow import Control
from tests.support.flows import Walking


def _summary(page: Page) -> list[str]:
    return page.locator("main [role=group][aria-labelledby=error-summary] a").all_inner_texts()


def _inline(page: Page) -> list[str]:
    return page.evaluate(
        "() => [...document.querySelectorAll('main form [id$=\"-error\"]')].map(e => e.lastChild.textContent)"
    )


def test_f12_nothing_is_checked_before_next_is_pressed(walk: Walking) -> None:
    walking = walk()
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        walking.fill(walking.case.wrong[step.slug])
        walking.page.keyboard.press("Tab")
        assert not _inline(walking.page)
        expect(walking.page.locator("[aria-invalid=true]")).to_have_count(0)
        walking.next()
        expect(walking.page.locator("[aria-labelledby=error-summary]")).to_be_visible()
        walking.page.reload()
        walking.answer(step.slug)


def test_f13_the_summary_names_and_links_every_error_in_the_same_words(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        walking.fill(walking.case.wrong[step.slug])
        walking.next()
        box = page.locator("[aria-labelledby=error-summary]")
        expect(box).to_be_focused()
        expect(box.get_by_role("heading")).to_have_text("Niet alle velden zijn goed ingevuld.")
        expect(box.locator("[role=alert]")).to_have_count(1)
        assert _summary(page)
        assert _summary(page) == _inline(page)
        above = "(([a, b]) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING)"
        assert page.evaluate(f"{above}([document.querySelector('#error-summary'), document.querySelector('h1')])")
        for link in box.get_by_role("link").all():
            name = (link.get_attribute("href") or "").removeprefix("#")
            link.click()
            assert page.evaluate("document.activeElement.name") == name
            label = page.locator("label").filter(has=page.locator(":focus")).or_(page.locator(f"label[for='{name}']"))
            expect(label.first).to_be_in_viewport()
        page.reload()
        walking.answer(step.slug)


def test_f14_a_wrong_field_is_tied_to_its_error(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        walking.fill(walking.case.wrong[step.slug])
        walking.next()
        expect(page.locator("[aria-labelledby=error-summary]")).to_be_visible()
        for error in page.locator("main form [id$='-error']").all():
            identifier = error.get_attribute("id") or ""
            tied = page.locator(f"[aria-describedby~='{identifier}']")
            expect(tied).to_have_count(1)
            assert error.inner_text().startswith("Fout:")
            if tied.evaluate("e => e.tagName") != "FIELDSET":
                expect(tied).to_have_attribute("aria-invalid", "true")
                assert tied.evaluate("e => getComputedStyle(e).borderTopWidth") == "3px"
        page.reload()
        expect(page.locator("[aria-invalid=true]")).to_have_count(0)
        walking.answer(step.slug)


def test_f15_nothing_that_was_typed_is_cleared_by_an_error(walk: Walking) -> None:
    walking = walk()
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        walking.fill(walking.case.wrong[step.slug])
        names = [field.name for field in step.fields]
        before = walking.values(*names)
        walking.next()
        expect(walking.page.locator("[aria-labelledby=error-summary]")).to_be_visible()
        assert walking.values(*names) == before
        walking.page.reload()
        walking.answer(step.slug)


def test_f16_the_button_is_never_disabled(walk: Walking) -> None:
    walking = walk()
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        expect(walking.button).to_be_enabled()
        assert walking.button.get_attribute("aria-disabled") is None
        walking.answer(step.slug)
    walking.at(walking.flow.check)
    expect(walking.button).to_be_enabled()


def test_f19_fields_have_the_right_keyboard_and_are_never_numbers(walk: Walking) -> None:
    walking = walk()
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        expect(walking.page.locator("main [type=number]")).to_have_count(0)
        for field in step.fields:
            control = walking.page.locator(f'[name="{field.name}"]').first
            if field.control in {Control.DIGITS, Control.DECIMAL}:
                expect(control).to_have_attribute("inputmode", {"digits": "numeric"}.get(field.control, "decimal"))
            if field.control in {Control.LINE, Control.DIGITS}:
                expect(control).to_have_attribute("autocomplete", field.autocomplete)
        walking.answer(step.slug)


def test_f21_nothing_is_chosen_beforehand_and_the_keyboard_chooses(walk: Walking) -> None:
    walking = walk()
    page = walking.page
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        expect(page.locator("main form input:checked")).to_have_count(0)
        radios = page.get_by_role("radio")
        if radios.count() > 1:
            radios.first.focus()
            page.keyboard.press("Space")
            page.keyboard.press("ArrowDown")
            expect(radios.nth(1)).to_be_checked()
        for group in page.locator("main form fieldset").all():
            assert group.evaluate("e => Boolean(e.querySelector('legend') || e.getAttribute('aria-labelledby'))")
        page.reload()
        walking.answer(step.slug)


def test_f22_choosing_goes_nowhere(walk: Walking) -> None:
    walking = walk()
    walking.start()
    for step in walking.case.steps:
        walking.at(step)
        url = walking.page.url
        walking.fill(walking.case.answers[step.slug])
        walking.page.wait_for_timeout(300)
        assert walking.page.url == url
        walking.next()
    walking.at(walking.flow.check)

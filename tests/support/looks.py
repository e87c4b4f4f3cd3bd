"""What a tour reads of a page: one script, so that a page is asked once."""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize

LOOK = """back => {
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const headings = all('h1');
    const button = document.querySelector('main form:not([role=search]) button[type=submit]');
    const box = button?.getBoundingClientRect();
    const summary = document.querySelector('[aria-labelledby=error-summary]');
    const bordered = control => control.type === 'file' ? control.parentElement : control;
    const errors = all('main form [id$="-error"]');
    return {
        title: document.title,
        headings: headings.map(heading => heading.innerText),
        counter: document.querySelector('hgroup p')?.innerText ?? '',
        back: all('nav a').find(link => link.textContent.includes(back))?.getAttribute('href') ?? '',
        checked: all('main form input:checked').length,
        unnamed: all('main form fieldset').filter(e => !e.querySelector('legend') && !e.ariaLabelledByElements?.length
            && !e.getAttribute('aria-labelledby')).length,
        controls: Object.fromEntries(all('main form [name]').map(e => [e.name, {
            type: e.type, inputmode: e.getAttribute('inputmode'), autocomplete: e.getAttribute('autocomplete')}])),
        button: box && {text: button.innerText, disabled: button.disabled,
            ariaDisabled: button.getAttribute('aria-disabled'),
            height: box.height, width: box.width, seen: box.top >= 0 && box.bottom <= innerHeight + 1},
        invalid: all('main [aria-invalid=true]').length,
        trackers: all('main ol').map(list => [all('li', list).length, all('[aria-current=step]', list).length]),
        marked: all('main ol:not(.tracker) [aria-current]').length,
        tracker_count: all('main .tracker').length,
        help: all('footer a').map(link => link.protocol + link.pathname).concat(
            document.querySelector('main').compareDocumentPosition(document.querySelector('footer'))),
        rows: all('main dl > div').length,
        beside: document.querySelector('main aside') && {
            changes: [...new Set(all('main aside dl a').map(link => link.getAttribute('href')))],
            calls: all('main aside a[href^="tel:"]').length},
        text: document.querySelector('main').innerText,
        summary: summary && {
            focused: document.activeElement === summary,
            heading: summary.querySelector('h2')?.innerText,
            alerts: all('[role=alert], [aria-live=assertive]').filter(e => e.innerText.trim()).length,
            links: all('a', summary).map(link => link.innerText),
            above: Boolean(summary.compareDocumentPosition(headings[0]) & Node.DOCUMENT_POSITION_FOLLOWING)},
        inline: errors.map(error => error.lastChild.textContent),
        tied: errors.map(error => {
            const control = all(`[aria-describedby~="${error.id}"]`);
            return {text: error.innerText, count: control.length, group: control[0]?.tagName === 'FIELDSET',
                invalid: control[0]?.getAttribute('aria-invalid'),
                border: control[0] && getComputedStyle(bordered(control[0])).borderTopWidth};
        }),
    };
}"""
"""Called with the text of the way back."""

A_THIRD = 1 / 3
"""Largest share of the main area of a question without anything in it."""

_EMPTY = """() => {
    const main = document.querySelector('main').getBoundingClientRect();
    const seen = 'h1, h2, h3, p, li, label, legend, dt, dd, input, textarea, select, button, a, img, [class*=card]';
    // A column that scrolls by itself shows no more than has room in it.
    const shown = e => {
        const {left, right, top, bottom} = e.getBoundingClientRect();
        const end = e.closest('aside')?.getBoundingClientRect().bottom ?? bottom;
        return {left, right, top, bottom: Math.min(bottom, end)};
    };
    const blocks = [...document.querySelectorAll(`main :is(${seen})`)]
        .map(shown).filter(box => box.right - box.left > 1 && box.bottom - box.top > 1);
    const [left, top] = [Math.min(...blocks.map(box => box.left)), Math.min(...blocks.map(box => box.top))];
    const right = main.right - (left - main.left);
    const bottom = Math.max(...blocks.map(box => box.bottom));
    // What follows the reader stands beside everything.
    for (const e of document.querySelectorAll('main *')) {
        const box = e.getBoundingClientRect();
        if (getComputedStyle(e).position !== 'sticky' || box.height > innerHeight) continue;
        blocks.push({left: box.left, right: box.right, top: box.top, bottom});
    }
    const near = 16;  // What stands between two lines or two cards is not empty.
    const filled = (x, y) => blocks.some(box =>
        x > box.left - near && x < box.right + near && y > box.top - near && y < box.bottom + near);
    let [empty, points] = [0, 0];
    for (let x = left + 8; x < right; x += 16) for (let y = top + 8; y < bottom; y += 16) {
        points += 1;
        empty += !filled(x, y);
    }
    return empty / points;
}"""
"""The share of the main area that holds nothing: from its first to its last block, and from margin to margin."""

MOST_BYTES = 40_000
"""Bytes of all pictures in the first screen of a page."""

PICTURES = """() => {
    const inScreen = img => img.checkVisibility() && img.getBoundingClientRect().top < innerHeight;
    const shown = [...document.querySelectorAll('img:is(.picture, .thumbnail)')].filter(inScreen);
    const wanted = new Set(shown.map(img => img.currentSrc));
    const sizes = performance.getEntriesByType('resource').filter(entry => wanted.has(entry.name));
    return {
        count: shown.length,
        loaded: shown.every(img => img.complete && img.naturalWidth > 0),
        bytes: sizes.reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    };
}"""
"""How many pictures stand in the first screen, whether they have come, and their bytes."""


_WIDE_SCREENS = (ViewportSize(width=1280, height=800), ViewportSize(width=1280, height=900))


def emptiest(page: Page) -> float:
    """The largest share of the main area that holds nothing, on wide screens. The page keeps its size."""
    before, shares = page.viewport_size, []
    for screen in _WIDE_SCREENS:
        page.set_viewport_size(screen)
        shares.append(page.evaluate(_EMPTY))
    if before:
        page.set_viewport_size(before)
    return max(shares)


def assert_filled(page: Page) -> None:
    """Check that a question leaves at most a third of a wide screen empty. The page keeps its size."""
    share = emptiest(page)
    assert share <= A_THIRD, f"{page.url}: {share:.2f} is empty"

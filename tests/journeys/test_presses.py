"""How many presses the most frequent tasks take: clicks, taps and Enter; what is typed does not count."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.journeys.delivery_steps import DAAN, FREE, forget_requests
from tests.support.browser import Visitor
from tests.support.files import jpg
from tests.support.stored import count, execute
from tests.support.walks import SEND, UPLOAD

SANNE = ("900000001", "sanne@example.com")
REPAIR, RETURN, DELIVERY_DAY = 12, 8, 4
"""Most presses from the dashboard: to send a repair, to return one accessory, and to be mailed about another day."""

PHOTO: FilePayload = {"name": "band.jpg", "mimeType": "image/jpeg", "buffer": jpg()}

pytestmark = pytest.mark.usefixtures("nothing_sent")


class Presses:
    """A customer who starts on the dashboard, and whose presses are counted."""

    def __init__(self, visitor: Visitor) -> None:
        self.page: Page = visitor.page()
        self.number = 0
        self.page.goto("/dashboard")

    def press(self, target: Locator) -> None:
        """Press a link, a button or a choice."""
        target.click()
        self.number += 1

    def send(self) -> None:
        """Press the button of a step."""
        self.press(self.page.locator(SEND))

    def next(self, step: str) -> None:
        """Press Next, and wait for the step after it."""
        self.send()
        self.at(step)

    def at(self, heading: str) -> None:
        """Wait for a page."""
        expect(self.page.locator("h1")).to_have_text(heading)

    @contextmanager
    def choosing_files(self, *files: FilePayload) -> Iterator[None]:
        """Give files to the dialog that a press opens; what happens in it belongs to the device."""
        with self.page.expect_file_chooser() as opened:
            yield
        opened.value.set_files(list(files))
        expect(self.page.locator("main li[data-state=done]")).to_have_count(len(files), timeout=UPLOAD)


def test_a_repair_is_reported_in_twelve_presses(visitor: Visitor) -> None:
    # A new bike takes two fewer: it is not asked for its last service.
    execute(visitor.server, "UPDATE bikes SET delivered_on = '2020-01-01'")
    visitor.log_in(*SANNE)
    customer = Presses(visitor)
    page = customer.page
    customer.press(page.get_by_role("main").get_by_role("link", name="Reparatie aanmelden"))
    customer.at("Reparatie aanmelden")
    customer.press(page.get_by_role("button", name=re.compile("^Kiezen ?: ")).first)
    customer.at("Wat is er kapot?")
    customer.press(page.get_by_role("button", name="Lekke band"))
    expect(page.get_by_role("checkbox", name="Wielen of banden")).to_be_checked()
    customer.next("Wanneer had je fiets de laatste servicebeurt?")
    customer.press(page.get_by_text("Nog geen servicebeurt gehad", exact=True))
    customer.next("Kun je laten zien wat er kapot is?")
    with customer.choosing_files(PHOTO):
        customer.press(page.locator("main label.btn"))
    customer.next("Klopt je adres?")
    customer.next("Waar wil je je fiets laten repareren?")
    expect(page.locator("main input[name=location]:checked")).to_have_count(1)
    customer.next("Hoe komt je fiets bij de werkplaats?")
    customer.next("Controleer je aanvraag")
    expect(page.get_by_role("main")).to_contain_text("De band is lek")
    customer.send()
    customer.at("Je reparatie is aangemeld")
    assert count(visitor.server, "requests", "status = 'new' AND kind = 'repair'") >= 1
    assert customer.number <= REPAIR


def test_an_accessory_is_returned_in_eight_presses(visitor: Visitor) -> None:
    visitor.log_in(*SANNE)
    customer = Presses(visitor)
    page = customer.page
    before = count(visitor.server, "returns")
    customer.press(page.get_by_role("main").get_by_role("link", name="Retourneren of omruilen"))
    customer.press(page.locator("main li", has_text="Dubbele fietstas").get_by_role("button"))
    customer.at("Waarom stuur je dit terug?")
    customer.press(page.locator("main input[name=fault][value=none]"))
    customer.press(page.get_by_role("button", name="Ik heb te veel besteld, of het verkeerde."))
    customer.press(page.locator("main input[name=state]").first)
    customer.next("Hoe wil je je accessoires retourneren?")
    expect(page.locator("main input:checked")).to_have_count(2)
    customer.next("Controleer je retour")
    customer.send()
    customer.at("Je retour is aangemeld")
    assert count(visitor.server, "returns") == before + 1
    assert customer.number <= RETURN


def test_a_delivery_day_is_changed_in_four_presses(visitor: Visitor) -> None:
    forget_requests(visitor.server)
    visitor.log_in(*DAAN)
    customer = Presses(visitor)
    page, before = customer.page, len(visitor.server.mailbox.mails_to(DAAN[1]))
    customer.press(page.locator(f"main a[href$='/order-status/{FREE}']").first)
    expect(page).to_have_url(re.compile(f"/order-status/{FREE}$"))
    customer.press(page.get_by_role("link", name="Bezorgdag wijzigen"))
    customer.at("Bezorgdag wijzigen")
    customer.press(page.locator("main table a").last)
    customer.at("Controleer je nieuwe bezorgdag")
    customer.send()
    visitor.server.mailbox.wait_for(DAAN[1], after=before)
    assert customer.number <= DELIVERY_DAY
    forget_requests(visitor.server)

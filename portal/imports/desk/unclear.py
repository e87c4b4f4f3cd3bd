"""The page of orders whose amounts do not add up."""

import reflex as rx

from portal import ui
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.state import DeskPage
from portal.desk.tables import cell, listing, open_link, table_pages, table_row
from portal.desk.views import desk_loaded, desk_page, title
from portal.frontend.load import Paginated, Question, page_asked
from portal.i18n import _, day, money
from portal.imports.api import ImportsApi, ImportSearch, UnclearOrder
from portal.staff.desk.customers import CUSTOMERS
from portal.vocabulary.staff import Right

UNCLEAR = "/imports/unclear"


class UnclearPage(Paginated, DeskPage, rx.State):
    """The orders whose amounts do not add up, the newest first."""

    lines: rx.Field[list[UnclearOrder]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[UnclearOrder]]:
        asked = ImportSearch(page=page_asked(self))
        return lambda token: ask(ImportsApi).unclear_orders(token, asked)

    def _show(self, answer: Page[UnclearOrder]) -> None:
        self._count(answer)
        self.lines = answer.items


def unclear() -> rx.Component:
    page = UnclearPage
    heads = (_("Order"), _("Lines and costs"), _("Total"), _("Paid"), _("Refunded"))
    table = listing(
        page.lines,
        heads,
        _row,
        label=_("Orders that don’t add up"),
        numbers={1, 2, 3, 4},
        empty=ui.empty_state(_("All orders add up"), _("An order whose amounts contradict each other is listed here.")),
        pages=table_pages(page, lambda number: rx.Var.create(f"{UNCLEAR}?page=").to(str) + number.to(str)),
    )
    return desk_page(
        ui.text(
            _(
                "The customer is not asked for money, and a second person confirms each refund. Correct the order in "
                "the shop, and import it again."
            ),
            look="max-w-prose",
            bottom=4,
        ),
        desk_loaded(page, table, failure=_("The orders couldn’t be loaded.")),
        heading=_("Orders that don’t add up"),
    )


def _row(line: rx.vars.ObjectVar[UnclearOrder], place: rx.Var[int]) -> rx.Component:
    customer = rx.Var.create(f"{CUSTOMERS}/").to(str) + line.customer_id.to(str)
    return table_row(
        cell(open_link(line.order_number, customer), below=day(line.ordered_on)),
        cell(money(line.parts), label=_("Lines and costs"), number=True),
        cell(money(line.total), label=_("Total"), number=True),
        cell(money(line.paid), label=_("Paid"), number=True),
        cell(money(line.refunded), label=_("Refunded"), number=True),
        key=place.to_string(),
    )


NAVIGATION = (NavigationItem(_("Orders that don’t add up"), UNCLEAR, SHOP, Right.MANAGE_SHOP),)

PAGES = [DeskRoute(UNCLEAR[1:], unclear, title(_("Orders that don’t add up")), on_load=[UnclearPage.load])]

"""The page of one case: what the customer asked, what comes next, and what staff know about it."""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.cases.api import MAX_NOTE_LENGTH
from portal.cases.desk.case_components import assignment, bike_panel, corrections_panel, is_open, next_step
from portal.cases.desk.case_state import CasePage
from portal.cases.desk.queue_state import LastList
from portal.cases.desk.rows import promise
from portal.cases.models import CaseCustomer, CaseFile, CaseLink, StaffName, TimelineEntry
from portal.contract.account import Account, AccountHandover, LocalizedText
from portal.conversations.desk.components import talk
from portal.desk.registry import DeskRoute
from portal.desk.session import may
from portal.desk.views import (
    back_line,
    case_links,
    desk_loaded,
    desk_page,
    file_tile,
    grouped,
    pairs,
    panel,
    split,
    title,
    unbroken,
)
from portal.frontend.accounts import account_facts, amounts_box, chosen_way, fact_rows
from portal.i18n import Text, _, choice, localized, moment
from portal.kernel.codes import MESSAGES, Code
from portal.staff.desk.customer_parts import (
    Reveal,
    email_refused_notice,
    hidden_pairs,
    hides_on_leaving,
    shop_values_notice,
)
from portal.staff.desk.customers import CUSTOMERS
from portal.vocabulary.cases import CASE_LABELS, CaseKind
from portal.vocabulary.staff import Right


def unsafe_battery() -> rx.Component:
    shown, customer = CasePage.case, CasePage.case.customer.to(CaseCustomer)
    call = rx.cond(
        customer.phone,
        ui.text(
            _("Call {name} now:", name=customer.name),
            " ",
            ui.anchor(customer.phone, href=customer.call, class_name="desk-target font-semibold"),
        ),
        ui.text(_("There’s no phone number. Write to {name} now.", name=customer.name)),
    )
    return ui.stack(
        ui.notice(call, title=_("The battery is unsafe"), tone="err"), bottom=4, shown=shown.urgent & is_open()
    )


def timeline_panel() -> rx.Component:
    def line(event: rx.vars.ObjectVar[TimelineEntry]) -> rx.Component:
        who = rx.cond(
            event.who != "",
            rx.cond(event.by_customer, _("{name} for the customer", name=event.who), event.who),
            rx.cond(event.by_customer, _("customer"), _("portal")),
        )
        return rx.el.li(
            rx.el.span(
                class_name="absolute left-0 top-1.5 size-2.5 rounded-pill border-2 border-ink bg-white",
                aria_hidden="true",
            ),
            rx.el.span(localized(event.label)),
            rx.cond(localized(event.text) != "", rx.el.span(": ", localized(event.text))),
            " ",
            rx.el.span(moment(event.happened_at), " · ", who, class_name="text-sm text-ink-600"),
            ui.note(event.message),
            class_name="relative pb-2 pl-5",
        )

    return panel(_("Timeline"), rx.el.ol(rx.foreach(CasePage.case.events.to(list[TimelineEntry]).reverse(), line)))


def customer_panel() -> rx.Component:
    customer: rx.vars.ObjectVar[CaseCustomer] = CasePage.case.customer.to(CaseCustomer)
    return panel(
        _("Customer"),
        ui.when(
            customer,
            ui.strong(
                rx.cond(
                    may(Right.ACT_FOR_CUSTOMERS),
                    rx.el.a(
                        customer.name,
                        to=rx.Var.create(f"{CUSTOMERS}/").to(str) + customer.customer_id.to(str),
                        class_name="desk-target",
                    ),
                    customer.name,
                )
            ),
            ui.muted(_("Customer of {shop}", shop=customer.shop), shown=customer.shop != ""),
            rx.cond(
                customer.phone != "",
                ui.text(ui.anchor(customer.phone, href=customer.call, class_name="desk-target")),
                ui.muted(_("No phone number")),
            ),
            rx.cond(
                customer.email != "",
                ui.text(
                    ui.anchor(
                        customer.email,
                        href=rx.Var.create("mailto:").to(str) + customer.email.to(str),
                        class_name="desk-target break-all",
                    )
                ),
                ui.text(_("No email address: call or write a letter."), look="text-warn"),
            ),
            email_refused_notice(customer.email_refused),
            ui.muted(
                unbroken(customer.address.to(list[str]).join(", ")),
                ui.when(
                    customer.map_url != "",
                    " · ",
                    ui.anchor(_("map"), href=customer.map_url, target="_blank", class_name="underline"),
                ),
            ),
            shop_values_notice(customer.shop_values),
            otherwise=ui.text(_("The customer is not known.")),
        ),
    )


def handover_panel() -> rx.Component:
    way = CasePage.case.account.handover.to(AccountHandover)
    return panel(
        rx.cond(CasePage.case.kind == CaseKind.DATE_CHANGE.value, _("Delivery"), _("Handover")),
        ui.text(_("The customer reads:"), " ", rx.el.q(chosen_way(way))),
        ui.muted(
            rx.foreach(way.place.to(list[str]), lambda line: ui.line(line)),
            rx.cond(localized(way.country) != "", ui.line(localized(way.country))),
        ),
        ui.if_text(localized(way.when), look="first-letter:uppercase"),
        shown=way,
    )


def case() -> rx.Component:
    shown = CasePage.case
    hidden, others = shown.hidden.to(list[str]), shown.others.to(list[CaseLink])
    return desk_page(
        hides_on_leaving(),
        desk_loaded(
            CasePage,
            rx.fragment(
                _changed(),
                unsafe_battery(),
                split(
                    [
                        rx.el.div(
                            ui.block(_photos()),
                            rx.el.div(
                                talk(CasePage, longest_note=MAX_NOTE_LENGTH, elsewhere=_elsewhere()),
                                class_name="min-w-0 xl:col-start-2 xl:row-span-2 xl:row-start-1",
                            ),
                            rx.el.div(_found(), _request(), timeline_panel(), class_name="min-w-0 space-y-4"),
                            class_name="grid gap-4 xl:grid-cols-2 xl:grid-rows-[auto_1fr]",
                        )
                    ],
                    [
                        assignment(),
                        customer_panel(),
                        bike_panel(),
                        rx.cond(hidden, panel(_("Hidden data"), pairs(*hidden_pairs(hidden, CasePage.case_path)))),
                        corrections_panel(),
                        handover_panel(),
                        rx.cond(others, panel(_("Other cases of this customer"), case_links(others))),
                    ],
                    first=next_step(),
                ),
            ),
            failure=_("The case couldn’t be loaded."),
        ),
        heading=rx.cond(shown, rx.cond(_who_and_what() != "", _who_and_what(), _name()), _("Case")),
        count=rx.cond(shown, _line()),
        beside=rx.cond(
            CasePage.also_here.length() > 0,
            rx.el.span(_("Also here: {names}", names=CasePage.also_here.join(", ")), role="status"),
        ),
        back=back_line(
            rx.cond(LastList.searched, _("Back to the search results"), _("Back to the list")),
            LastList.address,
            _neighbours(),
        ),
    )


def _neighbours() -> rx.Component:
    around = CasePage.around

    def link(text: Text, address: rx.Var[str], key: str) -> rx.Component:
        return rx.cond(
            address != "",
            rx.el.a(
                text,
                rx.el.kbd(key, class_name="ml-1 max-lg:hidden"),
                to=address,
                class_name="inline-flex min-h-8 items-center underline pointer-coarse:min-h-11",
                custom_attrs={"data-key": key},
            ),
        )

    return ui.when(
        around.place.to(int) > 0,
        rx.el.span(_("{x} of {y}", x=around.place, y=around.total), class_name="tabular-nums"),
        link(_("Previous"), around.previous, "k"),
        link(_("Next"), around.following, "j"),
    )


def _name() -> rx.Var[str]:
    """Kind and reference."""
    return _("{kind} {reference}", kind=_kind(), reference=grouped(CasePage.case.reference))


def _who_and_what() -> rx.Var[str]:
    shown = CasePage.case
    name, item = rx.cond(shown.customer, shown.customer.to(CaseCustomer).name, "").to(str), shown.item.to(str)
    return name + rx.cond((name != "") & (item != ""), " · ", "").to(str) + item


def _kind() -> rx.Var[str]:
    return choice(CasePage.case.kind, CASE_LABELS)


def _line() -> rx.Component:
    shown = CasePage.case
    return rx.el.span(
        rx.cond(_who_and_what() != "", rx.el.span(_name(), " ")),
        ui.badge(localized(shown.status_label), shown.tone.to(str)),
        rx.cond(shown.urgent, rx.el.span(" ", ui.badge(_("Urgent"), "err"))),
        rx.cond(
            CasePage.promise != "",
            rx.el.span(" ", _("promised:"), " ", promise(CasePage.promise, shown), class_name="font-normal"),
        ),
        rx.cond(
            shown.opened_by,
            rx.el.span(
                " · ",
                _("sent by {name} for the customer", name=shown.opened_by.to(StaffName).name),
                class_name="font-normal",
            ),
        ),
    )


def _changed() -> rx.Component:
    return rx.cond(
        CasePage.changed.length() > 0,
        ui.stack(
            ui.notice(
                ui.text(_("Your change wasn’t made. Look at the case as it is now, then decide again.")),
                ui.item_list(
                    CasePage.changed,
                    lambda event: rx.el.li(
                        rx.cond(event.who != "", event.who, rx.cond(event.by_customer, _("Customer"), _("Portal"))),
                        ": ",
                        localized(event.label),
                        " ",
                        localized(event.text),
                        " · ",
                        moment(event.happened_at),
                    ),
                    top=2,
                    look="list-disc pl-5",
                ),
                title=_("Someone else changed this case"),
                tone="warn",
                announced=True,
            ),
            bottom=4,
        ),
    )


def _found() -> rx.Component:
    """What staff found when a return arrived."""
    found = CasePage.case.found
    return rx.cond(found, panel(_("What arrived"), fact_rows(found)))


def _request() -> rx.Component:
    """What the customer told us, and what the customer was told."""
    account = CasePage.case.account.to(Account)
    phases, phase = account.phases.to(list[dict[str, str]]), account.phase.to(int)
    # After the last phase all of them are done.
    number = rx.cond(phase < phases.length(), phase + 1, phases.length()).to(int)
    return panel(
        _("Request"),
        account_facts(account),
        amounts_box(account, _("Amounts")),
        ui.small(
            _("What the customer reads in the portal:"),
            " ",
            rx.el.q(localized(account.meaning)),
            top=4,
            shown=localized(account.meaning) != "",
        ),
        ui.small(
            _(
                "The customer is shown phase {x} of {y}: {name}",
                x=number,
                y=phases.length(),
                name=localized(phases[number - 1]),
            ),
            top=2,
            shown=number > 0,
        ),
        rx.cond(
            account.next_steps,
            rx.el.details(
                rx.el.summary(_("What the customer was told to expect"), class_name="cursor-pointer"),
                rx.el.ol(
                    rx.foreach(account.next_steps.to(list[LocalizedText]), lambda step: rx.el.li(localized(step))),
                    class_name="mt-2 list-decimal space-y-1 pl-5",
                ),
                class_name="mt-4",
            ),
        ),
    )


def _photos() -> rx.Component:
    shown = CasePage.case
    return panel(
        rx.cond(localized(shown.what) != "", localized(shown.what), localized(shown.account.title)),
        ui.text(_("‘{quote}’", quote=shown.quote), shown=shown.quote != ""),
        _files(),
    )


def _elsewhere() -> rx.Component:
    """Where staff write instead, or why nobody reads a message: a battery alarm is about a return, which has one."""
    shown = CasePage.case
    of_return = rx.Var.create("/cases/return/").to(str) + shown.reference.to(str)
    return rx.cond(
        shown.kind == CaseKind.BATTERY_ALARM.value,
        ui.text(
            _("Write to the customer from the return’s case."),
            " ",
            rx.el.a(_("To the return"), to=of_return, class_name="desk-target"),
        ),
        ui.text(_(MESSAGES[Code.CUSTOMER_UNREACHABLE])),
    )


def _files() -> rx.Component:
    """Small pictures of the files; those that staff took of what arrived stand apart."""
    files = CasePage.case.files.to(list[CaseFile])

    def tile(file: rx.vars.ObjectVar[CaseFile]) -> rx.Component:
        address = rx.Var.create(f"/files/cases/{CasePage.case_path}/{file.file_id}").to(str)
        return file_tile(address, rx.cond(file.has_preview, address + "/preview", "").to(str), file.name, file.kind)

    def group(heading: rx.Var[str], *, by_staff: bool) -> rx.Component:
        return rx.cond(
            files.map(lambda file: file.by_staff).to(list[bool]).contains(by_staff),
            rx.el.div(
                rx.el.h3(heading, class_name="mt-4 font-normal text-ink-600"),
                ui.item_list(
                    files,
                    lambda file: rx.cond(file.by_staff == by_staff, rx.el.li(tile(file))),
                    top=2,
                    look="flex flex-wrap gap-3",
                ),
            ),
        )

    return rx.fragment(
        group(_("Photos and other files"), by_staff=False), group(_("Photos of what arrived"), by_staff=True)
    )


PAGES = [
    DeskRoute(
        "cases/[kind]/[reference]",
        case,
        title(rx.cond(CasePage.case, _name(), _("Case")).to(str)),
        on_load=[Reveal.hide, CasePage.load, CasePage.watch],
    )
]

"""Sections of the page of a return: its amounts, items and facts. All amounts come from the server (part-2 §5)."""

from decimal import Decimal

import reflex as rx

from portal import ui
from portal.contract.account import Account, AccountAmount, AccountFact
from portal.frontend.accounts import amount_row, chosen_way
from portal.frontend.load_views import account_fact, reference_number, return_label_link, return_summary_link, text_fact
from portal.frontend.models import entry
from portal.frontend.session import SessionState
from portal.i18n import Text, _, choice, localized, moment, money, ngettext
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.returns.flow.kinds import ORDER_RETURN, RETURN
from portal.returns.pages.flow_state import Amounts
from portal.returns.pages.state import ReturnActions, ReturnPage, Returns, ShownReturn, ShownReturnItem
from portal.returns.rules.settlement import OF_AN_ORDER, SETTLEMENT_NAMES, TOTAL_NAMES, SettlementLine
from portal.setting_groups import Variant
from portal.vocabulary.returns import RETURN_KIND_NAMES, ReturnKind, ReturnMethod


def amount_lines(amounts: rx.vars.ObjectVar[Amounts]) -> rx.Component:
    """The lines of a settlement that is not stored yet, its total, and what is still to be paid."""
    return rx.el.dl(
        rx.foreach(amounts.lines, _line),
        _total(choice(amounts.direction, _TOTAL_NAMES), amounts.total.to(str)),
        _open(amounts.open.to(Decimal | None)),
        class_name="space-y-3",
    )


_TOTAL_NAMES = {direction.value: name for direction, name in TOTAL_NAMES.items()}


def _line(line: rx.vars.ObjectVar[SettlementLine]) -> rx.Component:
    name = choice(line.kind, SETTLEMENT_NAMES)
    named = _("{item}: {price}", item=_about(line), price=name)
    return amount_row(rx.cond(line.item != "", named, name).to(str), line.amount.to(str))


def _about(line: rx.vars.ObjectVar[SettlementLine]) -> rx.Var[str]:
    items = rx.cond(line.quantity.to(int) > 1, f"{line.quantity} × {line.item}", line.item).to(str)
    of_an_order = rx.Var.create([kind.value for kind in OF_AN_ORDER]).contains(line.kind)
    return rx.cond(of_an_order, _("Order {number}", number=line.item), items).to(str)


def _open(amount: rx.Var[Decimal | None]) -> rx.Component:
    """What is still to be paid for the orders; not part of the total."""
    return rx.cond(amount, amount_row(_("Still to pay for your order"), amount.to(str)))


def _total(name: rx.Var[str], amount: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-lg font-semibold"),
        rx.el.dd(money(amount), class_name="shrink-0 text-lg font-semibold tabular-nums"),
        class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
    )


def account_amounts(account: rx.vars.ObjectVar[Account]) -> rx.Component:
    """The amounts of an account, and who pays whom and when; nothing without amounts."""
    return ui.card(
        rx.el.dl(
            rx.foreach(account.money.lines.to(list[AccountAmount]), _amount),
            _total(localized(account.money.label), account.money.total),
            rx.foreach(account.money.besides.to(list[AccountAmount]), _amount),
            class_name="space-y-3",
        ),
        ui.strong(localized(account.money.note), look="empty:hidden", top=5),
        custom_attrs={"data-amounts": ""},
        shown=account.money.lines,
    )


def _amount(line: rx.vars.ObjectVar[AccountAmount]) -> rx.Component:
    return amount_row(localized(line.label), line.amount)


def items(shown: rx.vars.ObjectVar[ShownReturn]) -> rx.Component:
    """The items of a return; says so when only some units arrived or some stay with the customer."""
    return ui.item_list(
        entry(shown, "items").to(list[ShownReturnItem]),
        _item,
        look="divide-y divide-line rounded-card border border-line bg-white",
    )


def _item(item: rx.vars.ObjectVar[ShownReturnItem]) -> rx.Component:
    return rx.el.li(
        picture(item.picture, "(min-width: 48rem) 9rem, 5rem", "w-20 md:w-36"),
        rx.el.div(
            ui.small_heading(item.name),
            ui.muted(item.details, shown=item.details != ""),
            ui.muted(_("Frame number {frame}", frame=item.frames), look="tabular-nums", shown=item.frames != ""),
            ui.small(
                _("{n} of {total} have arrived", n=item.received, total=item.count),
                shown=(item.received.to(int) > 0) & (item.received != item.count),
            ),
            ui.small(
                ngettext("{n} stays with you", "{n} stay with you", item.given_back), shown=item.given_back.to(int) > 0
            ),
            class_name="min-w-0 grow",
        ),
        ui.strong(_("{n}×", n=item.count), look="shrink-0 tabular-nums"),
        class_name="flex items-center gap-4 p-4 md:gap-6 md:px-6",
    )


def facts(shown: rx.vars.ObjectVar[ShownReturn]) -> rx.Component:
    reference = reference_number(shown.reference)
    return ui.card(
        rx.el.dl(
            text_fact(_("Reference number"), reference),
            rx.cond(shown.frames != "", text_fact(_("Frame number"), shown.frames)),
            rx.foreach(shown.account.facts.to(list[AccountFact]), account_fact),
            class_name="space-y-4",
        ),
        ui.text(
            rx.foreach(
                shown.order_numbers.to(list[str]),
                lambda number: ui.text_link(_("View order {number}", number=number), f"/orders/{number}"),
            ),
            look="flex flex-wrap gap-x-6 gap-y-2",
            top=5,
        ),
    )


def handover(account: rx.vars.ObjectVar[Account], *more: rx.Component, heading: Text | None = None) -> rx.Component:
    way = account.handover
    return ui.card(
        *([] if heading is None else [rx.el.h2(heading, class_name="mb-2 text-h3")]),
        ui.strong(chosen_way(way)),
        ui.if_text(localized(way.when), look="first-letter:uppercase"),
        rx.el.address(
            rx.foreach(way.place.to(list[str]), lambda line: ui.line(line)),
            rx.cond(localized(way.country) != "", ui.line(localized(way.country))),
            class_name="mt-2 not-italic",
        ),
        *more,
    )


_REFUSALS = (
    Code.MAIL_SENT_RECENTLY,
    Code.LINK_USED,
    Code.RETURN_REQUEST_ALREADY_EXISTS,
    Code.INVALID_TIME,
    Code.RETURN_NOT_CANCELLABLE,
    Code.REFUND_EXPORTED,
    Code.ITEM_RETURN_DOES_NOT_EXIST,
    Code.STATUS_CHANGED,
    Code.SESSION_ENDED,
)


def return_kind(kind: rx.Var[str]) -> rx.Var[str]:
    return choice(kind, RETURN_KIND_NAMES, RETURN_KIND_NAMES[ReturnKind.UNKNOWN])


def kind_text_var(kind: rx.Var[str], exchange: Text, other: Text) -> rx.Var[str]:
    """A text of an exchange or of any other return, when the kind is known in the browser only; see `kind_text`."""
    return rx.cond(kind == ReturnKind.EXCHANGE.value, exchange, other).to(str)


def refused(page: type[ReturnActions]) -> rx.Component:
    return ui.notice_on_failure(
        page.refusal != "",
        choice(page.refusal, {code: MESSAGES[code] for code in _REFUSALS}, MESSAGES[Code.GENERAL_ERROR]),
        page.failures,
        ui.text(_("Try again from {moment}.", moment=moment(page.retry_at)), top=2, shown=page.retry_at != ""),
    )


def resend_form(
    page: type[Returns] | type[ReturnPage], return_id: rx.Var[str], *, style: ui.Style = "primary"
) -> rx.Component:
    is_last = page.asked == return_id
    return ui.stack(
        rx.cond(is_last, refused(page)),
        ui.notice(
            _("We’ve sent a new email to {email}.", email=page.sent_to),
            tone="ok",
            announced=True,
            shown=is_last & (page.sent_to != ""),
        ),
        ui.event_form(
            ui.hidden_field("return", return_id),
            ui.submit_button(_("Send the email again"), _("Sending…"), style=style),
            on_send=page.resend,
            answered=page.answered,
            class_name="",
        ),
        gap=4,
    )


def request_again(order: rx.Var[str]) -> rx.Component:
    """Asks for a new request, because the pick-up day is no longer available and a new link would not help."""
    return rx.fragment(
        ui.text(
            _("The pick-up day you chose is no longer possible. Request your return again and choose another day."),
            look="max-w-form",
            top=1,
        ),
        ui.stack(ui.link_button(_("Request a return"), f"{ORDER_RETURN.path}?order={order}"), top=6),
    )


def start_return(
    style: ui.Style = "primary", text: Text | None = None, order: rx.Var[str] | None = None
) -> rx.Component:
    """The button that starts a return: in the variant 'retouren' the older flow, else the newer one."""
    query = "" if order is None else f"?order={order}"
    label = _("Return something") if text is None else text
    # The portal leads from the newer flow to the return of accessories if that fits what the customer has.
    older, newer = (ui.link_button(label, f"{flow.path}{query}", style) for flow in (ORDER_RETURN, RETURN))
    return rx.cond(SessionState.variant == Variant.RETOUREN.value, older, newer)


def kind_text(kind: ReturnKind, exchange: Text, other: Text) -> Text:
    """A text of an exchange or of any other return, when the kind is known at compile time; see `kind_text_var`."""
    return exchange if kind is ReturnKind.EXCHANGE else other


_DOCUMENT = f"{ui.LINK} inline-flex min-h-11 items-center"


def documents(shown: rx.vars.ObjectVar[ShownReturn]) -> rx.Component:
    """The label, until the items arrive, and the summary."""
    brought = shown.method == ReturnMethod.STORE.value
    label = rx.cond(
        brought,
        _("Download drop-off slip (PDF)"),
        kind_text_var(shown.kind, _("Download exchange label (PDF)"), _("Download return label (PDF)")),
    ).to(str)
    return rx.cond(
        ~shown.pending.bool(),
        ui.section(
            _("Documents"),
            rx.el.ul(
                rx.cond(shown.has_label, rx.el.li(return_label_link(shown.return_id, label, class_name=_DOCUMENT))),
                rx.el.li(return_summary_link(shown.return_id, _("Download your request (PDF)"), class_name=_DOCUMENT)),
                class_name="space-y-1",
            ),
            ui.muted(
                rx.cond(
                    brought,
                    _("Show the slip at the counter in the store, on paper or on your phone."),
                    _("Print the label and stick it on the parcel. You can also show its QR code on your phone."),
                ),
                top=2,
                shown=shown.has_label,
            ),
        ),
    )

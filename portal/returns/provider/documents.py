"""The PDF documents of a return: the label or the drop-off slip, and the summary (part-2 §8: PDF).

They render the account as it stands when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import segno
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.letter import day, footer, subject_line
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.pdf import Exact, render
from portal.backend.shops import settings_for
from portal.contract.account import Account, AccountMoney
from portal.contract.models import Locale
from portal.kernel.address import readable_phone
from portal.kernel.days import AMSTERDAM, local_day
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.links.api import LinkSent
from portal.links.provider import Addressee, Links, Subject
from portal.login.provider.queries import CustomerQueries, addressee
from portal.orders.provider.invoice_document import picture
from portal.orders.provider.queries import line_picture
from portal.pictures.provider.lookup import ArticlePicture, mail_picture, pictures_of_lines, printed
from portal.returns.provider.account import account_of, names_of, pickup_place
from portal.returns.provider.return_case import (
    ReturnCase,
    amount_rows,
    battery_unanswered,
    case_of,
    department_lines,
    handover_lines,
    item_lines,
    item_mark,
    never_sent,
    total_row,
)
from portal.setting_groups import Brand
from portal.settings import Settings
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import (
    BATTERY_FIRST,
    BATTERY_INSTRUCTIONS,
    BATTERY_NAMES,
    DONE,
    GIVES_BACK,
    RETURN_KIND_NAMES,
    ReturnKind,
    ReturnMethod,
)


async def details(context: Context, session: AsyncSession, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    case = await case_of(session, row, context.clock())
    values = values_of(case, context.settings.of(case.source).brand, locale)
    if not case.units:
        return values
    line = case.units[0].line
    picture = line_picture(line, await pictures_of_lines(session, row.customer_id, [line.id]))
    return {
        **values,
        "picture": mail_picture(picture, line.name_in(locale), item_mark(case.units[0], case.orders, locale)),
    }


def _dependents(case: ReturnCase, locale: Locale) -> list[str]:
    """What becomes of what hangs on the bikes, a line each."""
    return [f"{fact.label.text(locale)}: {fact.lines[0].text(locale)}" for fact in case.dependents]


def values_of(case: ReturnCase, brand: Brand, locale: Locale) -> dict[str, Any]:
    """The template values of every mail about a return, from its account."""
    _, row, account = gettext_for(locale), case.row, account_of(case, brand)
    closed = case.status in GIVES_BACK | DONE
    return {
        "reference": row.reference,
        "return_id": row.public_id,
        "subject": subject_line(account.meaning, names_of(case.units)).text(locale),
        "about": names_of(case.units).text(locale),
        "title": account.title.text(locale),
        "kind": _(RETURN_KIND_NAMES[row.kind]),
        "exchange": row.kind is ReturnKind.EXCHANGE,
        "order_number": case.orders,
        "status": account.status.text(locale),
        "meaning": account.meaning.text(locale),
        "lines": item_lines(case.units, locale),
        **money_details(account.money, locale),
        "way": [] if closed else handover_lines(account.handover, locale),
        "steps": [step.text(locale) for step in account.next_steps] + _dependents(case, locale),
        "slip": row.method is ReturnMethod.STORE,
        "instructions": [_(text) for text in BATTERY_INSTRUCTIONS] if row.urgent and not closed else [],
    }


def money_details(money: AccountMoney, locale: Locale) -> dict[str, Any]:
    """The template values of the amounts."""
    return {
        "amounts": amount_rows(money.lines, locale),
        "total": total_row(money, locale),
        "besides": amount_rows(money.besides, locale),
        "money_note": money.note.text(locale),
    }


async def _post(
    context: Context, session: AsyncSession, row: ReturnRow, template: Template, to: Addressee, values: dict[str, Any]
) -> None:
    await Outbox(context).post(
        session, template, recipient=to.email, locale=to.locale, customer_id=row.customer_id, details=values
    )


async def _notify(context: Context, session: AsyncSession, row: ReturnRow, template: Template, **more: Any) -> str:
    """Mail the account of a return with further values; the address."""
    to = await addressee(session, row.customer_id)
    await _post(context, session, row, template, to, {**await details(context, session, row, to.locale), **more})
    return to.email


async def notify_received(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """Mail that the return is received, and warn the back office of an unsafe battery."""
    address = await _notify(context, session, row, Template.RETURN_RECEIVED)
    if row.urgent:
        await warn_back_office(context, session, row)
    return address


async def send_link(context: Context, session: AsyncSession, row: ReturnRow) -> LinkSent:
    """Mail the link that confirms a return of the older flow."""
    to = await addressee(session, row.customer_id)
    values = await details(context, session, row, to.locale)
    subject = Subject(row.id, row.customer_id)
    return await Links(context).send(session, LinkPurpose.ORDER_RETURN, subject, to, Template.CONFIRM_RETURN, values)


async def notify_moved(context: Context, session: AsyncSession, row: ReturnRow, note: str) -> None:
    """Mail the new status of a return, with a note of staff."""
    await _notify(context, session, row, Template.RETURN_MOVED, note=note)


async def notify_of_account(context: Context, session: AsyncSession, row: ReturnRow, holder: str, digits: str) -> None:
    """Mail to which account a return will be refunded, so that the customer notices one of somebody else."""
    await _notify(context, session, row, Template.REFUND_ACCOUNT, holder=holder, digits=digits)


async def warn_back_office(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Mail the back office that a return has an unsafe battery: whom to call today, on which number, about what."""
    customer = await CustomerQueries(session, row.customer_id).get()
    values = await details(context, session, row, "nl")
    phones = dict.fromkeys(number for number in (row.phone, customer.phone) if number)
    await Outbox(context).post(
        session,
        Template.URGENT_BATTERY,
        recipient=context.settings.of(customer.source).desk_email,
        locale="nl",
        details={
            **{name: values[name] for name in ("reference", "kind", "lines", "order_number")},
            "battery": gettext_for("nl")(BATTERY_NAMES[row.battery]) if row.battery else "",
            "name": customer.full_name,
            "phones": [readable_phone(number) for number in phones],
            "customer_email": customer.email,
        },
    )


async def send_receipt(context: Context, session: AsyncSession, row: ReturnRow, to: Addressee) -> LinkSent | None:
    values, template = await _receipt_details(context, session, row, to.locale), Template.WITHDRAWAL_RECEIVED
    if battery_unanswered(row):
        return await Links(context).send(
            session, LinkPurpose.BATTERY, Subject(row.id, row.customer_id), to, template, values
        )
    await _post(context, session, row, template, to, values)
    return None


async def notify_of_battery(context: Context, session: AsyncSession, row: ReturnRow) -> None:
    """Mail where to send the items, or what to do with an unsafe battery."""
    to = await addressee(session, row.customer_id)
    brand = (await settings_for(session, context.settings, row.customer_id)).brand
    await _notify(context, session, row, Template.WITHDRAWAL_BATTERY, department=department_lines(brand, to.locale))


async def _receipt_details(context: Context, session: AsyncSession, row: ReturnRow, locale: Locale) -> dict[str, Any]:
    case = await case_of(session, row, context.clock())
    brand = context.settings.of(case.source).brand
    account = account_of(case, brand)
    statement, local = row.statement or {}, row.created_at.astimezone(AMSTERDAM)
    return {
        "reference": row.reference,
        "about": names_of(case.units).text(locale),
        "order_number": case.orders,
        "name": statement.get("name", ""),
        "day": day(local.date(), locale),
        "time": f"{local:%H:%M}",
        "lines": statement.get("lines", []),
        "battery_first": gettext_for(locale)(BATTERY_FIRST) if battery_unanswered(row) else "",
        "unsent": [step.text(locale) for step in account.next_steps] if never_sent(row) else [],
        "dependents": _dependents(case, locale),
        "unsent_items": item_lines([unit for unit in case.units if unit.unit.received], locale),
        **money_details(account.money, locale),
        "department": department_lines(brand, locale),
    }


_INK = "#12231e"


async def label_pdf(case: ReturnCase, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture]) -> bytes:
    """The label of a parcel or a pick-up, or the slip of what is brought to a store.

    Its code opens the return at the staff site, also with the camera of a phone.
    """
    brand, account = options.brand, account_of(case, options.brand)
    if case.row.method is ReturnMethod.STORE:
        return await _slip(case, account, locale, options, found)
    row, _ = case.row, gettext_for(locale)
    name = _("Exchange label {reference}") if row.kind is ReturnKind.EXCHANGE else _("Return label {reference}")
    place, country = pickup_place(row)
    declared_by = str((row.statement or {}).get("name", ""))
    return await _render(
        "return_label",
        {
            **await _common(case, account, locale, options, found),
            "to_label": _("To"),
            "to": department_lines(brand, locale),
            "from_label": _("Sender"),
            "sender": [line for line in (*place, country.text(locale)) if line] or [declared_by] * bool(declared_by),
            "how": _(
                "Print this page, cut along the line and stick the label on the outside of the parcel, or hang it on."
            ),
        },
        name.format(reference=account.reference),
        case,
        locale,
        brand,
    )


async def _slip(
    case: ReturnCase, account: Account, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture]
) -> bytes:
    """The slip that the customer shows in the store. It has no address for a parcel."""
    _ = gettext_for(locale)
    return await _render(
        "return_slip",
        {
            **await _common(case, account, locale, options, found),
            "steps_label": _("What you do"),
            "steps": [
                _("Bring everything listed here to the store, with all that came with it."),
                _("Show this page at the counter, on paper or on your phone. The store will scan the code."),
                _("The store will give you a receipt. Keep it until everything is settled."),
            ],
        },
        _("Drop-off slip {reference}").format(reference=account.reference),
        case,
        locale,
        options.brand,
    )


async def summary_pdf(
    case: ReturnCase, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture]
) -> bytes:
    """The summary: status, items, handover, answers, amounts and next steps."""
    _, brand = gettext_for(locale), options.brand
    account = account_of(case, brand)
    money = account.money
    return await _render(
        "return_summary",
        {
            **await _common(case, account, locale, options, found),
            "status_label": _("Status"),
            "status": account.status.text(locale),
            "meaning": account.meaning.text(locale),
            "answers": [
                [fact.label.text(locale), "\n".join(line.text(locale) for line in fact.lines)] for fact in account.facts
            ],
            "steps_label": _("What happens next"),
            "steps": [step.text(locale) for step in account.next_steps],
            "amounts_label": _("Amounts, including VAT"),
            "amounts": amount_rows(money.lines, locale),
            "total": total_row(money, locale),
            "besides": amount_rows(money.besides, locale),
            "note": money.note.text(locale),
        },
        account.title.text(locale),
        case,
        locale,
        brand,
    )


async def _render(
    template: str, data: dict[str, Any], heading: str, case: ReturnCase, locale: Locale, brand: Brand
) -> bytes:
    return await render(
        template,
        {**data, "heading": heading},
        locale,
        f"{heading} – {in_groups(case.row.reference)}" if template == "return_summary" else heading,
        author=brand.name,
        created=case.row.created_at.replace(microsecond=0),
    )


async def _common(
    case: ReturnCase, account: Account, locale: Locale, options: Settings, found: Mapping[int, ArticlePicture]
) -> dict[str, Any]:
    row, brand, _ = case.row, options.brand, gettext_for(locale)
    code = segno.make_qr(f"{options.desk_address}/receive/{row.reference}", error="m")
    lines = {unit.line.id: unit.line for unit in case.units}
    texts = item_lines(case.units, locale)
    pictures = await printed(options, [line_picture(line, found) for line in lines.values()])
    exchange = row.kind is ReturnKind.EXCHANGE
    about = _("QR code of exchange number {reference}") if exchange else _("QR code of return number {reference}")
    return {
        "brand": brand.name,
        "kind": _(RETURN_KIND_NAMES[row.kind]),
        "reference": Exact(account.reference),
        "reference_label": _("Exchange number") if exchange else _("Return number"),
        "qr": picture(code, _INK),
        "qr_alt": about.format(reference=account.reference),
        "order_label": _("Order numbers") if len(case.order_numbers) > 1 else _("Order number"),
        "order": Exact(case.orders),
        "day_label": _("Requested on"),
        "day": day(local_day(row.created_at), locale),
        "items_label": _("You send back") if exchange else _("You return"),
        "items": [{"text": text, "picture": shown} for text, shown in zip(texts, pictures, strict=True)],
        "way_label": _("How you hand it in") if exchange else _("How you’re returning it"),
        "way": handover_lines(account.handover, locale),
        "foot": footer(brand, locale),
    }

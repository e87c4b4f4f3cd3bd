"""The audit: who did what to which record, with filters and an export."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import reflex as rx

from portal import ui
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.desk.downloads import download_notice, failed_download
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import StaffSession
from portal.desk.state import DeskPage
from portal.desk.tables import cell, listing, table_pages, table_row
from portal.desk.views import desk_loaded, desk_page, panel, title
from portal.frontend.load import MISSING, Form, Paginated, Question, page_asked, text_in
from portal.frontend.models import computed
from portal.frontend.policies import staff
from portal.i18n import _, choice, localized, moment
from portal.kernel.texts import LOCALES, N_, both
from portal.staff.api.people import AUDIT_FILTERS, AuditEntry, PeopleApi, audit_search
from portal.staff.desk.customers import CUSTOMERS
from portal.staff.desk.people import PEOPLE
from portal.vocabulary.audit import AUDIT_LABELS, AUDITED_KINDS
from portal.vocabulary.cases import ASKS_LABELS, CASE_LABELS, CASE_STATES, STATUSES_OF, CaseKind, kind_path
from portal.vocabulary.staff import ROLE_LABELS, Right, VisitMode

NAMES: Mapping[str, str] = {
    "account": N_("Account"),
    "active": N_("May log in"),
    "asks": N_("Asks for"),
    "before": N_("Was"),
    "by": N_("Searched by"),
    "count": N_("How many"),
    "dry_run": N_("Dry run"),
    "entries": N_("Lines"),
    "external_id": N_("Number in the shop"),
    "fields": N_("Fields"),
    "files": N_("Files"),
    "found": N_("Found"),
    "from": N_("Was"),
    "holder": N_("Account holder"),
    "keep": N_("Kept"),
    "kind": N_("Kind"),
    "known": N_("Known now"),
    "known_before": N_("Known before"),
    "merged": N_("Merged with"),
    "mode": N_("Session"),
    "new": N_("New"),
    "operation": N_("Action"),
    "person": N_("Colleague"),
    "planned_date": N_("Planned day"),
    "role": N_("Role"),
    "rows": N_("Records moved"),
    "seen": N_("Seen"),
    "shop": N_("Shop"),
    "shown": N_("Shown"),
    "source": N_("Source"),
    "state": N_("Stage"),
    "state_before": N_("Earlier stage"),
    "status": N_("Status"),
    "store": N_("Store"),
    "stores": N_("Stores"),
    "taken": N_("Value used"),
    "template": N_("Template"),
    "to": N_("Now"),
    "total": N_("Total"),
    "valid_from": N_("Valid from"),
    "way": N_("File"),
    "what": N_("What"),
}
"""Names of details. Others, such as the values of a price, are shown as they are stored."""

_HIDDEN = frozenset({"searched"})
"""What tells staff nothing: the hash of the text of a search."""

_SEARCHES: Mapping[str, str] = {
    "address": N_("Postcode and house number"),
    "email": N_("Email address"),
    "frame number": N_("Frame number"),
    "name": N_("Name"),
    "order": N_("Order number"),
    "phone": N_("Phone number"),
}
_MODES: Mapping[str, str] = {VisitMode.READ_ONLY: N_("View only"), VisitMode.IN_NAME: N_("For the customer")}
_VALUES: Mapping[str, Mapping[Any, str]] = {
    "asks": ASKS_LABELS,
    "by": _SEARCHES,
    "mode": _MODES,
    "role": ROLE_LABELS,
    "state": CASE_STATES,
    "state_before": CASE_STATES,
}


@dataclass(frozen=True, slots=True)
class Detail:
    name: dict[str, str] = field(default_factory=dict)
    value: dict[str, str] = field(default_factory=dict)


def details_of(kind: str, details: Mapping[str, Any]) -> list[Detail]:
    known = CaseKind(kind) if kind in set(CaseKind) else CaseKind.UNKNOWN
    values = {**_VALUES, "before": STATUSES_OF[known], "status": STATUSES_OF[known]}
    return [
        Detail(both(NAMES[name]) if name in NAMES else _same(name.replace("_", " ")), said)
        for name, value in details.items()
        if name not in _HIDDEN and (said := _said(value, values.get(name, {})))
    ]


def _said(value: Any, texts: Mapping[Any, str]) -> dict[str, str]:
    if isinstance(value, bool):
        return both(N_("yes") if value else N_("no"))
    if isinstance(value, str) and value in texts:
        return both(texts[value])
    plain = _plain(value)
    return _same(plain) if plain else {}


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {found}" for name, entry in value.items() if (found := _plain(entry)))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _same(text: str) -> dict[str, str]:
    return dict.fromkeys(LOCALES, text)


AUDIT = "/audit"
EXPORT = "/files/audit.csv"
"""Route of the export; its query is that of the page."""

_CASES = frozenset(kind.value for kind in CASE_LABELS if kind is not CaseKind.UNKNOWN)


class AuditLine(AuditEntry):
    """An entry in the table.

    `described`: the details that tell staff something; the browser gets no others.
    `href`: page of the record, empty without one; `right` is what opens it.
    """

    described: list[Detail]

    @computed
    def href(self) -> str:
        return _page_of(self)[0]

    @computed
    def right(self) -> str:
        return _page_of(self)[1]


class AuditPage(Paginated, DeskPage, rx.State):
    """The audit. `lines`: entries of this page, newest first."""

    lines: rx.Field[list[AuditLine]] = rx.field(default_factory=list)
    who: rx.Field[str] = rx.field("")
    reference: rx.Field[str] = rx.field("")
    action: rx.Field[str] = rx.field("")
    since: rx.Field[str] = rx.field("")
    until: rx.Field[str] = rx.field("")
    query: rx.Field[str] = rx.field("")
    failed: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)

    @rx.event
    @staff(Right.READ_AUDIT)
    def limit(self, form: Form) -> Any:
        """Put the filters into the address, so that a filtered list can be passed on."""
        self.answered += 1
        asked = {name: text_in(form, name).strip()[:60] for name in AUDIT_FILTERS}
        query = urlencode({name: value for name, value in asked.items() if value})
        return rx.redirect(f"{AUDIT}?{query}" if query else AUDIT)

    def _question(self) -> Question[Page[AuditEntry]]:
        self.failed = failed_download(self)
        asked = self.router.url.query_parameters
        values = {name: str(asked.get(name, ""))[:60] for name in AUDIT_FILTERS}
        self.who, self.reference, self.action, self.since, self.until = (values[name] for name in AUDIT_FILTERS)
        self.query = urlencode({name: value for name, value in values.items() if value})
        search = audit_search(values, page_asked(self))
        return lambda token: ask(PeopleApi).audit(token, search)

    def _show(self, answer: Page[AuditEntry]) -> None:
        self._count(answer)
        self.lines = [_line(entry) for entry in answer.items]


def _line(entry: AuditEntry) -> AuditLine:
    return AuditLine.model_validate({**dict(entry), "details": {}, "described": details_of(entry.kind, entry.details)})


def _page_of(entry: AuditEntry) -> tuple[str, str]:
    if not entry.reference:
        return "", ""
    if entry.kind in _CASES:
        return f"/cases/{kind_path(CaseKind(entry.kind))}/{entry.reference}", Right.SEE_CASES.value
    place, right = {"customer": (CUSTOMERS, Right.ACT_FOR_CUSTOMERS), "person": (PEOPLE, Right.MANAGE_STAFF)}.get(
        entry.kind, ("", Right.SEE_CASES)
    )
    return (f"{place}/{entry.reference}", right.value) if place else ("", "")


def audit() -> rx.Component:
    allowed = AuditPage.view_state != MISSING
    export = ui.anchor(
        _("Download as CSV"), href=rx.Var.create(f"{EXPORT}?").to(str) + AuditPage.query, class_name=ui.LINK
    )
    heads = (_("When"), _("Who"), _("What"), _("Record"), _("Reason"), _("Address"))
    to_page = rx.Var.create(f"{AUDIT}?page=")
    table = listing(
        AuditPage.lines,
        heads,
        _row,
        label=_("Audit log"),
        empty=ui.empty_state(_("Nothing recorded"), _("Change the filters to see more.")),
        pages=table_pages(AuditPage, lambda page: to_page + page.to(str) + "&" + AuditPage.query),
    )
    return desk_page(
        download_notice(AuditPage.failed),
        rx.cond(allowed, panel(None, _filters())),
        ui.stack(desk_loaded(AuditPage, table, failure=_("The audit log couldn’t be loaded.")), top=4),
        heading=_("Audit log"),
        beside=rx.cond(allowed, export),
    )


def _filters() -> rx.Component:
    return ui.event_form(
        rx.el.div(
            ui.text_field("who", _("Who"), value=AuditPage.who, optional=True),
            ui.text_field("reference", _("Reference"), value=AuditPage.reference, optional=True),
            ui.select_field(
                "action",
                _("What"),
                [(action.value, _(text)) for action, text in AUDIT_LABELS.items()],
                value=AuditPage.action,
                optional=True,
                placeholder=_("Everything"),
            ),
            ui.text_field("since", _("From day"), value=AuditPage.since, optional=True, kind="date"),
            ui.text_field("until", _("Until day"), value=AuditPage.until, optional=True, kind="date"),
            # A filter is never required; saying so at each would be noise.
            class_name="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5 [&_label>span]:hidden",
        ),
        ui.submit_button(_("Filter"), wide=False, style="secondary"),
        on_send=AuditPage.limit,
        answered=AuditPage.answered,
        key=AuditPage.query,
        class_name="space-y-4",
    )


def _row(line: rx.vars.ObjectVar[AuditLine], place: rx.Var[int]) -> rx.Component:
    return table_row(
        cell(moment(line.happened_at)),
        cell(line.actor),
        cell(
            choice(line.action, AUDIT_LABELS, default=line.action),
            below=rx.foreach(line.described.to(list[Detail]), _detail),
        ),
        cell(_record(line)),
        cell(line.reason),
        cell(rx.cond(line.address != "", line.address, "–"), label=_("Address")),
        key=place.to_string(),
    )


def _detail(detail: rx.vars.ObjectVar[Detail]) -> rx.Component:
    return rx.el.span(
        localized(detail.name), ": ", localized(detail.value), class_name="mr-3 inline-block max-w-full break-words"
    )


def _record(line: rx.vars.ObjectVar[AuditLine]) -> rx.Component:
    name = rx.fragment(choice(line.kind, AUDITED_KINDS, default=line.kind), " ", line.reference)
    return rx.cond(
        (line.href != "") & StaffSession.rights.contains(line.right),
        rx.el.a(name, to=line.href, class_name=ui.LINK),
        name,
    )


NAVIGATION = (NavigationItem(_("Audit log"), AUDIT, SHOP, Right.READ_AUDIT),)

PAGES = [DeskRoute(AUDIT[1:], audit, title(_("Audit log")), on_load=[AuditPage.load])]

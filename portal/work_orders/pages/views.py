"""Display models of requests: in the list, and on the page of one request."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from portal.bikes.api import ServiceRequest
from portal.contract.account import EMPTY_ACCOUNT, Account, AccountMoney
from portal.frontend.accounts import texts_of
from portal.frontend.file_views import FileView, file_view
from portal.kernel.address import address_lines, readable_phone, route_url
from portal.kernel.days import now
from portal.kernel.validation import in_groups
from portal.pictures.pages.views import PictureView, picture_view
from portal.vocabulary.status import Tone
from portal.vocabulary.work_orders import request_tone, without_news
from portal.work_orders.api import RequestDetail, RequestEvent, RequestPartner


@dataclass(frozen=True, slots=True)
class RequestListItem:
    """A request in the list.

    Attributes:
        created: ISO 8601, UTC.
    """

    reference: str
    tone: Tone
    title: str
    created: str
    closed: bool
    bike_id: str
    bike_name: str
    bike_mark: str
    picture: PictureView
    partner: str
    href: str
    account: Account


@dataclass(frozen=True, slots=True)
class EventView:
    """An event in the history of a request.

    Attributes:
        moved: whether the status changed; False for a note or a planned day only.
        planned: ISO 8601; empty if no day was planned.
        at: ISO 8601, UTC.
    """

    label: dict[str, str]
    meaning: dict[str, str]
    moved: bool
    note: str
    planned: str
    at: str


@dataclass(frozen=True, slots=True)
class PartnerView:
    """A service location. Unknown values are empty."""

    name: str = ""
    kind: str = ""
    street: str = ""
    place: str = ""
    phone: str = ""
    phone_number: str = ""
    email: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class RequestView:
    """The data of the page of one request.

    Attributes:
        news: moment of the last event (ISO 8601, UTC).
        events: the history, newest first.
    """

    reference: str = ""
    reference_in_groups: str = ""
    kind: str = ""
    status: str = ""
    tone: Tone = "neutral"
    created: str = ""
    closed: bool = False
    quiet: bool = False
    news: str = ""
    bike_id: str = ""
    bike_name: str = ""
    picture: PictureView = field(default_factory=PictureView)
    frame_number: str = ""
    partner: PartnerView = field(default_factory=PartnerView)
    events: list[EventView] = field(default_factory=list)
    account: Account = EMPTY_ACCOUNT
    files: list[FileView] = field(default_factory=list)


def request_list_item(request: ServiceRequest) -> RequestListItem:
    """Build the display model of a request in the list."""
    return RequestListItem(
        reference=in_groups(request.reference),
        tone="warn" if request.asked else request_tone(request.status),
        title=request.title,
        created=request.created_at.isoformat(),
        closed=request.closed,
        bike_id=request.bike_id,
        bike_name=request.bike_name,
        bike_mark=request.bike_mark,
        picture=picture_view(request.picture),
        partner=request.partner_name,
        href=request_path(request.reference),
        account=request.account.model_copy(update={"facts": [], "money": AccountMoney(), "next_steps": []}),
    )


def request_path(reference: str) -> str:
    return f"/maintenance/{reference}"


def request_view(request: RequestDetail, moment: datetime | None = None) -> RequestView:
    """Build the display model of one request."""
    last = request.events[-1].happened_at
    return RequestView(
        reference=request.reference,
        reference_in_groups=in_groups(request.reference),
        kind=request.kind.value,
        status=request.status.value,
        tone=request_tone(request.status),
        created=request.created_at.isoformat(),
        closed=request.closed,
        quiet=without_news(request.status, last, moment or now()),
        news=last.isoformat(),
        bike_id=request.bike.bike_id,
        bike_name=request.bike.name,
        picture=picture_view(request.bike.picture),
        frame_number=request.bike.frame_number,
        partner=_partner(request.partner) if request.partner else PartnerView(),
        events=_events(request.events),
        account=_without_names(request),
        files=[file_view({**file.model_dump(), "id": file.upload_id}) for file in request.files],
    )


def _without_names(request: RequestDetail) -> Account:
    """The account without the names of files that are shown themselves."""
    shown = bool(request.files)
    facts = [fact for fact in request.account.facts if not (shown and fact.files)]
    return request.account.model_copy(update={"facts": facts})


def _events(events: list[RequestEvent]) -> list[EventView]:
    moved = [True, *(before.status != after.status for before, after in pairwise(events))]
    views = [_event(event, moved=changed) for event, changed in zip(events, moved, strict=True)]
    return views[::-1]


def _event(event: RequestEvent, *, moved: bool) -> EventView:
    return EventView(
        label=texts_of(event.label),
        meaning=texts_of(event.meaning),
        moved=moved,
        note=event.note,
        planned=event.planned_date.isoformat() if event.planned_date else "",
        at=event.happened_at.isoformat(),
    )


def _partner(partner: RequestPartner) -> PartnerView:
    street, place = address_lines(partner)
    return PartnerView(
        name=partner.name,
        kind=partner.location_type.value,
        street=street,
        place=place,
        phone=readable_phone(partner.phone),
        phone_number=partner.phone,
        email=partner.email,
        route=route_url(partner.name, street, place),
    )

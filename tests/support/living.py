"""An application with the demonstration shop, in which the test controls mail delivery."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.backend.backoffice import Transition, TransitionRequest
from portal.backend.mail import Template
from portal.bikes.api import BikesApi
from portal.deliveries.api import DateChangeSent, DateChoice, DeliveriesApi
from portal.flow.api import Answer, Draft, DraftStart, FlowApi, Receipt, Submission
from portal.links.api import LinkEntry, LinksApi, LinkView
from portal.provider.application import Application
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.returns import ReturnStatus
from portal.work_orders.provider.confirmation import ConfirmationWriter
from tests.support.application import Clock, Inbox
from tests.support.entries import step_entry
from tests.support.furnished import Furnished
from tests.support.mailbox import ReadableMail
from tests.support.returning import REASON, RETURN, begin, fill

DAAN = ("900000071", "daan@example.com")
FLEUR = ("900000081", "fleur@example.com")
BRAM = ("900000701", "bram@example.com")
OPEN, PENDING, CONFIRMED = "900000071", "900000072", "900000073"
"""Orders of Daan: free to be changed, waiting for the link, waiting for the shop."""


class Living(Furnished):
    """The application, its clock and its mails."""

    def __init__(self, application: Application, clock: Clock) -> None:
        super().__init__(application)
        self.clock = clock
        self._inbox = Inbox(self.context, {Template.REQUEST_CONFIRMATION: ConfirmationWriter(self.context).write})

    async def mails(self, address: str) -> list[ReadableMail]:
        """The mails to an address, newest first."""
        return await self._inbox.mails(address)

    async def end(self, address: str, purpose: LinkPurpose = LinkPurpose.DELIVERY_DATE) -> str:
        """The end of the link in the newest mail that has one."""
        for message in await self.mails(address):
            if found := re.search(rf"{PATHS[purpose]}/([^\s?]+)", message.text):
                return found.group(1)
        raise AssertionError("no mail holds a link")

    async def confirm(self, end: str, purpose: LinkPurpose = LinkPurpose.DELIVERY_DATE) -> LinkView:
        """Press the button on the page of a link."""
        return await self.ask(LinksApi).confirm_link(LinkEntry(purpose=purpose, hash=end))

    async def free_day(self, token: str, number: str, place: int = -1) -> date:
        """A day that can be chosen; the last one by default."""
        dates = await self.ask(DeliveriesApi).delivery_dates(token, number)
        return [entry.day for week in dates.weeks for entry in week.days if entry.free][place]

    async def request_day(self, token: str, number: str = OPEN, day: date | None = None) -> DateChangeSent:
        """Ask for another day."""
        wanted = day or await self.free_day(token, number)
        return await self.ask(DeliveriesApi).request_delivery_date(token, number, DateChoice(day=wanted.isoformat()))

    async def move(self, kind: str, reference: str, status: str, **more: Any) -> Transition:
        """Move something as the back office does."""
        return await self.application.back_office.move(kind, reference, TransitionRequest(status=status, **more))

    async def send_back(self, token: str, number: str) -> str:
        """Ask to return the bike of an order; the reference of the return."""
        draft = await begin(self.provider, token, RETURN)
        steps: Mapping[str, Mapping[str, Answer]] = {
            "item": {"item": f"{number}-1"},
            "reason": {"fault": "none", "reason": REASON},
            "condition": {"state": "unused", "mileage": "2", "battery": "fine"},
            "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
        }
        return (await self.send(token, await fill(self.provider, token, draft, steps))).reference

    async def give_back(self, token: str, number: str) -> None:
        """Return the bike of an order, for good."""
        reference = await self.send_back(token, number)
        for status in (ReturnStatus.RECEIVED, ReturnStatus.CLOSED):
            await self.move("return", reference, status)

    async def fill(self, token: str, flow: str, bike: str, *steps: tuple[str, Mapping[str, Answer]]) -> Draft:
        """Fill in a flow about a bike up to its check page."""
        draft = await self.ask(FlowApi).open_draft(token, DraftStart(flow=flow, anew=True))
        for step, answers in (("bike", {"bike": bike}), *steps):
            entry = step_entry(draft, step, answers)
            draft = await self.ask(FlowApi).save_step(token, draft.draft_id, entry)
        return draft

    async def send(self, token: str, draft: Draft) -> Receipt:
        """Send what was filled in."""
        return await self.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))

    async def bike_of(self, token: str, number: str) -> str:
        """The bike of an order."""
        return next(
            bike.bike_id for bike in (await self.ask(BikesApi).bikes(token)).items if bike.order_number == number
        )

"""The papers of a request, made anew whenever they are asked for (part-1 §2)."""

from __future__ import annotations

import re

import structlog
from typing_extensions import override

from portal.contract.base import Document, Locale
from portal.contract.errors import NotFound, Unavailable
from portal.contract.http import REFERENCE_FORM
from portal.contract.work_orders_api import WorkOrdersApi
from portal.domain.codes import Code
from portal.provider.confirmations.confirmation import Confirmation, confirmation_of
from portal.provider.confirmations.letter import calendar_document, confirmation_document
from portal.provider.documents import DocumentError
from portal.provider.repositories.confirmations import own_request
from portal.provider.services.service import Service

log = structlog.get_logger(__name__)


class RequestDocumentService(Service, WorkOrdersApi):
    """Operations on the documents of requests."""

    @override
    async def request_document(self, token: str, reference: str, locale: Locale) -> Document:
        confirmation = await self._confirmation(token, reference, locale)
        try:
            return await confirmation_document(confirmation, self._context.settings)
        except DocumentError as error:
            log.error("confirmation_not_made", request=reference, kind=type(error.__cause__ or error).__name__)
            raise Unavailable(Code.PDF_FAILED) from error

    @override
    async def request_calendar(self, token: str, reference: str, locale: Locale) -> Document:
        confirmation = await self._confirmation(token, reference, locale)
        if confirmation.appointment is None:
            raise NotFound
        return calendar_document(confirmation, self._context.settings)

    async def _confirmation(self, token: str, reference: str, locale: Locale) -> Confirmation:
        async with self._sessions.reading(token) as (owner, session):
            if not re.fullmatch(REFERENCE_FORM, reference):
                raise NotFound
            return confirmation_of(await own_request(session, owner.customer_id, reference), locale)

"""The services of staff by API. The process of the customers' site imports none of them."""

from __future__ import annotations

from collections.abc import Mapping

from portal.backend.context import Context
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffSessions
from portal.cases.api import CasesApi
from portal.cases.provider.service import CasesService
from portal.cases.provider.subjects import item_of
from portal.conversations.api import StaffConversationsApi
from portal.conversations.provider.staff_service import StaffConversationsService
from portal.exports.api import ExportsApi, WebhooksApi
from portal.exports.provider.service import ExportsService
from portal.exports.provider.webhooks import WebhooksService
from portal.flow.api import StaffFilesApi
from portal.flow.provider.staff_files import StaffFilesService
from portal.imports.api import ImportsApi
from portal.imports.provider.staff_service import ImportsService
from portal.master_data.api import PricesApi, StoreHoursApi
from portal.master_data.provider.locations import StoreHoursService
from portal.master_data.provider.prices import PricesService
from portal.returns.api import ReceivingApi
from portal.returns.provider.cases import ReceivingService
from portal.staff.api.customers import CustomersApi
from portal.staff.api.people import PeopleApi, StaffApi
from portal.staff.provider.customers import CustomersService
from portal.staff.provider.login import StaffService
from portal.staff.provider.people import PeopleService


def staff_services(context: Context, sessions: Sessions) -> Mapping[type, object]:
    """Make the services; each instance is checked to implement its whole API."""
    staff = StaffSessions(context)
    staff_files = StaffFilesService(context, sessions)
    return {
        ReceivingApi: ReceivingService(context, staff, staff_files),
        StaffFilesApi: staff_files,
        StoreHoursApi: StoreHoursService(context, staff),
        PricesApi: PricesService(context, staff),
        StaffConversationsApi: StaffConversationsService(context, staff, staff_files, item_of),
        WebhooksApi: WebhooksService(context, sessions),
        ExportsApi: ExportsService(context, sessions),
        ImportsApi: ImportsService(context, staff),
        CasesApi: CasesService(context, sessions),
        StaffApi: StaffService(context, sessions),
        PeopleApi: PeopleService(context, sessions),
        CustomersApi: CustomersService(context, sessions),
    }

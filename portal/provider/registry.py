"""The services by API, and the handlers of mailed links."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from portal.account.api import AccountApi
from portal.account.provider import AccountService
from portal.backend.context import Context
from portal.backend.faults import Unforeseen, log_fault
from portal.backend.live import ChangesService
from portal.backend.sessions import Service, Sessions
from portal.backend.shops import TermsService
from portal.backend.visits import Visits
from portal.bikes.api import BikesApi
from portal.bikes.provider.service import BikesService
from portal.contract.common_api import ChangesApi, SessionApi, TermsApi
from portal.contract.errors import ProviderError
from portal.contract.operations import operations_of
from portal.contracts.api import ContractsApi
from portal.contracts.provider import service as contracts
from portal.contracts.provider.service import ContractsService
from portal.conversations.api import ConversationsApi
from portal.conversations.provider.service import ConversationsService
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.provider import confirmation as delivery_date
from portal.deliveries.provider.service import DeliveriesService
from portal.flow.api import FlowApi
from portal.flow.provider.service import FlowService
from portal.insurance.api import InsuranceApi
from portal.insurance.provider import service as insurance
from portal.insurance.provider.service import InsuranceService
from portal.links.api import LinksApi
from portal.links.provider import LinkHandler, LinksService
from portal.locations.api import LocationsApi
from portal.locations.provider import LocationsService
from portal.login.api import LoginApi, PasskeysApi
from portal.login.provider.passkeys import PasskeyService
from portal.login.provider.service import LoginService, SessionService
from portal.orders.api import OrdersApi
from portal.orders.provider.service import OrdersService
from portal.overview.api import OverviewApi
from portal.overview.provider.dashboard import OverviewService
from portal.pictures.api import PicturesApi
from portal.pictures.provider.service import PicturesService
from portal.privacy.api import PrivacyApi
from portal.privacy.provider.service import PrivacyService
from portal.recalls.api import RecallsApi
from portal.recalls.provider import RecallsService
from portal.returns.api import ReturnsApi
from portal.returns.provider import confirmation
from portal.returns.provider.service import ReturnsService
from portal.service_packages.api import ServicePackagesApi
from portal.service_packages.provider import ServicePackagesService
from portal.vocabulary.links import LinkPurpose
from portal.withdrawals.api import WithdrawalsApi
from portal.withdrawals.provider import declarations as withdrawals
from portal.withdrawals.provider.service import WithdrawalsService
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.provider.service import WorkOrdersService

LINK_HANDLERS: dict[LinkPurpose, LinkHandler] = {
    LinkPurpose.ORDER_RETURN: confirmation.LINK_HANDLER,
    LinkPurpose.DELIVERY_DATE: delivery_date.LINK_HANDLER,
    LinkPurpose.INSURANCE: insurance.LINK_HANDLER,
    LinkPurpose.BATTERY: confirmation.BATTERY_LINK_HANDLER,
    LinkPurpose.WITHDRAWAL: withdrawals.LINK_HANDLER,
    LinkPurpose.CONTRACT_END: contracts.LINK_HANDLER,
}
T = TypeVar("T")


class Registry:
    """The services of one process. Implements `portal.contract.registry.Provider`."""

    def __init__(self, context: Context) -> None:
        """Make the services of customers; each instance is checked to implement its whole API."""
        self._context, self._sessions = context, (sessions := Sessions(context))
        self._visits = Visits(context, sessions)
        self._services: dict[type, object] = {}
        self._dispatchers: dict[type, Dispatcher] = {}
        self._add(
            {
                LoginApi: LoginService(context, sessions),
                PasskeysApi: PasskeyService(context, sessions),
                SessionApi: SessionService(context, sessions),
                TermsApi: TermsService(context),
                AccountApi: AccountService(context, sessions),
                OverviewApi: OverviewService(context, sessions),
                OrdersApi: OrdersService(context, sessions),
                BikesApi: BikesService(context, sessions),
                LocationsApi: LocationsService(context, sessions),
                DeliveriesApi: DeliveriesService(context, sessions),
                ReturnsApi: ReturnsService(context, sessions),
                WithdrawalsApi: WithdrawalsService(context, sessions),
                WorkOrdersApi: WorkOrdersService(context, sessions),
                InsuranceApi: InsuranceService(context, sessions),
                ServicePackagesApi: ServicePackagesService(context, sessions),
                ContractsApi: ContractsService(context, sessions),
                PicturesApi: PicturesService(context, sessions),
                RecallsApi: RecallsService(context, sessions),
                ConversationsApi: ConversationsService(context, sessions),
                PrivacyApi: PrivacyService(context, sessions),
                FlowApi: FlowService(context, sessions),
                LinksApi: LinksService(context, LINK_HANDLERS),
                ChangesApi: ChangesService(context, sessions),
            }
        )

    def _add(self, services: Mapping[type, object]) -> None:
        self._services |= services
        self._dispatchers |= {api: Dispatcher(api, service, self._visits) for api, service in services.items()}

    def ask(self, api: type[T]) -> T:
        if api not in self._dispatchers:
            # Imported here, because only the staff site asks for them.
            from portal.provider.staff_registry import staff_services

            self._add(staff_services(self._context, self._sessions))
        return cast(T, self._dispatchers[api])

    async def close(self) -> None:
        for service in self._services.values():
            if isinstance(service, Service):
                await service.close()


class Dispatcher:
    """Calls the operations of a service and converts unexpected errors to errors of the contract."""

    def __init__(self, api: type, service: object, visits: Visits) -> None:
        self._visits = visits
        self._operations = {name: (declared, getattr(service, name)) for name, declared in operations_of(api).items()}

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """Wrap an operation when it is called for the first time: most processes call a few."""
        if name.startswith("_") or name not in self._operations:
            raise AttributeError(name)
        declared, method = self._operations[name]
        call = dispatched(name, self._visits.admitted(declared, method))
        setattr(self, name, call)
        return call


def dispatched(name: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @wraps(method)
    async def call(*arguments: Any, **named: Any) -> Any:
        try:
            return await method(*arguments, **named)
        except ProviderError:
            raise
        except Exception as error:
            log_fault(error, name)
            raise Unforeseen from error

    return call

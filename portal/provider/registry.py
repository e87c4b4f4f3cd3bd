"""Which service answers which API, and what happens to an operation that fails in a way nobody foresaw."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from portal.contract.account_api import AccountApi
from portal.contract.bikes_api import BikesApi
from portal.contract.changes_api import ChangesApi
from portal.contract.deliveries_api import DeliveriesApi
from portal.contract.errors import ProviderError
from portal.contract.flow_api import FlowApi
from portal.contract.insurance_api import InsuranceApi
from portal.contract.links_api import LinksApi
from portal.contract.locations_api import LocationsApi
from portal.contract.login_api import LoginApi
from portal.contract.operations import operations_of
from portal.contract.orders_api import OrdersApi
from portal.contract.overview_api import OverviewApi
from portal.contract.returns_api import ReturnsApi
from portal.contract.service_packages_api import ServicePackagesApi
from portal.contract.session_api import SessionApi
from portal.contract.withdrawals_api import WithdrawalsApi
from portal.contract.work_orders_api import WorkOrdersApi
from portal.provider.confirming.desks import DESKS
from portal.provider.context import Context
from portal.provider.faults import Unforeseen, tell
from portal.provider.services.account import AccountService
from portal.provider.services.bikes import BikesService
from portal.provider.services.changes import ChangesService
from portal.provider.services.dashboard import OverviewService
from portal.provider.services.deliveries import DeliveriesService
from portal.provider.services.drafts import FlowService
from portal.provider.services.insurances import InsuranceService
from portal.provider.services.links import LinksService
from portal.provider.services.locations import LocationsService
from portal.provider.services.login import LoginService
from portal.provider.services.orders import OrdersService
from portal.provider.services.requests import WorkOrdersService
from portal.provider.services.returns import ReturnsService
from portal.provider.services.service import Service
from portal.provider.services.service_packages import ServicePackagesService
from portal.provider.services.session import SessionService
from portal.provider.services.withdrawals import WithdrawalsService
from portal.provider.sessions import Sessions

T = TypeVar("T")


class Registry:
    """The services of one process. Implements `portal.contract.registry.Provider`."""

    def __init__(self, context: Context) -> None:
        """Make the services; each instance is checked to implement its whole API."""
        sessions = Sessions(context)
        self._services: Mapping[type, object] = {
            LoginApi: LoginService(context, sessions),
            SessionApi: SessionService(context, sessions),
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
            FlowApi: FlowService(context, sessions),
            LinksApi: LinksService(context, DESKS),
            ChangesApi: ChangesService(context, sessions),
        }
        self._dispatchers = {api: Dispatcher(api, service) for api, service in self._services.items()}

    def ask(self, api: type[T]) -> T:
        """What answers the operations of this API."""
        return cast(T, self._dispatchers[api])

    async def close(self) -> None:
        """Let what is under way end."""
        for service in self._services.values():
            if isinstance(service, Service):
                await service.close()


class Dispatcher:
    """Calls the operations of a service. Nobody sees other errors than those of the contract."""

    def __init__(self, api: type, service: object) -> None:
        for name in operations_of(api):
            setattr(self, name, dispatched(name, getattr(service, name)))


def dispatched(name: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The method of an operation, with the last catch around it."""

    @wraps(method)
    async def call(*arguments: Any, **named: Any) -> Any:
        try:
            return await method(*arguments, **named)
        except ProviderError:
            raise
        except Exception as error:
            tell(error, name)
            raise Unforeseen from error

    return call

"""Lists of all page modules of both sites, and of all flows. To add a page, write a module with `PAGES`."""

from portal.insurance.flow import INSURANCE
from portal.returns.flow.kinds import ACCESSORIES, EXCHANGE, ORDER_RETURN, RETURN
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE

MODULES: tuple[str, ...] = (
    "portal.frontend.layout",
    "portal.login.pages.login",
    "portal.login.pages.password",
    "portal.login.pages.passkeys",
    "portal.overview.pages.dashboard",
    "portal.account.pages.my_data",
    "portal.privacy.pages",
    "portal.orders.pages.orders",
    "portal.overview.pages.order",
    "portal.overview.pages.request",
    "portal.deliveries.pages.order_status",
    "portal.deliveries.pages.delivery_date",
    "portal.bikes.pages.bikes",
    "portal.overview.pages.bike",
    "portal.work_orders.pages.requests",
    "portal.work_orders.pages.status",
    "portal.help.pages",
    "portal.legal.pages",
    "portal.work_orders.pages.repair",
    "portal.work_orders.pages.service",
    "portal.work_orders.pages.claim",
    "portal.returns.pages.return_page",
    "portal.withdrawals.pages.withdrawal",
    "portal.contracts.pages.contracts",
    "portal.returns.pages.battery",
    "portal.deliveries.pages.planned",
    "portal.deliveries.pages.tracking",
    "portal.recalls.pages",
    "portal.insurance.pages.status",
    "portal.insurance.pages.insurances",
    "portal.insurance.pages.request",
    "portal.service_packages.pages",
    "portal.returns.pages.flow_spec",
    "portal.flow.pages.phone",
)

DESK_MODULES: tuple[str, ...] = (
    "portal.desk.shell",
    "portal.cases.desk.queue",
    "portal.cases.desk.case",
    "portal.returns.desk.receiving",
    "portal.master_data.desk.store_hours",
    "portal.master_data.desk.prices",
    "portal.staff.desk.customers",
    "portal.imports.desk.pages",
    "portal.imports.desk.unclear",
    "portal.exports.desk.exports",
    "portal.exports.desk.webhooks",
    "portal.staff.desk.customer",
    "portal.staff.desk.merging",
    "portal.conversations.desk.templates",
    "portal.staff.desk.people",
    "portal.staff.desk.audit",
    "portal.staff.desk.login",
)
"""Modules of the staff site: each has `PAGES`, and `NAVIGATION` where it has links in the navigation."""

ALL_FLOWS = (REPAIR, SERVICE, CLAIM, RETURN, ACCESSORIES, EXCHANGE, ORDER_RETURN, INSURANCE, SERVICE_PACKAGE)

"""Service packages on the retailer's side: the service, and the handler of the flow."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, or_, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.letter import money
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.service import Service
from portal.backend.sessions import Owner
from portal.bikes.flow import BIKES
from portal.bikes.provider.bike_question import bike_entry, chosen_bike
from portal.bikes.provider.queries import BikeRepository, OwnedBike
from portal.contract.errors import NotFound, Refused
from portal.flow.provider.handler import DraftSubmission, FlowHandler, Submitted
from portal.kernel.codes import Code
from portal.kernel.texts import gettext_for
from portal.kernel.validation import is_short_id, short_id
from portal.service_packages.api import PackageCard, PackageOptions, PackageService, ServicePackagesApi
from portal.service_packages.flow import SERVICE_PACKAGE, can_take_package, chosen_offer
from portal.service_packages.rules import NO_PACKAGES, OFFERS
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES, ServicePackage
from portal.work_orders.provider.jobs import ServiceProductRepository, drive_of


def _package_refusal(owned: OwnedBike) -> Code | None:
    """Return why the bike cannot get a service package; None if it can."""
    if owned.gone:
        return owned.gone
    if not can_take_package(owned.bike.service_package):
        return Code.PACKAGE_EXISTS
    return None if owned.bike.frame_number else Code.FRAME_NUMBER_UNKNOWN


class ServicePackagesService(Service, ServicePackagesApi):
    """Operation on service packages."""

    @override
    async def service_packages(self, token: str, bike_id: str) -> PackageOptions:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
            products = ServiceProductRepository(session, owner.customer_id)
            drive = drive_of(owned.bike)
            cards = [
                PackageCard(
                    code=offer.code,
                    family=offer.family,
                    monthly=offer.monthly,
                    most_chosen=offer.most_chosen,
                    current=owned.bike.service_package is offer.code,
                    includes=list(offer.includes),
                    services=[
                        PackageService(
                            job=entry.job,
                            usual=entry.price,
                            price=entry.price if entry.reduced is None else entry.reduced,
                            half=entry.reduced is not None,
                        )
                        for entry in await products.offers(drive, offer.code)
                    ],
                )
                for offer in OFFERS
            ]
        refusal = _package_refusal(owned)
        return PackageOptions(bike_id=owned.bike.public_id, name=owned.bike.name, refusal=refusal, packages=cards)


REFERENCE_LENGTH = 8


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """Look up the customer's bikes with their package and the reason why they cannot get one.

    Unlike in other flows, an open work order is no reason.
    """
    entries: list[dict[str, Any]] = []
    for owned in await BikeRepository(session, owner.customer_id).all():
        package = owned.bike.service_package
        refusal = _package_refusal(owned) or ""
        entries.append(
            {**bike_entry(owned), "refusal": str(refusal), "pin": False, "package": package.value if package else ""}
        )
    return {BIKES: entries}


async def submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Set the package of the bike and store the order with its monthly price.

    Raises:
        Refused: `missing_package`, or `package_exists` if the bike got one meanwhile.
    """
    offer = chosen_offer(submission.answers)
    if offer is None:
        raise Refused(Code.MISSING_PACKAGE)
    owned, owner = await chosen_bike(session, submission.owner, submission.answers.given), submission.owner
    statement = (
        update(BikeRow)
        .where(
            col(BikeRow.id) == owned.bike.id,
            col(BikeRow.customer_id) == owner.customer_id,
            or_(
                col(BikeRow.service_package).is_(None),
                col(BikeRow.service_package).in_([package for package in NO_PACKAGES if package is not None]),
            ),
        )
        .values(service_package=offer.code)
    )
    if (await session.exec(statement)).rowcount != 1:
        raise Refused(Code.PACKAGE_EXISTS)
    row = PackageOrderRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=owner.customer_id,
        bike_id=owned.bike.id or 0,
        package=offer.code,
        monthly=offer.monthly,
        draft_key=submission.key,
        created_at=submission.now,
    )
    session.add(row)
    await session.flush()
    await _notify(session, submission, owned.bike, row.reference, offer.code, money(offer.monthly, owner.locale))
    return Submitted(
        row.reference,
        {
            "bike": owned.bike.name,
            "bike_id": owned.bike.public_id,
            "package": offer.code.value,
            "monthly": f"{offer.monthly:.2f}",
        },
        mailed=True,
    )


async def _notify(
    session: AsyncSession,
    submission: DraftSubmission,
    bike: BikeRow,
    reference: str,
    package: ServicePackage,
    monthly: str,
) -> None:
    await Outbox(submission.context).post(
        session,
        Template.SERVICE_PACKAGE,
        recipient=submission.owner.email,
        locale=submission.owner.locale,
        customer_id=submission.owner.customer_id,
        details={
            "bike": bike.name,
            "bike_id": bike.public_id,
            "package": gettext_for(submission.owner.locale)(SERVICE_PACKAGE_NAMES[package]),
            "monthly": monthly,
            "reference": reference,
        },
    )


SERVICE_PACKAGE_HANDLER = FlowHandler(SERVICE_PACKAGE, facts=facts, submit=submit)

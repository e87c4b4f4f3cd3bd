"""A service package that was taken out: the bike has it at once, and services cost what it says."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, or_, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.identifiers import short_id
from portal.domain.service_packages import NO_PACKAGES
from portal.flows.bike import BIKES
from portal.flows.service_package import SERVICE_PACKAGE, chosen_offer
from portal.provider.documents.formats import money
from portal.provider.flows.bikes import bike_entry, chosen_bike
from portal.provider.flows.desk import FlowHandler, Submission, Submitted
from portal.provider.mail.texts import Template
from portal.provider.outbox import Outbox
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.services.service_packages import why_no_package
from portal.provider.sessions import Owner
from portal.provider.tables.bike_life import PackageOrderRow
from portal.provider.tables.bikes import BikeRow
from portal.texts import gettext_for
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES, ServicePackage

REFERENCE_LENGTH = 8


async def facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """The customer's bikes, which package each has, and why one can have none. An open work order is no reason."""
    entries: list[dict[str, Any]] = []
    for owned in await BikeRepository(session, owner.customer_id).all():
        package = owned.bike.service_package
        refusal = why_no_package(owned) or ""
        entries.append(
            {**bike_entry(owned), "refusal": str(refusal), "pin": False, "package": package.value if package else ""}
        )
    return {BIKES: entries}


async def submit(session: AsyncSession, submission: Submission) -> Submitted:
    """Give the package to the bike, and write down what it costs.

    Raises:
        Refused: `package_exists`: it got one in another tab.
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
    await _tell(session, submission, owned.bike, row.reference, offer.code, money(offer.monthly, owner.locale))
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


async def _tell(
    session: AsyncSession, submission: Submission, bike: BikeRow, reference: str, package: ServicePackage, monthly: str
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

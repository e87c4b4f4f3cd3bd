"""Service packages on the retailer's side: the service, and the handler of the flow."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.bike_names import bike_called, bike_mark
from portal.backend.letter import money
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.sessions import Owner, Service
from portal.bikes.flow import BikeEntry
from portal.bikes.provider.queries import KEPT, KNOWN_FRAME, BikeQueries, OwnedBike, bike_picture
from portal.bikes.provider.service import BikeQuestion, bike_entry, chosen_bike
from portal.contract.errors import NotFound, Refused
from portal.flow.api import RequestItem
from portal.flow.provider.handler import CurrentRequest, DraftSubmission, FlowHandler, Submitted
from portal.kernel.codes import Code
from portal.kernel.days import local_day, now
from portal.kernel.texts import gettext_for
from portal.kernel.validation import is_short_id, short_id
from portal.pictures.provider.lookup import mail_picture, pictures_of_lines
from portal.service_packages.api import PackageCard, PackageOptions, PackageService, ServicePackagesApi
from portal.service_packages.flow import SERVICE_PACKAGE, PackageFacts, can_take_package, chosen_offer
from portal.service_packages.rules import Inclusion, PackageOffer, family_of
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.work_orders import PackageTermsRow
from portal.vocabulary.services import NO_PACKAGES, SERVICE_PACKAGE_NAMES, ServiceJob, ServicePackage
from portal.work_orders.provider.queries import ServiceProductQueries, drive_of, package_terms


def package_refusal(owned: OwnedBike) -> Code | None:
    """Why the bike cannot get a service package; None if it can."""
    if owned.gone:
        return owned.gone
    if not can_take_package(owned.package):
        return Code.PACKAGE_EXISTS
    return None if owned.bike.frame_number else Code.FRAME_NUMBER_UNKNOWN


class ServicePackagesService(Service, ServicePackagesApi):
    @override
    async def service_packages(self, token: str, bike_id: str) -> PackageOptions:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeQueries(session, owner.customer_id).get(bike_id)
            products = ServiceProductQueries(session, owner.customer_id)
            drive, day = drive_of(owned.bike), local_day(self._context.clock())
            cards = [
                PackageCard(
                    code=terms.package,
                    family=family_of(terms.package),
                    monthly=terms.monthly,
                    most_chosen=terms.most_chosen,
                    current=owned.package is terms.package,
                    includes=[Inclusion(entry) for entry in terms.includes],
                    services=[
                        PackageService(
                            job=entry.job,
                            usual=entry.price,
                            price=entry.price if entry.reduced is None else entry.reduced,
                            half=entry.reduced is not None,
                        )
                        for entry in await products.offers_with(drive, terms, day)
                    ],
                )
                for terms in await _offered(session, owner.customer_id, day)
            ]
        return PackageOptions(packages=cards)


async def _offered(session: AsyncSession, customer_id: int, day: date) -> list[PackageTermsRow]:
    terms = await package_terms(session, customer_id, day)
    return [terms[package] for package in ServicePackage if package in terms]


REFERENCE_LENGTH = 8


async def entries(_session: AsyncSession, _owner: Owner, bikes: Sequence[OwnedBike]) -> list[BikeEntry]:
    """The entries of bikes. Unlike in other flows, an open work order is no reason to refuse one."""
    return [
        bike_entry(owned).model_copy(update={"refusal": package_refusal(owned) or "", "pin": False}) for owned in bikes
    ]


def gets_package() -> Sequence[Any]:
    """The condition of the database that `package_refusal` has no reason."""
    return KEPT, KNOWN_FRAME, without_package()


def without_package() -> Any:
    """The condition of the database that a bike has no package, as `can_take_package` says."""
    none = [package for package in NO_PACKAGES if package is not None]
    return or_(col(BikeRow.service_package).is_(None), col(BikeRow.service_package).in_(none))


async def facts(session: AsyncSession, owner: Owner) -> PackageFacts:
    found = await _offered(session, owner.customer_id, local_day(now()))
    return PackageFacts(packages=[_offer(terms) for terms in found])


def _offer(terms: PackageTermsRow) -> PackageOffer:
    return PackageOffer(
        id=terms.package,
        monthly=terms.monthly,
        includes=[Inclusion(entry) for entry in terms.includes],
        half_price_jobs=[ServiceJob(job) for job in terms.half_price_jobs],
        most_chosen=terms.most_chosen,
    )


async def submit(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    offer = chosen_offer(submission.answers)
    if not offer:
        raise Refused(Code.MISSING_PACKAGE)
    if offer != chosen_offer(submission.seen):
        raise Refused(Code.AMOUNTS_CHANGED)
    owned, owner = await chosen_bike(session, submission.owner, submission.answers.given), submission.owner
    statement = (
        update(BikeRow)
        .where(col(BikeRow.id) == owned.bike.id, col(BikeRow.customer_id) == owner.customer_id, without_package())
        .values(service_package=offer.id)
    )
    if (await session.exec(statement)).rowcount != 1:
        raise Refused(Code.PACKAGE_EXISTS)
    row = PackageOrderRow(
        reference=short_id(REFERENCE_LENGTH),
        customer_id=owner.customer_id,
        bike_id=owned.bike.id,
        package=offer.id,
        monthly=offer.monthly,
        draft_key=submission.key,
        created_at=submission.now,
    )
    session.add(row)
    await session.flush()
    await _notify(session, submission, owned.bike, row.reference, offer)
    return Submitted(
        row.reference,
        {
            "bike": owned.bike.name_in(owner.locale),
            "bike_id": owned.bike.public_id,
            "package": offer.id.value,
            "monthly": f"{offer.monthly:.2f}",
        },
        mailed=True,
    )


async def _notify(
    session: AsyncSession, submission: DraftSubmission, bike: BikeRow, reference: str, offer: PackageOffer
) -> None:
    locale = submission.owner.locale
    found = await pictures_of_lines(session, submission.owner.customer_id, [bike.order_line_id])
    await Outbox(submission.context).post(
        session,
        Template.SERVICE_PACKAGE,
        recipient=submission.owner.email,
        locale=locale,
        customer_id=submission.owner.customer_id,
        details={
            "bike": bike.name_in(locale),
            "called": (await bike_called(session, bike)).text(locale),
            "bike_id": bike.public_id,
            "picture": mail_picture(bike_picture(bike, found), bike.name_in(locale), bike_mark(bike, locale)),
            "package": gettext_for(locale)(SERVICE_PACKAGE_NAMES[offer.id]),
            "monthly": money(offer.monthly, locale),
            "reference": reference,
        },
    )


async def current_package(session: AsyncSession, owner: Owner, reference: str) -> CurrentRequest | None:
    query = (
        select(BikeRow)
        .join(PackageOrderRow, col(PackageOrderRow.bike_id) == BikeRow.id)
        .where(
            PackageOrderRow.reference == reference,
            PackageOrderRow.customer_id == owner.customer_id,
            BikeRow.customer_id == owner.customer_id,
        )
    )
    bike = (await session.exec(query)).one_or_none()
    if bike is None:
        return None
    found = await pictures_of_lines(session, owner.customer_id, [bike.order_line_id])
    return CurrentRequest(None, [RequestItem(name=bike.name_in(owner.locale), picture=bike_picture(bike, found))])


SERVICE_PACKAGE_HANDLER = FlowHandler(
    SERVICE_PACKAGE,
    facts=facts,
    subjects=BikeQuestion(entries, lambda _: gets_package()),
    submit=submit,
    current=current_package,
)

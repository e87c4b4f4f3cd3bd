"""All refusals of insurances, provoked in the shop."""

from decimal import Decimal

from sqlmodel import delete

from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceTariffRow
from tests.support.customers import EVA
from tests.support.living import FLEUR, Living
from tests.support.messages import provokes

FLOW, INSURABLE = "insurance-request", "900000081"
CHOICE = ("insurance", {"type": "theft", "insurer": "kettingzeker", "key_number": "B12345"})
ACCOUNT = ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"})


@provokes(Code.INSURANCE_EXISTS)
async def _(shop: Living) -> None:
    await _insure(shop, number="900000084")


@provokes(Code.INSURANCE_REQUEST_EXISTS)
async def _(shop: Living) -> None:
    await _insure(shop, number="900000082")


@provokes(Code.INSURANCE_TERM_OVER)
async def _(shop: Living) -> None:
    await _insure(shop, number="900000085")


@provokes(Code.ALREADY_RETURNED)
async def _(shop: Living) -> None:
    token = await shop.log_in(FLEUR)
    bike = await shop.bike_of(token, INSURABLE)
    await shop.give_back(token, INSURABLE)
    await shop.fill(token, FLOW, bike)


@provokes(Code.BIKE_GOING_BACK)
async def _(shop: Living) -> None:
    await shop.send_back(await shop.log_in(FLEUR), INSURABLE)
    await _insure(shop)


@provokes(Code.FRAME_NUMBER_UNKNOWN)
async def _(shop: Living) -> None:
    bike = await shop.bike_of(await shop.log_in(FLEUR), INSURABLE)
    await shop.change(BikeRow, {"frame_number": ""}, public_id=bike)
    await _insure(shop)


@provokes(Code.INSURANCE_OPTIONS_FAILED)
async def _(shop: Living) -> None:
    token = await shop.log_in(FLEUR)
    async with shop.context.database.transaction() as session:
        await session.exec(delete(InsuranceTariffRow))
    await shop.ask(InsuranceApi).insurance_options(token, await shop.bike_of(token, INSURABLE))


@provokes(Code.AMOUNTS_CHANGED)
async def _(shop: Living) -> None:
    token = await shop.log_in(FLEUR)
    draft = await shop.fill(token, FLOW, await shop.bike_of(token, INSURABLE), CHOICE, ACCOUNT)
    await shop.change(InsuranceTariffRow, {"minimum": Decimal("50.00")})
    await shop.send(token, draft)


@provokes(Code.MISSING_INSURANCE_BIKE)
async def _(shop: Living) -> None:
    await shop.fill(await shop.log_in(FLEUR), FLOW, "ABCDEFGH23")


@provokes(Code.MISSING_INSURANCE)
async def _(shop: Living) -> None:
    await _insure(shop)


@provokes(Code.MISSING_IBAN)
async def _(shop: Living) -> None:
    await _insure(shop, CHOICE)


@provokes(Code.INVALID_KEY_NUMBER)
async def _(shop: Living) -> None:
    await _insure(shop, ("insurance", {**CHOICE[1], "key_number": "sleutel"}))


@provokes(Code.TOO_LONG)
async def _(shop: Living) -> None:
    await _insure(shop, ("insurance", {**CHOICE[1], "key_number": "B1" * 21}))


@provokes(Code.INVALID_IBAN)
async def _(shop: Living) -> None:
    await _insure(shop, CHOICE, ("account", {**ACCOUNT[1], "iban": "NL92 ABNA 0417 1643 00"}))


@provokes(Code.REPAIR_REQUEST_LINE_NOT_FOUND)
async def _(shop: Living) -> None:
    await shop.fill(await shop.log_in(EVA), FLOW, "ABCDEFGH23")


async def _insure(shop: Living, *steps: tuple[str, dict[str, str]], number: str = INSURABLE) -> None:
    token = await shop.log_in(FLEUR)
    await shop.send(token, await shop.fill(token, FLOW, await shop.bike_of(token, number), *steps))

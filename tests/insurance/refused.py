"""All refusals of insurances, provoked in the shop, with their texts."""

from decimal import Decimal

from sqlmodel import delete, update

from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.tables.bikes import BikeRow
from portal.tables.insurance import InsuranceTariffRow
from tests.support.customers import EVA
from tests.support.living import FLEUR, Living
from tests.support.messages import says

FLOW, INSURABLE = "insurance-request", "900000081"
CHOICE = ("insurance", {"type": "theft", "insurer": "kettingzeker", "key_number": "B12345"})
ACCOUNT = ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"})


@says(Code.INSURANCE_EXISTS, "Your bike is already insured with us.", "Je fiets is al via ons verzekerd.")
async def _(shop: Living) -> None:
    await _insure(shop, number="900000084")


@says(
    Code.INSURANCE_REQUEST_EXISTS,
    "Insurance for this bike has already been requested.",
    "Voor deze fiets loopt al een verzekeringsaanvraag.",
)
async def _(shop: Living) -> None:
    await _insure(shop, number="900000082")


@says(
    Code.INSURANCE_TERM_OVER,
    "You can insure a bike up to 14 days after buying it.",
    "Je kunt een fiets tot 14 dagen na aankoop verzekeren.",
)
async def _(shop: Living) -> None:
    await _insure(shop, number="900000085")


@says(Code.ALREADY_RETURNED, "You’ve already returned this.", "Dit heb je al geretourneerd.")
async def _(shop: Living) -> None:
    token = await shop.log_in(FLEUR)
    bike = await shop.bike_of(token, INSURABLE)
    await shop.give_back(token, INSURABLE)
    await shop.fill(token, FLOW, bike)


@says(
    Code.BIKE_GOING_BACK,
    "This bike is going back to us, so nothing new can start for it. Do you want to keep it? Cancel your return first.",
    "Deze fiets gaat naar ons terug, dus je kunt er niets nieuws voor aanvragen. Wil je hem houden? "
    "Annuleer dan eerst je retour.",
)
async def _(shop: Living) -> None:
    await shop.send_back(await shop.log_in(FLEUR), INSURABLE)
    await _insure(shop)


@says(
    Code.FRAME_NUMBER_UNKNOWN,
    "First enter the frame number on the page of your bike.",
    "Vul eerst het framenummer in op de pagina van je fiets.",
)
async def _(shop: Living) -> None:
    bike = await shop.bike_of(await shop.log_in(FLEUR), INSURABLE)
    await shop.change(BikeRow, {"frame_number": ""}, public_id=bike)
    await _insure(shop)


@says(
    Code.INSURANCE_OPTIONS_FAILED,
    "We could not load your insurance options",
    "We konden je verzekeringsopties niet laden",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(FLEUR)
    async with shop.context.database.transaction() as session:
        await session.exec(delete(InsuranceTariffRow))
    await shop.ask(InsuranceApi).insurance_options(token, await shop.bike_of(token, INSURABLE))


@says(
    Code.AMOUNTS_CHANGED,
    "An amount has changed since you saw it. Check the amounts and send it again.",
    "Een bedrag is veranderd sinds je het zag. Controleer de bedragen en verstuur opnieuw.",
)
async def _(shop: Living) -> None:
    token = await shop.log_in(FLEUR)
    draft = await shop.fill(token, FLOW, await shop.bike_of(token, INSURABLE), CHOICE, ACCOUNT)
    async with shop.context.database.transaction() as session:
        await session.exec(update(InsuranceTariffRow).values(minimum=Decimal("50.00")))
    await shop.send(token, draft)


@says(Code.MISSING_INSURANCE_BIKE, "Choose the bike you want to insure.", "Kies de fiets die je wilt verzekeren.")
async def _(shop: Living) -> None:
    await shop.fill(await shop.log_in(FLEUR), FLOW, "ABCDEFGH23")


@says(Code.MISSING_INSURANCE, "Choose your insurance.", "Kies een verzekering.")
async def _(shop: Living) -> None:
    await _insure(shop)


@says(
    Code.MISSING_IBAN,
    "Enter the IBAN you want to pay the premium from.",
    "Vul het IBAN in waarvan de premie wordt betaald.",
)
async def _(shop: Living) -> None:
    await _insure(shop, CHOICE)


@says(
    Code.INVALID_KEY_NUMBER,
    "Enter the number on your key, for example B12345.",
    "Vul het nummer in dat op de sleutel staat, zoals B12345.",
)
async def _(shop: Living) -> None:
    await _insure(shop, ("insurance", {**CHOICE[1], "key_number": "sleutel"}))


@says(Code.TOO_LONG, "This text is too long.", "Deze tekst is te lang.")
async def _(shop: Living) -> None:
    await _insure(shop, ("insurance", {**CHOICE[1], "key_number": "B1" * 21}))


@says(
    Code.INVALID_IBAN,
    "Enter a valid IBAN, for example NL91 ABNA 0417 1643 00.",
    "Vul een geldig IBAN in, zoals NL91 ABNA 0417 1643 00.",
)
async def _(shop: Living) -> None:
    await _insure(shop, CHOICE, ("account", {**ACCOUNT[1], "iban": "NL92 ABNA 0417 1643 00"}))


@says(
    Code.REPAIR_REQUEST_LINE_NOT_FOUND,
    "We can’t find this bike in your account.",
    "We vinden deze fiets niet in je account.",
)
async def _(shop: Living) -> None:
    await shop.fill(await shop.log_in(EVA), FLOW, "ABCDEFGH23")


async def _insure(shop: Living, *steps: tuple[str, dict[str, str]], number: str = INSURABLE) -> None:
    token = await shop.log_in(FLEUR)
    await shop.send(token, await shop.fill(token, FLOW, await shop.bike_of(token, number), *steps))

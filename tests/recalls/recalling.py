"""A recall for tests, and the bikes of the demonstration shop that it names."""

from sqlmodel import col, select

from portal.backend.context import Context
from portal.recalls.provider import Published, publish_recall
from portal.recalls.rules import RecallContent, comparable
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.vocabulary.services import RecalledKind

VALUES = {
    "code": "2026-ACCU-01",
    "remedies": ["repair", "replacement", "refund"],
    "phone": "0800 1234",
    "email": "terugroep@bovenbuis.example",
    "nl": {
        "product": "Accu Voltera P4",
        "description": "Accu's met een nummer dat begint met PT, gemaakt in 2025. Het nummer staat op de onderkant.",
        "hazard": "De accu kan tijdens het laden oververhit raken en in brand vliegen.",
        "action": "Gebruik en laad de accu niet meer. Leg hem buiten, uit de zon.",
    },
    "en": {
        "product": "Battery Voltera P4",
        "description": "Batteries with a number that begins with PT, made in 2025. The number is on the bottom.",
        "hazard": "The battery can overheat while charging and catch fire.",
        "action": "Stop using and charging the battery. Put it outdoors, out of the sun.",
    },
}
CONTENT = RecallContent.model_validate({**VALUES, "phone": "+31302001234"})


async def bikes_of(context: Context, email: str) -> list[BikeRow]:
    """The bikes of a customer, in the order of their primary key."""
    async with context.database.session() as session:
        query = select(BikeRow).join(CustomerRow).where(CustomerRow.email == email).order_by(col(BikeRow.id))
        return list((await session.exec(query)).all())


async def load(context: Context, *, frames: set[str] | None = None, batteries: set[str] | None = None) -> Published:
    """Load the recall for some numbers."""
    numbers = {
        RecalledKind.FRAME: {comparable(number) for number in frames or set()},
        RecalledKind.BATTERY: {comparable(number) for number in batteries or set()},
    }
    return await publish_recall(context, CONTENT, numbers)

"""What the demonstration shop sells. Brands are invented; prices in euro including VAT."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from portal.vocabulary.orders import ItemKind


@dataclass(frozen=True, slots=True)
class Color:
    """A colour by its Dutch name and as CSS hex colour."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Engine:
    """A motor with its battery; `code` begins battery numbers."""

    brand: str
    system: str
    battery: str
    code: str


@dataclass(frozen=True, slots=True)
class Product:
    """Something on the shelf. `frame_code` begins frame numbers; `tracker` means it has an IMEI number."""

    sku: str
    name: str
    price: Decimal
    kind: ItemKind = ItemKind.ACCESSORY
    brand: str = ""
    frame_code: str = ""
    colors: tuple[Color, ...] = ()
    sizes: tuple[str, ...] = ()
    engine: Engine | None = None
    tracker: bool = False
    battery: str = ""

    @property
    def is_bike(self) -> bool:
        """Whether somebody rides home on it."""
        return self.kind is not ItemKind.ACCESSORY


BLACK = Color("Matzwart", "#23272b")
GREEN = Color("Bosgroen", "#2f5d46")
BLUE = Color("Nachtblauw", "#1f3a5f")
RED = Color("Baksteenrood", "#9c3b2e")
SAND = Color("Zandbeige", "#cbb994")
GREY = Color("Betongrijs", "#8a8f94")

MID_500 = Engine("Kinetra", "Kinetra M2 middenmotor, 65 Nm", "500 Wh", "KM5")
MID_630 = Engine("Kinetra", "Kinetra M3 middenmotor, 80 Nm", "630 Wh", "KM6")
HUB_400 = Engine("Voltara", "Voltara V1 voorwielmotor, 40 Nm", "400 Wh", "VV4")

_SIZES = ("49 cm", "53 cm", "57 cm", "61 cm")

HORIZON = Product(
    "NVH5-500", "Noordveld Horizon 5", Decimal("2899.00"), ItemKind.E_BIKE, "Noordveld", "NVH",
    (BLACK, BLUE, GREEN), _SIZES, MID_500, tracker=True,
)  # fmt: skip
SIGNAAL = Product(
    "NVS-630", "Noordveld Signaal Connect", Decimal("3299.00"), ItemKind.E_BIKE, "Noordveld", "NVS",
    (GREY, BLACK), _SIZES, MID_630, tracker=True,
)  # fmt: skip
ZILT = Product(
    "DRZ-400", "Duinroos Zilt Comfort", Decimal("2199.00"), ItemKind.E_BIKE, "Duinroos", "DRZ",
    (SAND, GREEN), _SIZES, HUB_400,
)  # fmt: skip
KUST = Product(
    "DRK-3", "Duinroos Kuststreek 3", Decimal("599.00"), ItemKind.CITY_BIKE, "Duinroos", "DRK", (RED, SAND), _SIZES
)
CLASSIC = Product(
    "LGC-7",
    "Lindegracht Klassiek 7",
    Decimal("749.00"),
    ItemKind.CITY_BIKE,
    "Lindegracht",
    "LGK",
    (BLACK, GREEN),
    _SIZES,
)
BAKKER = Product(
    "HKB-630", "Hertenkamp Bakker", Decimal("4999.00"), ItemKind.CARGO_BIKE, "Hertenkamp", "HKB",
    (GREY, BLUE), ("Eén maat",), MID_630, tracker=True,
)  # fmt: skip

BAG = Product("ACC-TAS-28", "Dubbele fietstas Kade, 28 liter", Decimal("64.95"), colors=(BLACK, GREEN))
LOCK = Product("ACC-SLOT-110", "Kettingslot ART 3, 110 cm", Decimal("54.95"))
PONCHO = Product("ACC-PONCHO", "Regenponcho Bui", Decimal("39.95"), colors=(BLUE, SAND))
HELMET = Product("ACC-HELM", "Fietshelm Kruin", Decimal("69.95"), colors=(BLACK, RED))
CHILD_SEAT = Product("ACC-ZIT-A", "Kinderzitje achter Mus", Decimal("119.00"), colors=(GREY,))
CARRIER = Product("ACC-DRAGER-V", "Voordrager met houten krat", Decimal("89.95"))
LIGHTS = Product("ACC-LED-USB", "Verlichtingsset, oplaadbaar", Decimal("34.95"))
PUMP = Product("ACC-POMP", "Vloerpomp met drukmeter", Decimal("44.95"))
CARE = Product("ACC-ONDERH", "Onderhoudsset voor de ketting", Decimal("24.95"))
PHONE = Product("ACC-TEL", "Telefoonhouder voor het stuur", Decimal("24.95"))
STRAPS = Product("ACC-SNEL", "Snelbinders, 60 cm", Decimal("12.95"), colors=(BLACK, RED))
BATTERY = Product("ACC-ACCU-500", "Tweede accu Kinetra, 500 Wh", Decimal("549.00"), battery="500 Wh")

BIKES = (HORIZON, SIGNAAL, ZILT, KUST, CLASSIC, BAKKER)
ACCESSORIES = (BAG, LOCK, PONCHO, HELMET, CHILD_SEAT, CARRIER, LIGHTS, PUMP, CARE, PHONE, STRAPS, BATTERY)

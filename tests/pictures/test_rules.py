"""Which drawing shows an item."""

import pytest

from portal.demo.plans import ACCESSORIES, BIKES
from portal.illustrations import DEFAULT_COLOR
from portal.pictures.rules import color_of, drawing_address, drawing_of
from portal.vocabulary.orders import ItemKind


@pytest.mark.parametrize(
    ("kind", "name", "drawing"),
    [
        (ItemKind.CITY_BIKE, "Kuststreek 3", "step-through"),
        (ItemKind.CITY_BIKE, "Klassiek 7 heren", "diamond"),
        (ItemKind.CITY_BIKE, "Vouwfiets 8", "folding"),
        (ItemKind.CITY_BIKE, "Jongensfiets 20 inch", "children"),
        (ItemKind.CITY_BIKE, "Ridge MTB", "mountain"),
        (ItemKind.CITY_BIKE, "Gravel One", "road"),
        (ItemKind.E_BIKE, "Horizon 5", "diamond-electric"),
        (ItemKind.E_BIKE, "Zilt Comfort lage instap", "step-through-electric"),
        (ItemKind.E_BIKE, "Haast Speed-pedelec", "speed-pedelec"),
        (ItemKind.CARGO_BIKE, "Bakker", "front-loader"),
        (ItemKind.CARGO_BIKE, "Family Longtail", "longtail"),
        (ItemKind.ACCESSORY, "Kettingslot ART 3", "lock"),
        (ItemKind.ACCESSORY, "Oplader 4A", "charger"),
        (ItemKind.ACCESSORY, "Acculader", "charger"),
        (ItemKind.ACCESSORY, "Tweede accu", "battery"),
        (ItemKind.ACCESSORY, "Bicycle bell", "bell"),
        (ItemKind.ACCESSORY, "Cadeaubon", "parcel"),
    ],
)
def test_kind_and_name_decide_the_drawing(kind: ItemKind, name: str, drawing: str) -> None:
    assert drawing_of(kind, name) == drawing


def test_the_choice_of_the_shop_comes_first() -> None:
    assert drawing_of(ItemKind.CITY_BIKE, "Vouwfiets", "road") == "road"
    assert drawing_of(ItemKind.CITY_BIKE, "Vouwfiets", "rocket") == "folding"


def test_every_article_of_the_demonstration_has_a_drawing_of_its_own_kind() -> None:
    drawn = {product.sku: drawing_of(product.kind, product.name, product.drawing) for product in (*BIKES, *ACCESSORIES)}
    assert "parcel" not in drawn.values()
    assert len(set(drawn.values())) == len(drawn)


@pytest.mark.parametrize("code", ["red", "url(https://evil.example)", "#12", "", "#1234567", '#000"'])
def test_what_is_no_colour_becomes_the_default(code: str) -> None:
    assert color_of(code) == DEFAULT_COLOR


def test_the_address_of_a_drawing_names_kind_and_colour_only() -> None:
    assert drawing_address("diamond", "#2F5D46") == "/drawings/diamond/2f5d46.svg"
    assert drawing_address("../secret", "x") == "/drawings/parcel/5b6770.svg"

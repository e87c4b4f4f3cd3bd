"""The pages of message templates, run through Reflex."""

import json
import sqlite3

import pytest

import portal.conversations.desk.templates
from portal.conversations.desk.templates import NEW, TEMPLATES, TemplatePage, TemplatesPage, new_name
from portal.conversations.rules import EXAMPLES, FIELDS
from portal.kernel.codes import Code
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.pipeline import Pipeline, Tab

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.conversations.desk.templates
TEXT = {
    "template-title_nl": "Bel ons",
    "template-title_en": "Call us",
    "template-text_nl": "Hoi {first_name}, bel {phone}.",
    "template-text_en": "Hi {first_name}, call {phone}.",
}


async def tab_of(tabs: Pipeline, shop: Shop, name: str, role: Role = Role.ADMINISTRATOR) -> Tab:
    """A tab of somebody with this role."""
    tab = tabs.tab(name)
    tab.cookie = f"staff={await hire(shop, role, name)}"
    return tab


async def names(tab: Tab) -> dict[str, bool]:
    """The names of the listed templates, and whether each is the shop's own."""
    await tab.send(TemplatesPage.load, path=TEMPLATES)
    return {line.name: line.own for line in tab.stored(TemplatesPage).lines}


async def test_a_template_is_refused_without_a_language_and_keeps_what_was_typed(
    desk_tabs: Pipeline, shop: Shop
) -> None:
    tab, path = await tab_of(desk_tabs, shop, "Carla Schrijft"), f"{TEMPLATES}/{NEW}"
    await tab.send(TemplatePage.load, path=path)
    wrong = {**TEXT, "template-text_en": " ", "template-text_nl": "Hoi {voornaam}"}
    await tab.send(TemplatePage.save, path=path, form=wrong)
    page = tab.stored(TemplatePage)
    assert page.errors == {"template-text_en": Code.REQUIRED, "template-text_nl": Code.UNKNOWN_PLACEHOLDER}
    assert page.typed["text_nl"] == "Hoi {voornaam}"
    assert "call-us-2" not in await names(tab)


async def test_a_new_template_gets_a_name_of_its_own_and_is_changed_with_its_versions_kept(
    desk_tabs: Pipeline, shop: Shop
) -> None:
    tab, path = await tab_of(desk_tabs, shop, "Carla Bewaart"), f"{TEMPLATES}/{NEW}"
    assert "call-us" in await names(tab), "delivered with the portal"
    await tab.send(TemplatePage.load, path=path)
    form = {**TEXT, "template-asks": "answer", "template-kind-repair": "yes", "template-kind-horse": "yes"}
    await tab.send(TemplatePage.save, path=path, form=form)
    assert TEMPLATES in repr(tab.events)
    assert (await names(tab))["call-us-2"]
    path = f"{TEMPLATES}/call-us-2"
    await tab.send(TemplatePage.load, path=path)
    stored = tab.held(TemplatePage, "template")
    assert (stored.asks, stored.kinds, stored.hidden) == ("answer", ["repair"], False)
    await tab.send(TemplatePage.save, path=path, form={**TEXT, "template-text_nl": "Bel {phone}!"})
    with sqlite3.connect(shop.data_dir / "portal.db") as connection:
        query = "SELECT details FROM audit WHERE action = 'change_template' AND reference = 'call-us-2' ORDER BY id"
        versions = [json.loads(row[0]) for row in connection.execute(query)]
    assert versions[0] == {"new": True}
    assert versions[1]["text"]["nl"] == "Hoi {first_name}, bel {phone}."
    assert set(versions[1]) == {"text", "asks", "kinds"}


async def test_the_example_follows_what_is_typed_and_inserted(desk_tabs: Pipeline, shop: Shop) -> None:
    tab, path = await tab_of(desk_tabs, shop, "Carla Proeft"), f"{TEMPLATES}/{NEW}"
    await tab.send(TemplatePage.load, path=path)
    await tab.send(TemplatePage.write, path=path, name="text_nl", text="Hoi {first_name},")
    await tab.send(TemplatePage.insert, path=path, name="text_nl", part="day")
    page = tab.stored(TemplatePage)
    assert (page.typed["text_nl"], page.filled_in) == ("Hoi {first_name}, {day}", 1)
    assert page.example["nl"] == "Hoi Sanne, dinsdag 3 maart"
    assert set(EXAMPLES) == FIELDS, "each field has an example"
    for name, part in (("text_de", "day"), ("text_nl", "password")):
        await tab.send(TemplatePage.insert, path=path, name=name, part=part)
    await tab.send(TemplatePage.write, path=path, name="template", text="x")
    assert tab.stored(TemplatePage).typed["text_nl"] == "Hoi {first_name}, {day}"


@pytest.mark.parametrize(
    ("title", "taken", "name"),
    [
        ("Photo of the damage!", (), "photo-of-the-damage"),
        ("Über", ("uber", "uber-2"), "uber-3"),
        ("", (), "template"),
        ("New", (), "new-2"),
        ("x" * 90, (), "x" * 30),
    ],
)
async def test_a_name_is_made_of_the_title(title: str, taken: tuple[str, ...], name: str) -> None:
    assert new_name(title, taken) == name

"""The pages with the privacy statement, the terms and conditions, and the accessibility statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import reflex as rx

from portal import ui
from portal.frontend.layout import ACCESSIBILITY, PRIVACY, TERMS, LegalLink, title
from portal.frontend.registry import PageRoute
from portal.i18n import LANGUAGE, Text, shop_term
from portal.kernel import terms
from portal.kernel.address import readable_phone
from portal.setting_groups import LegalText
from portal.settings import Settings, settings
from portal.ui import LINK, anchor

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_NAME = re.compile(r"\{(\w+)\}")
_SAFE = re.compile(r"https://|mailto:|tel:|/(?![/\\])")
"""How a link may begin. Browsers read a slash with a second one or a backslash as the address of another site."""


class WrongLegalText(ValueError):
    """A legal text cannot be shown. The message names the file and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class RenderedText:
    heading: str
    body: list[rx.Component]


def render_text(path: Path, values: Mapping[str, Text]) -> RenderedText:
    from markdown_it.tree import SyntaxTreeNode

    try:
        # Values are inserted into the parsed text, so that a value is never read as Markdown.
        root = SyntaxTreeNode(_parser().parse(path.read_text(encoding="utf-8")))
        first, others = next(iter(root.children), None), root.children[1:]
        if first is None or first.type != "heading" or first.tag != "h1":
            raise WrongLegalText("the text has to start with a heading: # Heading")
        renderer = _Renderer(values)
        return RenderedText(renderer.plain(first), [renderer.block(node) for node in others])
    except WrongLegalText as error:
        raise WrongLegalText(f"{path}: {error}") from None


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Links with a name in braces are checked after the value was inserted.
    parser.validateLink = lambda _url: True  # pyrefly: ignore[bad-assignment]  # only the name of the parameter differs
    parser.normalizeLink = lambda url: url
    return parser


_STYLES = {
    "h2": "mt-10",
    "h3": "mt-6",
    "p": "mt-3",
    "ul": "mt-3 list-disc space-y-2 pl-6",
    "ol": "mt-3 list-decimal space-y-2 pl-6",
    "table": "w-full min-w-96 border-collapse text-left",
    "th": "border-b border-line py-2 pr-4 align-bottom",
    "td": "border-b border-line py-2 pr-4 align-top",
}

_ELEMENTS: dict[str, Callable[..., rx.Component]] = {
    "h2": rx.el.h2,
    "h3": rx.el.h3,
    "p": rx.el.p,
    "ul": rx.el.ul,
    "ol": rx.el.ol,
    "li": rx.el.li,
    "strong": rx.el.strong,
    "em": rx.el.em,
    "code": rx.el.code,
    "table": rx.el.table,
    "thead": rx.el.thead,
    "tbody": rx.el.tbody,
    "tr": rx.el.tr,
    "th": rx.el.th,
    "td": rx.el.td,
}
"""The elements that a text can have, by tag."""


class _Renderer:
    def __init__(self, values: Mapping[str, Text]) -> None:
        self._values = values

    def block(self, node: SyntaxTreeNode) -> rx.Component:
        if node.tag not in _ELEMENTS or node.tag == "code":
            raise WrongLegalText(f"{node.type} is not possible here")
        style = {"class_name": _STYLES[node.tag]} if node.tag in _STYLES else {}
        made = _ELEMENTS[node.tag](*self._children(node), **style)
        if node.tag != "table":
            return made
        # On a small screen the table scrolls, not the page; with the keyboard as well.
        return rx.el.div(made, class_name="mt-3 overflow-x-auto", tab_index=0)

    def plain(self, node: SyntaxTreeNode) -> str:
        return self._filled("".join(part.content for part in node.walk() if part.type == "text"))

    def _children(self, node: SyntaxTreeNode) -> list[Any]:
        parts: list[Any] = []
        for child in node.children:
            if child.type == "inline":
                parts.extend(self._inline(part) for part in child.children)
            elif child.type == "paragraph" and child.hidden:
                parts.extend(self._children(child))
            else:
                parts.append(self.block(child))
        return parts

    def _inline(self, node: SyntaxTreeNode) -> rx.Component | str:
        match node.type:
            case "text":
                return self._text(node.content)
            case "softbreak":
                return " "
            case "hardbreak":
                return rx.el.br()
            case "code_inline":
                return rx.el.code(self._filled(node.content))
            case "strong" | "em":
                return _ELEMENTS[node.tag](*[self._inline(child) for child in node.children])
            case "link":
                return self._link(self._filled(str(node.attrs["href"])), node.children)
            case _:
                raise WrongLegalText(f"{node.type} is not possible here")

    def _link(self, address: str, content: Sequence[SyntaxTreeNode]) -> rx.Component:
        if not _SAFE.match(address):
            raise WrongLegalText(f"the link {address} has to begin with https://, mailto:, tel: or /")
        text, style = [self._inline(child) for child in content], f"{LINK} wrap-anywhere"
        if address.startswith("/"):
            return rx.el.a(*text, to=address, class_name=style)
        return anchor(*text, href=address, class_name=style)

    def _text(self, text: str) -> rx.Component | str:
        # Texts and names take turns.
        parts = [self._value(part) if place % 2 else part for place, part in enumerate(_NAME.split(text))]
        return "".join(map(str, parts)) if all(isinstance(part, str) for part in parts) else rx.fragment(*parts)

    def _filled(self, text: str) -> str:
        """A text whose values are all known here: a heading, an address, code."""

        def value(found: re.Match[str]) -> str:
            known = self._value(found[1])
            if not isinstance(known, str):
                raise WrongLegalText(f"{found[0]} is possible only in plain text")
            return known

        return _NAME.sub(value, text)

    def _value(self, name: str) -> Text:
        if name not in self._values:
            raise WrongLegalText(f"nothing is called {{{name}}}")
        return self._values[name]


_PERIODS = ("session_days", "link_days", "code_days", "idempotency_days", "import_days", "export_days")


def text_values(options: Settings) -> dict[str, Text]:
    """The values of names in braces in the legal texts: the shop, the retention periods and the terms of the portal."""
    shown = {
        **options.brand.model_dump(exclude={"phone"}),
        "phone": readable_phone(options.brand.phone),
        "phone_number": options.brand.phone,
        **options.retention.model_dump(),
        **{name: getattr(terms, name.upper()) for name in _PERIODS},
        **terms.IN_TEXTS,
    }
    return {name: shop_term(name) if name in terms.OF_SHOPS else str(value) for name, value in shown.items()}


def privacy() -> rx.Component:
    return _page(settings().legal.privacy)


def terms_and_conditions() -> rx.Component:
    return _page(settings().legal.terms)


def accessibility() -> rx.Component:
    return _page(settings().legal.accessibility)


def _page(text: LegalText) -> rx.Component:
    values = text_values(settings())
    return ui.page_frame(
        rx.cond(LANGUAGE == "en", _article(render_text(text.en, values)), _article(render_text(text.nl, values))),
        narrow=True,
    )


def _article(text: RenderedText) -> rx.Component:
    return rx.el.article(rx.el.h1(text.heading, tab_index=-1), *text.body)


def _route(link: LegalLink, body: Callable[[], rx.Component]) -> PageRoute:
    return PageRoute(link.path.removeprefix("/"), body, title(link.name), protected=False, for_both=True)


PAGES = [_route(PRIVACY, privacy), _route(TERMS, terms_and_conditions), _route(ACCESSIBILITY, accessibility)]

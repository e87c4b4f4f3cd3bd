"""Legal texts: the Markdown of a shop, as the HTML of its page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from portal.kernel import terms
from portal.kernel.address import readable_phone
from portal.settings import Settings
from portal.ui import LINK

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_NAME = re.compile(r"\{(\w+)\}")
_SAFE = re.compile(r"https://|mailto:|tel:|/(?![/\\])")
"""How a link may begin. Browsers read a slash with a second one or a backslash as the address of another site."""
_WHOLE = re.compile(r"(e-mail\w*)", re.IGNORECASE)


class WrongLegalText(ValueError):
    """A legal text cannot be shown. The message names the file and what is wrong with it."""


def legal_html(path: Path, values: Mapping[str, str]) -> str:
    """A text with its values. It has the elements of Markdown, with classes of `LOOK`, and no other HTML."""
    from markdown_it.tree import SyntaxTreeNode

    try:
        # Values are inserted into the parsed text, so that a value is never read as Markdown.
        root = SyntaxTreeNode(_parser().parse(path.read_text(encoding="utf-8")))
        first, others = next(iter(root.children), None), root.children[1:]
        if first is None or first.type != "heading" or first.tag != "h1":
            raise WrongLegalText("the text has to start with a heading: # Heading")
        writer = _Writer(values)
        return f'<h1 tabindex="-1">{writer.children(first)}</h1>' + "".join(map(writer.block, others))
    except WrongLegalText as error:
        raise WrongLegalText(f"{path}: {error}") from None


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Links with a name in braces are checked after the value was inserted.
    parser.validateLink = lambda _url: True  # pyrefly: ignore[bad-assignment]  # only the name of the parameter differs
    parser.normalizeLink = lambda url: url
    return parser


LOOK = (
    "[&_h2]:mt-10 [&_h3]:mt-6 [&_p]:mt-3 [&_ul]:mt-3 [&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-6 "
    "[&_ol]:mt-3 [&_ol]:list-decimal [&_ol]:space-y-2 [&_ol]:pl-6 "
    "[&_table]:w-full [&_table]:min-w-96 [&_table]:border-collapse [&_table]:text-left "
    "[&_th]:border-b [&_th]:border-line [&_th]:py-2 [&_th]:pr-4 [&_th]:align-bottom "
    "[&_td]:border-b [&_td]:border-line [&_td]:py-2 [&_td]:pr-4 [&_td]:align-top "
    "[&>div]:mt-3 [&>div]:overflow-x-auto"
)
"""Classes of the element around a text."""

_BLOCKS = frozenset("h2 h3 p ul ol li table thead tbody tr th td".split())


class _Writer:
    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def block(self, node: SyntaxTreeNode) -> str:
        if node.tag not in _BLOCKS:
            raise WrongLegalText(f"{node.type} is not possible here")
        made = f"<{node.tag}>{self.children(node)}</{node.tag}>"
        # On a small screen the table scrolls, not the page; with the keyboard as well.
        return f'<div tabindex="0">{made}</div>' if node.tag == "table" else made

    def children(self, node: SyntaxTreeNode) -> str:
        return "".join(map(self._child, node.children))

    def _child(self, node: SyntaxTreeNode) -> str:
        if node.type == "inline":
            return "".join(map(self._inline, node.children))
        return self.children(node) if node.type == "paragraph" and node.hidden else self.block(node)

    def _inline(self, node: SyntaxTreeNode) -> str:
        match node.type:
            case "text":
                return _WHOLE.sub(r'<span class="whitespace-nowrap">\1</span>', escape(self._filled(node.content)))
            case "softbreak":
                return " "
            case "hardbreak":
                return "<br>"
            case "code_inline":
                return f"<code>{escape(self._filled(node.content))}</code>"
            case "strong" | "em":
                return f"<{node.tag}>{''.join(map(self._inline, node.children))}</{node.tag}>"
            case "link":
                address = self._filled(str(node.attrs["href"]))
                if not _SAFE.match(address):
                    raise WrongLegalText(f"the link {address} has to begin with https://, mailto:, tel: or /")
                content = "".join(map(self._inline, node.children))
                return f'<a href="{escape(address)}" class="{LINK} wrap-anywhere">{content}</a>'
            case _:
                raise WrongLegalText(f"{node.type} is not possible here")

    def _filled(self, text: str) -> str:
        def value(found: re.Match[str]) -> str:
            if found[1] not in self._values:
                raise WrongLegalText(f"nothing is called {found[0]}")
            return self._values[found[1]]

        return _NAME.sub(value, text)


_PERIODS = ("session_days", "link_days", "code_days", "idempotency_days", "import_days", "export_days")


def text_values(options: Settings) -> dict[str, str]:
    """The values of names in braces: the shop, the retention periods and the terms of the portal.

    A period that the shop sets keeps its name: the page fills in what holds when it is shown.
    """
    shown = {
        **options.brand.model_dump(exclude={"phone"}),
        "phone": readable_phone(options.brand.phone),
        "phone_number": options.brand.phone,
        **options.retention.model_dump(),
        **{name: getattr(terms, name.upper()) for name in _PERIODS},
        **terms.IN_TEXTS,
    }
    return {name: f"{{{name}}}" if name in terms.OF_SHOPS else str(value) for name, value in shown.items()}

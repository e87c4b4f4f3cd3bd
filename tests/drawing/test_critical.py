"""The rules of a style sheet that stand in a document."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from portal.launch import ROOT

BUN = Path(sys.executable).with_name("bun")
_RUN = """
import { critical, read } from "%s";
const [css, html] = JSON.parse(await Bun.stdin.text());
process.stdout.write(critical(read(css), html));
"""


def rules(css: str, html: str) -> str:
    code = _RUN % (ROOT / "portal/ui/browser/critical.js")
    run = subprocess.run([BUN, "-e", code], input=json.dumps([css, html]), capture_output=True, check=True, text=True)
    return run.stdout


HTML = '<p class="a md:b [&amp;>i]:c" data-on style="color: var(--of-html)"><a>b</a></p>'


@pytest.mark.parametrize(
    "rule",
    [
        ".a{top:0}",
        ".a.md\\:b{top:0}",
        ".\\[\\&\\>i\\]\\:c>a{top:0}",
        ".no,.a{top:0}",
        "p{top:0}",
        "[data-on]{top:0}",
        "p:not(.no){top:0}",
        "p:has(.no){top:0}",
        ":where(.a>:not(:last-child)){top:0}",
        ":is(.no,.a){top:0}",
        "::selection{top:0}",
        '.a:before{content:"}{"}',
        "@media (width>=48rem){.a{top:0}}",
        "@supports (top:0){@media screen and (width>=1px){.a{top:0}}}",
        "@font-face{font-family:A}",
        "@layer one,two;",
        "@layer one{}",
        ":root{--of-html:1px}",
        ".a{top:var(--b)}:root{--b:var(--c);--c:1px}",
        '.a{top:var(--b)}@property --b{syntax:"*";inherits:false}',
    ],
)
def test_what_a_document_needs_stays(rule: str) -> None:
    assert rules(rule, HTML) == rule


@pytest.mark.parametrize(
    "rule",
    [
        ".no{top:0}",
        ".a.no{top:0}",
        ".md\\:a{top:0}",
        ".no:not(.a){top:0}",
        "table{top:0}",
        "[data-off] p{top:0}",
        ".a:hover{top:0}",
        "@media (hover:hover){.a{top:0}}",
        "@media print{.a{top:0}}",
        "@media (width>=48rem){.no{top:0}}",
        "@keyframes turn{to{top:0}}",
        ":root{--unused:1px}",
        '@property --unused{syntax:"*";inherits:false}',
    ],
)
def test_what_it_does_not_need_goes(rule: str) -> None:
    assert rules(rule, HTML) == ""


def test_the_order_stays_and_a_layer_without_rules_is_named() -> None:
    css = "/*! note */@layer one{.no{top:0}}@layer two{.a{top:1px}.no{top:2px}p{top:3px}}"
    assert rules(css, HTML) == "@layer one{}@layer two{.a{top:1px}p{top:3px}}"

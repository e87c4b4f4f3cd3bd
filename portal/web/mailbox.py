"""`/mailbox`: the mails that the demonstration writes to files instead of sending them. Production has no mailbox."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from portal.kernel.days import AMSTERDAM, now
from portal.settings import settings

_SHOWN = 200

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

_STYLE = """
body{margin:0;background:#f7f5f0;color:#12231e;font:1.0625rem/1.6 system-ui,sans-serif}
header{background:#12231e;color:#fff;padding:1rem 1.5rem}header a{color:#fff}
main{max-width:60rem;margin:0 auto;padding:1.5rem}h1{font-size:1.875rem;line-height:1.15}
ul{list-style:none;padding:0}li{background:#fff;border:1px solid #dad8d0;border-radius:1.125rem;margin:.75rem 0}
li a{display:block;padding:1rem 1.25rem;color:inherit;text-decoration:none}li a:hover strong{text-decoration:underline}
small{color:#475c54;display:block}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dt{font-weight:600}
dd{margin:0;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;background:#fff;
border:1px solid #dad8d0;border-radius:1.125rem;padding:1.25rem}
iframe{width:100%;height:44rem;border:1px solid #dad8d0;border-radius:1.125rem;background:#fff}
a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
:root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{background:#0c1412;color:#f1f4f1}
header{background:#1a2f28}li,pre{background:#141f1b;border-color:#2c3a34}small{color:#a8b8b0}
a:focus-visible{outline-color:#8ab0ff}}
"""


@dataclass(frozen=True, slots=True)
class Mail:
    """An entry of the list of mails. `name`: file name without its extension."""

    name: str
    sender: str
    recipient: str
    subject: str
    received: datetime
    text: str
    html: str


def routes() -> list[Route]:
    if not settings().demonstration:
        return []
    return [Route("/mailbox", _list), Route("/mailbox/{name:path}", _one)]


async def _list(_request: Request) -> Response:
    mails = await asyncio.to_thread(read_mails, settings().data_dir / "mail")
    rows = "".join(
        f'<li><a href="/mailbox/{escape(mail.name)}"><strong>{escape(mail.subject)}</strong>'
        f"<small>{escape(mail.recipient)} · {mail.received:%d-%m-%Y %H:%M:%S}</small></a></li>"
        for mail in mails
    )
    body = f"<ul>{rows}</ul>" if mails else "<p>Nog geen e-mails. <span lang='en'>No mails yet.</span></p>"
    return _page("Mailbox", f"<h1>Mailbox</h1><p>E-mails van de demonstratie, de nieuwste eerst.</p>{body}")


async def _one(request: Request) -> Response:
    wanted = request.path_params["name"]
    mails = await asyncio.to_thread(read_mails, settings().data_dir / "mail")
    mail = next((found for found in mails if found.name == wanted), None)
    if mail is None:
        return _page("Niet gevonden", "<h1>Deze e-mail is er niet (meer)</h1>", status=404)
    # An empty sandbox: nothing in the mail can run or access this page.
    framed = (
        f'<h2>HTML</h2><iframe sandbox title="E-mail als HTML" srcdoc="{escape(mail.html)}"></iframe>'
        if mail.html
        else ""
    )
    facts = (
        f"<dl><dt>Van</dt><dd>{escape(mail.sender)}</dd><dt>Aan</dt><dd>{escape(mail.recipient)}</dd>"
        f"<dt>Ontvangen</dt><dd>{mail.received:%d-%m-%Y %H:%M:%S}</dd></dl>"
    )
    return _page(mail.subject, f"<h1>{escape(mail.subject)}</h1>{facts}<pre>{escape(mail.text)}</pre>{framed}")


def read_mails(directory: Path) -> list[Mail]:
    files = sorted(directory.glob("*.eml"), key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    return [_read(path) for path in files[:_SHOWN]]


def _read(path: Path) -> Mail:
    message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert isinstance(message, EmailMessage)  # noqa: S101 - the type that this policy produces
    sent = message.get("date")
    return Mail(
        name=path.stem,
        sender=str(message.get("from", "")),
        recipient=str(message.get("to", "")),
        subject=str(message.get("subject", "")) or "(geen onderwerp)",
        received=(parsedate_to_datetime(sent) if sent else now()).astimezone(AMSTERDAM),
        text=_body(message, "plain"),
        html=_body(message, "html"),
    )


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return part.get_content() if part else ""


def _page(title: str, body: str, status: int = 200) -> Response:
    html = (
        f'<!doctype html><html lang="nl"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">'
        f'<style>{_STYLE}</style></head><body><header><a href="/mailbox">Mailbox</a></header>'
        f"<main>{body}</main></body></html>"
    )
    return HTMLResponse(html, status, {"content-security-policy": _POLICY, "cache-control": "no-store"})

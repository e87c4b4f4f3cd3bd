"""Texts and drawings, read once."""

import json
from typing import Any

from django.conf import settings
from django.http import HttpRequest

TEXTS: dict[str, Any] = json.loads(settings.TEXTS.read_text("utf-8"))


def every_page(_request: HttpRequest) -> dict[str, Any]:
    """What the frame of each page shows."""
    return {"menu": TEXTS["menu"], "hours": TEXTS["hours"], "links": TEXTS["links"], "drawings": TEXTS["drawings"]}


def badge(texts: dict[str, list[str]], code: str) -> dict[str, str] | None:
    """Text and tone of a code; None when it has none."""
    return {"text": texts[code][0], "tone": texts[code][1]} if code in texts else None

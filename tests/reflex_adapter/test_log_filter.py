"""The words with which Reflex repeats in its log what a browser sent."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from reflex import app
from reflex_base.event import Event
from reflex_base.event.processor import base_state_processor

from portal.reflex_adapter.border import PAYLOAD


@pytest.mark.parametrize(
    ("module", "words"),
    [(app, "Event data: {"), (app, "event data: {"), (base_state_processor, "with value '{")],
)
def test_reflex_repeats_events_in_these_words(module: Any, words: str) -> None:
    assert words in inspect.getsource(module)
    assert PAYLOAD.search(words)


def test_an_event_written_as_a_whole_is_cut() -> None:
    written = repr(Event(name="portal.load", payload={"iban": "NL91"}))
    assert "NL91" not in PAYLOAD.sub(r"\1", written)

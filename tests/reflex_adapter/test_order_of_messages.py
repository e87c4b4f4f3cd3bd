"""The patched `state.js` of the installed Reflex goes to a page before it shows what changed, and keeps the order."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from portal.reflex_adapter.drawing import _bun
from portal.reflex_adapter.patches import CHANGES
from tests.reflex_adapter.test_patches import files_of_reflex

PATH = "utils/state.js"

AROUND = """
const told = [];
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const navigate = async (path, { replace }) => {
  await wait(20);
  if (path === "/broken") throw new Error("no such page");
  told.push(`at ${path}${replace ? " instead" : ""}`);
};
const handlers = {};
const socket = { current: { on: (name, handler) => (handlers[name] = handler) } };
const dispatch = { flow: (values) => told.push(values) };
const withoutUnknownSubstates = (delta) => delta;
const applyClientStorageDelta = () => {};
const queueEvents = async (events) => events.forEach(({ name }) => told.push(name));
const reportStateUpdateError = (error) => told.push(error.message);
const client_storage = {}, params = {};
%s
for (const message of %s) handlers.event(message);
told.push("heard");
process.on("exit", () => console.log(JSON.stringify(told)));
"""


@pytest.fixture(scope="module")
def code() -> str:
    """What handles the messages of the server."""
    source = files_of_reflex()[PATH]
    for change in CHANGES[PATH]:
        source = change(source)
    start = source.index("  let arriving;")
    return source[start : source.index('  socket.current.on("new_token"', start)]


def after(code: str, *messages: dict[str, Any]) -> list[str]:
    """What the browser did after messages that came in this order."""
    script = AROUND % (code, json.dumps(messages))
    bun = _bun()
    assert bun
    done = subprocess.run([bun, "-"], input=script, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def shows(value: str) -> dict[str, Any]:
    return {"delta": {"flow": value}, "events": []}


def leads(path: str, value: str, *, replace: bool = False) -> dict[str, Any]:
    payload = {"path": path, "external": False, "popup": False, "replace": replace}
    return {"delta": {"flow": value}, "events": [{"name": "_redirect", "payload": payload}, {"name": "further"}]}


def test_what_only_changes_something_is_shown_at_once(code: str) -> None:
    assert after(code, shows("first"), shows("second")) == ["first", "second", "heard"]


def test_the_browser_is_there_before_the_change_is_shown(code: str) -> None:
    assert after(code, leads("/step-3", "saved", replace=True)) == ["heard", "at /step-3 instead", "saved", "further"]


def test_no_later_message_overtakes_one_that_leads_somewhere(code: str) -> None:
    told = after(code, leads("/step-3", "saved"), shows("later"), leads("/step-4", "saved again"), shows("last"))
    assert told == [
        "heard", "at /step-3", "saved", "further", "later", "at /step-4", "saved again", "further", "last",
    ]  # fmt: skip


def test_a_page_that_cannot_be_reached_hides_no_change(code: str) -> None:
    told = after(code, leads("/broken", "saved"), shows("later"))
    assert told == ["heard", "saved", "further", "no such page", "later"]

"""Firefox over WebDriver BiDi and WebKit over WebDriver, as Debian has them, as far as a walk needs them."""

from __future__ import annotations

import json
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.support.ports import free_port

MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
_MIDDLE = """(css, at) => {
    const shown = one => one.checkVisibility() || one.labels?.length;
    const one = [...document.querySelectorAll(css)].filter(shown).at(at);
    if (!one) return null;
    // A radio without a box of its own is chosen by its label.
    const seen = one.getBoundingClientRect().width > 2 && getComputedStyle(one).opacity !== '0' ? one : one.labels[0];
    seen.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = seen.getBoundingClientRect();
    return [Math.round(box.left + Math.min(box.width / 2, 40)), Math.round(box.top + box.height / 2)];
}"""


class OtherBrowser(ABC):
    """A window of a browser. A script is a function of JavaScript; its arguments and its value are JSON."""

    def __init__(self, command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
        self.errors: list[str] = []
        with (folder / "browser.log").open("wb") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(30)

    @abstractmethod
    def open(self, address: str) -> None: ...

    @abstractmethod
    def run(self, function: str, *values: Any) -> Any: ...

    @abstractmethod
    def _act(self, actions: list[dict[str, Any]]) -> None: ...

    @abstractmethod
    def choose(self, css: str, files: Sequence[Path]) -> None:
        """Choose files for a field."""

    def wait(self, function: str, *values: Any, seconds: float = 60) -> Any:
        """Wait until a script has a value that counts as true; a page that is leaving has none."""
        end, said = time.monotonic() + seconds, ""
        while time.monotonic() < end:
            try:
                if found := self.run(function, *values):
                    return found
            except RuntimeError as error:
                said = str(error)
            time.sleep(0.1)
        raise TimeoutError(f"{function} {values} at {self.run('() => location.href + document.body.innerText')} {said}")

    def click(self, css: str, at: int = 0) -> None:
        x, y = self.wait(_MIDDLE, css, at)
        pointer = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        parameters = {"pointerType": "mouse"}
        self._act([{"type": "pointer", "id": "mouse", "parameters": parameters, "actions": pointer}])

    def type(self, css: str, text: str) -> None:
        """Click into a field, empty it, and type."""
        self.click(css)
        self.run("css => { document.querySelector(css).select(); }", css)
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._act([{"type": "key", "id": "keys", "actions": keys}])


def _patiently(act: Callable[[], Any], errors: tuple[type[Exception], ...]) -> Any:
    for _ in range(300):
        with suppress(*errors):
            return act()
        time.sleep(0.1)
    return act()


class Firefox(OtherBrowser):
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        port = free_port()
        profile = ["--headless", "--no-remote", "--profile", str(folder)]
        super().__init__(["firefox-esr", *profile, "--remote-debugging-port", str(port)], folder, environment)
        self._numbers = count(1)
        self._socket = _patiently(
            lambda: connect(f"ws://127.0.0.1:{port}/session", max_size=None), (OSError, WebSocketException)
        )
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self._ask("browsingContext.setViewport", context=self._context, viewport={"width": 1280, "height": 900})

    def _ask(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(120))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(str(answer["params"]["text"]))
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{answer['error']}: {answer['message']}")
                return answer["result"]

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def _call(self, function: str, *values: Any) -> Any:
        answer = self._ask(
            "script.callFunction",
            functionDeclaration=function,
            awaitPromise=True,
            target={"context": self._context},
            arguments=[{"type": "string", "value": json.dumps(values)}],
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"]

    def run(self, function: str, *values: Any) -> Any:
        found = self._call(
            f"async values => JSON.stringify(await ({function})(...JSON.parse(values)) ?? null)", *values
        )
        return json.loads(found["value"])

    def _act(self, actions: list[dict[str, Any]]) -> None:
        self._ask("input.performActions", context=self._context, actions=actions)

    def choose(self, css: str, files: Sequence[Path]) -> None:
        found = self._call("values => document.querySelector(JSON.parse(values)[0])", css)
        element = {"sharedId": found["sharedId"]}
        self._ask("input.setFiles", context=self._context, element=element, files=[str(path) for path in files])


class WebKit(OtherBrowser):
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        port = free_port()
        screen = ["xvfb-run", "--auto-servernum", "--server-args", "-screen 0 1280x1024x24"]
        super().__init__([*screen, "WebKitWebDriver", f"--port={port}"], folder, environment)
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120)
        options = {"binary": MINI_BROWSER, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        begun = _patiently(lambda: self._client.post("/session", json=wanted), (httpx.TransportError,)).json()["value"]
        self._session = f"/session/{begun['sessionId']}"
        self._ask("/window/rect", width=1280, height=1000)

    def _ask(self, path: str, **parameters: Any) -> Any:
        answer = self._client.post(f"{self._session}{path}", json=parameters)
        value = answer.json()["value"]
        if answer.is_error:
            raise RuntimeError(f"{value['error']}: {value['message']}")
        return value

    def close(self) -> None:
        self._client.delete(self._session)
        super().close()

    def open(self, address: str) -> None:
        self._ask("/url", url=address)

    def run(self, function: str, *values: Any) -> Any:
        return self._ask("/execute/sync", script=f"return ({function})(...arguments)", args=list(values))

    def _act(self, actions: list[dict[str, Any]]) -> None:
        self._ask("/actions", actions=actions)

    def choose(self, css: str, files: Sequence[Path]) -> None:
        (element,) = self._ask("/element", using="css selector", value=css).values()
        self._ask(f"/element/{element}/value", text="\n".join(map(str, files)))

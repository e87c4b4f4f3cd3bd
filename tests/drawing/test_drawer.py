"""The process that draws: started, warmed up, watched and replaced. Every process here is bun."""

import asyncio
import json
import os
import re
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from portal.drawing import drawer as module
from portal.drawing.drawer import Drawer, NotDrawn
from portal.frontend.session import SessionState
from portal.kernel.texts import Locale
from portal.orders.pages.state import Orders
from portal.reflex_adapter.build import Build
from portal.reflex_adapter.patches import ENVIRONMENT, drawing_command
from portal.web.headers import script_hashes
from tests.support.waiting import until

pytestmark = pytest.mark.timeout(300)

NONCE = re.compile(r'nonce="([\w-]+)"')
SAMPLES = {"orders": "/orders", "dashboard": "/dashboard"}
ANSWER = """
const answer = (number, text) => {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(1, 4);
  head.writeUInt32BE(text.length, 5);
  process.stdout.write(Buffer.concat([head, Buffer.from(text)]));
};
const each = async (act) => {
  for await (const chunk of process.stdin)
    for (let at = 0; at < chunk.length; ) {
      const end = at + 4 + chunk.readUInt32BE(at);
      await act(JSON.parse(chunk.subarray(at + 4, end)));
      at = end;
    }
};
"""
"""Begin of a script that stands in for the one that draws, for what that does not do by itself."""

Opened = Callable[..., AbstractAsyncContextManager[Drawer]]


@pytest.fixture
def opened() -> Opened:
    """Opens a drawer with a command, and waits until it draws."""

    @asynccontextmanager
    async def opens(command: list[str], patience: float = 30) -> AsyncIterator[Drawer]:
        drawer = Drawer(command, ENVIRONMENT, SAMPLES, patience, styled=["orders"])
        drawer.start()
        try:
            await ready(drawer)
            yield drawer
        finally:
            await drawer.stop()

    return opens


@pytest.fixture
def script(tmp_path: Path, built: Build) -> Callable[[str], list[str]]:
    """The command of a script of a test."""

    def written(code: str) -> list[str]:
        path = tmp_path / "drawing.mjs"
        path.write_text(ANSWER + code, encoding="utf-8")
        return [drawing_command(built.web_dir)[0], str(path)]

    return written


async def ready(drawer: Drawer) -> None:
    async with asyncio.timeout(60):
        while drawer.state["process"] != "ready":
            await asyncio.sleep(0.02)


async def drawn(drawer: Drawer, data: str = "", locale: Locale = "nl") -> str:
    page, _ = await drawer.draw("orders", "/orders", locale, data, packed=False)
    return NONCE.sub('nonce=""', page.decode(), count=1)


async def draws(drawer: Drawer) -> bool:
    try:
        return bool(await drawn(drawer))
    except NotDrawn:
        return False


def pid_of(drawer: Drawer) -> int:
    assert drawer._process
    return drawer._process._process.pid


def parts(**values: object) -> str:
    """First data of the orders of somebody who is logged in."""
    session = {"authenticated_rx_state_": True}
    return json.dumps({SessionState.get_full_name(): session, Orders.get_full_name(): values})


async def test_a_page_is_drawn_in_its_language_with_its_data(built: Build, opened: Opened) -> None:
    data = parts(view_state_rx_state_="failed")
    async with opened(drawing_command(built.web_dir)) as drawer:
        dutch, english, empty = await drawn(drawer, data), await drawn(drawer, data, "en"), await drawn(drawer)
    assert '<html lang="nl"' in dutch
    assert "Bestellingen" in dutch
    assert '<html lang="en"' in english
    assert "Orders" in english
    assert 'class="skeleton' in empty
    assert 'class="skeleton' not in dutch


async def test_markup_in_data_stays_text(built: Build, opened: Opened) -> None:
    evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"
    async with opened(drawing_command(built.web_dir)) as drawer:
        page, policy = await drawer.draw(
            "orders", "/orders", "nl", parts(view_state_rx_state_="ready", subject_rx_state_=evil), packed=False
        )
        plain = await drawn(drawer)
    assert b"alert(1)" in page
    assert b"<script>alert" not in page
    assert b"<img src=x" not in page
    assert script_hashes(page.decode()) == script_hashes(plain)
    assert all(found in policy for found in script_hashes(plain))


async def test_styles_in_a_document_have_a_nonce_of_their_own(built: Build, opened: Opened) -> None:
    async with opened(drawing_command(built.web_dir)) as drawer:
        found = set()
        for _ in range(2):
            page, policy = await drawer.draw("orders", "/orders", "nl", "", packed=False)
            (nonce,) = NONCE.findall(page.decode())
            assert f"style-src 'self' 'nonce-{nonce}';" in policy
            assert b"unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "").encode()
            found.add(nonce)
    assert len(found) == 2


async def test_a_document_holds_the_styles_that_it_needs(built: Build, opened: Opened) -> None:
    async with opened(drawing_command(built.web_dir)) as drawer:
        page = await drawn(drawer, parts(view_state_rx_state_="failed"))
    styles = page.partition("<style")[2].partition("</style>")[0]
    assert ".skip-link{" in styles
    assert ".skeleton{" not in styles
    sheet = next(built.static_dir.glob("assets/__reflex_global_styles-*.css")).read_text("utf-8")
    assert len(styles) < len(sheet) / 2
    # What is seen stands before the data, and these before the scripts that read them.
    assert page.index("</main>") < page.index('id="first"') < page.index('type="module"')


async def test_many_at_once_get_their_own_document(built: Build, opened: Opened) -> None:
    orders: list[tuple[Locale, str]] = [
        ("nl", ""),
        ("en", ""),
        ("nl", parts(view_state_rx_state_="failed")),
        ("en", parts(total_rx_state_=7)),
    ]
    async with opened(drawing_command(built.web_dir)) as drawer:
        alone = [await drawn(drawer, data, locale) for locale, data in orders]
        together = await asyncio.gather(*(drawn(drawer, data, locale) for _ in range(6) for locale, data in orders))
    assert together == alone * 6
    assert len(set(alone)) == len(alone)


@pytest.mark.parametrize("data", ["{rubbish", '{"reflex___state____state": 7'])
async def test_rubbish_is_not_drawn_and_the_next_document_is(built: Build, opened: Opened, data: str) -> None:
    async with opened(drawing_command(built.web_dir)) as drawer:
        before = await drawn(drawer)
        with pytest.raises(NotDrawn, match="failed"):
            await drawn(drawer, data)
        assert await drawn(drawer) == before
        assert drawer.counts["failed"] == 1


async def test_states_that_no_page_knows_are_in_no_later_document(built: Build, opened: Opened) -> None:
    async with opened(drawing_command(built.web_dir)) as drawer:
        before = await drawn(drawer)
        assert "elsewhere" in await drawn(drawer, json.dumps({"elsewhere": {"a": 1}}))
        assert await drawn(drawer) == before


async def test_a_route_without_a_policy_is_not_drawn(built: Build, opened: Opened) -> None:
    async with opened(drawing_command(built.web_dir)) as drawer:
        with pytest.raises(NotDrawn, match="unknown"):
            await drawer.draw("bikes", "/bikes", "nl", "", packed=False)


async def test_a_dead_process_is_replaced(built: Build, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAUSE_SECONDS", (0.05,))
    async with opened(drawing_command(built.web_dir)) as drawer:
        before, killed = await drawn(drawer), pid_of(drawer)
        os.kill(killed, signal.SIGKILL)
        await until(lambda: draws(drawer))
        assert await drawn(drawer) == before
        assert pid_of(drawer) != killed
        assert drawer.state["started"] == 2


async def test_a_hanging_process_costs_one_wait_and_is_replaced(
    built: Build, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAUSE_SECONDS", (0.05,))
    monkeypatch.setattr(module, "HANGING_SECONDS", 0.8)
    async with opened(drawing_command(built.web_dir), patience=0.4) as drawer:
        hanging = pid_of(drawer)
        os.kill(hanging, signal.SIGSTOP)
        with pytest.raises(NotDrawn, match="slow"):
            await drawn(drawer)
        loop = asyncio.get_running_loop()
        asked = loop.time()
        with pytest.raises(NotDrawn, match="slow"):
            await drawn(drawer)
        assert loop.time() - asked < 0.2
        await until(lambda: draws(drawer))
        assert pid_of(drawer) != hanging


async def test_more_than_fits_is_not_waited_for(built: Build, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 3)
    async with opened(drawing_command(built.web_dir)) as drawer:
        answers = await asyncio.gather(*(drawn(drawer) for _ in range(8)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [str] * 3 + [NotDrawn] * 5
        assert drawer.counts == {"drawn": 3, "busy": 5}


@pytest.mark.parametrize(
    "code",
    [
        "await each(() => process.stdout.write('no document at all'));",
        "answer(7, '<html>'); await each(() => {});",
        "await each(([number]) => answer(number + 1, 'of another question'));",
        "await each(() => process.exit(3));",
    ],
    ids=["rubbish", "unasked", "another", "ends"],
)
async def test_a_process_that_answers_rubbish_is_started_again_and_again(
    script: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(module, "_PAUSE_SECONDS", (0.05,))
    drawer = Drawer(script(code), ENVIRONMENT, SAMPLES, patience=1)
    drawer.start()
    try:
        async with asyncio.timeout(60):
            while int(str(drawer.state["started"])) < 3:
                with pytest.raises(NotDrawn):
                    await drawn(drawer)
                await asyncio.sleep(0.02)
    finally:
        await drawer.stop()


async def test_a_slow_document_is_not_waited_for(script: Callable[[str], list[str]], opened: Opened) -> None:
    slow = script(
        "await each(async ([n, , , data]) => { await Bun.sleep(data ? 300 : 0); answer(n, '<html>' + data); });"
    )
    async with opened(slow, patience=0.1) as drawer:
        with pytest.raises(NotDrawn, match="slow"):
            await drawn(drawer, "first")
        await until(lambda: draws(drawer))
        # The late answer went to nobody.
        assert await drawn(drawer) == "<html>"


@pytest.mark.parametrize("command", [[], ["/nowhere/bun", "draw.js"]])
async def test_without_bun_nothing_is_drawn(command: list[str]) -> None:
    drawer = Drawer(command, ENVIRONMENT, SAMPLES, patience=1)
    drawer.start()
    await asyncio.sleep(0.05)
    with pytest.raises(NotDrawn):
        await drawn(drawer)
    await drawer.stop()


PLANTED = """
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

const tries = {
  read: ({ path }) => readFileSync(path, "latin1").slice(0, 9),
  write: ({ path }) => writeFileSync(path, "planted"),
  list: ({ path }) => readdirSync(path).join(),
  environment: () => Object.keys(process.env).sort().join(),
  kill: ({ pid }) => process.kill(pid, "SIGCONT"),
  run: () => Bun.spawnSync(["/bin/true"]).exitCode,
  connect: ({ port }) => new Promise((done, failed) => connect(port, "127.0.0.1", done).on("error", failed)),
};
await each(async ([number, , , data]) => {
  const wanted = data ? JSON.parse(data) : { try: "environment" };
  let cameOfIt;
  try { cameOfIt = String(await tries[wanted.try](wanted)); }
  catch (error) { cameOfIt = "refused"; }
  answer(number, cameOfIt);
});
"""


async def test_code_in_the_process_that_draws_gets_nothing(
    script: Callable[[str], list[str]], opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTAL_SECRET_KEY", "x" * 32)
    outside = tmp_path.parent / "portal.db"
    outside.write_bytes(b"secret")
    command = script(PLANTED)
    inside = Path(command[1])
    before = inside.read_text("utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.set_inheritable(True)
        async with opened(command) as drawer:

            async def tried(name: str, **wanted: object) -> str:
                return await drawn(drawer, json.dumps({"try": name, **wanted}))

            assert await tried("read", path=str(inside)) == before[:9], "it can read its own folder"
            assert set((await tried("environment")).split(",")) - {"LC_CTYPE"} == set(ENVIRONMENT)
            links = [os.readlink(path) for path in Path(f"/proc/{pid_of(drawer)}/fd").iterdir()]
            assert f"socket:[{os.fstat(server.fileno()).st_ino}]" not in links
            for path in (outside, f"/proc/{os.getpid()}/environ", "/etc/passwd"):
                assert await tried("read", path=str(path)) == "refused"
            for path in (outside, inside, tmp_path / "new"):
                assert await tried("write", path=str(path)) == "refused"
            assert await tried("list", path=str(tmp_path.parent)) == "refused"
            assert await tried("connect", port=server.getsockname()[1]) == "refused"
            assert await tried("kill", pid=os.getpid()) == "refused"
            assert await tried("run") == "refused"
    assert outside.read_bytes() == b"secret"
    assert inside.read_text("utf-8") == before


async def test_a_process_ends_with_its_drawer(built: Build, opened: Opened) -> None:
    async with opened(drawing_command(built.web_dir)) as drawer:
        pid = pid_of(drawer)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(NotDrawn, match="off"):
        await drawn(drawer)


async def test_a_process_ends_when_nobody_asks_any_more(built: Build) -> None:
    process = await asyncio.create_subprocess_exec(
        *drawing_command(built.web_dir), env=dict(ENVIRONMENT), stdin=asyncio.subprocess.PIPE
    )
    assert process.stdin
    process.stdin.close()
    async with asyncio.timeout(60):
        assert await process.wait() == 0

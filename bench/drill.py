"""The drill: a shop is installed, loses its machine, is restored elsewhere and upgraded: `script/drill`.

Customers and staff work through nginx and note what they were told. In the end that is compared with what the
installation says: nothing is lost, nothing was done twice, every file is there, and every mail came once.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx

from portal.account.api import AccountApi, CustomerUpdate
from portal.backend.files.store import store_of
from portal.client.remote import HttpProvider
from portal.contract.common_api import SessionApi
from portal.contract.errors import ProviderError, Refused, Unavailable
from portal.contract.models import PREFIX
from portal.contract.session import CodeEntry, CodeRequest, Origin
from portal.flow.api import DraftStart, FlowApi, Submission, UploadStart
from portal.flow.journey import FLOWS
from portal.flow.provider.cleanup import key_of
from portal.kernel.days import today
from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from portal.reflex_adapter.worker import is_free
from portal.setting_groups import FileStore
from portal.settings import Settings
from portal.subjects import ALL_FLOWS
from portal.vocabulary.exchange import ApiScope
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.imports.corpus import own
from tests.imports.corpus.files import write, write_lines
from tests.imports.corpus.orders import ORDERS, PEOPLE
from tests.support.application import code_in
from tests.support.bucket import s3_server
from tests.support.doubles import Altered, Method
from tests.support.entries import step_entry
from tests.support.files import jpg
from tests.support.filling import ABOUT_THE_REPAIR, FLOW, asks, placed
from tests.support.ports import free_port
from tests.support.postgres import PostgresCluster
from tests.support.production import VARIABLES
from tests.support.servers import PATIENT, mails_sent, read
from tests.support.smtp import MailServer

ROOT = Path(__file__).resolve().parents[1]
HOST = "mijn.shop.example"
CUSTOMERS = 6
"""Customers who work at the same time."""

AFTER_BACKUP = 4
"""Operations between the last backup and the death of the machine: what a backup cannot bring back."""

WORK = "in_repair wait_for_parts repair_continued wait_for_repair_after_in_repair wait_for_repair accepted"
"""Statuses of a repair, the one that staff prefer first."""

_MIGRATION = '''"""A table that only the next release knows."""

import sqlalchemy as sa

from alembic import op

revision, down_revision, branch_labels, depends_on = "drill", {head!r}, None, None


def upgrade() -> None:
    op.create_table("drill", sa.Column("id", sa.Integer(), primary_key=True))


def downgrade() -> None:
    op.drop_table("drill")
'''


@dataclass
class History:
    """The answers that customers and staff got.

    Attributes:
        made: references of cases.
        statuses: last status of each case that staff moved.
        streets: last street of each customer.
        files: files that were taken.
        acknowledged: operations.
        repeated: calls without an answer.
        slowest: seconds of the slowest operation, which asks up to a dozen times.
    """

    made: list[str] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)
    streets: dict[Client, str] = field(default_factory=dict)
    files: int = 0
    acknowledged: int = 0
    repeated: int = 0
    slowest: float = 0.0

    def copy(self) -> History:
        """The history until now."""
        return History([*self.made], {**self.statuses}, {**self.streets}, self.files, self.acknowledged)


class Installation:
    """A release with its database, bucket, folder and settings."""

    def __init__(self, release: Path, data_dir: Path, files: FileStore, settings: Mapping[str, str]) -> None:
        self.release, self.data_dir, self.files = release, data_dir, files
        self._cluster = PostgresCluster()
        self._cluster.start()
        self.url = self._cluster.create_database()
        data_dir.mkdir()
        secret = {"secret_key": files.secret_key.get_secret_value()}
        store = {f"FILES__{name.upper()}": str(value) for name, value in {**files.model_dump(), **secret}.items()}
        own = {**settings, **store, "DATABASE_URL": self.url, "DATA_DIR": str(data_dir)}
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
        self._environment = {**plain, **{f"PORTAL_{name}": value for name, value in own.items()}}
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    def run(self, *command: str, ends: int = 0) -> str:
        """Run a command of the release, which ends with this code; what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.release,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != ends:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def start(self, port: int, command: list[str]) -> None:
        """Start a process, and wait until it answers."""
        place = self.data_dir / f"{port}.log"
        with place.open("ab") as log:
            self._processes[port] = process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=self.release,
                env={**self._environment, "PORT": str(port)},
                stdout=log,
                stderr=log,
            )
        while process.poll() is None:
            with suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}{PREFIX}/session", headers={"host": HOST}, timeout=60)
                return
            time.sleep(0.05)
        raise RuntimeError(place.read_text()[-3000:])

    def drain(self, port: int) -> None:
        """Ask a process to end, and wait until it does."""
        process = self._processes.pop(port)
        process.terminate()
        if status := process.wait(120):
            raise RuntimeError(f"the drained process ended with {status}")

    def die(self) -> None:
        """Lose the machine: its processes, database and folder."""
        for process in self._processes.values():
            process.kill()
            process.wait()
        self._cluster.remove()
        shutil.rmtree(self.data_dir, ignore_errors=True)

    async def keys(self) -> set[str]:
        """The keys of the files in the bucket."""
        store = store_of(Settings(data_dir=self.data_dir, database_url=self.url, files=self.files))
        return {key_of(file.name) async for file in store.names()}


class Client:
    """A customer, and the employee who works on their repairs. Both repeat a call that got no answer."""

    def __init__(self, address: str, drill: Drill) -> None:
        self.uploading = False
        self._drill = drill
        self._connection = HttpProvider(address, limits=PATIENT)
        self._provider = Altered(self._connection, self._again)
        bearer = {"Authorization": f"Bearer {drill.key}", "Host": HOST}
        self._staff = httpx.AsyncClient(base_url=address + PREFIX, headers=bearer, timeout=60)
        self._token = ""
        self._units: list[tuple[str, str]] = []
        self._repairs: list[str] = []
        self._turn = itertools.count()

    async def close(self) -> None:
        """Leave."""
        await self._connection.close()
        await self._staff.aclose()

    def _again(self, name: str, method: Method) -> Method:
        async def again(*arguments: Any) -> Any:
            while True:
                try:
                    return await method(*arguments)
                except Unavailable:
                    if name == "receive_upload":  # which an upload has to survive
                        raise
                    self._drill.history.repeated += 1
                    await asyncio.sleep(0.2)

        return again

    async def log_in(self, number: str, email: str) -> None:
        """Log in with the mailed code, and see what can be withdrawn."""
        login, taken = self._provider.ask(LoginApi), self._drill.mail.answers.taken
        before = len(taken)
        sent = await login.request_code(CodeRequest(email=email, order_number=number), Origin())
        while len(taken) == before:
            await asyncio.sleep(0.02)
        code = code_in(taken[-1].get_payload(0).get_payload(decode=True).decode().replace("\r", ""))
        self._token = (await login.authenticate(CodeEntry(token=code, challenge=sent.challenge), Origin())).jwt
        for order in (await self._provider.ask(OrdersApi).orders(self._token)).items:
            with suppress(ProviderError):
                found = await self._provider.ask(WithdrawalsApi).withdrawable(self._token, order.order_number)
                # Not the bikes, whose repairs would end with them.
                items = [item for item in found.items if not item.item_id.endswith("-1")]
                self._units += [(order.order_number, item.item_id) for item in items for _ in range(item.most)]

    async def act(self) -> None:
        """Do the next thing."""
        acts = (self.repair, self._work, self._withdraw, self._work, self._move_house)
        began, history = time.monotonic(), self._drill.history
        await acts[next(self._turn) % len(acts)]()
        history.acknowledged += 1
        history.slowest = max(history.slowest, time.monotonic() - began)

    async def bikes(self) -> list[str]:
        """Bikes for which a repair can be asked."""
        facts = (await self._provider.ask(FlowApi).flow_start(self._token, FLOW)).facts
        return [each["id"] for each in facts["bikes"] if not each.get("refusal")]

    async def repair(self, slowly: asyncio.Event | None = None) -> None:
        """Ask for a repair; its photo comes byte by byte, until the event is set."""
        bikes = await self.bikes()
        if not bikes:
            await self._move_house()
            return
        flow, token, content = self._provider.ask(FlowApi), self._token, jpg()
        draft = await flow.open_draft(token, DraftStart(flow=FLOW, anew=True))
        for step, answers in {"bike": {"bike": bikes[0]}, **ABOUT_THE_REPAIR}.items():
            if asks(draft, step):
                draft = await flow.save_step(token, draft.draft_id, step_entry(draft, step, answers))

        async def pieces() -> AsyncIterator[bytes]:
            sent = 0
            while slowly and not slowly.is_set():
                self.uploading = True
                yield content[sent : (sent := sent + 1)]
                await asyncio.sleep(0.2)
            yield content[sent:]

        start = UploadStart(field="photos", name="schade.jpg", size=len(content))
        place = await flow.begin_upload(token, draft.draft_id, start)
        photo = await flow.receive_upload(token, place.upload_id, pieces())
        self._drill.history.files += 1
        photos = step_entry(draft, "photos", {"photos": [photo.upload_id]})
        draft = await placed(self._provider, token, await flow.save_step(token, draft.draft_id, photos))
        self._repairs.append((await flow.submit_draft(token, draft.draft_id, Submission(key=draft.key))).reference)
        self._drill.history.made.append(self._repairs[-1])

    async def street(self) -> str:
        """Where the customer lives."""
        return (await self._provider.ask(SessionApi).customer_info(self._token)).customer.address.street

    async def status(self, reference: str) -> dict[str, Any]:
        """The status of a repair."""
        return await self._asked("GET", f"/backoffice/work-orders/{reference}")

    def forget_what_is_gone(self) -> None:
        """Forget what was asked for after the backup."""
        self._repairs = [reference for reference in self._repairs if reference in self._drill.history.made]

    async def _move_house(self) -> None:
        known = (await self._provider.ask(SessionApi).customer_info(self._token)).customer
        values = {**known.model_dump(), **known.address.model_dump(), "street": f"Kade {token_hex(4)}"}
        update = CustomerUpdate.model_validate({name: values.get(name) or "" for name in CustomerUpdate.model_fields})
        stored = await self._provider.ask(AccountApi).update_customer(self._token, update)
        self._drill.history.streets[self] = stored.customer.address.street

    async def _withdraw(self) -> None:
        if not self._units:
            await self._move_house()
            return
        number, item = self._units.pop()
        items = [WithdrawnItem(item_id=item, count=1)]
        entry = WithdrawalEntry(order_number=number, name="Drill", items=items, key=token_hex(8))
        declared = await self._provider.ask(WithdrawalsApi).withdraw(self._token, entry)
        self._drill.history.made.append(declared.reference)

    async def _work(self) -> None:
        """Move a repair, as staff do."""
        if not self._repairs:
            await self._move_house()
            return
        reference = self._repairs[-1]
        possible = (await self.status(reference))["possible"]
        wanted = {"status": next(status for status in WORK.split() if status in possible), "note": "Drill"}
        moved = await self._asked("POST", f"/backoffice/work-orders/{reference}/status", wanted)
        self._drill.history.statuses[reference] = moved["status"]

    async def _asked(self, method: str, path: str, content: Any = None) -> dict[str, Any]:
        while (answer := await self._staff.request(method, path, json=content)).status_code >= 500:
            self._drill.history.repeated += 1
            await asyncio.sleep(0.2)
        answer.raise_for_status()
        return answer.json()["data"]


def _bikes() -> list[dict[str, Any]]:
    """The bikes of the orders, whose frame numbers a repair needs."""
    return [
        {"external_id": order["external_id"], "order": order["external_id"], "position": 1, "name": line["name"]}
        | {"brand": "Drill", "kind": line["kind"], "frame_number": f"DR{order['order_number']}"}
        for order in own.orders(today())
        for line in order["lines"][:1]
        if line["kind"] != "accessory" and line["quantity"] == 1
    ]


class Drill:
    """One run, with what outlives a machine: nginx, the mail server, the people."""

    def __init__(self, folder: Path, operations: int, *, whole: bool) -> None:
        """Prepare it.

        Args:
            folder: an empty one.
            operations: how many are acknowledged.
            whole: with a release and its pages, otherwise the provider of this checkout.
        """
        self.mail, self.history = MailServer(), History()
        self.key, self.faults = "", list[str]()
        self._folder, self._operations, self._whole = folder, operations, whole
        self._command = ["portal"] if whole else ["portal.provider", "serve"]
        self._ports = (free_port(), free_port())
        self.address = f"http://127.0.0.1:{free_port()}"

    @contextmanager
    def stage(self, name: str) -> Iterator[list[str]]:
        """Measure a stage, and print its seconds with the notes that were added to the list."""
        began, notes = time.monotonic(), list[str]()
        yield notes
        print(f"{name:<34} {time.monotonic() - began:7.1f} s  {', '.join(notes)}", flush=True)

    def run(self) -> None:
        """Run it."""
        FLOWS.register(ALL_FLOWS)
        with ExitStack() as stack:
            self.mail.start()
            stack.callback(self.mail.stop)
            settings = {**VARIABLES, **self._settings(stack)}
            self._start_nginx(stack)
            stores = [stack.enter_context(s3_server()) for _ in range(2)]
            with self.stage("install") as notes:
                release = self._release()
                lost = Installation(release, self._folder / "lost", stores[0], settings)
                stack.callback(lost.die)
                lost.run("portal.provider", "migrate")
                added = lost.run("portal.provider", "api-key", "add", "Drill", *(scope.value for scope in ApiScope))
                self.key = next(word for word in added.split() if word.startswith("portal_"))
                notes.append(release.name if self._whole else "this checkout")
            with self.stage("import the corpus") as notes:
                shop = self._folder / "shop"
                write("o", shop, today())
                write_lines(shop / "bikes.jsonl", _bikes())
                shutil.copy(ROOT / "docs" / "samples" / "locations.jsonl", shop)
                # Two of its orders are rejected.
                lost.run("portal", "import", str(shop), ends=1)
                notes.append(f"{len(ORDERS)} orders")
            with self.stage("start"):
                lost.start(self._ports[0], self._command)
            asyncio.run(self._work(stack, lost, stores[1], settings))

    async def _work(self, stack: ExitStack, lost: Installation, store: FileStore, settings: Mapping[str, str]) -> None:
        people, clients = list[Client](), list[Client]()
        try:
            with self.stage("customers and staff work") as notes:
                for order in {order.person: order for order in ORDERS if "o" in order.shops}.values():
                    person = PEOPLE[order.person]
                    if person.country_code != "NL" or not person.house_number:
                        continue
                    people.append(client := Client(self.address, self))
                    with suppress(Refused):  # Two orders were rejected.
                        await client.log_in(order.order_number, person.email)
                        clients += [client] if await client.bikes() else []
                    if len(clients) == CUSTOMERS:
                        break
                await self._acts(clients[1:], self._operations)
                await mails_sent(lost.url)
                notes.append(self._said())
            with self.stage("back up"):
                await asyncio.to_thread(lost.run, "portal.provider", "backup", str(self._folder / "backups"))
            held = self.history.copy()
            await self._acts(clients[1:], AFTER_BACKUP)
            await mails_sent(lost.url)
            with self.stage("restore elsewhere") as notes:
                lost.die()
                self.history = held
                for client in clients:
                    client.forget_what_is_gone()
                found = Installation(lost.release, self._folder / "found", store, settings)
                stack.callback(found.die)
                await asyncio.to_thread(found.run, "portal.provider", "restore", str(self._folder / "backups"))
                await asyncio.to_thread(found.start, self._ports[0], self._command)
                notes.append(f"{AFTER_BACKUP} operations after the backup are gone")
            await self._compare(found, clients, "compare, quiet")
            with self.stage("go live"):
                await asyncio.to_thread(found.run, "portal.provider", "go-live")
            await self._upgrade(found, clients)
            await mails_sent(found.url)
            await self._compare(found, clients, "compare")
        finally:
            for client in people:
                await client.close()

    async def _acts(self, clients: list[Client], operations: int) -> None:
        """Let the clients do so many things, each at its own pace."""
        left = itertools.count(1)

        async def act(client: Client) -> None:
            while next(left) <= operations:
                await client.act()

        await asyncio.gather(*map(act, clients))

    async def _upgrade(self, found: Installation, clients: list[Client]) -> None:
        """Start the next release beside the old one, and drain that while an upload is on its way to it."""
        slow, goes_on, upgraded = clients[0], asyncio.Event(), asyncio.Event()

        async def act(client: Client) -> None:
            while not upgraded.is_set():
                await client.act()

        uploading = asyncio.create_task(slow.repair(goes_on))
        while not (slow.uploading or uploading.done()):
            await asyncio.sleep(0.02)
        before = self.history.acknowledged
        working = [asyncio.create_task(act(client)) for client in clients[1:]]
        with self.stage("the next release starts beside it"):
            found.release = self._next(found.release)
            await asyncio.to_thread(found.start, self._ports[1], self._command)
        with self.stage("the old one is drained") as notes:
            drained = asyncio.create_task(asyncio.to_thread(found.drain, self._ports[0]))
            while not is_free("127.0.0.1", self._ports[0]):
                await asyncio.sleep(0.02)
            goes_on.set()
            await asyncio.gather(uploading, drained)
            notes.append("an upload went on")
        upgraded.set()
        await asyncio.gather(*working)
        with self.stage("customers and staff go on") as notes:
            await self._acts(clients, len(clients))
            notes.append(f"{self.history.acknowledged - before} operations since the upgrade began, {self._said()}")

    def _said(self) -> str:
        told = self.history
        return (
            f"{told.acknowledged} acknowledged in all, {told.repeated} calls again, the slowest in {told.slowest:.2f} s"
        )

    async def _compare(self, found: Installation, clients: list[Client], name: str) -> None:
        """Compare the installation with the answers."""
        with self.stage(name) as notes:
            made = Counter(self.history.made)
            cases = Counter(reference for (reference,) in await read(found.url, "SELECT reference FROM cases"))
            files = {key for (key,) in await read(found.url, "SELECT key FROM uploads WHERE state = 'complete'")}
            outbox = await read(found.url, "SELECT message_id FROM outbox_mails WHERE recipient <> ''")
            mails = [mail for (mail,) in outbox]
            came = Counter(message["Message-ID"] for message in self.mail.answers.taken)
            stands = {each: (await clients[0].status(each))["status"] for each in self.history.statuses}
            streets = {client: await client.street() for client in self.history.streets}
            wrong = {
                "lost": [*(made - cases)],
                "doubled": [*(cases - made)],
                "other": [each for each, status in self.history.statuses.items() if stands[each] != status]
                + [street for client, street in self.history.streets.items() if streets[client] != street],
                "files gone": [*(files - await found.keys())] + [""] * (self.history.files - len(files)),
                "mails that did not come": [mail for mail in mails if not came[mail]],
                "mails that came twice": [mail for mail, times in came.items() if times > 1],
            }
            notes += [f"{made.total()} cases", f"{len(files)} files", f"{len(mails)} mails"]
            notes += [f"{len(found)} {name}" for name, found in wrong.items()]
        self.faults += [f"{name}: {', '.join(found)}" for name, found in wrong.items() if found]

    def _settings(self, stack: ExitStack) -> dict[str, str]:
        settings = {
            "SMTP__HOST": "127.0.0.1",
            "SMTP__PORT": str(self.mail.port),
            "SMTP__SECURITY": "none",
            "CODES_PER_ADDRESS_HOUR": "1000",
            "DESK": "false",
        }
        if self._whole:
            port = free_port()
            redis = subprocess.Popen(["redis-server", "--port", str(port), "--save", "", "--dir", str(self._folder)])
            stack.callback(redis.kill)
            settings["REDIS_URL"] = f"redis://127.0.0.1:{port}/0"
        return settings

    def _start_nginx(self, stack: ExitStack) -> None:
        """The nginx of production, without TLS, at the ports of the drill."""
        text = (ROOT / "ops" / "nginx.conf").read_text().partition("server {\n    listen 80;")[0]
        text = re.sub(r"    ssl_.*\n", "", text).replace(
            "listen 443 ssl", f"listen {self.address.removeprefix('http://')}"
        )
        text = text.replace("server_name", "server_name 127.0.0.1").replace("/var/log/nginx", str(self._folder))
        text = text.replace("Host $host", f"Host {HOST}").replace("Proto $scheme", "Proto https")
        for port, used in zip((8000, 8010), self._ports, strict=True):
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{used}")
        place = self._folder / "nginx.conf"
        place.write_text(f"pid {self._folder}/nginx.pid;\nevents {{}}\nhttp {{\n{text}\n}}\n")
        nginx = [shutil.which("nginx", path="/usr/sbin:/usr/bin") or "nginx", "-e", f"{self._folder}/error.log"]
        stack.callback(subprocess.Popen([*nginx, "-c", place, "-g", "daemon off;"]).terminate)

    def _release(self) -> Path:
        """The folder of the release; that of this checkout, unless it is the whole drill."""
        if not self._whole:
            return ROOT
        environment = {**os.environ, **{f"PORTAL_{name}": value for name, value in VARIABLES.items()}}
        subprocess.run([ROOT / "script" / "release", "without-wheels"], env=environment, check=True)
        archive = max((ROOT / "dist").glob("portal-*.tar.gz"), key=lambda path: path.stat().st_mtime)
        subprocess.run(["tar", "--extract", "--file", archive, "--directory", self._folder], check=True)
        return next(self._folder.glob("portal-*"))

    def _next(self, release: Path) -> Path:
        """A copy of the release with a table more."""
        other = self._folder / "next"
        if self._whole:
            shutil.copytree(release, other)
        else:
            for name in ("portal", "alembic", "locale"):
                shutil.copytree(release / name, other / name)
            for name in ("alembic.ini", "pyproject.toml"):
                shutil.copy(release / name, other)
        head = max(path.stem for path in (other / "alembic" / "versions").glob("*.py")).partition("_")[0]
        (other / "alembic" / "versions" / "drill.py").write_text(_MIGRATION.format(head=head))
        return other


def main() -> int:
    """Run the drill, and print its table."""
    parser = argparse.ArgumentParser(description="Install, work, back up, lose the machine, restore, upgrade, compare.")
    parser.add_argument("--operations", type=int, default=200)
    parser.add_argument("--short", action="store_true", help="the provider of this checkout, without release and pages")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="portal-drill-") as folder:
        drill = Drill(Path(folder), asked.operations, whole=not asked.short)
        drill.run()
    print("\n".join(drill.faults))
    return 1 if drill.faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""A separate PostgreSQL cluster on a free port, which tests may stop and start."""

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from portal.kernel.days import today
from portal.settings import Settings
from tests.support.ports import free_port

TABLES = "tables"
"""A database whose tables are empty. Tests copy it and never open it."""


def made_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A directory that one test process makes while the others wait.

    Args:
        temporary: where this process has its files; those of the other processes of the run stand beside it.
        name: of the directory.
        make: fills the directory. If it fails, the next process tries again.
    """
    root = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    made, unfinished = root / f"once-{name}", root / f"once-{name}.{os.getpid()}"
    with (root / f"once-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.is_dir():
            make(unfinished)
            unfinished.rename(made)
    return made


def shop_name(day: date) -> str:
    """The name of the database with the demonstration shop of a day. Tests copy it and never open it."""
    return f"shop_{day:%Y%m%d}"


class PostgresCluster:
    """A running cluster with the superuser `portal`, reachable from this machine only."""

    def __init__(self, saved: Path | None = None) -> None:
        """Make the files of a cluster; it does not run yet.

        Args:
            saved: files of another one (`save`), which are copied; without them the cluster is empty.
        """
        self.port = free_port()
        self._directory = Path(tempfile.mkdtemp(prefix="portal-postgres-", dir=_memory_directory()))
        self._programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        # The server refuses to run as root.
        self._user = _ordinary_user() if os.geteuid() == 0 else None
        if self._user:
            os.chown(self._directory, self._user.pw_uid, self._user.pw_gid)
        if saved:
            subprocess.run(["cp", "-a", saved / "data", self._directory], check=True)
        else:
            self._run("initdb", "-D", "data", "-U", "portal", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._remover = self._remove_at_the_end()

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        # fsync and full pages in the log only protect against a power failure, which tests do not cover.
        # The write-ahead log stays small, because the directory may be in memory.
        settings = (
            "listen_addresses=127.0.0.1",
            "max_connections=200",
            "fsync=off",
            "full_page_writes=off",
            "max_wal_size=128MB",
        )
        options = f"-p {self.port} -k {self._directory} " + " ".join(f"-c {setting}" for setting in settings)
        self._run("pg_ctl", "-D", "data", "-o", options, "-l", "log", "-w", "start")

    def stop(self, *, mode: str = "immediate") -> None:
        """Stop the server. `immediate` stops it without a clean shutdown."""
        self._run("pg_ctl", "-D", "data", "-m", mode, "-w", "stop")

    def save(self, directory: Path) -> None:
        """Stop the server, and copy its files into a directory that is not there yet."""
        self.stop(mode="fast")
        directory.mkdir()
        subprocess.run(["cp", "-a", self._directory / "data", directory], check=True)

    def create_database(self, template: str = "template1", name: str = "") -> str:
        """Create a database and return its URL for SQLAlchemy (async psycopg).

        Args:
            template: name of the database to copy; the default one is empty.
            name: of the database; without it, one that no other has.
        """
        name = name or f"portal_{uuid4().hex}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            # pyrefly: ignore[no-matching-overload]  # psycopg wants literal statements; these have a name in them
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
        return f"postgresql+psycopg://portal@127.0.0.1:{self.port}/{name}"

    def drop_database(self, url: str) -> None:
        """Delete a database that `create_database` created, even if it has open connections."""
        name = url.rpartition("/")[2]
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            # pyrefly: ignore[no-matching-overload]  # psycopg wants literal statements; these have a name in them
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def has_database(self, name: str) -> bool:
        """Whether there is a database of this name."""
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
            return found.fetchone() is not None

    def dsn(self, database: str) -> str:
        """The connection string of a database for psycopg."""
        return f"host=127.0.0.1 port={self.port} user=portal dbname={database}"

    def remove(self) -> None:
        """Stop the server and delete its files."""
        self._remover.communicate()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _remove_at_the_end(self) -> subprocess.Popen[bytes]:
        """A process that waits for the end of its input, and then stops the server and deletes the files.

        The input also ends when the tests are killed. A server would otherwise outlive them.
        """
        stop = f"cat; {self._programs}/pg_ctl -D data -m immediate -w stop; rm -rf {self._directory}"
        return subprocess.Popen(["sh", "-c", stop], stdin=subprocess.PIPE, start_new_session=True, **self._options())

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run([self._programs / program, *arguments], check=True, **self._options())

    def _options(self) -> dict[str, Any]:
        return {
            "cwd": self._directory,
            "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL,
            "env": {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            "user": self._user.pw_uid if self._user else None,
            "group": self._user.pw_gid if self._user else None,
            "extra_groups": [] if self._user else None,
        }


def _memory_directory() -> str | None:
    """An in-memory file system with room for a cluster, where copying a database is much faster; None if missing."""
    memory = Path("/dev/shm")  # noqa: S108 - a directory of its own is made there
    enough = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 * 2**30
    return str(memory) if enough else None


def _ordinary_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise LookupError("neither the user postgres nor nobody exists")


@pytest.fixture(scope="session")
def postgres_cluster(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PostgresCluster]:
    """A cluster for this test process, which starts as a copy of the one that the first process made.

    It has the tables and the shop of today that tests copy, the latter if one of the run does.
    """
    tests = [item for item in request.session.items if isinstance(item, pytest.Function)]
    shop = any("loaded_url" in test.fixturenames and test.get_closest_marker("each_database") for test in tests)
    cluster = PostgresCluster(made_once(tmp_path_factory, "postgres", partial(_prepare, shop=shop)))
    cluster.start()
    yield cluster
    cluster.remove()


def _prepare(made: Path, *, shop: bool) -> None:
    from tests.support.demonstration import load_shop
    from tests.support.retailer import make_tables

    cluster = PostgresCluster()
    try:
        cluster.start()
        make_tables(cluster.create_database(name=TABLES))
        if shop:
            # In a thread of its own: a browser may keep an event loop running in this one.
            with ThreadPoolExecutor(1) as thread:
                url = cluster.create_database(name=shop_name(today()))
                thread.submit(load_shop, Settings(database_url=url)).result()
        cluster.save(made)
    finally:
        cluster.remove()


@pytest.fixture
def postgres_url(postgres_cluster: PostgresCluster) -> Iterator[str]:
    """The URL of a new, empty database."""
    url = postgres_cluster.create_database()
    yield url
    postgres_cluster.drop_database(url)

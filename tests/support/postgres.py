"""A separate PostgreSQL cluster on a free port, which tests may stop and start."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.support.ports import free_port


class PostgresCluster:
    """A running cluster with the superuser `portal`, reachable from this machine only."""

    def __init__(self) -> None:
        self.port = free_port()
        self._directory = Path(tempfile.mkdtemp(prefix="portal-postgres-", dir=_memory_directory()))
        self._programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        # The server refuses to run as root.
        self._user = _ordinary_user() if os.geteuid() == 0 else None
        if self._user:
            os.chown(self._directory, self._user.pw_uid, self._user.pw_gid)
        self._run("initdb", "-D", "data", "-U", "portal", "-A", "trust", "-E", "UTF8", "--no-sync")

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

    def create_database(self, template: str = "template1") -> str:
        """Create a database and return its URL for SQLAlchemy (async psycopg).

        Args:
            template: name of the database to copy; the default one is empty.
        """
        name = f"portal_{uuid4().hex}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')  # pyrefly: ignore[no-matching-overload]
        return f"postgresql+psycopg://portal@127.0.0.1:{self.port}/{name}"

    def drop_database(self, url: str) -> None:
        """Delete a database that `create_database` created, even if it has open connections."""
        name = url.rpartition("/")[2]
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')  # pyrefly: ignore[no-matching-overload]

    def dsn(self, database: str) -> str:
        """The connection string of a database for psycopg."""
        return f"host=127.0.0.1 port={self.port} user=portal dbname={database}"

    def remove(self) -> None:
        """Stop the server and delete its files."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            cwd=self._directory,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            user=self._user.pw_uid if self._user else None,
            group=self._user.pw_gid if self._user else None,
            extra_groups=[] if self._user else None,
        )


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
def postgres_cluster() -> Iterator[PostgresCluster]:
    """A cluster for this test process."""
    cluster = PostgresCluster()
    cluster.start()
    yield cluster
    cluster.remove()


@pytest.fixture
def postgres_url(postgres_cluster: PostgresCluster) -> Iterator[str]:
    """The URL of a new, empty database."""
    url = postgres_cluster.create_database()
    yield url
    postgres_cluster.drop_database(url)

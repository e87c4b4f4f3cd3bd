"""Files are kept whole or not at all, on the disk and in an S3 server; what belongs to nothing goes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.backend.files.store import Bucket, LocalStore, Store
from portal.kernel.ranges import Part
from portal.settings import FileStore, Settings
from tests.support.bucket import s3_server

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def server() -> Iterator[FileStore]:
    with s3_server() as settings:
        yield settings


@pytest.fixture(params=["local", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "local":
        return LocalStore(tmp_path / "files")
    return Bucket(request.getfixturevalue("server"))


async def _read(store: Store, key: str) -> bytes:
    return b"".join([piece async for piece in store.read(key)])


@pytest.mark.parametrize("size", [1, 300_000, 20_000_000])
async def test_a_file_is_given_back_as_it_was_kept(store: Store, tmp_path: Path, size: int) -> None:
    source, content = tmp_path / "incoming", os.urandom(size)
    source.write_bytes(content)
    await store.keep(KEY, source)
    assert not source.exists()
    assert await _read(store, KEY) == content
    await store.remove(KEY)
    await store.remove(KEY)
    with pytest.raises(FileNotFoundError):
        await _read(store, KEY)


@pytest.mark.parametrize("part", [Part(0, 1), Part(299_999, 1), Part(100, 290_000), Part(300_000, 0)])
async def test_a_part_of_a_file_has_its_bytes_and_no_other(store: Store, tmp_path: Path, part: Part) -> None:
    source, content = tmp_path / "incoming", os.urandom(300_000)
    source.write_bytes(content)
    await store.keep(KEY, source)
    read = b"".join([piece async for piece in store.read(KEY, part)])
    assert read == content[part.first : part.first + part.length]


async def test_a_bucket_that_cannot_be_reached_is_reported_within_seconds(tmp_path: Path, server: FileStore) -> None:
    source = tmp_path / "incoming"
    source.write_bytes(b"x")
    started = time.monotonic()
    with pytest.raises(Exception, match=r"(?i)connect|request"):
        await Bucket(server.model_copy(update={"endpoint": "http://127.0.0.1:9"})).keep(KEY, source)
    assert time.monotonic() - started < 25
    assert source.exists()


async def test_only_old_files_are_listed(tmp_path: Path) -> None:
    store = LocalStore(tmp_path / "files")
    for key in (KEY, KEY[::-1]):
        source = tmp_path / "incoming"
        source.write_bytes(b"x")
        await store.keep(key, source)
    yesterday = time.time() - 90_000
    os.utime(tmp_path / "files" / KEY[:2] / KEY, (yesterday, yesterday))
    assert [key async for key in store.keys()] == [KEY]  # noqa: SIM118 - no dict


async def test_a_place_outside_the_store_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="key"):
        await LocalStore(tmp_path).remove("../../etc/passwd")


def test_a_bucket_needs_a_name() -> None:
    with pytest.raises(ValueError, match="PORTAL_FILES__BUCKET"):
        Settings.model_validate({"files": {"store": "s3"}})

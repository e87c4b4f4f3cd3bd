"""Files are kept whole or not at all, on the disk and in an S3 server; what belongs to nothing goes."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.backend.files.store import Bucket, LocalStore, Store
from portal.kernel.ranges import Part
from portal.setting_groups import FileStore
from portal.settings import Settings
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


async def _kept(store: Store, source: Path, name: str, content: bytes = b"x") -> None:
    source.write_bytes(content)
    await store.keep(name, source)


async def _names(store: Store, *, trash: bool = False) -> list[str]:
    return [file.name async for file in store.names(trash=trash)]


async def test_a_file_in_the_trash_is_kept_until_it_is_erased(store: Store, tmp_path: Path) -> None:
    other = KEY[::-1]
    for name in (KEY, f"{KEY}-preview", other):
        await _kept(store, tmp_path / "incoming", name, name.encode())
    await store.discard(f"{KEY}-preview")
    await store.discard(other)
    assert await _names(store) == [KEY]
    assert sorted(await _names(store, trash=True)) == sorted([f"{KEY}-preview", other])
    await store.restore(f"{KEY}-preview")
    await store.erase(other)
    await store.discard(other)
    assert sorted(await _names(store)) == [KEY, f"{KEY}-preview"]
    assert await _names(store, trash=True) == []
    assert await _read(store, f"{KEY}-preview") == f"{KEY}-preview".encode()
    await store.remove(KEY)
    await store.remove(f"{KEY}-preview")
    for name in ("a" * 32, "b" * 32):
        await store.set_owner(name)
    assert (await store.owner(), await _names(store)) == ("b" * 32, []), "whose files they are is no file of anybody"


@pytest.mark.parametrize("prefix", ["", "shop/", "shop-"])
async def test_only_files_of_the_portal_below_its_prefix_are_listed(
    prefix: str, server: FileStore, tmp_path: Path
) -> None:
    mine = Bucket(server.model_copy(update={"prefix": prefix}))
    foreign = Bucket(server.model_copy(update={"prefix": ""}))
    others = ["backup", f"others/{KEY}", f"{prefix}report-2026", f"{prefix}{KEY}.txt", f"sho/{KEY}"]
    for name in others:
        await _kept(foreign, tmp_path / "incoming", name)
    await _kept(mine, tmp_path / "incoming", KEY)
    assert await _names(mine) == [KEY]
    for name in (*others, prefix + KEY):
        await foreign.remove(name)


async def test_files_of_others_in_the_folder_are_not_listed(tmp_path: Path) -> None:
    store = LocalStore(tmp_path / "files")
    with pytest.raises(ValueError, match="key"):
        await store.remove("../../etc/passwd")
    await _kept(store, tmp_path / "incoming", KEY)
    for place in ("ab/letter.pdf", "ab/abcdef", f"sub/{KEY}", KEY):
        path = tmp_path / "files" / place
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    assert await _names(store) == [KEY]


def test_a_bucket_needs_a_name() -> None:
    with pytest.raises(ValueError, match="PORTAL_FILES__BUCKET"):
        Settings.model_validate({"files": {"store": "s3"}})

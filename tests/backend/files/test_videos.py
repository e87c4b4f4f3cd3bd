"""Videos lose what cameras write into them, and play the same pictures and sound as before."""

import struct
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.backend.files import checks
from portal.backend.files.checks import BadFile, inspect
from tests.support import files as samples
from tests.support import films

AVI = [("avi", "mpeg4", "pcm_s16le"), ("avi", "libx264", "libmp3lame")]
MPG = [("mpeg", "mpeg1video", "mp2"), ("vob", "mpeg2video", "ac3"), ("vob", "libx264", "mp2")]


MARK_OF = films.MARK + b" 52.0907 N 5.1214 E"
WITH_NOTES = films.with_track(samples.film(), b"meta", b"mebx", [MARK_OF] * 5)
AVI_WITH_NOTES = films.avi_of_a_camera(films.encoded(*AVI[1]))
MPG_WITH_NOTES = films.mpg_of_a_camera(films.encoded(*MPG[1]), user_data=True)


def cleaned(tmp_path: Path, content: bytes) -> bytes:
    path = tmp_path / "film"
    path.write_bytes(content)
    inspect(path, {"AVI", "MPG", "MP4", "MOV"}, tmp_path / "preview")
    return path.read_bytes()


@pytest.mark.parametrize("made", AVI, ids=["MPEG-4", "H.264"])
def test_an_avi_loses_its_metadata_and_plays_the_same(tmp_path: Path, made: tuple[str, str, str]) -> None:
    content = films.avi_of_a_camera(films.encoded(*made))
    assert content.count(films.MARK) == 10
    assert films.titles(content)
    kept = cleaned(tmp_path, content)
    assert films.MARK not in kept
    assert not films.titles(kept)
    assert films.played(kept) == films.played(content)


NOTES = [MARK_OF + bytes([place]) * place for place in range(1, 8)]
TRACKS = [(b"meta", b"mebx"), (b"meta", b"mett"), (b"meta", b"gpmd"), (b"sbtl", b"tx3g"), (b"tmcd", b"tmcd")]


@pytest.mark.parametrize("count", [7, 6])
@pytest.mark.parametrize("table", [b"stsz", b"stz2"])
@pytest.mark.parametrize("track", TRACKS, ids=[entry.decode() for _, entry in TRACKS])
def test_an_mp4_loses_the_tracks_of_a_camera_and_plays_the_same(
    tmp_path: Path, track: tuple[bytes, bytes], table: bytes, count: int
) -> None:
    plain = films.encoded("mp4", "libx264", "aac")
    content = films.with_track(plain, *track, NOTES[:count], table)
    assert content.count(films.MARK) >= count + 2
    kept = cleaned(tmp_path, content)
    assert films.MARK not in kept
    assert films.played(kept) == films.played(plain)


@pytest.mark.parametrize("container", ["mp4", "mov"])
def test_an_mp4_loses_its_titles_and_times_and_plays_the_same(tmp_path: Path, container: str) -> None:
    content = films.encoded(container, "libx264", "aac")
    recorded = (0xE1234567).to_bytes(4, "big")
    for kind in (b"mvhd", b"tkhd", b"mdhd"):
        at = content.index(kind) + 8
        content = content[:at] + recorded * 2 + content[at + 8 :]
    kept = cleaned(tmp_path, content)
    assert films.MARK in content
    assert films.MARK not in kept
    assert recorded not in kept
    assert films.played(kept) == films.played(content)


@pytest.mark.parametrize("made", MPG, ids=["MPEG-1", "MPEG-2", "H.264"])
def test_an_mpg_loses_its_metadata_and_plays_the_same(tmp_path: Path, made: tuple[str, str, str]) -> None:
    plain = films.encoded(*made)
    user_data = made[1] != "libx264"
    content = films.mpg_of_a_camera(plain, user_data=user_data)
    kept = cleaned(tmp_path, content)
    assert content.count(films.MARK) == (29 if user_data else 27)
    assert films.MARK not in kept
    assert films.played(kept) == films.played(plain)


def _changed(content: bytes) -> st.SearchStrategy[bytes]:
    """The content with some bytes replaced and perhaps cut off."""
    places = st.lists(st.tuples(st.integers(0, len(content) - 1), st.binary(min_size=1, max_size=6)), max_size=8)

    def apply(found: tuple[list[tuple[int, bytes]], int]) -> bytes:
        changed = bytearray(content)
        for at, value in found[0]:
            changed[at : at + len(value)] = value
        return bytes(changed[: max(16, len(changed) - found[1])])

    return st.tuples(places, st.integers(0, len(content))).map(apply)


@settings(max_examples=150)
@given(st.sampled_from([WITH_NOTES, AVI_WITH_NOTES, MPG_WITH_NOTES]).flatmap(_changed))
def test_a_video_is_cleaned_or_refused_whatever_it_holds(content: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(BadFile):
        assert MARK_OF not in cleaned(Path(folder), content)


@pytest.mark.parametrize(
    ("container", "pictures", "sound"), [("mp4", "libx264", "aac"), ("mov", "libx264", "aac"), *AVI, *MPG]
)
def test_a_video_that_was_cut_off_is_refused(tmp_path: Path, container: str, pictures: str, sound: str) -> None:
    content = films.encoded(container, pictures, sound)
    for share in range(1, 20):
        with pytest.raises(BadFile):
            cleaned(tmp_path, content[: len(content) * share // 20 - 3])


def test_a_turned_film_stays_turned_and_keeps_the_tag_of_its_codec(tmp_path: Path) -> None:
    content = films.encoded("mp4", "libx265", "aac").replace(b"hev1", b"hvc1")
    upright = struct.pack(">9i", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    turned = struct.pack(">9i", 0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
    movie, tracks = content.split(b"tkhd", 1)
    kept = cleaned(tmp_path, movie + b"tkhd" + tracks.replace(upright, turned, 1))
    assert turned[:20] in kept
    assert b"hvc1" in kept
    assert kept.index(b"moov") < kept.index(b"mdat")


@given(_changed(samples.jpg(64, 48)), st.integers(0, 40))
def test_only_bytes_inside_the_picture_are_blanked(picture: bytes, around: int) -> None:
    data = bytearray(b"\xff" * around + picture + b"\xff" * around)
    checks.blank_metadata(data, around, around + len(picture))
    assert data[:around] == data[len(data) - around :] == b"\xff" * around
    assert len(data) == len(picture) + 2 * around

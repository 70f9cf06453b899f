"""The signing key that an installation makes for itself: made once, readable by its owner alone, never cut short."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.adapters.secret_file import KEY_BYTES, kept_secret
from bot.errors import Misconfigured


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "secret.key"


def test_a_key_is_made_once_and_kept(file):
    first = kept_secret(file)

    assert len(first) == 2 * KEY_BYTES
    assert kept_secret(file) == first
    assert [entry.name for entry in file.parent.iterdir()] == ["secret.key"]


def test_only_its_owner_may_read_it(file):
    kept_secret(file)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_directory_is_made_where_nothing_else_made_it(tmp_path):
    assert kept_secret(tmp_path / "var" / "secret.key") == kept_secret(tmp_path / "var" / "secret.key")


def test_two_installations_have_different_keys(tmp_path):
    assert kept_secret(tmp_path / "a") != kept_secret(tmp_path / "b")


def test_starts_at_the_same_moment_agree_on_one_key(file):
    with ThreadPoolExecutor(16) as starts:
        keys = set(starts.map(kept_secret, [file] * 64))

    assert len(keys) == 1
    assert [entry.name for entry in file.parent.iterdir()] == ["secret.key"]


def test_a_key_that_an_operator_put_there_is_used_as_it_is(file):
    file.write_text("k" * 40 + "\n")

    assert kept_secret(file) == "k" * 40


@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(lambda file: file.write_text(""), "cut short; delete the file", id="empty"),
        pytest.param(lambda file: file.write_text("abc"), "cut short; delete the file", id="short"),
        pytest.param(lambda file: file.write_bytes(b"\xff" * 64), "set SECRET_KEY", id="not text"),
        pytest.param(lambda file: file.mkdir(), "set SECRET_KEY", id="a folder"),
        pytest.param(lambda file: file.symlink_to("nowhere"), "set SECRET_KEY", id="a broken link"),
    ],
)
def test_a_key_that_cannot_be_used_is_named_with_its_remedy(file, make, said):
    make(file)

    with pytest.raises(Misconfigured) as refused:
        kept_secret(file)

    assert str(refused.value).startswith(f"{file}: ")
    assert said in str(refused.value)


def test_a_place_where_no_folder_can_be_is_named(tmp_path):
    (tmp_path / "no").touch()

    with pytest.raises(Misconfigured, match="the signing key cannot be kept there"):
        kept_secret(tmp_path / "no" / "secret.key")

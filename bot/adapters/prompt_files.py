"""Loads the phrase tables, the fixed sentences and the categories from the prompts directory, and says which file and key is wrong."""

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bot.core.categories import Categories
from bot.core.grounding import House
from bot.core.replies import Replies
from bot.core.rules import Rules
from bot.errors import Misconfigured

RULES_FILE = "rules.toml"
REPLIES_FILE = "replies.toml"
CATEGORIES_FILE = "categories.toml"
STATIC_CONTEXT_FILE = "static_context.md"
Built = TypeVar("Built")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What the prompt files say: phrase tables, fixed sentences and categories."""

    rules: Rules
    replies: Replies
    categories: Categories = field(default_factory=Categories)

    @property
    def house(self) -> House:
        """Return what the answer gate lets pass without a source: the phrases of every language, because a model may choose any."""
        return House.saying(phrase for phrases in self.replies.lead_ins.values() for phrase in phrases)


def load_language(directory: Path) -> Language:
    """Read and check the files; raise `Misconfigured` with the file, the key, the problem and the remedy."""
    return Language(
        rules=load_rules(directory),
        replies=load_replies(directory),
        categories=load_categories(directory),
    )


def load_rules(directory: Path) -> Rules:
    """Read and check `rules.toml`; raise `Misconfigured` with the file, the key, the problem and the remedy."""
    return _load(directory / RULES_FILE, Rules.from_mapping)


def load_replies(directory: Path) -> Replies:
    """Read and check `replies.toml`; raise `Misconfigured` with the file, the key, the problem and the remedy."""
    return _load(directory / REPLIES_FILE, Replies.from_mapping)


def load_categories(directory: Path) -> Categories:
    """Read and check `categories.toml`; raise `Misconfigured` with the file, the category, the problem and the remedy."""
    return _load(directory / CATEGORIES_FILE, Categories.from_mapping)


def digest(directory: Path) -> str:
    """Return the SHA-256 of all prompt files, names included; line endings do not count."""
    total = hashlib.sha256()
    for path in sorted(path for path in directory.iterdir() if path.suffix in {".toml", ".md"}):
        total.update(f"{path.name}\n{_read(path)}\0".encode())
    return total.hexdigest()


def static_context(directory: Path) -> str:
    """Return the general information that is shown when articles cannot be searched; empty when the operator wrote none."""
    path = directory / STATIC_CONTEXT_FILE
    return _read(path).strip() if path.is_file() else ""


def _load(path: Path, build: Callable[[Mapping[str, object]], Built]) -> Built:
    try:
        return build(tomllib.loads(_read(path)))
    except tomllib.TOMLDecodeError as error:
        raise Misconfigured(f"{path}: not valid TOML ({error}); correct that place") from error
    except Misconfigured as error:
        raise error if str(path) in str(error) else Misconfigured(f"{path}: {error}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise Misconfigured(f"{path}: missing; restore it, or name the directory it is in") from None
    except UnicodeDecodeError as error:
        raise Misconfigured(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except OSError as error:
        raise Misconfigured(
            f"{path}: cannot be read ({error.strerror}); allow this account to read it"
        ) from error

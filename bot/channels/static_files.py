"""The files that browsers load: read once, compressed once, named by the digest of all of them.

A page and its modules therefore come from one release, and a browser keeps them until the next.
"""

import gzip
import re
from copy import copy
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from aiohttp import web

TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
RELEASE = b"{release}"  # stands for the digest in the pages
# What browsers do not need: whole lines of comment, the types before an expression, indentation, and line breaks in styles.
COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)
CAST = re.compile(rb"/\*\* @type \{[^*\n]*\} \*/ ?")
BREAK = re.compile(rb"(?<=[{};,])\n+")  # in styles, of whose lines no error speaks
INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
COMMENTED = frozenset({".js", ".css"})
SHARED = Path(__file__).parent / "shared_static"  # the modules that the pages of several channels import


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticFile:
    """One file, ready to send."""

    body: bytes
    zipped: bytes
    media_type: str
    etag: str


class StaticFiles:
    """All files of some folders, as if they were one; of two files with the same name the last folder's counts."""

    def __init__(self, *folders: Path) -> None:
        raw = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for folder in folders
            for path in sorted(folder.rglob("*"))
            if path.suffix in TYPES
        }
        self.release = sha256(b"\0".join(name.encode() + body for name, body in raw.items())).hexdigest()[:16]
        self.by_name = {name: self._ready(name, body) for name, body in raw.items()}

    def respond(self, request: web.Request, name: str, *, cached: str = REVALIDATE) -> web.Response:
        """Answer with the file: 404 when there is none, 304 when the browser has it."""
        found = self.by_name.get(name)
        if found is None:
            raise web.HTTPNotFound
        headers = {"ETag": f'"{found.etag}"', "Cache-Control": cached, "Vary": "Accept-Encoding"}
        if found.etag in {tag.value for tag in request.if_none_match or ()}:
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = found.media_type
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=found.zipped, headers={**headers, "Content-Encoding": "gzip"})
        return web.Response(body=found.body, headers=headers)

    def without(self, name: str, part: re.Pattern[bytes]) -> "StaticFiles":
        """Return the same files, one of them with a part of it left out."""
        other = copy(self)
        other.by_name = {**self.by_name, name: self._ready(name, part.sub(b"", self.by_name[name].body))}
        return other

    def caching_for(self, release: str) -> str:
        """How long a file asked for under *release* may be kept."""
        return FOREVER if release == self.release else REVALIDATE

    def _ready(self, name: str, raw: bytes) -> StaticFile:
        body = raw.replace(RELEASE, self.release.encode())
        if Path(name).suffix in COMMENTED:
            body = INDENTATION.sub(b"", CAST.sub(b"", COMMENT.sub(_as_empty_lines, body)))
        if name.endswith(".css"):
            body = BREAK.sub(b"", body)
        return StaticFile(
            body=body,
            zipped=gzip.compress(body, mtime=0),
            media_type=TYPES[Path(name).suffix],
            etag=sha256(body).hexdigest()[:32],
        )


@cache
def files_of(*folders: Path) -> StaticFiles:
    """Return the files of these folders as they were when a process first asked for them."""
    return StaticFiles(*folders)


def _as_empty_lines(comment: re.Match[bytes]) -> bytes:
    """Keep the number of lines, so that an error names the line that the source has."""
    return b"\n" * comment.group().count(b"\n")

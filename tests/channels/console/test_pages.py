"""The console's pages: what confines them, and that nothing in them needs an exception (FAULTS W15)."""

import re

import pytest

from bot.channels.console.pages import FOLDER

PAGES = ["/console", "/console/join"]


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_runs_and_loads_only_what_is_ours_and_is_shown_in_no_frame(door, path):
    answer = await door.ask("GET", path)

    directives = dict(d.split(" ", 1) for d in answer.headers["Content-Security-Policy"].split("; "))
    assert answer.status == 200
    assert directives == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": f"'self' {door.url.replace('http', 'ws')}",
        "frame-src": "'none'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_and_its_files_are_of_one_release(door, path):
    async with door.http.get(door.url + path) as response:
        page = await response.text()

    files = re.findall(r'(?:src|href)="(/console/static/[^"]+)"', page)
    assert files
    for file in files:
        answer = await door.ask("GET", file)
        assert (answer.status, answer.headers["Cache-Control"]) == (
            200,
            "public, max-age=31536000, immutable",
        )


async def test_there_is_no_file_outside_the_folder(door):
    results = [
        await door.ask("GET", f"/console/static/x/{name}")
        for name in ("pages.py", "%2e%2e/pages.py", "..%2fguard.py", "nothing.js", "%00")
    ]

    assert {one.status for one in results} == {404}


def test_no_page_has_anything_inline():
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", re.IGNORECASE)

    assert [
        page.name for page in FOLDER.glob("*.html") if inline.search(page.read_text(encoding="utf-8"))
    ] == []

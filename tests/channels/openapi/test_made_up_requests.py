"""Requests made up from the document, good and bad: no defect of ours answers, and nothing that the document does not say."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.channels.openapi.server import Everything, everything

SCHEMATHESIS = Path(sys.executable).with_name("st")
EXAMPLES = 20
SEED = 1
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
    "allow_header_conformance",
    "ignored_auth",
)
ENDING = ("signOut", "signCustomerOut")  # after these nothing else is let in
DEFECTS = ("request_failed", "socket_failed", "Traceback")


def _configuration(server: Everything) -> str:
    """Sign in as both sides, and look for the one conversation more often than chance would."""
    return f"""
headers = {{ Origin = {json.dumps(server.url)} }}
[auth.openapi.customerToken]
bearer = {json.dumps(server.token)}
[auth.openapi.agentSession]
api_key = {json.dumps(server.admin.cookie)}
[auth.openapi.agentCsrf]
api_key = {json.dumps(server.admin.csrf)}
[parameters]
"path.id" = {{ dictionary = "conversations", probability = 0.7 }}
[dictionaries.conversations]
values = [{json.dumps(server.conversation)}]
"""


async def _findings(server: Everything, folder: Path, *options: str) -> str:
    """Return what Schemathesis says after it has found something; empty when it has not. Its files stay in *folder*."""
    (folder / "schemathesis.toml").write_text(_configuration(server), encoding="utf-8")
    command = ("run", f"{server.url}/openapi.json", "--seed", str(SEED), "--checks", ",".join(CHECKS))
    process = await asyncio.create_subprocess_exec(
        SCHEMATHESIS,
        *command,
        "--no-color",
        "--max-examples",
        str(EXAMPLES),
        *options,
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return said.decode() if process.returncode else ""


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "options",
    [
        [f"--exclude-operation-id={one}" for one in ENDING],
        [f"--include-operation-id={one}" for one in ENDING],
    ],
    ids=["signed in", "signing out"],
)
async def test_nothing_that_can_be_sent_is_answered_otherwise_than_described(tmp_path, capsys, options):
    async with everything() as server:
        findings = await _findings(server, tmp_path, *options)

    logged = capsys.readouterr().out
    assert findings == ""
    assert [word for word in DEFECTS if word in logged] == []

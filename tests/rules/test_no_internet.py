"""The suite's guard works: this machine may be reached, nothing else may."""

import asyncio
import socket

import pytest


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "elsewhere.example"])
async def test_a_connection_beyond_loopback_fails_the_test(host):
    with pytest.raises(pytest.fail.Exception, match="only this machine"):
        await asyncio.open_connection(host, 80)


def test_a_blocking_connection_beyond_loopback_fails_the_test():
    with socket.socket() as outside, pytest.raises(pytest.fail.Exception, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 80))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_may_be_reached(host):
    async def greet(_reader, writer):
        writer.write(b"hello")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        _reader, _writer = await asyncio.open_connection(host, server.sockets[0].getsockname()[1])
        said = await _reader.read()
        _writer.close()
        await _writer.wait_closed()

    assert said == b"hello"

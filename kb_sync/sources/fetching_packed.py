"""Unpacks what was packed by gzip, no further than a limit. Pure."""

import zlib


class BrokenPacking(ValueError):
    """It is not packed by gzip, or its end is missing."""


def unpacked(data: bytes, *, most_bytes: int) -> bytes:
    """Return what *data* holds, its first bytes alone when that is longer than *most_bytes*; BrokenPacking."""
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # gzip alone
    try:
        whole = unpacking.decompress(data, most_bytes + 1)
    except zlib.error as exc:
        raise BrokenPacking(str(exc)) from exc
    if not unpacking.eof and len(whole) <= most_bytes:
        raise BrokenPacking("it is cut off")
    return whole

"""Deterministic CBOR, writing (FORMAT.md, section 4): for the digest, which is over bytes that a reader has to make."""

import struct


def _head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * size:
            return bytes([major << 5 | info]) + number.to_bytes(size, "big")
    raise ValueError("beyond 64 bits")


def encode(item):
    if item is None or isinstance(item, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[item]
    if isinstance(item, int):
        return _head(0, item) if item >= 0 else _head(1, -1 - item)
    if isinstance(item, float):
        return b"\xfb" + struct.pack(">d", item)
    if isinstance(item, bytes):
        return _head(2, len(item)) + item
    if isinstance(item, str):
        raw = item.encode("utf-8")
        return _head(3, len(raw)) + raw
    if isinstance(item, list):
        return _head(4, len(item)) + b"".join(encode(part) for part in item)
    return _head(5, len(item)) + b"".join(encode(key) + encode(item[key]) for key in sorted(item))

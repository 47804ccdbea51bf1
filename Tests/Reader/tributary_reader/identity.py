"""Identities: a record's key values as bytes (FORMAT.md, section 2)."""

import math

from .values import BLOB, INTEGER, INTEGERS, REAL, TEXT, Value, bits_real, real_order

LONGEST = 512
INTEGER_KIND, REAL_KIND = 0x10, 0x20
LAST = {0x30: TEXT, 0x40: BLOB}
BEFORE = {0x31: TEXT, 0x41: BLOB}


def decode(identity):
    """The key values, or None for an identity that its values would not give again."""
    values = []
    rest = identity
    while rest:
        value, rest = _next(rest)
        if value is None:
            return None
        values.append(value)
    return values if values and encode(values) == identity else None


def _next(data):
    kind, rest = data[0], data[1:]
    if kind in (INTEGER_KIND, REAL_KIND):
        return (_number(kind, int.from_bytes(rest[:8], "big")), rest[8:]) if len(rest) >= 8 else (None, b"")
    if kind in LAST:
        return Value(LAST[kind], rest), b""
    if kind in BEFORE:
        return _escaped(BEFORE[kind], rest)
    return None, b""


def _number(kind, word):
    if kind == INTEGER_KIND:
        return Value(INTEGER, word - 2 ** 63)
    number = bits_real(word ^ 1 << 63 if word >> 63 else word ^ 2 ** 64 - 1)
    return None if math.isnan(number) else Value(REAL, number)


def _escaped(kind, data):
    """Bytes up to 00 01; 00 FF stands for 00, and nothing else follows a 00."""
    out = bytearray()
    at = 0
    while at < len(data):
        if data[at]:
            out.append(data[at])
            at += 1
        elif data[at + 1:at + 2] == b"\x01":
            return Value(kind, bytes(out)), data[at + 2:]
        elif data[at + 1:at + 2] == b"\xff":
            out.append(0)
            at += 2
        else:
            break
    return None, b""


def encode(values):
    last = len(values) - 1
    return b"".join(_encode_one(value, index == last) for index, value in enumerate(values))


def _encode_one(value, is_last):
    if value.kind == REAL and value.content.is_integer() and int(value.content) in INTEGERS:
        value = Value(INTEGER, int(value.content))
    if value.kind == INTEGER:
        return bytes([INTEGER_KIND]) + (value.content + 2 ** 63).to_bytes(8, "big")
    if value.kind == REAL:
        return bytes([REAL_KIND]) + real_order(value.content).to_bytes(8, "big")
    kind = 0x30 if value.kind == TEXT else 0x40
    if is_last:
        return bytes([kind]) + value.content
    return bytes([kind | 1]) + value.content.replace(b"\x00", b"\x00\xff") + b"\x00\x01"

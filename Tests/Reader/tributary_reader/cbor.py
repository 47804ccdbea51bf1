"""Deterministic CBOR, reading (FORMAT.md, section 4).

A map becomes a dict, an array a list, text a str, a byte string bytes. Everything that a deterministic writer would not
have written is refused, because two forms of one thing would have two hashes. What only a later version could mean is
read, for it may stand where it is passed over: integers beyond 64 bits, and maps with other keys, which become a list of
pairs. Whoever wants another thing refuses them.
"""

import math
import struct

from .errors import refuse_unless

DEEPEST = 8
UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, OTHER = range(8)
SIMPLE = {20: False, 21: True, 22: None}


class OtherMap(list):
    """A map of which not all keys are unsigned integers: pairs of a key's bytes and the value."""


def decode(data):
    """The one item that the data is."""
    item, end = _item(data, 0, 0)
    refuse_unless(end == len(data), "cbor-trailing", "Bytes follow the item.")
    return item


def _take(data, start, length):
    refuse_unless(length <= len(data) - start, "cbor-short", "The data ends within an item.")
    return data[start:start + length], start + length


def _head(data, at):
    """Major type, additional information, argument and where the rest starts."""
    first, at = _take(data, at, 1)
    major, info = first[0] >> 5, first[0] & 31
    if info < 24:
        return major, info, info, at
    refuse_unless(info < 28, "cbor-indefinite", "A length is indefinite or reserved.")
    raw, at = _take(data, at, 1 << (info - 24))
    argument = int.from_bytes(raw, "big")
    # Of major type 7 the argument is not a number, so that shortest forms do not apply.
    if major != OTHER:
        least = 24 if info == 24 else 1 << (8 << (info - 25))
        refuse_unless(argument >= least, "cbor-long-form", "A number is not in its shortest form.")
    return major, info, argument, at


def _item(data, at, depth):
    major, info, argument, at = _head(data, at)
    if major == UNSIGNED:
        return argument, at
    if major == NEGATIVE:
        return -1 - argument, at
    if major == BYTES:
        return _take(data, at, argument)
    if major == TEXT:
        return _text(data, at, argument)
    if major == ARRAY:
        return _array(data, at, argument, depth + 1)
    if major == MAP:
        return _map(data, at, argument, depth + 1)
    refuse_unless(major == OTHER, "cbor-tag", "There is a tag.")
    return _other(info, argument, at)


def _text(data, at, length):
    raw, at = _take(data, at, length)
    try:
        return raw.decode("utf-8"), at
    except UnicodeDecodeError:
        refuse_unless(False, "cbor-text", "A text is not UTF-8.")


def _open(data, at, count, depth):
    refuse_unless(depth <= DEEPEST, "cbor-deep", "Items are nested too deep.")
    # Every item has a byte at least, so that a count above the bytes left is a lie: nothing is allocated for it.
    refuse_unless(count <= len(data) - at, "cbor-count", "A count is above the bytes that are left.")


def _array(data, at, count, depth):
    _open(data, at, count, depth)
    items = []
    for _ in range(count):
        item, at = _item(data, at, depth)
        items.append(item)
    return items, at


def _map(data, at, count, depth):
    _open(data, at, count, depth)
    pairs = {}
    others = OtherMap()
    last = b""
    for _ in range(count):
        start = at
        key, at = _item(data, at, depth)
        raw = data[start:at]
        # Of shortest forms the order of bytes is that of unsigned numbers, too.
        refuse_unless(raw > last, "cbor-order", "A map's keys do not ascend, or one is there twice.")
        value, at = _item(data, at, depth)
        if raw[0] >> 5 == UNSIGNED:
            pairs[key] = value
        others.append((raw, value))
        last = raw
    return (pairs if len(pairs) == len(others) else others), at


def _other(info, argument, at):
    if info == 27:
        number = struct.unpack(">d", argument.to_bytes(8, "big"))[0]
        refuse_unless(not math.isnan(number), "cbor-nan", "A double is not a number.")
        return number, at
    refuse_unless(info in SIMPLE, "cbor-simple", "A simple value or a short double is not allowed.")
    return SIMPLE[info], at

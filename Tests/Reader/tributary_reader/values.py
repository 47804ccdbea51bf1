"""Values and their order (FORMAT.md, sections 2, 4 and 9)."""

import struct
from typing import NamedTuple

from .errors import Hold, Refused, refuse_unless

NULL, INTEGER, REAL, TEXT, BLOB = range(5)
NOT_UTF8, REFERENCE, PIECE = range(3)
PIECE_KINDS = {3: TEXT, 4: BLOB}
INTEGERS = range(-(2 ** 63), 2 ** 63)


class Value(NamedTuple):
    """`content` is None, an int, a float, or bytes for text and blobs: text may be no UTF-8."""

    kind: int
    content: object

    def order(self):
        """By kind, then by number (reals in IEEE total order) or by bytes."""
        if self.kind == NULL:
            return (NULL, 0)
        if self.kind == REAL:
            return (REAL, real_order(self.content))
        return (self.kind, self.content)

    def __eq__(self, other):
        # -0.0 and 0.0 are two values; Python's comparison of floats says otherwise.
        return isinstance(other, Value) and self.order() == other.order()

    def __hash__(self):
        return hash(self.order())


class Piece(NamedTuple):
    """A part of a value that is too long for a block (section 8)."""

    index: int
    count: int
    kind: int
    content: bytes

    @property
    def last(self):
        return self.index == self.count - 1


def real_bits(number):
    return struct.unpack(">Q", struct.pack(">d", number))[0]


def bits_real(bits):
    return struct.unpack(">d", struct.pack(">Q", bits))[0]


def real_order(number):
    """The bits as a number that ascends with the real: negative ones inverted, others with the highest bit set."""
    bits = real_bits(number)
    return bits ^ (2 ** 64 - 1) if bits >> 63 else bits | 1 << 63


def from_cbor(item):
    """A Value or a Piece. An array of another form holds the block; anything else that is no value is refused."""
    if item is None:
        return Value(NULL, None)
    if isinstance(item, float):
        return Value(REAL, item)
    if isinstance(item, bytes):
        return Value(BLOB, item)
    if isinstance(item, str):
        return Value(TEXT, item.encode("utf-8"))
    if isinstance(item, list):
        return _from_array(item)
    refuse_unless(isinstance(item, int) and not isinstance(item, bool), "value", "An item is no value.")
    refuse_unless(item in INTEGERS, "value", "An integer is beyond 64 bits.")
    return Value(INTEGER, item)


def _from_array(item):
    form = item[0] if item and isinstance(item[0], int) and not isinstance(item[0], bool) else None
    if form == NOT_UTF8 and len(item) == 2 and isinstance(item[1], bytes):
        return Value(TEXT, not_utf8(item[1]))
    if form == PIECE and len(item) == 5:
        return _piece(*item[1:])
    raise Hold()


def not_utf8(raw):
    """Text that is UTF-8 has a form of its own, so that this one would be a second form of the same value."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw
    raise Refused("value", "A text that is UTF-8 stands in the form for one that is not.")


def _piece(index, count, kind, content):
    numbers = all(isinstance(number, int) and not isinstance(number, bool) for number in (index, count, kind))
    refuse_unless(numbers and isinstance(content, bytes), "piece", "A piece does not have its form.")
    refuse_unless(kind in PIECE_KINDS, "piece", "A piece is of a kind that is not in pieces.")
    refuse_unless(0 <= index < count, "piece", "A piece has a number that is not below the count.")
    piece = Piece(index, count, PIECE_KINDS[kind], content)
    refuse_unless(not (piece.last and content), "piece", "The last piece has bytes.")
    return piece


def to_cbor(value):
    if value.kind != TEXT:
        return value.content
    try:
        return value.content.decode("utf-8")
    except UnicodeDecodeError:
        return [NOT_UTF8, value.content]

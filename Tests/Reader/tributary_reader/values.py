"""Values and their order (FORMAT.md, sections 2, 4 and 9)."""

import struct
from typing import NamedTuple

from .cbor import OtherMap
from .errors import Hold, Refused, refuse_unless

NULL, INTEGER, REAL, TEXT, BLOB = range(5)
NOT_UTF8, REFERENCE, PIECE = range(3)
PIECE_KINDS = {3: TEXT, 4: BLOB}
INTEGERS = range(-(2 ** 63), 2 ** 63)
MOST_PIECES, LONGEST_PIECE = 65_538, 256 << 10


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
    """A part of a value that is too long for a file (section 8)."""

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


def from_cbor(item, forms=(NOT_UTF8, PIECE)):
    """A Value or a Piece.

    `forms` are the numbers that an array may begin with here. One with another number holds the block; what else is no
    value is refused.
    """
    if item is None:
        return Value(NULL, None)
    if isinstance(item, float):
        return Value(REAL, item)
    if isinstance(item, bytes):
        return Value(BLOB, item)
    if isinstance(item, str):
        return Value(TEXT, item.encode("utf-8"))
    if isinstance(item, list):
        return _from_array(item, forms)
    refuse_unless(isinstance(item, int) and not isinstance(item, bool), "value", "An item is no value.")
    refuse_unless(item in INTEGERS, "value", "An integer is beyond 64 bits.")
    return Value(INTEGER, item)


def _from_array(item, forms):
    form = item[0] if item else None
    numbered = isinstance(form, int) and not isinstance(form, bool) and form >= 0
    refuse_unless(numbered and not isinstance(item, OtherMap), "value", "An array is no value.")
    if form not in forms:
        raise Hold()
    if form == PIECE:
        refuse_unless(len(item) == 5, "piece", "A piece does not have its form.")
        return _piece(*item[1:])
    sound = len(item) == 2 and isinstance(item[1], bytes)
    refuse_unless(sound, "value", "A text that is not UTF-8 does not have its form.")
    return Value(TEXT, not_utf8(item[1]))


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
    refuse_unless(2 <= count <= MOST_PIECES, "piece", "A value has one piece, or too many.")
    refuse_unless(0 <= index < count, "piece", "A piece has a number that is not below the count.")
    piece = Piece(index, count, PIECE_KINDS[kind], content)
    refuse_unless(len(content) <= LONGEST_PIECE, "piece", "A piece is above 256 KiB.")
    refuse_unless(not (piece.last and content), "piece", "The last piece has bytes.")
    return piece


def to_cbor(value):
    if value.kind != TEXT:
        return value.content
    try:
        return value.content.decode("utf-8")
    except UnicodeDecodeError:
        return [NOT_UTF8, value.content]

"""Varints, zigzag numbers and bytes within a byte string (FORMAT.md, section 4)."""

from .errors import refuse_unless

WORD = 2 ** 64


def zigzag_decode(number):
    return number >> 1 ^ -(number & 1)


def zigzag_encode(number):
    return number * 2 if number >= 0 else -number * 2 - 1


def encode(number):
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return encode(zigzag_encode(number))


class Packed:
    """Reads a byte string from its start; `end` refuses one that has more than was read."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    @property
    def left(self):
        return len(self._data) - self._at

    def take(self, length):
        refuse_unless(length <= self.left, "packed-short", "A packed column ends too early.")
        start = self._at
        self._at += length
        return self._data[start:self._at]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            refuse_unless(number < WORD, "varint", "A varint is beyond 64 bits.")
            if byte < 128:
                break
            shift += 7
            refuse_unless(shift < 70, "varint", "A varint is beyond 64 bits.")
        refuse_unless(byte or not shift, "varint", "A varint has a needless byte.")
        return number

    def zigzag(self):
        return zigzag_decode(self.varint())

    def end(self):
        refuse_unless(not self.left, "packed-long", "A packed column has more bytes than its rows need.")

"""Packed integers and reals (FORMAT.md, section 6)."""

import math

from .errors import Hold, refuse_unless
from .values import bits_real
from .varints import Packed, zigzag_decode

ADDED, CHAINED = 0, 1
BITS = 255
HIGHEST_POWER = 4


def _wrap(number):
    return (number + 2 ** 63) % 2 ** 64 - 2 ** 63


def _planes(packed, width, rows):
    """`width` planes of one byte a row, lowest bytes first, as a number for each row."""
    planes = [packed.take(rows) for _ in range(width)]
    return [sum(plane[row] << 8 * place for place, plane in enumerate(planes)) for row in range(rows)]


def _integers(packed, rows):
    mode, width = divmod(packed.byte(), 16)
    if mode not in (ADDED, CHAINED) or width > 8:
        raise Hold()
    base = packed.zigzag()
    numbers = _planes(packed, width, rows)
    if mode == ADDED:
        return [_wrap(base + number) for number in numbers]
    out = []
    for number in numbers:
        base = _wrap(base + zigzag_decode(number))
        out.append(base)
    return out


def integers(data, rows):
    packed = Packed(data)
    out = _integers(packed, rows)
    packed.end()
    return out


def reals(data, rows):
    packed = Packed(data)
    power = packed.byte()
    if power == BITS:
        out = [bits_real(bits) for bits in _planes(packed, 8, rows)]
    else:
        if power > HIGHEST_POWER:
            raise Hold()
        # Python divides two integers correctly rounded, also where the first has more than 53 bits.
        out = [number / 10 ** power for number in _integers(packed, rows)]
    packed.end()
    refuse_unless(not any(math.isnan(number) for number in out), "numbers", "A real is not a number.")
    return out

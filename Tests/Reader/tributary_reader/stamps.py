"""Moments, stamps, deltas and stamp columns (FORMAT.md, sections 2 and 6)."""

from typing import NamedTuple

from .errors import refuse_unless

MILLISECONDS_END = 2 ** 48
COUNTER_END = 2 ** 16


class Stamp(NamedTuple):
    """Compared by moment, then by device, as a tuple is."""

    moment: int
    device: bytes


class Delta(NamedTuple):
    milliseconds: int
    counter: int
    device: int


ZERO = Stamp(0, bytes(16))


def moved(moment, milliseconds, counter):
    """The moment that lies two differences from another."""
    milliseconds += moment >> 16
    counter += moment & COUNTER_END - 1
    refuse_unless(0 <= milliseconds < MILLISECONDS_END, "delta", "A moment leaves its 48 bits.")
    refuse_unless(0 <= counter < COUNTER_END, "delta", "A counter leaves its 16 bits.")
    return milliseconds << 16 | counter


def read_moment(packed, base):
    return moved(base, packed.zigzag(), packed.zigzag())


def device_at(devices, number):
    refuse_unless(number < len(devices), "device", "A device's number is not in the block.")
    return devices[number]


def read_delta(packed):
    return Delta(packed.zigzag(), packed.zigzag(), packed.varint())


def apply(delta, base, devices):
    """Device 0 is the same device; others are their number plus 1."""
    moment = moved(base.moment, delta.milliseconds, delta.counter)
    return Stamp(moment, base.device if delta.device == 0 else device_at(devices, delta.device - 1))


def read_stamp(packed, base, devices):
    return apply(read_delta(packed), base, devices)


def column(packed, rows, devices, over=None):
    """A stamp for each row: over the stamps in `over`, or over the row before where there are none."""
    out = []
    while len(out) < rows:
        length = packed.varint()
        refuse_unless(0 < length <= rows - len(out), "run", "A run of stamps is empty or too long.")
        delta = read_delta(packed)
        for _ in range(length):
            base = over[len(out)] if over else out[-1] if out else ZERO
            out.append(apply(delta, base, devices))
    packed.end()
    return out

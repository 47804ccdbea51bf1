"""The names of files and devices (FORMAT.md, section 1)."""

import re
from typing import NamedTuple, Optional

from .shape import SEQ_END, SMALL_END

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
PART_END = 2 ** 16

HEAD, LOG, SNAPSHOT, FENCE, KEY = "head", "log", "snapshot", "fence", "key"

_FORMS = (
    (HEAD, re.compile(r"head\.bin")),
    (KEY, re.compile(r"key-(?P<seq>[0-9]{10})\.bin")),
    (FENCE, re.compile(r"fence-(?P<seq>[0-9]{10})\.bin")),
    (LOG, re.compile(r"(?P<seq>[0-9]{16})\.log")),
    (SNAPSHOT, re.compile(r"snapshot-(?P<seq>[0-9]{16})\.(?P<part>[0-9]{5})\.snap")),
)


class Name(NamedTuple):
    """What a file's name says. `seq` is an epoch for keys and fences, None for a head, whose number rises unseen."""

    kind: str
    device: bytes
    seq: Optional[int]
    part: int


def device_text(device):
    bits = int.from_bytes(device, "big") << 2
    return "".join(ALPHABET[bits >> shift & 31] for shift in range(125, -1, -5))


def device_bytes(text):
    """The device of a directory's name, or None where it is no device: the two last bits have to be zero."""
    if len(text) != 26 or any(letter not in ALPHABET for letter in text):
        return None
    bits = 0
    for letter in text:
        bits = bits << 5 | ALPHABET.index(letter)
    return None if bits & 3 else (bits >> 2).to_bytes(16, "big")


def parse(directory, file):
    """The Name of a file, or None for other names, which are ignored."""
    device = device_bytes(directory)
    if device is None:
        return None
    for kind, form in _FORMS:
        match = form.fullmatch(file)
        if match:
            numbers = match.groupdict()
            seq = int(numbers["seq"]) if "seq" in numbers else None
            name = Name(kind, device, seq, int(numbers.get("part") or 0))
            return name if _in_bounds(name) else None
    return None


def _in_bounds(name):
    end = SMALL_END if name.kind in (KEY, FENCE) else SEQ_END
    return (name.seq or 0) < end and name.part < PART_END

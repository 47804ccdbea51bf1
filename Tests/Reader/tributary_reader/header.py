"""The 80 bytes before a sealed file (FORMAT.md, section 3)."""

from typing import NamedTuple

from . import names
from .errors import refuse_unless
from .shape import SEQ_END

MAGIC = b"TRB"
VERSION = 1
LENGTH = 80
KINDS = {1: names.HEAD, 2: names.LOG, 3: names.SNAPSHOT, 4: names.FENCE}
LONGEST = {names.HEAD: 256 << 10, names.FENCE: 64 << 10, names.LOG: 512 << 10, names.SNAPSHOT: 512 << 10,
           names.KEY: 1_258}
LONGEST_PLAIN = {names.HEAD: 256 << 10, names.FENCE: 64 << 10, names.LOG: 8 << 20, names.SNAPSHOT: 8 << 20}
ZEROS = bytes(32)


class Header(NamedTuple):
    kind: str
    part: int
    device: bytes
    install_nonce: bytes
    seq: int
    epoch: int
    previous: bytes


def read(data, name):
    """Checks a file's length, the header's form, the body length, and the header against the file's name, in that order.

    The version comes before what another version may lay out otherwise.
    """
    refuse_unless(len(data) <= LONGEST[name.kind], "length", "A file is longer than its kind may be.")
    refuse_unless(len(data) >= 4, "length", "A file is shorter than its header.")
    refuse_unless(data[:3] == MAGIC, "magic", "A file does not begin with its mark.")
    refuse_unless(data[3] == VERSION, "container-version", "A file's container is of another version.")
    refuse_unless(len(data) >= LENGTH, "length", "A file is shorter than its header.")
    header = _form(data)
    refuse_unless(int.from_bytes(data[44:48], "big") == len(data) - LENGTH, "body-length",
                  "The body length in the header is not the file's.")
    _against_name(header, name)
    return header


def _form(data):
    refuse_unless(data[4] in KINDS, "kind", "A file is of an unknown kind.")
    refuse_unless(data[5] == 0, "flags", "A file has unknown flags.")
    header = Header(
        KINDS[data[4]], int.from_bytes(data[6:8], "big"), data[8:24], data[24:32],
        int.from_bytes(data[32:40], "big"), int.from_bytes(data[40:44], "big"), data[48:80])
    refuse_unless(header.seq < SEQ_END, "range", "A seq is 2^53 or above.")
    return header


def _against_name(header, name):
    refuse_unless(header.kind == name.kind, "name", "A file is of another kind than its name.")
    refuse_unless(header.part == name.part, "name", "A file has another part than its name.")
    refuse_unless(header.device == name.device, "name", "A file is of another device than its directory.")
    refuse_unless(name.kind == names.HEAD or header.seq == name.seq, "name", "A file has another seq than its name.")

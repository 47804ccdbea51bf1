"""Cursors, and the other small arrays that heads, logs and manifests share (FORMAT.md, sections 7, 10 and 11)."""

from typing import NamedTuple

from . import shape
from .header import ZEROS


class Cursor(NamedTuple):
    """The last log of a device that was read. `hash` is None where it is not known, which zeros say as well."""

    device: bytes
    seq: int
    moment: int
    hash: object


def _cursor(item):
    item = shape.array(item, "A cursor", least=3)
    digest = shape.digest(item[3], "A cursor's hash") if len(item) > 3 else ZEROS
    return Cursor(
        shape.device(item[0], "A cursor's device"), shape.seq(item[1], "A cursor's seq"),
        shape.unsigned(item[2], "A cursor's moment"), None if digest == ZEROS else digest)


def parse(item):
    out = [_cursor(part) for part in shape.array(item, "Cursors", most=shape.MOST_DEVICES)]
    shape.ascending([cursor.device for cursor in out], "Cursors")
    return out


def parse_acknowledged(item, cursors):
    """Cursors as far as they count for pruning: `[device]` alone is one that is equal among the others."""
    by_device = {cursor.device: cursor for cursor in cursors}
    out = [_equal_or_own(part, by_device)
           for part in shape.array(item, "Cursors for pruning", most=shape.MOST_DEVICES)]
    shape.ascending([cursor.device for cursor in out], "Cursors for pruning")
    return out


def _equal_or_own(item, by_device):
    item = shape.array(item, "A cursor", least=1)
    if len(item) > 1:
        return _cursor(item)
    equal = by_device.get(shape.device(item[0], "A cursor's device"))
    shape.refuse_unless(equal is not None, "cursor", "A cursor for pruning is equal to one that is not there.")
    return equal


def parse_pairs(item, what, second):
    """Open arrays of a device and one thing more: what was pruned, or who is taken for gone."""
    out = []
    for part in shape.array(item, what, most=shape.MOST_DEVICES):
        part = shape.array(part, what, least=2)
        out.append((shape.device(part[0], what), second(part[1], what)))
    return out


def parse_pruned(item):
    return parse_pairs(item, "What was pruned", shape.seq)

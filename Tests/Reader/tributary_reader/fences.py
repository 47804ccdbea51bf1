"""Fences (FORMAT.md, section 11)."""

from typing import NamedTuple, Optional

from . import cbor, shape
from .errors import refuse_unless


class Fence(NamedTuple):
    epoch: int
    epoch_id: bytes
    key_file_hash: bytes
    peers: list
    revoked: Optional[bytes]


def parse(body, header=None):
    """A fence; with a header it is checked against it: sealed under the epoch before, its seq the new one."""
    item = shape.mapping(cbor.decode(body), "A fence")
    refuse_unless(all(key in item for key in (1, 2, 3)), "form", "A fence has no epoch, id or hash.")
    peers = shape.array(item.get(4, []), "Peers", most=shape.MOST_DEVICES)
    fence = Fence(
        shape.small(item[1], "An epoch"), shape.octets(item[2], "An epoch's id", exactly=16),
        shape.digest(item[3], "A key file's hash"), [_peer(part) for part in peers],
        shape.device(item[5], "Who is shut out") if 5 in item else None)
    if header:
        refuse_unless(fence.epoch == header.seq, "fence", "A fence's epoch is not its seq.")
        refuse_unless(fence.epoch == header.epoch + 1, "fence", "A fence is not sealed under the epoch before.")
    return fence


def _peer(item):
    item = shape.array(item, "A peer", least=3)
    return shape.device(item[0], "A peer"), shape.seq(item[1], "A seq"), shape.digest(item[2], "A hash")
